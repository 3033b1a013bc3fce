use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1h", duplicate = "yes")]
async fn report() {}

fn main() {}
