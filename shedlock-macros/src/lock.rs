use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use shedlock_core::{
    DurationError, LockName, NameTemplate, format_duration, parse_duration, parse_positive_duration,
};
use syn::{FnArg, Ident, Pat, Signature, ext::IdentExt};

use crate::{
    arguments::{Arguments, Given, nearest},
    duplicate,
    errors::Errors,
    service,
    text::{Text, optional},
};

/// The lock as `#[scheduler_lock]` has it.
pub(crate) struct WrittenLock {
    name: Option<Given<Text>>,
    lock_at_most_for: Option<Given<Text>>,
    lock_at_least_for: Option<Given<Text>>,
    duplicate: Option<Given<Text>>,
}

/// A lock whose texts are right as far as that is known while compiling.
pub(crate) struct LockDefinition {
    name: Text,
    /// What the name has in braces: parameters of the function.
    arguments: Vec<String>,
    lock_at_most_for: Option<Limit>,
    lock_at_least_for: Option<Limit>,
    duplicate_allowed: bool,
}

/// A duration of a lock.
pub(crate) struct Limit {
    pub(crate) text: Text,
    /// Unless it is known at the start only.
    pub(crate) known: Option<Duration>,
}

impl LockDefinition {
    /// What keeps another lock from having this name.
    pub(crate) fn unique(&self) -> Option<TokenStream> {
        (!self.duplicate_allowed).then(|| duplicate::unique("lock", &self.name))
    }

    /// Says that nobody fills in a name that is a template.
    pub(crate) fn check_no_arguments(&self, errors: &mut Errors) {
        if let Some(argument) = self.arguments.first() {
            let message = format!(
                "nobody passes `{{{argument}}}` to a scheduled function: write the name itself, or call a locked function from the scheduled one"
            );
            errors.at(&self.name, message);
        }
    }

    pub(crate) fn check_arguments(&self, signature: &Signature, errors: &mut Errors) {
        let parameters: Vec<String> = parameters(signature).map(text_of).collect();
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        for argument in &self.arguments {
            if !parameters.contains(&argument.as_str()) {
                let hint = match nearest(argument, &parameters) {
                    Some(meant) => format!("did you mean `{{{meant}}}`?"),
                    None => "name a parameter, or write `{{` and `}}` for braces".to_owned(),
                };
                let message = format!("`{{{argument}}}` is no parameter of this function; {hint}");
                errors.at(&self.name, message);
            }
        }
    }

    /// The arguments of the name with their values, for code that names `__private` `__p`.
    pub(crate) fn arguments(&self, signature: &Signature) -> TokenStream {
        // A value that is no text is an error at the name.
        let span = self.name.span().resolved_at(Span::mixed_site());
        let values = parameters(signature).filter_map(|parameter| {
            let text = text_of(parameter);
            self.arguments
                .contains(&text)
                .then(|| quote_spanned!(span=> (#text, __p::ToString::to_string(&#parameter))))
        });
        quote!(&[#(#values),*])
    }

    pub(crate) fn lock_at_most_for(&self) -> Option<&Limit> {
        self.lock_at_most_for.as_ref()
    }

    pub(crate) fn lock_at_least_for(&self) -> Option<&Limit> {
        self.lock_at_least_for.as_ref()
    }
}

impl WrittenLock {
    /// All arguments of `#[scheduler_lock]`.
    pub(crate) const KEYS: [&str; 5] = [
        "name",
        "lock_at_most_for",
        "lock_at_least_for",
        "duplicate",
        "crate",
    ];

    pub(crate) fn parse(arguments: &mut Arguments, errors: &mut Errors) -> Self {
        Self {
            name: arguments.text("name", errors),
            lock_at_most_for: arguments.text("lock_at_most_for", errors),
            lock_at_least_for: arguments.text("lock_at_least_for", errors),
            duplicate: arguments.text("duplicate", errors),
        }
    }

    pub(crate) fn check(self, errors: &mut Errors) -> Option<LockDefinition> {
        if self.name.is_none() {
            errors.missing("missing the name of the lock: add `name = \"...\"`");
        }
        let name = self.name.and_then(|given| given.value);
        let arguments = name
            .as_ref()
            .map_or_else(Vec::new, |text| check_name(text, errors));
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
        let duplicate_allowed = duplicate::allowed(self.duplicate, errors);
        Some(LockDefinition {
            name: name?,
            arguments,
            lock_at_most_for,
            lock_at_least_for,
            duplicate_allowed,
        })
    }
}

/// Checks what is known of a name while compiling, and gives what it has in braces.
fn check_name(text: &Text, errors: &mut Errors) -> Vec<String> {
    let read = text.read_literal(errors, |name| {
        let template = NameTemplate::parse(name);
        template.map(|template| template.arguments().map(str::to_owned).collect())
    });
    let arguments: Vec<String> = read.unwrap_or_default();
    text.read(errors, |name| {
        if arguments.is_empty() {
            let name = name.replace("{{", "{").replace("}}", "}");
            LockName::new(name).map_err(|error| error.to_string())?;
        }
        service::check(name)
    });
    arguments
}

/// The parameters that have a name of their own.
fn parameters(signature: &Signature) -> impl Iterator<Item = &Ident> {
    signature
        .inputs
        .iter()
        .filter_map(|parameter| match parameter {
            FnArg::Typed(parameter) => match &*parameter.pat {
                Pat::Ident(name) => Some(&name.ident),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
}

fn text_of(name: &Ident) -> String {
    name.unraw().to_string()
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
