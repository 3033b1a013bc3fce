//! Alternatives, and what is allowed to be there twice.

use shedlock::{scheduled, scheduler_lock};

#[cfg(unix)]
#[scheduler_lock(name = "alternative")]
fn alternative() {}

#[cfg(not(unix))]
#[scheduler_lock(name = "alternative")]
fn alternative() {}

mod allowed {
    use super::*;

    #[scheduled(cron = "0 4 * * *", duplicate = "allow")]
    #[scheduler_lock(name = "twice", duplicate = "allow")]
    fn twice() {}
}

#[scheduled(cron = "0 4 * * *", duplicate = "allow")]
#[scheduler_lock(name = "twice", duplicate = "allow")]
fn twice() {}

/// A task may be called as a lock is, and names that look alike are two.
#[scheduled(cron = "0 4 * * *")]
#[scheduler_lock(name = "a-b")]
fn alternatives() {}

#[scheduled(cron = "0 4 * * *", name = "alternative")]
#[scheduler_lock(name = "a_b")]
fn task() {}

fn main() {}
