use shedlock::scheduled;

#[scheduled(cron = "0 0 13 * FRI")]
async fn report() {}

fn main() {
    drop(report());
}
