use std::{fmt::Display, ops::Range};

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use shedlock_core::placeholder_default;
use syn::LitStr;

use crate::errors::Errors;

/// A string literal that may hold `${NAME:default}` placeholders.
#[derive(Clone)]
pub(crate) struct Text(LitStr);

impl Text {
    pub(crate) fn new(literal: LitStr) -> Self {
        Self(literal)
    }

    pub(crate) fn value(&self) -> String {
        self.0.value()
    }

    pub(crate) fn span(&self) -> Span {
        self.0.span()
    }

    /// Reads what is known of the text while compiling: the whole of it, with the defaults in
    /// place of placeholders. `None` if a placeholder has no default, or if the text is wrong.
    pub(crate) fn read<T, E: Display>(
        &self,
        errors: &mut Errors,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        self.read_with_span(errors, read, |_| None)
    }

    /// Reads a text that may not hold placeholders.
    pub(crate) fn read_literal<T, E: Display>(
        &self,
        errors: &mut Errors,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        read(&self.value())
            .map_err(|error| errors.at(&self.0, error))
            .ok()
    }

    /// As [`read`](Self::read), for errors that know which bytes of the text are wrong.
    pub(crate) fn read_with_span<T, E: Display>(
        &self,
        errors: &mut Errors,
        read: impl FnOnce(&str) -> Result<T, E>,
        span: impl FnOnce(&E) -> Option<Range<usize>>,
    ) -> Option<T> {
        let text = self.0.value();
        let known = match placeholder_default(&text) {
            Ok(known) => known?,
            Err(error) => {
                errors.at(&self.0, error);
                return None;
            }
        };
        match read(&known) {
            Ok(value) => Some(value),
            Err(error) if known != text => {
                errors.at(
                    &self.0,
                    format!("{error}\n(with defaults the text is `{known}`)"),
                );
                None
            }
            Err(error) => {
                self.refuse(errors, &error, span(&error));
                None
            }
        }
    }

    /// Points at the wrong bytes where the compiler can (nightly), else shows them.
    fn refuse(&self, errors: &mut Errors, error: &impl Display, span: Option<Range<usize>>) {
        let text = self.0.value();
        let Some(span) = span.filter(|span| span.len() < text.len()) else {
            return errors.at(&self.0, error);
        };
        let literal = self.0.token();
        let is_plain = literal.to_string() == format!("\"{text}\"");
        match literal.subspan((span.start + 1)..=span.end) {
            Some(span) if is_plain => errors.at_span(span, error),
            _ => errors.at(&self.0, format!("{error}\n{}", underlined(&text, span))),
        }
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

fn underlined(text: &str, span: Range<usize>) -> String {
    let width = |bytes| {
        text.get::<Range<usize>>(bytes)
            .map_or(0, |part: &str| part.chars().count())
    };
    let (blanks, carets) = (" ".repeat(width(0..span.start)), "^".repeat(width(span)));
    format!("  {text}\n  {blanks}{carets}")
}

/// An `Option` as code, for code that names `__private` `__p`.
pub(crate) fn optional(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__p::None), |value| quote!(__p::Some(#value)))
}
