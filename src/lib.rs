//! Scheduled jobs that run on time, on one node at a time.

#[doc(hidden)]
pub mod __private;

pub use shedlock_core::*;
#[cfg(feature = "scheduler")]
pub use shedlock_scheduler::*;

#[cfg(all(feature = "macros", feature = "scheduler"))]
#[doc(inline)]
#[doc = include_str!("docs/scheduled.md")]
pub use shedlock_macros::scheduled;
#[cfg(feature = "macros")]
#[doc(inline)]
#[doc = include_str!("docs/scheduler_lock.md")]
pub use shedlock_macros::scheduler_lock;
