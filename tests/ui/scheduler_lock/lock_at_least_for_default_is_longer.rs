use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "${MOST:1m}", lock_at_least_for = "${LEAST:2m}")]
async fn report() {}

fn main() {
    drop(report());
}
