use shedlock::scheduled;

#[scheduled(cron = "0 0 25 * * *")]
async fn report() {}

fn main() {
    drop(report());
}
