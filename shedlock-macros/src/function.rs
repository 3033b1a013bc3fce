use proc_macro2::{Span, TokenStream};
use syn::{
    AttrStyle, Attribute, Signature, Visibility, braced,
    parse::{Parse, ParseStream},
};

use crate::errors::Errors;

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
    /// Reads the item below `#[attribute]`.
    pub(crate) fn parse(attribute: &str, item: &TokenStream, errors: &mut Errors) -> Option<Self> {
        syn::parse2(item.clone())
            .map_err(|error| {
                let message = format!("`#[{attribute}]` goes on a function with a body");
                errors.at_span(error.span(), message);
            })
            .ok()
    }

    /// The first attribute of this name, under whatever path.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| {
            let last = attribute.path().segments.last();
            last.is_some_and(|segment| segment.ident == name)
        })
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

fn outer(inner: Attribute) -> Attribute {
    Attribute {
        style: AttrStyle::Outer,
        ..inner
    }
}
