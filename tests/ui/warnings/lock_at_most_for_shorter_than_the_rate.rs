#![deny(deprecated)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_rate = "1h")]
#[scheduler_lock(name = "report", lock_at_most_for = "59m")]
async fn report() {}

fn main() {
    drop(report());
}
