#![deny(deprecated)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(cron = "0 0 4 * * *")]
#[scheduler_lock(name = "report", lock_at_most_for = "9s")]
async fn report() {}

fn main() {
    drop(report());
}
