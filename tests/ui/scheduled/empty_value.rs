use shedlock::scheduled;

#[scheduled(cron =)]
async fn report() {}

fn main() {
    drop(report());
}
