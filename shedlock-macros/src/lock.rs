use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use shedlock_core::{
    DurationError, LockName, format_duration, parse_duration, parse_positive_duration,
};

use crate::{
    arguments::{Arguments, Given},
    errors::Errors,
    service,
    text::{Text, optional},
};

/// The lock as `#[scheduler_lock]` has it.
pub(crate) struct WrittenLock {
    name: Option<Given<Text>>,
    lock_at_most_for: Option<Given<Text>>,
    lock_at_least_for: Option<Given<Text>>,
}

/// A lock whose texts are right as far as that is known while compiling.
pub(crate) struct LockDefinition {
    name: Text,
    lock_at_most_for: Option<Limit>,
    lock_at_least_for: Option<Limit>,
}

/// A duration of a lock.
pub(crate) struct Limit {
    pub(crate) text: Text,
    /// Unless it is known at the start only.
    pub(crate) known: Option<Duration>,
}

impl LockDefinition {
    pub(crate) fn lock_at_most_for(&self) -> Option<&Limit> {
        self.lock_at_most_for.as_ref()
    }

    pub(crate) fn lock_at_least_for(&self) -> Option<&Limit> {
        self.lock_at_least_for.as_ref()
    }
}

impl WrittenLock {
    /// All arguments of `#[scheduler_lock]`.
    pub(crate) const KEYS: [&str; 4] = ["name", "lock_at_most_for", "lock_at_least_for", "crate"];

    pub(crate) fn parse(arguments: &mut Arguments, errors: &mut Errors) -> Self {
        Self {
            name: arguments.text("name", errors),
            lock_at_most_for: arguments.text("lock_at_most_for", errors),
            lock_at_least_for: arguments.text("lock_at_least_for", errors),
        }
    }

    pub(crate) fn check(self, errors: &mut Errors) -> Option<LockDefinition> {
        if self.name.is_none() {
            errors.missing("missing the name of the lock: add `name = \"...\"`");
        }
        let name = self.name.and_then(|given| given.value);
        if let Some(text) = &name {
            text.read(errors, |name| {
                LockName::new(name).map_err(|error| error.to_string())?;
                service::check(name)
            });
        }
        let lock_at_most_for = limit(self.lock_at_most_for, parse_positive_duration, errors);
        let lock_at_least_for = limit(self.lock_at_least_for, parse_duration, errors);
        if let (Some(least), Some(most)) = (&lock_at_least_for, &lock_at_most_for)
            && let (Some(shown_least), Some(shown_most)) = (least.known, most.known)
            && shown_least > shown_most
        {
            let message = format!(
                "`lock_at_least_for` ({}) is longer than `lock_at_most_for` ({})",
                format_duration(shown_least),
                format_duration(shown_most)
            );
            errors.at(&least.text, message);
        }
        Some(LockDefinition {
            name: name?,
            lock_at_most_for,
            lock_at_least_for,
        })
    }
}

fn limit(
    given: Option<Given<Text>>,
    parse: fn(&str) -> Result<Duration, DurationError>,
    errors: &mut Errors,
) -> Option<Limit> {
    let text = given?.value?;
    let known = text.read(errors, parse);
    Some(Limit { text, known })
}

impl ToTokens for Limit {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.text.to_tokens(tokens);
    }
}

/// The `LockDefinition`, for code that names `__private` `__p`.
impl ToTokens for LockDefinition {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = &self.name;
        let lock_at_most_for = optional(self.lock_at_most_for.as_ref());
        let lock_at_least_for = optional(self.lock_at_least_for.as_ref());
        let definition = quote! {
            __p::LockDefinition {
                name: #name,
                lock_at_most_for: #lock_at_most_for,
                lock_at_least_for: #lock_at_least_for,
            }
        };
        tokens.extend(match service::manifest_is_an_input() {
            Some(line) => quote!({ #line #definition }),
            None => definition,
        });
    }
}
