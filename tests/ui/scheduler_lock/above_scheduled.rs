use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
#[shedlock::scheduled(fixed_rate = "5s")]
async fn report() {}

fn main() {}
