use shedlock::{Data, scheduled, scheduler_lock};

#[scheduled(cron = "0 0 4 * * *")]
#[scheduler_lock(name = "report-{tenant}", lock_at_most_for = "1m")]
async fn report(tenant: Data<String>) {
    drop(tenant);
}

fn main() {}
