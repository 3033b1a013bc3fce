mod signature;
#[cfg(test)]
mod tests;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use shedlock_core::{ServiceName, parse_duration};
use syn::{LitStr, Path, ReturnType, Signature, ext::IdentExt, spanned::Spanned};

use crate::{
    arguments::{Arguments, Given},
    attribute::expand_attribute,
    duplicate,
    errors::Errors,
    function::Function,
    lock::{LockDefinition, WrittenLock},
    order::Kind,
    service,
    text::{Text, optional},
    transactional::{self, RegisteredPool},
    trigger::{TriggerDefinition, WrittenTrigger},
    warning::{self, Allowed, Warning},
};

const KEYS: [&str; 10] = [
    "cron",
    "fixed_rate",
    "fixed_delay",
    "zone",
    "day_match",
    "initial_delay",
    "name",
    "allow",
    "duplicate",
    "crate",
];

pub(crate) fn scheduled(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    expand_attribute(Kind::Scheduled, arguments, item, parse, check, expand)
}

/// What is wrong with the arguments alone.
pub(crate) fn check_arguments(arguments: TokenStream, errors: &mut Errors) {
    let written = parse(arguments, &TokenStream::new(), errors);
    check(written, errors);
}

/// The item as it is, and that a feature is missing.
pub(crate) fn without_scheduler(item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    errors.missing("the `scheduler` feature of `shedlock` is not enabled: add it in Cargo.toml");
    quote!(#item #errors)
}

struct Written {
    krate: Path,
    name: Option<Given<Text>>,
    duplicate: Option<Given<Text>>,
    trigger: WrittenTrigger,
    initial_delay: Option<Given<Text>>,
    allow: Option<Given<Text>>,
    function: Option<Function>,
    item: TokenStream,
}

struct Meant {
    krate: Path,
    name: Text,
    duplicate_allowed: bool,
    trigger: TriggerDefinition,
    initial_delay: Option<Text>,
    service: Option<ServiceName>,
    lock: Option<LockDefinition>,
    warnings: Vec<Warning>,
    signature: Signature,
    pool: RegisteredPool,
    item: TokenStream,
}

fn parse(arguments: TokenStream, item: &TokenStream, errors: &mut Errors) -> Written {
    let mut arguments = Arguments::parse(arguments, &KEYS, errors);
    Written {
        krate: arguments.crate_path(errors),
        name: arguments.text("name", errors),
        duplicate: arguments.text("duplicate", errors),
        trigger: WrittenTrigger::parse(&mut arguments, errors),
        initial_delay: arguments.text("initial_delay", errors),
        allow: arguments.text("allow", errors),
        function: Function::parse("scheduled", item, errors),
        item: item.clone(),
    }
}

fn check(written: Written, errors: &mut Errors) -> Option<Meant> {
    let trigger = written.trigger.check(errors);
    if let (Some(TriggerDefinition::Cron { .. }), Some(Given { key, .. })) =
        (&trigger, &written.initial_delay)
    {
        errors.at(
            key,
            "`initial_delay` goes with `fixed_rate` and `fixed_delay`: a `cron` text names the first instant itself",
        );
    }
    let initial_delay = written.initial_delay.and_then(|given| given.value);
    if let Some(text) = &initial_delay {
        text.read(errors, parse_duration);
    }
    let name = written.name.and_then(|given| given.value);
    if let Some(text) = &name {
        check_name(text, errors);
    }
    let allowed = Allowed::read(written.allow, errors);
    let mut function = written.function?;
    let pool = transactional::take_parameter_below(&mut function)?;
    signature::check(&function.signature, errors);
    let (trigger, lock) = (trigger?, lock_below(&function));
    if let Some(lock) = &lock {
        lock.check_no_arguments(errors);
    }
    let service = service::declared().unwrap_or_else(|error| {
        // The lock below says so at its name.
        if function.attribute(Kind::SchedulerLock).is_none() {
            errors.missing(error);
        }
        None
    });
    Some(Meant {
        krate: written.krate,
        duplicate_allowed: duplicate::allowed(written.duplicate, errors),
        name: name.unwrap_or_else(|| named_after(&function.signature.ident)),
        warnings: warning::of(&trigger, lock.as_ref(), &allowed),
        trigger,
        initial_delay,
        service,
        lock,
        signature: function.signature,
        pool,
        item: written.item,
    })
}

fn check_name(name: &Text, errors: &mut Errors) {
    if name.value().trim().is_empty() {
        errors.at(
            name,
            "the name of a task is empty; write one, or leave `name` out to use the function's",
        );
    }
    if name.value().contains("${") {
        errors.at(
            name,
            "the name of a task takes no placeholder: write the name itself",
        );
    }
}

fn named_after(function: &Ident) -> Text {
    Text::new(LitStr::new(&function.unraw().to_string(), function.span()))
}

/// The lock of the `#[scheduler_lock]` below, which reports its own mistakes.
fn lock_below(function: &Function) -> Option<LockDefinition> {
    let attribute = function.attribute(Kind::SchedulerLock)?;
    let arguments = attribute.meta.require_list().ok()?.tokens.clone();
    let mut unreported = Errors::default();
    let mut arguments = Arguments::parse(arguments, &WrittenLock::KEYS, &mut unreported);
    let lock = WrittenLock::parse(&mut arguments, &mut unreported).check(&mut unreported);
    lock.filter(|_| unreported.is_empty())
}

fn expand(meant: &Meant) -> TokenStream {
    let Meant {
        krate,
        name,
        duplicate_allowed,
        trigger,
        initial_delay,
        service,
        lock,
        warnings,
        signature,
        pool,
        item,
    } = meant;
    let unique = (!duplicate_allowed).then(|| duplicate::unique("task", name));
    let initial_delay = optional(initial_delay.as_ref());
    let lock = optional(lock.as_ref());
    let service = optional(service.as_ref().map(ServiceName::as_str));
    let parameters = signature::parameter_types(signature)
        .map(ToTokens::to_token_stream)
        .chain(pool.extractor());
    let function = task_function(signature);
    let data = Ident::new("data", Span::mixed_site());
    quote! {
        #item
        #(#warnings)*
        const _: () = {
            use #krate::__private as __p;
            const __TASK: __p::TaskDefinition = __p::TaskDefinition {
                name: #name,
                location: (__p::file!(), __p::line!()),
                service: #service,
                trigger: #trigger,
                initial_delay: #initial_delay,
                lock: #lock,
                check: |#data| __p::MissingData::of(#data, [#(<#parameters as __p::FromRun>::check),*]),
                function: #function,
            };
            __p::inventory::submit! { __TASK }
            #unique
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
    let parameters = signature::parameter_types(signature).map(|parameter| {
        // The very span of the type: the `check` of it is then the same mistake, said once.
        let (first, last) = ends(parameter);
        let make = quote_spanned!(first=> __p::FromRun);
        quote_spanned!(last=> #make::from_run(#cx))
    });
    let call = quote!(#function(#(#parameters),*));
    let cx = if signature.inputs.is_empty() {
        quote!(_)
    } else {
        quote!(#cx)
    };
    let result = result_span(signature);
    let run = Ident::new("run", result);
    if signature.asyncness.is_none() {
        let result = quote_spanned!(result=> __p::TaskReturn::into_result(#run));
        return quote! {
            __p::TaskFunction::Blocking(|#cx| {
                let #run = #call;
                #result
            })
        };
    }
    let result = quote_spanned!(result=> __p::TaskReturn::into_result(#run.await));
    let pinned = quote_spanned!(mixed(function.span())=> __p::Box::pin);
    quote! {
        __p::TaskFunction::Async(|#cx| {
            let #run = #call;
            #pinned(async move { #result })
        })
    }
}

/// The place of the function's result.
fn result_span(signature: &Signature) -> Span {
    mixed(match &signature.output {
        ReturnType::Default => signature.ident.span(),
        ReturnType::Type(_, result) => result.span(),
    })
}

/// The same place, with names that the user's code neither sees nor shadows.
fn mixed(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}

/// The spans of the first and the last token.
fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut tokens = tokens.to_token_stream().into_iter();
    let first = tokens
        .next()
        .map_or_else(Span::call_site, |token| token.span());
    let last = tokens.last().map_or(first, |token| token.span());
    (first, last)
}
