use shedlock::scheduled;

#[scheduled(cron = "@dayly")]
async fn report() {}

fn main() {
    drop(report());
}
