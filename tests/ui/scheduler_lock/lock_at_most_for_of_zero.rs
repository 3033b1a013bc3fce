use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "PT0S")]
async fn report() {}

fn main() {
    drop(report());
}
