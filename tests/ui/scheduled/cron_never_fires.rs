use shedlock::scheduled;

#[scheduled(cron = "0 0 0 30 2 *")]
async fn report() {}

fn main() {
    drop(report());
}
