use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", cron = "0 0 5 * * *")]
async fn report() {}

fn main() {
    drop(report());
}
