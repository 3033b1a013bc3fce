use shedlock::scheduled;

#[scheduled(cron = "60 4 * * *")]
async fn report() {}

fn main() {
    drop(report());
}
