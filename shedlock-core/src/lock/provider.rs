use std::{error::Error, fmt, future::Future, time::Duration};

use crate::{LockError, LockName, LockRequest};

/// Something that grants locks: a store that all nodes share.
///
/// Implement it with plain `async fn`s. A store that keeps one record per lock name is shorter to
/// write as a [`LockStore`](crate::LockStore), which is a `LockProvider` by itself.
///
/// The rules of an implementation, each a test of the conformance suite (feature `test-util`):
/// the store's own clock decides; one attempt never waits for a holder; a refused attempt is
/// `Ok(None)`; asking again with the same request gives the same acquisition; the lock ends by
/// itself.
pub trait LockProvider: Send + Sync + 'static {
    /// A lock of this provider while it is held.
    type Held: HeldLock;

    /// Takes the lock, or says at once that somebody else holds it: `Ok(None)`.
    ///
    /// # Errors
    /// [`LockError::Store`] when the store failed. The outcome is then unknown and the lock counts
    /// as not held.
    ///
    /// # Cancellation
    /// When the future is dropped the outcome is unknown too: follow it with
    /// [`abandon`](Self::abandon).
    fn try_lock(
        &self,
        request: &LockRequest,
    ) -> impl Future<Output = Result<Option<Self::Held>, LockError>> + Send;

    /// Releases whatever an attempt of unknown outcome may have taken.
    ///
    /// Without an implementation such a lock ends after its `lock_at_most_for`.
    ///
    /// # Errors
    /// When the store failed; the lock then ends by itself.
    fn abandon(&self, request: &LockRequest) -> impl Future<Output = Result<(), LockError>> + Send {
        let _ = request;
        async { Ok(()) }
    }

    /// Says at start-up what would fail later: no connection, no table, wrong columns.
    ///
    /// # Errors
    /// [`LockError::Setup`] with the fix, or [`LockError::Store`].
    fn check(&self) -> impl Future<Output = Result<(), LockError>> + Send {
        async { Ok(()) }
    }

    /// Who holds the lock or held it last, as its `locked_by` says; `None` if nobody did, or if the
    /// store does not know.
    ///
    /// The scheduler asks once at its start, to notice a lock that another service uses too.
    ///
    /// # Errors
    /// When the store failed.
    fn last_holder(
        &self,
        name: &LockName,
    ) -> impl Future<Output = Result<Option<String>, LockError>> + Send {
        let _ = name;
        async { Ok(None) }
    }
}

/// A lock while it is held.
///
/// Its methods consume it: what was released can't be released again. When a call did not succeed,
/// [`HeldLockError`] hands the lock back.
///
/// # Cancellation
/// Dropping a lock does not release it: it ends after its `lock_at_most_for`.
/// [`LockingExecutor`](crate::LockingExecutor) releases whatever happens to the job.
pub trait HeldLock: Sized + Send + 'static {
    /// Releases the lock: at once, or `lock_at_least_for` after it was taken if that is later.
    ///
    /// # Errors
    /// [`LockError::Lost`] when the lock had ended or was somebody else's already, which is then
    /// left alone; [`LockError::Store`] when the store failed: try again, or let the lock end.
    fn unlock(self) -> impl Future<Output = Result<(), HeldLockError<Self>>> + Send;

    /// Holds the lock for `lock_at_most_for` from now on. `lock_at_least_for` still counts from
    /// the first acquisition.
    ///
    /// # Errors
    /// As [`unlock`](Self::unlock), and [`LockError::Configuration`] for durations that a
    /// [`LockConfiguration`](crate::LockConfiguration) refuses.
    fn extend(
        self,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> impl Future<Output = Result<Self, HeldLockError<Self>>> + Send;
}

/// A release or an extension that did not succeed, with the lock handed back.
pub struct HeldLockError<H> {
    /// The lock, as it was before the call.
    pub lock: H,
    /// Why the call did not succeed.
    pub error: LockError,
}

impl<H> HeldLockError<H> {
    /// Hands `lock` back with the reason.
    pub fn new(lock: H, error: LockError) -> Self {
        Self { lock, error }
    }

    /// The same failure of a lock that is wrapped.
    pub(crate) fn map<T>(self, wrap: impl FnOnce(H) -> T) -> HeldLockError<T> {
        HeldLockError {
            lock: wrap(self.lock),
            error: self.error,
        }
    }
}

impl<H> fmt::Debug for HeldLockError<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeldLockError").field(&self.error).finish()
    }
}

impl<H> fmt::Display for HeldLockError<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<H> Error for HeldLockError<H> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
