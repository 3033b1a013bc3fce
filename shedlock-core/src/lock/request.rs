use std::{fmt, process, sync::Arc, sync::LazyLock, time::Duration};

use uuid::Uuid;

use crate::{LockConfiguration, LockConfigurationError, LockName};

/// The longest owner text that ShedLock's `locked_by` column holds.
const MAX_OWNER_CHARACTERS: usize = 255;
/// The part of it that the service and the host may fill: the rest is `@`, `:`, a process id and
/// 32 hexadecimal digits.
const MAX_SERVICE_CHARACTERS: usize = 100;
const MAX_HOST_CHARACTERS: usize = 100;

static HOST: LazyLock<String> = LazyLock::new(|| {
    let host = gethostname::gethostname();
    host.to_string_lossy()
        .chars()
        .take(MAX_HOST_CHARACTERS)
        .collect()
});

/// One acquisition of a lock: `service@host:pid:random`, in the column `locked_by`.
///
/// It names an acquisition, not a process: every release and extension is conditional on it, so a
/// late one never touches a lock that somebody else took in the meantime. The random part has
/// 122 bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner(Arc<str>);

impl Owner {
    /// A new owner, different from every other.
    #[must_use]
    pub fn new(service: Option<&str>) -> Self {
        let service = service.map_or_else(String::new, |service| {
            service
                .chars()
                .take(MAX_SERVICE_CHARACTERS)
                .chain(['@'])
                .collect()
        });
        let text = format!(
            "{service}{}:{}:{}",
            *HOST,
            process::id(),
            Uuid::new_v4().simple()
        );
        debug_assert!(text.chars().count() <= MAX_OWNER_CHARACTERS);
        Self(text.into())
    }

    /// The service in a `locked_by`, if it is one of ours: a Java node writes its host's name alone.
    ///
    /// ```
    /// use shedlock_core::Owner;
    ///
    /// assert_eq!(Owner::service_in("settlement@node-1:7:f00d"), Some("settlement"));
    /// assert_eq!(Owner::service_in("node-1:7:f00d"), None);
    /// assert_eq!(Owner::service_in("node-1"), None);
    /// ```
    #[must_use]
    pub fn service_in(locked_by: &str) -> Option<&str> {
        let (service, acquisition) = locked_by.split_once('@')?;
        (acquisition.split(':').count() >= 3).then_some(service)
    }

    /// The text as it stands in `locked_by`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One attempt to take a lock: a configuration and a fresh [`Owner`].
///
/// A provider gets it in [`try_lock`](crate::LockProvider::try_lock). Asking again with the same
/// request is asking for the same acquisition.
#[derive(Debug, Clone)]
pub struct LockRequest {
    configuration: LockConfiguration,
    owner: Owner,
}

impl LockRequest {
    /// A request of an unnamed service.
    #[must_use]
    pub fn new(configuration: &LockConfiguration) -> Self {
        Self::of_service(configuration, None)
    }

    /// A request whose owner starts with the name of the service.
    #[must_use]
    pub fn of_service(configuration: &LockConfiguration, service: Option<&str>) -> Self {
        Self {
            configuration: configuration.clone(),
            owner: Owner::new(service),
        }
    }

    /// The name of the lock.
    #[must_use]
    pub fn name(&self) -> &LockName {
        self.configuration.name()
    }

    /// Who asks.
    #[must_use]
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// How long the lock is held if it is never released, counted from the store's own now.
    #[must_use]
    pub fn lock_at_most_for(&self) -> Duration {
        self.configuration.lock_at_most_for()
    }

    /// How long the lock is held at least, counted from the acquisition.
    #[must_use]
    pub fn lock_at_least_for(&self) -> Duration {
        self.configuration.lock_at_least_for()
    }

    /// The same acquisition with other durations: what an extension asks for.
    ///
    /// # Errors
    /// As [`LockConfiguration::new`] and [`LockConfiguration::with_lock_at_least_for`].
    pub fn with_durations(
        &self,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> Result<Self, LockConfigurationError> {
        let configuration = LockConfiguration::new(self.name(), lock_at_most_for)?
            .with_lock_at_least_for(lock_at_least_for)?;
        Ok(Self {
            configuration,
            owner: self.owner.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_says_who_where_and_which_acquisition() {
        let (one, other) = (
            Owner::new(Some("settlement")),
            Owner::new(Some("settlement")),
        );
        assert!(one.as_str().starts_with("settlement@"), "{one}");
        assert!(
            one.as_str().contains(&format!(":{}:", process::id())),
            "{one}"
        );
        assert_ne!(one, other);
    }

    #[test]
    fn an_owner_fits_the_column_whatever_the_service_is_called() {
        let owner = Owner::new(Some(&"s".repeat(1_000)));
        assert!(owner.as_str().chars().count() <= MAX_OWNER_CHARACTERS);
    }
}
