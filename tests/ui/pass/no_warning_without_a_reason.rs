#![deny(warnings)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_delay = "2s")]
#[scheduler_lock(name = "short", lock_at_most_for = "1m", lock_at_least_for = "1s")]
async fn short() {}

#[scheduled(fixed_rate = "10s")]
#[scheduler_lock(name = "ten-seconds", lock_at_most_for = "10s")]
async fn ten_seconds() {}

#[scheduled(fixed_rate = "10ms")]
async fn not_locked() {}

#[scheduled(cron = "0 0 4 * * *")]
#[scheduler_lock(name = "daily", lock_at_most_for = "10s", lock_at_least_for = "10s")]
async fn daily() {}

#[scheduled(cron = "0 0,30 4 * * *")]
#[scheduler_lock(name = "twice-a-day", lock_at_most_for = "29m", lock_at_least_for = "29m")]
async fn twice_a_day() {}

#[scheduled(cron = "${REPORT_CRON}")]
#[scheduler_lock(name = "unknown", lock_at_most_for = "1s")]
async fn unknown() {}

#[scheduled(cron = "-")]
#[scheduler_lock(name = "disabled", lock_at_most_for = "1s")]
async fn disabled() {}

fn main() {}
