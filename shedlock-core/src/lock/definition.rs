use std::time::Duration;

use crate::{
    LockConfiguration, LockError, LockName, NameTemplate, parse_duration, resolve_placeholders,
};

/// A lock as it is written at a function: texts that may hold `${NAME:default}` placeholders.
///
/// `#[scheduler_lock]` makes one; [`LockingExecutor::configuration`](crate::LockingExecutor::configuration)
/// turns it into a [`LockConfiguration`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockDefinition {
    /// The name, a [`NameTemplate`].
    pub name: &'static str,
    /// `lock_at_most_for`; without it the executor's default counts.
    pub lock_at_most_for: Option<&'static str>,
    /// `lock_at_least_for`; without it the executor's default counts.
    pub lock_at_least_for: Option<&'static str>,
}

impl LockDefinition {
    /// The lock, its name filled in with `arguments`, each a name and its text.
    pub(super) fn resolve(
        &self,
        arguments: &[(&str, String)],
        placeholders: &dyn Fn(&str) -> Option<String>,
        default_lock_at_most_for: Option<Duration>,
        default_lock_at_least_for: Duration,
    ) -> Result<LockConfiguration, LockError> {
        let value = |argument, text: &str| {
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
        let name = LockName::new(self.fill_name(arguments, |text| value("name", text))?)
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

    fn fill_name(
        &self,
        arguments: &[(&str, String)],
        text: impl Fn(&str) -> Result<String, LockError>,
    ) -> Result<String, LockError> {
        let template = NameTemplate::parse(self.name).map_err(|source| LockError::Template {
            name: self.name.to_owned(),
            source,
        })?;
        template.fill(text, |argument| {
            let given = arguments.iter().find(|(name, _)| *name == argument);
            let (_, text) = given.ok_or_else(|| LockError::NoArgument {
                name: self.name.to_owned(),
                argument: argument.to_owned(),
            })?;
            Ok(text.clone())
        })
    }
}
