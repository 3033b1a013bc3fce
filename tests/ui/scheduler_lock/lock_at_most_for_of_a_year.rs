use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "P1Y")]
async fn report() {}

fn main() {
    drop(report());
}
