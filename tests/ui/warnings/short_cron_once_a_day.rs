#![deny(deprecated)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(cron = "0,30,35 0 4 * * *")]
#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() {}

fn main() {
    drop(report());
}
