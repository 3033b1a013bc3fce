use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use shedlock_core::{LockName, format_duration, parse_duration, parse_positive_duration};

use crate::{
    arguments::{Arguments, Given},
    errors::Errors,
    text::{Text, optional},
};

/// The lock as `#[scheduler_lock]` has it.
pub(crate) struct WrittenLock {
    name: Option<Given<Text>>,
    lock_at_most_for: Option<Given<Text>>,
    lock_at_least_for: Option<Given<Text>>,
}

/// A lock whose texts are right as far as that is known while compiling.
pub(crate) struct Lock {
    name: Text,
    lock_at_most_for: Option<Text>,
    lock_at_least_for: Option<Text>,
}

impl WrittenLock {
    pub(crate) const KEYS: [&str; 3] = ["name", "lock_at_most_for", "lock_at_least_for"];

    pub(crate) fn parse(arguments: &mut Arguments, errors: &mut Errors) -> Self {
        let [name, lock_at_most_for, lock_at_least_for] = Self::KEYS;
        Self {
            name: arguments.text(name, errors),
            lock_at_most_for: arguments.text(lock_at_most_for, errors),
            lock_at_least_for: arguments.text(lock_at_least_for, errors),
        }
    }

    pub(crate) fn check(self, errors: &mut Errors) -> Option<Lock> {
        if self.name.is_none() {
            errors.missing("missing the name of the lock: add `name = \"...\"`");
        }
        let name = self.name.and_then(|given| given.value);
        let lock_at_most_for = self.lock_at_most_for.and_then(|given| given.value);
        let lock_at_least_for = self.lock_at_least_for.and_then(|given| given.value);

        if let Some(text) = &name {
            text.read(errors, |name| LockName::new(name));
        }
        let most = lock_at_most_for
            .as_ref()
            .and_then(|text| text.read(errors, parse_positive_duration));
        let least = lock_at_least_for
            .as_ref()
            .and_then(|text| text.read(errors, parse_duration));
        if let (Some(least), Some(most)) = (least, most)
            && least > most
        {
            let message = format!(
                "`lock_at_least_for` ({}) is longer than `lock_at_most_for` ({})",
                format_duration(least),
                format_duration(most)
            );
            errors.at(&lock_at_least_for, message);
        }
        Some(Lock {
            name: name?,
            lock_at_most_for,
            lock_at_least_for,
        })
    }
}

/// The `LockDefinition`, for code that names `__private` `__p`.
impl ToTokens for Lock {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = &self.name;
        let lock_at_most_for = optional(self.lock_at_most_for.as_ref());
        let lock_at_least_for = optional(self.lock_at_least_for.as_ref());
        tokens.extend(quote! {
            __p::LockDefinition {
                name: #name,
                lock_at_most_for: #lock_at_most_for,
                lock_at_least_for: #lock_at_least_for,
            }
        });
    }
}
