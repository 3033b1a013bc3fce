use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", zone = "asia/seoul")]
async fn report() {}

fn main() {
    drop(report());
}
