#[cfg(test)]
mod tests;

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Path, spanned::Spanned};

use crate::{
    arguments::Arguments,
    attribute::expand_attribute,
    errors::Errors,
    function::Function,
    lock::{LockDefinition, WrittenLock},
    order::Kind,
    returned::returned,
    transactional,
};

pub(crate) fn scheduler_lock(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    expand_attribute(Kind::SchedulerLock, arguments, item, parse, check, expand)
}

/// What is wrong with the arguments alone.
pub(crate) fn check_arguments(arguments: TokenStream, errors: &mut Errors) {
    let written = parse(arguments, &TokenStream::new(), errors);
    check(written, errors);
}

struct Written {
    krate: Path,
    lock: WrittenLock,
    function: Option<Function>,
}

struct Meant {
    krate: Path,
    lock: LockDefinition,
    function: Function,
}

fn parse(arguments: TokenStream, item: &TokenStream, errors: &mut Errors) -> Written {
    let mut arguments = Arguments::parse(arguments, &WrittenLock::KEYS, errors);
    Written {
        krate: arguments.crate_path(errors),
        lock: WrittenLock::parse(&mut arguments, errors),
        function: Function::parse("scheduler_lock", item, errors)
            .and_then(|function| transactional::open_below(function, errors)),
    }
}

fn check(written: Written, errors: &mut Errors) -> Option<Meant> {
    let lock = written.lock.check(errors);
    if let Some(function) = &written.function {
        check_function(function, errors);
        if let Some(lock) = &lock {
            lock.check_arguments(&function.signature, errors);
        }
    }
    Some(Meant {
        krate: written.krate,
        lock: lock?,
        function: written.function?,
    })
}

fn check_function(function: &Function, errors: &mut Errors) {
    if let Some(token) = function.signature.constness {
        errors.at(token, "a locked function cannot be `const`; remove it");
    }
}

fn expand(meant: &Meant) -> TokenStream {
    let Meant {
        krate,
        lock,
        function,
    } = meant;
    let Function {
        attributes,
        visibility,
        signature,
        statements,
        end,
        ..
    } = function;
    let unique = lock.unique();
    let arguments = lock.arguments(signature);
    let returned = returned(&signature.output);
    // A function that cannot say that it was skipped is an error at its return type.
    let span = returned.span().resolved_at(Span::mixed_site());
    let locked = if signature.asyncness.is_some() {
        // The first line tells the compiler the type, so that it finds a mistake where it is.
        let block = block(
            quote! {
                if false {
                    return __p::never::<#returned>();
                }
                #statements
            },
            *end,
        );
        let body = quote!(async move #block);
        quote_spanned!(span=> __p::locked(#lock, #arguments, #body).await)
    } else {
        let block = block(statements.clone(), *end);
        let body = quote!(move || -> #returned #block);
        quote_spanned!(span=> __p::locked_blocking(#lock, #arguments, #body))
    };
    quote! {
        #(#attributes)*
        #visibility #signature {
            #unique
            use #krate::__private as __p;
            #locked
        }
    }
}

/// A block that ends where the function does: a body that breaks off is the same mistake in both, which
/// the compiler says once.
fn block(statements: TokenStream, end: Span) -> Group {
    let mut block = Group::new(Delimiter::Brace, statements);
    block.set_span(end);
    block
}
