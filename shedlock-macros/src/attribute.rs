use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Meta;

use crate::{
    errors::Errors,
    order::{self, Kind, Order},
};

/// Runs the three functions of an attribute.
///
/// If anything is wrong the item comes out as it came in, with the errors beside it: its callers
/// still find it, and an editor still completes inside of it.
pub(crate) fn expand_attribute<Written, Meant>(
    kind: Kind,
    arguments: TokenStream,
    item: &TokenStream,
    parse: fn(TokenStream, &TokenStream, &mut Errors) -> Written,
    check: fn(Written, &mut Errors) -> Option<Meant>,
    expand: fn(&Meant) -> TokenStream,
) -> TokenStream {
    if is_settled(&arguments) {
        return item.clone();
    }
    let mut errors = Errors::default();
    let (item, left) = match order::check(kind, item, &mut errors) {
        Order::Right { left } => (item, left),
        // Whatever else the function is, it is not meant for this attribute.
        Order::Wrong { left } => (&TokenStream::new(), left),
    };
    let written = parse(arguments, item, &mut errors);
    match check(written, &mut errors) {
        Some(meant) if errors.is_empty() => expand(&meant),
        _ => quote!(#left #errors),
    }
}

/// What an attribute has as its argument that one above has dealt with. It stays where it is, so
/// that its import is used.
const SETTLED: &str = "__settled";

/// Leaves nothing to do for this attribute.
pub(crate) fn settle(attribute: &mut syn::Attribute) {
    let path = attribute.path();
    let settled = proc_macro2::Ident::new(SETTLED, proc_macro2::Span::mixed_site());
    attribute.meta = syn::parse_quote!(#path(#settled));
}

fn is_settled(arguments: &TokenStream) -> bool {
    let mut arguments = arguments.clone().into_iter();
    matches!(
        (arguments.next(), arguments.next()),
        (Some(TokenTree::Ident(only)), None) if only == SETTLED
    )
}

/// The arguments of an attribute that stands below.
pub(crate) fn arguments(attribute: &syn::Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        // Without the path it is a mistake, as it is with it.
        Meta::NameValue(pair) => pair.value.to_token_stream(),
    }
}
