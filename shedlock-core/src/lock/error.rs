use std::{error::Error, time::Duration};

use crate::{
    DurationError, LockConfigurationError, LockName, NameTemplateError, PlaceholderError,
    format_duration,
};

/// Why a lock could not be taken, kept or released.
///
/// That somebody else holds the lock is an answer of
/// [`try_lock`](crate::LockProvider::try_lock), not an error. [`LockError::Held`] exists for
/// functions whose return type has no other way to say that they did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// The store could not be reached, or refused the statement.
    #[error("lock store `{provider}` failed")]
    Store {
        /// The store's short name, for example `postgres`.
        provider: &'static str,
        /// The driver's own error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store did not answer in time. Nothing is known of what it did, so the lock counts as
    /// not held.
    #[error("lock store did not answer within {} about lock `{name}`", format_duration(*.limit))]
    Timeout {
        /// The lock that was asked for.
        name: LockName,
        /// How long the answer was waited for.
        limit: Duration,
    },
    /// The store is not set up as it must be; the text says how to set it up.
    #[error("lock store `{provider}` cannot be used: {problem}; {fix}")]
    Setup {
        /// The store's short name.
        provider: &'static str,
        /// What is wrong.
        problem: String,
        /// What to write instead.
        fix: String,
    },
    /// The lock ended or was taken over before it was released or extended. Nothing was changed.
    #[error("lock `{name}` was lost: it ended or was taken over before this call")]
    Lost {
        /// The lock that was held.
        name: LockName,
    },
    /// Somebody else holds the lock, so the function did not run.
    #[error("lock `{name}` is held elsewhere, so this call did not run")]
    Held {
        /// The lock that was asked for.
        name: LockName,
    },
    /// A locked function was called in a process that has no lock provider.
    #[error(
        "no lock provider for lock `{name}`: build a `Scheduler` with `.lock_provider(..)` first, or call `LockingExecutor::new(..).install()`"
    )]
    NoProvider {
        /// The lock that was asked for, as written.
        name: String,
    },
    /// A blocking locked function was called outside of a tokio runtime.
    #[error(
        "lock `{name}` needs a tokio runtime: call the function from a thread of one, or enter it with `Handle::enter`"
    )]
    NoRuntime {
        /// The lock that was asked for.
        name: LockName,
    },
    /// The lock's name or durations are refused.
    #[error(transparent)]
    Configuration(#[from] LockConfigurationError),
    /// A duration of a lock is not one.
    #[error("`{argument}` of lock `{name}`: {source}")]
    Duration {
        /// The lock, as written.
        name: String,
        /// `lock_at_most_for` or `lock_at_least_for`.
        argument: &'static str,
        /// What is wrong with the text.
        source: DurationError,
    },
    /// A `${..}` placeholder of a lock has no value.
    #[error("`{argument}` of lock `{name}`: {source}")]
    Placeholder {
        /// The lock, as written.
        name: String,
        /// `name`, `lock_at_most_for` or `lock_at_least_for`.
        argument: &'static str,
        /// Which placeholder.
        source: PlaceholderError,
    },
    /// The braces of a lock's name are not a template.
    #[error("`name` of a lock: {source}")]
    Template {
        /// The lock, as written.
        name: String,
        /// What is wrong with it.
        source: NameTemplateError,
    },
    /// The name of a lock is a template, and nothing fills it in.
    #[error(
        "lock `{name}` has no value for `{{{argument}}}`: only a call of the function that has such a parameter fills it in"
    )]
    NoArgument {
        /// The lock, as written.
        name: String,
        /// What is missing.
        argument: String,
    },
    /// A lock has no `lock_at_most_for` and there is no default.
    #[error(
        "lock `{name}` has no `lock_at_most_for`: write `lock_at_most_for = \"..\"` at the function, or set `default_lock_at_most_for`"
    )]
    NoLockAtMostFor {
        /// The lock that was asked for.
        name: LockName,
    },
}

impl LockError {
    /// An error of the store itself.
    pub fn store(provider: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Store {
            provider,
            source: source.into(),
        }
    }
}
