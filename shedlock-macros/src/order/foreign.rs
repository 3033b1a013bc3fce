//! Attributes of others that ours do not go with.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{
    Attribute, GenericArgument, PathArguments, PathSegment, ReturnType, Type, TypeParamBound,
};

use super::Kind;
use crate::{errors::Errors, function::Function};

/// Whether nothing of others on the function keeps ours from working.
pub(super) fn check(kind: Kind, function: &Function, errors: &mut Errors) -> bool {
    // The innermost of ours is the one that another attribute below would come in between of.
    let innermost = function.attributes.iter().filter_map(Kind::of).max();
    let innermost = innermost.map_or(kind, |below| below.max(kind));
    for attribute in &function.attributes {
        if let Some(message) = refusal(innermost, attribute) {
            errors.at(attribute, message);
            return false;
        }
    }
    let ours = kind.name();
    let signature = &function.signature;
    if signature.ident == "main" && signature.inputs.is_empty() {
        errors.at_span(
            Span::call_site(),
            format!(
                "`main` starts the program: put `#[{ours}]` on a function of its own, not on `main`"
            ),
        );
        return false;
    }
    if signature.asyncness.is_none() && returns_a_future(&signature.output) {
        let what = match kind {
            Kind::Scheduled => "it would be called and its future dropped",
            Kind::SchedulerLock => "the lock would be released before the future runs",
            Kind::Transactional => "the transaction would end before the future runs",
        };
        errors.at_span(
            Span::call_site(),
            format!(
                "this function returns a future, as a method of `#[async_trait]` does: {what}; \
                 put `#[{ours}]` on an `async fn` outside of the trait's `impl`, and call it from here"
            ),
        );
        return false;
    }
    true
}

fn refusal(kind: Kind, attribute: &Attribute) -> Option<String> {
    let ours = kind.name();
    let path = attribute.path().to_token_stream().to_string();
    let path: String = path.split_whitespace().collect();
    // What `#[tokio::test]` and the like become.
    let path = path.strip_prefix("::core::prelude::v1::").unwrap_or(&path);
    let (crates, name) = path.rsplit_once("::").unwrap_or(("", path));
    match name {
        "main" if !crates.is_empty() => Some(format!(
            "`#[{path}]` makes this function the start of the program: \
             put `#[{ours}]` on a function of its own"
        )),
        "test" => Some(format!(
            "`#[{path}]` makes this function a test, which nothing but the test runner calls: \
             put `#[{ours}]` on a function of its own, and call that from the test"
        )),
        "transactional" if kind > Kind::Scheduled && Kind::of(attribute).is_none() => {
            Some(format!(
                "`#[{path}]` is not of `shedlock`, and would open its transaction around all that \
                 `#[{ours}]` does: put it on a function that this one calls, or use \
                 `#[shedlock::transactional]`"
            ))
        }
        _ => None,
    }
}

/// `Pin<Box<dyn Future>>`, `BoxFuture` or `impl Future`, under whatever path.
fn returns_a_future(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => false,
        ReturnType::Type(_, returned) => is_a_future(returned),
    }
}

fn is_a_future(ty: &Type) -> bool {
    match ty {
        Type::Path(ty) => ty.path.segments.last().is_some_and(|segment| {
            match segment.ident.to_string().as_str() {
                "BoxFuture" | "LocalBoxFuture" => true,
                "Pin" | "Box" => first_type(segment).is_some_and(is_a_future),
                _ => false,
            }
        }),
        Type::ImplTrait(ty) => ty.bounds.iter().any(is_future_bound),
        Type::TraitObject(ty) => ty.bounds.iter().any(is_future_bound),
        _ => false,
    }
}

fn first_type(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn is_future_bound(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    let last = bound.path.segments.last();
    last.is_some_and(|segment| segment.ident == "Future")
}
