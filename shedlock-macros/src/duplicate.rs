//! The items that keep a name unique: rustc refuses two macros of one name at the root of a crate,
//! the linker two symbols of one name in a program. Their identifier is what a person then reads.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::{arguments::Given, errors::Errors, text::Text};

/// Whether a name may stand more than once: `duplicate = "allow"`.
pub(crate) fn allowed(given: Option<Given<Text>>, errors: &mut Errors) -> bool {
    let Some(text) = given.and_then(|given| given.value) else {
        return false;
    };
    if text.value() != "allow" {
        errors.at(
            &text,
            "`duplicate` takes `\"allow\"`, for a crate that is linked twice; leave it out otherwise",
        );
    }
    true
}

/// The items for a name of this kind, `lock` or `task`.
///
/// The first is found by rustc, over modules and function bodies: its identifier stands where the
/// name does. The second is found by the linker, which names the files where there is debug
/// information; the third has the second's object linked in the first place. Link-time optimization
/// may merge the second without a word.
pub(crate) fn unique(kind: &str, name: &Text) -> TokenStream {
    let identifier = identifier(kind, &name.value());
    let span = name.span().resolved_at(Span::call_site());
    let macro_name = Ident::new(&identifier, span);
    // All of it stands at the name: rustc marks the whole item.
    let macro_rules = quote_spanned! {span=>
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #macro_name { () => {}; }
    };
    quote! {
        mod __unique {
            #macro_rules
            #[used]
            #[unsafe(export_name = #identifier)]
            static NAME: () = ();
            #[used]
            static LINKED: &() = &NAME;
        }
    }
}

/// Different for different names, and legible: what is no letter or digit becomes `_`, and unless it
/// is always `-`, what it was stands at the end.
fn identifier(kind: &str, name: &str) -> String {
    let others: Vec<char> = name
        .chars()
        .filter(|c| !c.is_ascii_alphanumeric())
        .collect();
    let plain = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let codes: Vec<String> = if others.iter().all(|other| *other == '-') {
        Vec::new()
    } else {
        others
            .iter()
            .map(|other| format!("_{:x}", u32::from(*other)))
            .collect()
    };
    let codes = codes.concat();
    format!("{kind}_name_{plain}_is_used_twice{codes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_legible() {
        assert_eq!(
            identifier("lock", "settlement-payout-execute"),
            "lock_name_settlement_payout_execute_is_used_twice"
        );
    }

    #[test]
    fn names_that_look_alike_have_different_identifiers() {
        let names = [
            "a-b", "a_b", "a b", "a.b", "a-b_2d", "a--b", "a_-b", "a-_b", "ä-b", "정-b",
        ];
        let mut identifiers = names.map(|name| identifier("lock", name)).to_vec();
        identifiers.sort();
        identifiers.dedup();
        assert_eq!(identifiers.len(), names.len(), "{identifiers:?}");
    }
}
