use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{
    Expr, Ident, LitStr, Path, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    parse_quote,
};

use crate::{errors::Errors, text::Text};

/// The `key = value` arguments of an attribute, each key known and given once.
pub(crate) struct Arguments(Vec<Argument>);

struct Argument {
    key: Ident,
    /// `None` if there is no value, which is recorded already.
    value: Option<TokenStream>,
}

/// An argument that was given.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    /// `None` if the value is missing or wrong, which is recorded already.
    pub(crate) value: Option<T>,
}

impl Arguments {
    /// Reads `key = value, ..`. Of a wrong argument only that one is lost.
    pub(crate) fn parse(tokens: TokenStream, keys: &[&str], errors: &mut Errors) -> Self {
        let mut arguments = Self(Vec::new());
        let parser = |input: ParseStream| {
            while !input.is_empty() {
                if let Some(argument) = argument(input, errors) {
                    arguments.add(argument, keys, errors);
                }
            }
            Ok(())
        };
        parser
            .parse2(tokens)
            .expect("`argument` records mistakes and reads on");
        arguments
    }

    /// The argument of this key, a string literal.
    pub(crate) fn text(&mut self, key: &str, errors: &mut Errors) -> Option<Given<Text>> {
        self.text_of_any(&[key], errors)
    }

    /// The first argument of one of these keys that is left, a string literal.
    pub(crate) fn text_of_any(
        &mut self,
        keys: &[&str],
        errors: &mut Errors,
    ) -> Option<Given<Text>> {
        self.take(keys, errors, "a string literal", "\"...\"", |value| {
            value.parse::<LitStr>().map(Text::new)
        })
    }

    /// The path of the `shedlock` crate: `::shedlock` unless `crate = path` says otherwise.
    pub(crate) fn crate_path(&mut self, errors: &mut Errors) -> Path {
        self.take(
            &["crate"],
            errors,
            "a path",
            "renamed",
            Path::parse_mod_style,
        )
        .and_then(|given| given.value)
        .unwrap_or_else(|| parse_quote!(::shedlock))
    }

    /// The argument of this key, an expression.
    pub(crate) fn expression(&mut self, key: &str, errors: &mut Errors) -> Option<Expr> {
        self.take(&[key], errors, "an expression", "...", |value| {
            value.parse()
        })
        .and_then(|given| given.value)
    }

    fn add(&mut self, mut argument: Argument, keys: &[&str], errors: &mut Errors) {
        let key = argument.key.to_string();
        let is_given = |key: &str| self.0.iter().any(|earlier| earlier.key == key);
        if keys.contains(&key.as_str()) {
            if is_given(&key) {
                return errors.at(&argument.key, format!("`{key}` is given twice; remove one"));
            }
        } else if let Some(meant) = nearest(&key, keys) {
            let message = format!("unknown argument `{key}`; did you mean `{meant}`?");
            errors.at(&argument.key, message);
            if is_given(meant) {
                return;
            }
            // Read on as if it said so.
            argument.key = Ident::new(meant, argument.key.span());
        } else {
            let message = format!(
                "unknown argument `{key}`; expected one of `{}`",
                keys.join("`, `")
            );
            return errors.at(&argument.key, message);
        }
        self.0.push(argument);
    }

    fn take<T>(
        &mut self,
        keys: &[&str],
        errors: &mut Errors,
        kind: &str,
        example: &str,
        parse: fn(ParseStream) -> syn::Result<T>,
    ) -> Option<Given<T>> {
        let position = self
            .0
            .iter()
            .position(|argument| keys.iter().any(|key| argument.key == key))?;
        let Argument { key, value } = self.0.remove(position);
        let value = value.and_then(|value| {
            let parsed = parse.parse2(value.clone()).ok();
            if parsed.is_none() {
                let message = format!("`{key}` takes {kind}: `{key} = {example}`");
                let wrong = if value.is_empty() {
                    quote!(#key)
                } else {
                    value
                };
                errors.at(wrong, message);
            }
            parsed
        });
        Some(Given { key, value })
    }
}

/// Reads one argument and the comma behind it.
fn argument(input: ParseStream, errors: &mut Errors) -> Option<Argument> {
    let Ok(key) = input.call(Ident::parse_any) else {
        let tokens = value(input, errors);
        errors.at(tokens, "expected an argument of the form `key = value`");
        return None;
    };
    let value = if input.peek(Token![=]) {
        // `peek` has seen it.
        let _ = input.parse::<Token![=]>();
        Some(value(input, errors))
    } else {
        let tokens = value(input, errors);
        errors.at(
            quote!(#key #tokens),
            format!("`{key}` needs a value: `{key} = ...`"),
        );
        None
    };
    Some(Argument { key, value })
}

/// Reads up to the comma, or up to the next `key =` if the comma is missing.
fn value(input: ParseStream, errors: &mut Errors) -> TokenStream {
    let mut value = TokenStream::new();
    while !input.is_empty() {
        if input
            .parse::<Option<Token![,]>>()
            .is_ok_and(|comma| comma.is_some())
        {
            break;
        }
        if !value.is_empty() && input.peek(Ident::peek_any) && input.peek2(Token![=]) {
            errors.at_span(input.span(), "expected `,` before this argument");
            break;
        }
        value.extend(input.parse::<TokenTree>());
    }
    value
}

pub(crate) fn nearest<'a>(key: &str, keys: &[&'a str]) -> Option<&'a str> {
    keys.iter()
        .map(|known| (strsim::jaro_winkler(key, known), *known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 3] = ["cron", "zone", "crate"];

    /// The texts that are left, and how many mistakes were found.
    fn read(tokens: TokenStream) -> (Vec<String>, usize) {
        let mut errors = Errors::default();
        let mut arguments = Arguments::parse(tokens, &KEYS, &mut errors);
        let texts = ["cron", "zone"]
            .into_iter()
            .filter_map(|key| arguments.text(key, &mut errors)?.value)
            .map(|text| text.value())
            .collect();
        (texts, errors.count())
    }

    fn both() -> Vec<String> {
        vec!["c".to_owned(), "z".to_owned()]
    }

    #[test]
    fn a_comma_at_the_end_is_accepted() {
        assert_eq!(read(quote!(cron = "c", zone = "z",)), (both(), 0));
    }

    #[test]
    fn only_a_wrong_argument_is_lost() {
        assert_eq!(read(quote!(cron = "c", 5 + 5, zone = "z")), (both(), 1));
        assert_eq!(read(quote!(cron = "c", every = 5, zone = "z")), (both(), 1));
        assert_eq!(read(quote!(cron = "c", cron = 5, zone = "z")), (both(), 1));
        assert_eq!(read(quote!(cron = "c",, zone = "z")), (both(), 1));
    }

    #[test]
    fn a_missing_comma_loses_nothing() {
        assert_eq!(read(quote!(cron = "c" zone = "z")), (both(), 1));
    }

    #[test]
    fn a_misspelt_argument_is_read_as_the_one_that_was_meant() {
        assert_eq!(read(quote!(corn = "c", zonee = "z")), (both(), 2));
    }

    #[test]
    fn a_misspelt_argument_does_not_replace_another() {
        assert_eq!(
            read(quote!(cron = "c", corn = "x", zone = "z")),
            (both(), 1)
        );
    }

    #[test]
    fn a_value_without_equals_sign_is_no_value() {
        let (texts, mistakes) = read(quote!(cron "c", zone = "z"));
        assert_eq!((texts, mistakes), (vec!["z".to_owned()], 1));
    }
}
