//! Scheduled jobs that run on time, on one node at a time.

pub use shedlock_core::*;
#[cfg(feature = "scheduler")]
pub use shedlock_scheduler::*;

/// What the attributes' output names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use shedlock_core::{LockDefinition, LockedReturn, locked, locked_blocking};
    #[cfg(feature = "scheduler")]
    pub use shedlock_scheduler::{
        DataMap, FromRun, MissingData, RunContext, TaskDefinition, TaskFunction, TaskFuture,
        TaskResult, TaskReturn, TriggerDefinition, inventory,
    };
}
