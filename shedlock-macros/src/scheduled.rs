mod signature;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use shedlock_core::parse_duration;
use syn::{LitStr, Path, Signature, ext::IdentExt, spanned::Spanned};

use crate::{
    arguments::{Arguments, Given},
    attribute::expand_attribute,
    errors::Errors,
    function::Function,
    lock::{Lock, WrittenLock},
    text::{Text, optional},
    trigger::{Trigger, WrittenTrigger},
};

const KEYS: [&str; 7] = [
    "cron",
    "fixed_rate",
    "fixed_delay",
    "zone",
    "initial_delay",
    "name",
    "crate",
];

pub(crate) fn scheduled(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand_attribute(arguments, item, parse, check, expand)
}

struct Written {
    krate: Path,
    name: Option<Given<Text>>,
    trigger: WrittenTrigger,
    initial_delay: Option<Given<Text>>,
    function: Option<Function>,
    item: TokenStream,
}

struct Meant {
    krate: Path,
    name: Text,
    trigger: Trigger,
    initial_delay: Option<Text>,
    lock: Option<Lock>,
    signature: Signature,
    item: TokenStream,
}

fn parse(arguments: TokenStream, item: TokenStream, errors: &mut Errors) -> Written {
    let mut arguments = Arguments::parse(arguments, &KEYS, errors);
    Written {
        krate: arguments.crate_path(errors),
        name: arguments.text("name", errors),
        trigger: WrittenTrigger::parse(&mut arguments, errors),
        initial_delay: arguments.text("initial_delay", errors),
        function: Function::parse("scheduled", item.clone(), errors),
        item,
    }
}

fn check(written: Written, errors: &mut Errors) -> Option<Meant> {
    let trigger = written.trigger.check(errors);
    let initial_delay = written.initial_delay.and_then(|given| given.value);
    if let Some(text) = &initial_delay {
        text.read(errors, parse_duration);
    }
    let name = written.name.and_then(|given| given.value);
    if let Some(text) = &name {
        text.read(errors, check_name);
    }
    let function = written.function?;
    signature::check(&function.signature, errors);
    Some(Meant {
        krate: written.krate,
        name: name.unwrap_or_else(|| named_after(&function.signature.ident)),
        trigger: trigger?,
        initial_delay,
        lock: lock_below(&function),
        signature: function.signature,
        item: written.item,
    })
}

fn check_name(name: &str) -> Result<(), &'static str> {
    if name.trim().is_empty() {
        return Err(
            "the name of a task is empty; write one, or leave `name` out to use the function's",
        );
    }
    Ok(())
}

fn named_after(function: &Ident) -> Text {
    Text::new(LitStr::new(&function.unraw().to_string(), function.span()))
}

/// The lock of the `#[scheduler_lock]` below, which reports its own mistakes.
fn lock_below(function: &Function) -> Option<Lock> {
    let attribute = function.attribute("scheduler_lock")?;
    let arguments = attribute.meta.require_list().ok()?.tokens.clone();
    let unreported = &mut Errors::default();
    let mut arguments = Arguments::parse(arguments, &WrittenLock::KEYS, unreported);
    WrittenLock::parse(&mut arguments, unreported).check(unreported)
}

fn expand(meant: &Meant) -> TokenStream {
    let Meant {
        krate,
        name,
        trigger,
        initial_delay,
        lock,
        signature,
        item,
    } = meant;
    let initial_delay = optional(initial_delay.as_ref());
    let lock = optional(lock.as_ref());
    let parameters = signature::parameter_types(signature);
    let function = task_function(signature);
    quote! {
        #item
        const _: () = {
            use #krate::__private as __p;
            __p::inventory::submit! {
                __p::TaskDefinition {
                    name: #name,
                    location: (__p::file!(), __p::line!()),
                    trigger: #trigger,
                    initial_delay: #initial_delay,
                    lock: #lock,
                    check: |data| __p::MissingData::of(data, [#(<#parameters as __p::FromRun>::check),*]),
                    function: #function,
                }
            }
        };
    }
}

/// The `TaskFunction`: makes the parameters, calls the function, reports its result.
///
/// Each part has the span of what it stands for, so that a wrong parameter, a wrong result and a
/// future that is not `Send` are errors there.
fn task_function(signature: &Signature) -> TokenStream {
    let function = &signature.ident;
    let cx = Ident::new("cx", Span::mixed_site());
    let parameters = signature::parameter_types(signature)
        .map(|parameter| quote_spanned!(at(parameter)=> __p::FromRun::from_run(#cx)));
    let call = quote!(#function(#(#parameters),*));
    let cx = match signature.inputs.is_empty() {
        true => quote!(_),
        false => quote!(#cx),
    };
    let into_result = quote_spanned!(at(&signature.output)=> __p::TaskReturn::into_result);
    if signature.asyncness.is_none() {
        return quote!(__p::TaskFunction::Blocking(|#cx| #into_result(#call)));
    }
    let run = Ident::new("run", Span::mixed_site());
    let pinned = quote_spanned!(at(function)=> __p::Box::pin);
    quote! {
        __p::TaskFunction::Async(|#cx| {
            let #run = #call;
            #pinned(async move { #into_result(#run.await) })
        })
    }
}

fn at(tokens: &impl Spanned) -> Span {
    tokens.span().resolved_at(Span::mixed_site())
}
