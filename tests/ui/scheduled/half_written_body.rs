use shedlock::{Data, scheduled, scheduler_lock};

#[scheduled(cron = "@daily")]
#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report(Data(pool): Data<String>) {
    let pages = pool.;
}

fn main() {
    drop(report(Data(String::new())));
}
