//! Locks for scheduled jobs: the grammar of durations, cron texts and names, the traits of a lock
//! provider, the stores, and the executor that runs a job under a lock.
//!
//! Without features this crate is the grammar alone, light enough for a procedural macro.
//! Applications use it through the `shedlock` crate.

#[cfg(feature = "lock")]
mod data;
mod grammar;
#[cfg(feature = "lock")]
mod lock;
#[cfg(feature = "lock")]
mod store;
#[cfg(feature = "test-util")]
pub mod test_util;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
#[doc(hidden)]
pub mod transaction;

#[cfg(feature = "lock")]
pub use data::DataMap;
pub use grammar::{
    CronError, CronField, CronSchedule, DayMatch, DayMatchError, DurationError, ForeignLockName,
    LockName, LockNameError, NameTemplate, NameTemplateError, PlaceholderError, ServiceName,
    ServiceNameError, Zone, ZoneError, format_duration, parse_duration, parse_positive_duration,
    placeholder_default, resolve_placeholders,
};
#[cfg(feature = "lock")]
#[doc(hidden)]
pub use lock::caught as __caught;
#[cfg(feature = "lock")]
pub use lock::{
    ActiveLock, Execution, HeldLock, HeldLockError, Lease, LockConfiguration,
    LockConfigurationError, LockDefinition, LockError, LockProvider, LockRequest, LockStore,
    LockedReturn, LockingExecutor, MAX_LOCK_AT_MOST_FOR, Owner, SharedHeldLock, SharedLockProvider,
    SkipReason, assert_locked, locked, locked_blocking,
};
#[cfg(feature = "lock")]
pub use store::MemoryLockProvider;
#[cfg(feature = "mysql")]
pub use store::MySqlLockProvider;
#[cfg(feature = "postgres")]
pub use store::PostgresLockProvider;
#[cfg(feature = "sqlite")]
pub use store::SqliteLockProvider;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub use store::{LockTable, LockTableError};
