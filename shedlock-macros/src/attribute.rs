use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

/// Runs the three functions of an attribute.
///
/// If anything is wrong the item comes out as it came in, with the errors beside it: its callers
/// still find it, and an editor still completes inside of it.
pub(crate) fn expand_attribute<Written, Meant>(
    arguments: TokenStream,
    item: TokenStream,
    parse: fn(TokenStream, TokenStream, &mut Errors) -> Written,
    check: fn(Written, &mut Errors) -> Option<Meant>,
    expand: fn(&Meant) -> TokenStream,
) -> TokenStream {
    let mut errors = Errors::default();
    let written = parse(arguments, item.clone(), &mut errors);
    match check(written, &mut errors) {
        Some(meant) if errors.is_empty() => expand(&meant),
        _ => quote!(#item #errors),
    }
}
