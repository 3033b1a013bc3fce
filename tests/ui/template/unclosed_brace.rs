use shedlock::scheduler_lock;

#[scheduler_lock(name = "report-{tenant", lock_at_most_for = "1m")]
async fn report(tenant: String) {
    drop(tenant);
}

fn main() {}
