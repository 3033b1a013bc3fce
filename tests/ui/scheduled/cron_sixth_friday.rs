use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * FRI#6")]
async fn report() {}

fn main() {
    drop(report());
}
