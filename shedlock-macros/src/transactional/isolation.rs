use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::{
    arguments::{Arguments, nearest},
    errors::Errors,
    text::Text,
};

/// What can be written, and what it is called in `__private::isolation`. Which of them a database
/// has is left to the compiler, which knows the database.
const WORDS: [(&str, &str); 7] = [
    ("read uncommitted", "ReadUncommitted"),
    ("read committed", "ReadCommitted"),
    ("repeatable read", "RepeatableRead"),
    ("serializable", "Serializable"),
    ("deferred", "Deferred"),
    ("immediate", "Immediate"),
    ("exclusive", "Exclusive"),
];

/// The isolation of a transaction, the database's default unless given.
pub(super) struct Isolation {
    name: &'static str,
    span: Span,
}

impl Isolation {
    pub(super) fn parse(arguments: &mut Arguments, errors: &mut Errors) -> Self {
        let text = arguments
            .text("isolation", errors)
            .and_then(|given| given.value);
        text.and_then(|text| Self::of(&text, errors))
            .unwrap_or(Self {
                name: "Default",
                span: Span::mixed_site(),
            })
    }

    fn of(text: &Text, errors: &mut Errors) -> Option<Self> {
        let value = text.value();
        if let Some((_, name)) = WORDS.iter().find(|(word, _)| *word == value) {
            let span = text.to_token_stream().into_iter().next()?.span();
            return Some(Self {
                name,
                span: span.resolved_at(Span::mixed_site()),
            });
        }
        let words = WORDS.map(|(word, _)| word);
        let message = match nearest(&value, &words) {
            Some(meant) => format!("unknown isolation `{value}`; did you mean `{meant}`?"),
            None => format!(
                "unknown isolation `{value}`; expected one of `{}`",
                words.join("`, `")
            ),
        };
        errors.at(text, message);
        None
    }
}

/// For code that names `__private` `__p`.
impl ToTokens for Isolation {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = Ident::new(self.name, self.span);
        tokens.extend(quote_spanned!(self.span=> __p::begin(__p::isolation::#name)));
    }
}
