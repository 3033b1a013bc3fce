use shedlock::scheduled;

#[scheduled(cron = "0 0 ? * * *")]
async fn report() {}

fn main() {
    drop(report());
}
