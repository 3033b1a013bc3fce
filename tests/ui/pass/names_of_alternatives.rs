#![deny(warnings)]
//! Of two alternatives one exists, and what may stand twice says so.

use shedlock::scheduler_lock;

#[cfg(unix)]
#[scheduler_lock(name = "report", lock_at_most_for = "1h")]
async fn report() {}

#[cfg(not(unix))]
#[scheduler_lock(name = "report", lock_at_most_for = "1h")]
async fn report() {}

mod jobs {
    #[shedlock::scheduler_lock(name = "twice", lock_at_most_for = "1h", duplicate = "allow")]
    pub(crate) async fn one() {}

    #[shedlock::scheduler_lock(name = "twice", lock_at_most_for = "1h", duplicate = "allow")]
    pub(crate) async fn other() {}
}

fn main() {
    drop((report(), jobs::one(), jobs::other()));
}
