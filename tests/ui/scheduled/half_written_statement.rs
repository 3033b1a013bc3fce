use shedlock::{Data, scheduled};

#[scheduled(cron = "0 0 4 * * *")]
async fn report(Data(foo): Data<String>) {
    let x = foo.
}

fn main() {
    drop(report(Data(String::new())));
}
