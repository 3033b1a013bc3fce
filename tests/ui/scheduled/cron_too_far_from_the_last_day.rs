use shedlock::scheduled;

#[scheduled(cron = "0 0 4 L-31 * *")]
async fn report() {}

fn main() {
    drop(report());
}
