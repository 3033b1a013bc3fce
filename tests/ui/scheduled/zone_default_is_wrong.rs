use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", zone = "${REPORT_ZONE:Asia/Soul}")]
async fn report() {}

fn main() {
    drop(report());
}
