use shedlock::scheduled;

#[scheduled(cron = "0 0 13 * FRI", day_match = "both")]
async fn report() {}

fn main() {
    drop(report());
}
