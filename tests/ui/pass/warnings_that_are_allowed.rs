#![deny(warnings)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_delay = "2s", allow = "short_period")]
#[scheduler_lock(name = "short", lock_at_most_for = "1m")]
async fn short() {}

#[scheduled(fixed_rate = "1h", allow = "long_lock_at_least_for, short_lock_at_most_for")]
#[scheduler_lock(name = "both", lock_at_most_for = "50m", lock_at_least_for = "50m")]
async fn both() {}

#[scheduled(fixed_rate = "50m", allow = "long_lock_at_least_for")]
#[scheduler_lock(name = "long", lock_at_most_for = "50m", lock_at_least_for = "50m")]
async fn long() {}

fn main() {}
