use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", zone = "Asia/Soul")]
async fn report() {}

fn main() {
    drop(report());
}
