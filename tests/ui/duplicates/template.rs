use shedlock::scheduler_lock;

#[scheduler_lock(name = "report-{tenant}", lock_at_most_for = "1h")]
async fn report(tenant: &str) {}

#[scheduler_lock(name = "report-{tenant}", lock_at_most_for = "1h")]
async fn send(tenant: &str) {}

fn main() {}
