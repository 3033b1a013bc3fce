use super::events;
use crate::{LockError, LockName};

/// What became of a job that runs only under a lock.
#[derive(Debug)]
#[must_use = "a skipped job did nothing: match on it, or call `.ran()`"]
pub enum Execution<T> {
    /// The job ran under the lock and returned this.
    Ran(T),
    /// The job did not run.
    Skipped(SkipReason),
}

impl<T> Execution<T> {
    /// The job's result, if it ran.
    #[must_use]
    pub fn ran(self) -> Option<T> {
        match self {
            Self::Ran(result) => Some(result),
            Self::Skipped(_) => None,
        }
    }

    /// Whether the job did not run.
    #[must_use]
    pub fn is_skipped(&self) -> bool {
        matches!(self, Self::Skipped(_))
    }
}

/// Why a job did not run.
#[derive(Debug)]
#[non_exhaustive]
pub enum SkipReason {
    /// Somebody else holds the lock.
    Held {
        /// The lock that was asked for.
        name: LockName,
    },
    /// It could not be known whether the lock is free, so the job did not run.
    Failed(LockError),
}

impl From<SkipReason> for LockError {
    fn from(reason: SkipReason) -> Self {
        match reason {
            SkipReason::Held { name } => Self::Held { name },
            SkipReason::Failed(error) => error,
        }
    }
}

/// What a function with `#[scheduler_lock]` returns when it did not run.
///
/// `()` returns at once, `Option<T>` returns `None`, `Result<T, E>` returns the [`LockError`] as
/// an `E`, [`Execution<T>`] says so. A [`SkipReason::Failed`] that the type can't carry is logged as
/// an error.
#[diagnostic::on_unimplemented(
    message = "a locked function cannot return `{Self}`: a skipped call has no such value",
    label = "return `()`, `Option<T>`, `Result<T, E>` with `E: From<LockError>`, or `Execution<T>`"
)]
pub trait LockedReturn {
    /// The value of a call that did not run.
    fn skipped(reason: SkipReason) -> Self;
}

impl LockedReturn for () {
    fn skipped(reason: SkipReason) {
        report(&reason);
    }
}

impl<T> LockedReturn for Option<T> {
    fn skipped(reason: SkipReason) -> Self {
        report(&reason);
        None
    }
}

impl<T, E: From<LockError>> LockedReturn for Result<T, E> {
    fn skipped(reason: SkipReason) -> Self {
        Err(E::from(reason.into()))
    }
}

impl<T> LockedReturn for Execution<T> {
    fn skipped(reason: SkipReason) -> Self {
        Self::Skipped(reason)
    }
}

fn report(reason: &SkipReason) {
    if let SkipReason::Failed(error) = reason {
        events::not_run(error);
    }
}
