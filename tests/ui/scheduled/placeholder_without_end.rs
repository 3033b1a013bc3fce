use shedlock::scheduled;

#[scheduled(cron = "${REPORT_CRON")]
async fn report() {}

fn main() {
    drop(report());
}
