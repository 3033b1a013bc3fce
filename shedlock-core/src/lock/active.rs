use std::{future::Future, iter, sync::Arc};

use tokio::task::futures::TaskLocalFuture;
use tokio_util::task::TaskTracker;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::request::{LockRequest, Owner};
use crate::{LockName, SharedLockProvider};

tokio::task_local! {
    static ACTIVE: ActiveLock;
}

/// The lock that the current task runs under.
///
/// It is task-local: a job's own `.await`s see it, a task that the job spawns does not.
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::{ActiveLock, LockConfiguration, LockingExecutor, MemoryLockProvider};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), shedlock_core::LockError> {
/// let executor = LockingExecutor::new(MemoryLockProvider::new());
/// let configuration = LockConfiguration::new("report", Duration::from_secs(60))?;
/// executor
///     .execute(&configuration, async {
///         assert_eq!(ActiveLock::current().unwrap().name().as_str(), "report");
///     })
///     .await?;
/// assert!(ActiveLock::current().is_none());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct ActiveLock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    provider: SharedLockProvider,
    request: LockRequest,
    /// What must end before the lock is released.
    #[cfg_attr(
        not(any(feature = "mysql", feature = "postgres", feature = "sqlite")),
        expect(dead_code, reason = "nothing but a transaction asks for it")
    )]
    ending: TaskTracker,
    outer: Option<ActiveLock>,
}

impl ActiveLock {
    /// The innermost lock of the current task.
    #[must_use]
    pub fn current() -> Option<Self> {
        ACTIVE.try_with(Clone::clone).ok()
    }

    /// The lock's name.
    #[must_use]
    pub fn name(&self) -> &LockName {
        self.0.request.name()
    }

    /// This acquisition, as it stands in `locked_by`.
    #[must_use]
    pub fn owner(&self) -> &Owner {
        self.0.request.owner()
    }

    /// The lock that was just taken, inside of those that the task holds already.
    pub(super) fn enter(
        provider: SharedLockProvider,
        request: LockRequest,
        ending: TaskTracker,
    ) -> Self {
        Self(Arc::new(Inner {
            provider,
            request,
            ending,
            outer: Self::current(),
        }))
    }

    /// Whether the current task holds this lock of this provider already.
    pub(super) fn covers(provider: &SharedLockProvider, name: &LockName) -> bool {
        Self::all().any(|active| active.name() == name && active.0.provider.is(provider))
    }

    /// Keeps every lock of the current task from being released until the tokens are dropped, also
    /// when the task is.
    #[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
    pub(crate) fn hold_all() -> Vec<TaskTrackerToken> {
        Self::all().map(|active| active.0.ending.token()).collect()
    }

    fn all() -> impl Iterator<Item = Self> {
        iter::successors(Self::current(), |active| active.0.outer.clone())
    }

    pub(super) fn scope<F: Future>(self, job: F) -> TaskLocalFuture<Self, F> {
        ACTIVE.scope(self, job)
    }

    pub(super) fn sync_scope<T>(self, job: impl FnOnce() -> T) -> T {
        ACTIVE.sync_scope(self, job)
    }
}

/// Asserts that the current task runs under a lock: the guard for code that must never run
/// without one.
///
/// # Panics
/// When it does not.
///
/// ```should_panic
/// shedlock_core::assert_locked();
/// ```
#[track_caller]
pub fn assert_locked() {
    assert!(
        ActiveLock::current().is_some(),
        "this code runs without a lock: call it from a function with `#[scheduler_lock]` or inside `LockingExecutor::execute`"
    );
}
