use std::time::Duration;

use crate::{LockConfiguration, LockError, LockName, parse_duration, resolve_placeholders};

/// A lock as it is written at a function: texts that may hold `${NAME:default}` placeholders.
///
/// `#[scheduler_lock]` makes one; [`LockingExecutor::configuration`](crate::LockingExecutor::configuration)
/// turns it into a [`LockConfiguration`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockDefinition {
    /// The name.
    pub name: &'static str,
    /// `lock_at_most_for`; without it the executor's default counts.
    pub lock_at_most_for: Option<&'static str>,
    /// `lock_at_least_for`; without it the executor's default counts.
    pub lock_at_least_for: Option<&'static str>,
}

impl LockDefinition {
    pub(super) fn resolve(
        &self,
        placeholders: &dyn Fn(&str) -> Option<String>,
        default_lock_at_most_for: Option<Duration>,
        default_lock_at_least_for: Duration,
    ) -> Result<LockConfiguration, LockError> {
        let value = |argument, text| {
            resolve_placeholders(text, placeholders).map_err(|source| LockError::Placeholder {
                name: self.name.to_owned(),
                argument,
                source,
            })
        };
        let duration = |argument, text| {
            parse_duration(&value(argument, text)?).map_err(|source| LockError::Duration {
                name: self.name.to_owned(),
                argument,
                source,
            })
        };
        let name = LockName::new(value("name", self.name)?)
            .map_err(crate::LockConfigurationError::from)?;
        let lock_at_most_for = match (self.lock_at_most_for, default_lock_at_most_for) {
            (Some(text), _) => duration("lock_at_most_for", text)?,
            (None, Some(default)) => default,
            (None, None) => return Err(LockError::NoLockAtMostFor { name }),
        };
        let lock_at_least_for = match self.lock_at_least_for {
            Some(text) => duration("lock_at_least_for", text)?,
            None => default_lock_at_least_for.min(lock_at_most_for),
        };
        Ok(LockConfiguration::new(name, lock_at_most_for)?
            .with_lock_at_least_for(lock_at_least_for)?)
    }
}
