//! What the unit tests share.

use proc_macro2::TokenStream;

/// Expanded code as a person would write it.
pub(crate) fn pretty(expanded: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(expanded).expect("the output is Rust"))
}
