use shedlock::scheduler_lock;

#[scheduler_lock(name = "${REPORT_LOCK: report}")]
async fn report() {}

fn main() {
    drop(report());
}
