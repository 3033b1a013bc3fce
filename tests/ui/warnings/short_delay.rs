#![deny(deprecated)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_delay = "2s")]
#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() {}

fn main() {
    drop(report());
}
