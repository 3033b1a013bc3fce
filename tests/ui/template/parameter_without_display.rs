use shedlock::scheduler_lock;

struct Tenant;

#[scheduler_lock(name = "report-{tenant}", lock_at_most_for = "1m")]
async fn report(tenant: Tenant) {
    drop(tenant);
}

fn main() {}
