use shedlock::scheduled;

#[scheduled(cron = "0 0 22-2 * * *")]
async fn report() {}

fn main() {
    drop(report());
}
