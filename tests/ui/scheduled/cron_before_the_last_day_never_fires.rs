use shedlock::scheduled;

#[scheduled(cron = "0 0 4 L-29 2 *")]
async fn report() {}

fn main() {
    drop(report());
}
