use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// The mistakes of one item, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// A mistake in these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// A mistake at this place.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// Something that is missing: there is no token to point at but the attribute itself.
    pub(crate) fn missing(&mut self, message: impl Display) {
        self.at_span(Span::call_site(), message);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.as_ref().map(Error::to_compile_error));
    }
}
