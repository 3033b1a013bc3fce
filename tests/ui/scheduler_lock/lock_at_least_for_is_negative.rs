use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_least_for = "-1s")]
async fn report() {}

fn main() {
    drop(report());
}
