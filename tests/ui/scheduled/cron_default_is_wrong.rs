use shedlock::scheduled;

#[scheduled(cron = "${REPORT_CRON:0 0 25 * * *}")]
async fn report() {}

fn main() {
    drop(report());
}
