#![deny(deprecated)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(cron = "0 0 9,10 * * *")]
#[scheduler_lock(name = "report", lock_at_most_for = "3h", lock_at_least_for = "2h")]
async fn report() {}

fn main() {
    drop(report());
}
