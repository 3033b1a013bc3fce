use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * * 2030")]
async fn report() {}

fn main() {
    drop(report());
}
