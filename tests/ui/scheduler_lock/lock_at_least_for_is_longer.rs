use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "10m", lock_at_least_for = "15m")]
async fn report() {}

fn main() {
    drop(report());
}
