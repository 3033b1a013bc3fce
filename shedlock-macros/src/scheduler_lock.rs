#[cfg(test)]
mod tests;

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Path, ReturnType, Type, parse_quote,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

use crate::{
    arguments::Arguments,
    attribute::expand_attribute,
    errors::Errors,
    function::Function,
    lock::{LockDefinition, WrittenLock},
};

pub(crate) fn scheduler_lock(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    expand_attribute(arguments, item, parse, check, expand)
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
        function: Function::parse("scheduler_lock", item, errors),
    }
}

fn check(written: Written, errors: &mut Errors) -> Option<Meant> {
    let lock = written.lock.check(errors);
    if let Some(function) = &written.function {
        check_function(function, errors);
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
    if let Some(scheduled) = function.attribute("scheduled") {
        errors.at(
            scheduled,
            "`#[scheduled]` goes above `#[scheduler_lock]`: move it up",
        );
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
    } = function;
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
        quote_spanned!(span=> __p::locked(#lock, #body).await)
    } else {
        let block = block(statements.clone(), *end);
        let body = quote!(move || -> #returned #block);
        quote_spanned!(span=> __p::locked_blocking(#lock, #body))
    };
    quote! {
        #(#attributes)*
        #visibility #signature {
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

/// The return type, with `_` where it has an `impl Trait`, which only a signature can have.
fn returned(output: &ReturnType) -> Type {
    let ReturnType::Type(_, returned) = output else {
        return parse_quote!(());
    };
    let mut returned = Type::clone(returned);
    InferImplTrait.visit_type_mut(&mut returned);
    returned
}

struct InferImplTrait;

impl VisitMut for InferImplTrait {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(_) = ty {
            *ty = parse_quote!(_);
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
