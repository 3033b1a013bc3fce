//! What the attributes' output names. Not for use by hand: it changes without notice.

pub use std::{
    concat, env, include_bytes,
    option::Option::{None, Some},
    string::ToString,
};

pub use shedlock_core::{DayMatch, LockDefinition, locked, locked_blocking};

#[cfg(feature = "scheduler")]
pub use self::scheduler::*;

#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub use shedlock_core::transaction::{
    PoolOf, begin, isolation, open, pool, registered_pool, transactional,
};

/// A value of the type that a function returns, in a branch that is never taken.
#[must_use]
pub fn never<R>() -> R {
    unreachable!("the branch is `if false`")
}

#[cfg(feature = "scheduler")]
mod scheduler {
    pub use std::{boxed::Box, file, line};

    pub use shedlock_scheduler::{
        Data, FromRun, MissingData, TaskDefinition, TaskFunction, TaskReturn, TriggerDefinition,
        inventory,
    };
}
