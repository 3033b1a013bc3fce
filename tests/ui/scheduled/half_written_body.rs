use shedlock::{Data, scheduled, scheduler_lock};

#[scheduled(fixed_rate = "5s")]
#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report(Data(pool): Data<String>) {
    let pages = pool.;
}

fn main() {
    drop(report(Data(String::new())));
}
