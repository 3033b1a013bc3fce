#![deny(warnings)]

use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_rate = "PT1H30M", initial_delay = "500ms")]
#[scheduler_lock(name = "iso", lock_at_most_for = "P1D", lock_at_least_for = "PT0.5S")]
async fn iso() {}

#[scheduled(fixed_delay = "1h 30m", initial_delay = "0s")]
#[scheduler_lock(name = "human", lock_at_most_for = "2days", lock_at_least_for = "100")]
async fn human() {}

#[scheduled(fixed_delay = "${DELAY:${OTHER:5M}}")]
#[scheduler_lock(name = "job-${REGION:asia}", lock_at_most_for = "${MOST}")]
async fn placeholders() {}

fn main() {}
