use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::LockName;

/// The name of a deployed application, which its lock names begin with.
///
/// Services that share a lock table block each other where they use one name. So the locks of the
/// service `settlement` are called `settlement-…`.
///
/// ```
/// use shedlock_core::ServiceName;
///
/// let settlement = ServiceName::new("settlement")?;
/// assert!(settlement.check("settlement-payout-execute").is_ok());
/// assert_eq!(
///     settlement.check("payout-execute").unwrap_err().to_string(),
///     "lock name `payout-execute` lacks the prefix of the service `settlement`; write `settlement-payout-execute`",
/// );
/// # Ok::<(), shedlock_core::ServiceNameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServiceName(Arc<str>);

impl ServiceName {
    /// The longest name, in characters: a lock name has room for the prefix and one character.
    pub const MAX_LENGTH: usize = LockName::MAX_LENGTH - 2;

    /// Checks `name` and keeps it.
    ///
    /// # Errors
    ///
    /// [`ServiceNameError`] names the rule that `name` breaks.
    pub fn new(name: impl Into<Arc<str>>) -> Result<Self, ServiceNameError> {
        let name = name.into();
        let length = name.chars().count();
        if length == 0 {
            return Err(ServiceNameError::Empty);
        }
        if length > Self::MAX_LENGTH {
            return Err(ServiceNameError::TooLong { name, length });
        }
        let is_refused = |c: &char| *c == '@' || c.is_whitespace() || c.is_control();
        match name.chars().find(is_refused) {
            Some(character) => Err(ServiceNameError::Character { name, character }),
            None => Ok(Self(name)),
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks that the name of a lock begins with the service's and a hyphen.
    ///
    /// # Errors
    ///
    /// [`ForeignLockName`], with the name that would do.
    pub fn check(&self, lock: &str) -> Result<(), ForeignLockName> {
        let own = lock
            .strip_prefix(self.as_str())
            .and_then(|rest| rest.strip_prefix('-'));
        match own {
            Some(own) if !own.is_empty() => Ok(()),
            _ => Err(ForeignLockName {
                lock: lock.to_owned(),
                service: self.clone(),
            }),
        }
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for ServiceName {
    type Err = ServiceNameError;

    fn from_str(name: &str) -> Result<Self, ServiceNameError> {
        Self::new(name)
    }
}

/// Why a text is not a [`ServiceName`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceNameError {
    /// The name has no character.
    #[error("the name of a service is empty; write one, such as `settlement`")]
    Empty,
    /// The name leaves no room for the rest of a lock name.
    #[error(
        "service name `{name}` is {length} characters long; at most {} leave room for a lock name behind it",
        ServiceName::MAX_LENGTH
    )]
    TooLong {
        /// The name as given.
        name: Arc<str>,
        /// Its length in characters.
        length: usize,
    },
    /// The name has a blank, a control character, or the `@` that ends it in `locked_by`.
    #[error(
        "service name {name:?} has {character:?}; write a name without blanks and `@`, such as `settlement`"
    )]
    Character {
        /// The name as given.
        name: Arc<str>,
        /// The character.
        character: char,
    },
}

/// A lock name without the prefix of its service.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "lock name `{lock}` lacks the prefix of the service `{service}`; write `{service}-{}`",
    own_part(lock, service)
)]
pub struct ForeignLockName {
    lock: String,
    service: ServiceName,
}

/// What the lock is called within the service.
fn own_part<'a>(lock: &'a str, service: &ServiceName) -> &'a str {
    let own = lock.strip_prefix(service.as_str()).unwrap_or(lock);
    match own.trim_start_matches(|c: char| !c.is_alphanumeric()) {
        "" => "job",
        own => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settlement() -> ServiceName {
        ServiceName::new("settlement").unwrap()
    }

    #[track_caller]
    fn corrected(lock: &str, expected: &str) {
        let error = settlement().check(lock).unwrap_err().to_string();
        assert!(error.ends_with(&format!("; write `{expected}`")), "{error}");
    }

    #[test]
    fn a_lock_of_the_service_begins_with_its_name_and_a_hyphen() {
        assert!(settlement().check("settlement-payout").is_ok());
    }

    #[test]
    fn another_lock_gets_the_prefix() {
        corrected("payout", "settlement-payout");
        corrected("xr-payout", "settlement-xr-payout");
        corrected("Settlement-payout", "settlement-Settlement-payout");
    }

    #[test]
    fn half_a_prefix_is_completed() {
        corrected("settlement_payout", "settlement-payout");
        corrected("settlementpayout", "settlement-payout");
        corrected("settlement", "settlement-job");
        corrected("settlement-", "settlement-job");
    }

    #[test]
    fn what_would_be_misread_in_locked_by_is_no_service() {
        for name in ["", "a@b", "a b", "a\tb", &"s".repeat(63)] {
            assert!(ServiceName::new(name).is_err(), "{name:?}");
        }
        assert!(ServiceName::new("s".repeat(62)).is_ok());
    }
}
