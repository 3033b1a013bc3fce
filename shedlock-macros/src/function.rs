use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    AttrStyle, Attribute, Signature, Visibility, braced,
    parse::{Parse, ParseStream},
};

use crate::{errors::Errors, order::Kind};

/// A function whose body is not looked into, so that a half-written one gets rustc's own errors
/// and no others.
pub(crate) struct Function {
    /// Those above the function, then those at the top of its body.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) statements: TokenStream,
    /// The closing brace.
    pub(crate) end: Span,
}

impl Function {
    /// Reads the item below `#[attribute]`. An item of nothing is one that is not to be looked at.
    pub(crate) fn parse(attribute: &str, item: &TokenStream, errors: &mut Errors) -> Option<Self> {
        if item.is_empty() {
            return None;
        }
        syn::parse2(item.clone())
            .map_err(|error| {
                let message = format!("`#[{attribute}]` goes on a function with a body");
                errors.at_span(error.span(), message);
            })
            .ok()
    }

    /// Our attribute of this kind.
    pub(crate) fn attribute(&self, kind: Kind) -> Option<&Attribute> {
        let mut attributes = self.attributes.iter();
        attributes.find(|attribute| Kind::of(attribute) == Some(kind))
    }

    pub(crate) fn attribute_mut(&mut self, kind: Kind) -> Option<&mut Attribute> {
        let mut attributes = self.attributes.iter_mut();
        attributes.find(|attribute| Kind::of(attribute) == Some(kind))
    }
}

impl Parse for Function {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let body;
        let braces = braced!(body in input);
        attributes.extend(body.call(Attribute::parse_inner)?.into_iter().map(outer));
        let statements = body.parse()?;
        Ok(Self {
            attributes,
            visibility,
            signature,
            statements,
            end: braces.span.close(),
        })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attributes,
            visibility,
            signature,
            statements,
            ..
        } = self;
        tokens.extend(quote! {
            #(#attributes)*
            #visibility #signature {
                #statements
            }
        });
    }
}

fn outer(inner: Attribute) -> Attribute {
    Attribute {
        style: AttrStyle::Outer,
        ..inner
    }
}
