use std::time::Duration;

use crate::{LockName, LockNameError, format_duration};

/// The longest `lock_at_most_for`: ten years of 365 days.
///
/// A longer lock protects nothing more, and some stores can't represent its end.
pub const MAX_LOCK_AT_MOST_FOR: Duration = Duration::from_hours(3_650 * 24);

/// The shortest `lock_at_most_for`: one millisecond, the resolution of the coarsest store.
pub(super) const MIN_LOCK_AT_MOST_FOR: Duration = Duration::from_millis(1);

/// What a lock is called and how long it is held.
///
/// It holds durations only, never instants, so one configuration serves any number of
/// acquisitions.
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::LockConfiguration;
///
/// let configuration = LockConfiguration::new("settlement-payout-execute", Duration::from_secs(3600))?
///     .with_lock_at_least_for(Duration::from_secs(60))?;
/// assert_eq!(configuration.name().as_str(), "settlement-payout-execute");
/// # Ok::<(), shedlock_core::LockConfigurationError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LockConfiguration {
    name: LockName,
    lock_at_most_for: Duration,
    lock_at_least_for: Duration,
}

impl LockConfiguration {
    /// A lock of this name that ends by itself `lock_at_most_for` after it was taken, whatever
    /// happens to its holder.
    ///
    /// # Errors
    /// When the name breaks the rules of [`LockName`], or when `lock_at_most_for` is shorter than
    /// a millisecond or longer than [`MAX_LOCK_AT_MOST_FOR`].
    pub fn new(
        name: impl AsRef<str>,
        lock_at_most_for: Duration,
    ) -> Result<Self, LockConfigurationError> {
        let name = LockName::new(name.as_ref())?;
        if lock_at_most_for < MIN_LOCK_AT_MOST_FOR {
            return Err(LockConfigurationError::AtMostTooShort {
                name,
                lock_at_most_for,
            });
        }
        if lock_at_most_for > MAX_LOCK_AT_MOST_FOR {
            return Err(LockConfigurationError::AtMostTooLong {
                name,
                lock_at_most_for,
            });
        }
        Ok(Self {
            name,
            lock_at_most_for,
            lock_at_least_for: Duration::ZERO,
        })
    }

    /// Keeps the lock for at least this long after it was taken, also when the job ends sooner.
    ///
    /// It bridges the difference between the clocks of two nodes for jobs that are shorter than
    /// that difference.
    ///
    /// # Errors
    /// When it is longer than `lock_at_most_for`.
    pub fn with_lock_at_least_for(
        mut self,
        lock_at_least_for: Duration,
    ) -> Result<Self, LockConfigurationError> {
        if lock_at_least_for > self.lock_at_most_for {
            return Err(LockConfigurationError::AtLeastLongerThanAtMost {
                name: self.name,
                lock_at_least_for,
                lock_at_most_for: self.lock_at_most_for,
            });
        }
        self.lock_at_least_for = lock_at_least_for;
        Ok(self)
    }

    /// The name that all nodes compete for.
    #[must_use]
    pub fn name(&self) -> &LockName {
        &self.name
    }

    /// How long the lock is held if its holder never releases it.
    #[must_use]
    pub fn lock_at_most_for(&self) -> Duration {
        self.lock_at_most_for
    }

    /// How long the lock is held at least; zero unless set.
    #[must_use]
    pub fn lock_at_least_for(&self) -> Duration {
        self.lock_at_least_for
    }
}

/// Why a [`LockConfiguration`] was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockConfigurationError {
    /// The name breaks a rule.
    #[error(transparent)]
    Name(#[from] LockNameError),
    /// The lock would end as soon as it is taken.
    #[error(
        "`lock_at_most_for` of lock `{name}` is {}, which protects nothing; give it longer than the job ever runs, at least 1ms",
        format_duration(*.lock_at_most_for)
    )]
    #[expect(missing_docs, reason = "the fields are the two facts of the message")]
    AtMostTooShort {
        name: LockName,
        lock_at_most_for: Duration,
    },
    /// The lock would outlive what a store can represent.
    #[error(
        "`lock_at_most_for` of lock `{name}` is {}; the longest is 3650 days",
        format_duration(*.lock_at_most_for)
    )]
    #[expect(missing_docs, reason = "the fields are the two facts of the message")]
    AtMostTooLong {
        name: LockName,
        lock_at_most_for: Duration,
    },
    /// The least is more than the most.
    #[error(
        "`lock_at_least_for` ({}) of lock `{name}` is longer than `lock_at_most_for` ({})",
        format_duration(*.lock_at_least_for),
        format_duration(*.lock_at_most_for)
    )]
    #[expect(missing_docs, reason = "the fields are the facts of the message")]
    AtLeastLongerThanAtMost {
        name: LockName,
        lock_at_least_for: Duration,
        lock_at_most_for: Duration,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_lock_that_ends_at_once_is_refused() {
        let refused = LockConfiguration::new("job", Duration::ZERO).unwrap_err();
        assert!(
            refused.to_string().contains("protects nothing"),
            "{refused}"
        );
    }

    #[test]
    fn a_lock_of_centuries_is_refused() {
        let refused = LockConfiguration::new("job", Duration::MAX).unwrap_err();
        assert!(matches!(
            refused,
            LockConfigurationError::AtMostTooLong { .. }
        ));
    }

    #[test]
    fn the_least_may_equal_the_most_but_not_exceed_it() {
        let configuration = LockConfiguration::new("job", SECOND).unwrap();
        assert!(configuration.clone().with_lock_at_least_for(SECOND).is_ok());
        let refused = configuration
            .with_lock_at_least_for(2 * SECOND)
            .unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`lock_at_least_for` (2s) of lock `job` is longer than `lock_at_most_for` (1s)"
        );
    }

    #[test]
    fn an_empty_name_is_refused() {
        assert!(matches!(
            LockConfiguration::new("", SECOND),
            Err(LockConfigurationError::Name(_))
        ));
    }
}
