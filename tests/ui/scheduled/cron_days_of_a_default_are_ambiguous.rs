use shedlock::scheduled;

#[scheduled(cron = "${REPORT_CRON:0 0 13 * FRI}")]
async fn report() {}

fn main() {
    drop(report());
}
