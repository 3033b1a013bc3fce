use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * FEBR *")]
async fn report() {}

fn main() {
    drop(report());
}
