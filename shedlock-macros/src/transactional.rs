mod isolation;
mod parameter;
#[cfg(test)]
mod tests;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, PatType, Path, Signature, Type, spanned::Spanned};

use self::isolation::Isolation;
use crate::{
    arguments::Arguments,
    attribute::{self, expand_attribute},
    errors::Errors,
    function::Function,
    order::Kind,
    returned::returned,
};

const KEYS: [&str; 3] = ["isolation", "pool", "crate"];

pub(crate) fn transactional(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    expand_attribute(Kind::Transactional, arguments, item, parse, check, expand)
}

/// What is wrong with the arguments alone.
pub(crate) fn check_arguments(arguments: TokenStream, errors: &mut Errors) {
    Transaction::parse(arguments, errors);
}

struct Written {
    transaction: Transaction,
    function: Option<Function>,
}

/// How the transaction is begun.
pub(crate) struct Transaction {
    krate: Path,
    isolation: Isolation,
    pool: Option<Expr>,
}

/// A function whose body runs in a transaction.
struct Meant {
    transaction: Transaction,
    parameter: PatType,
    function: Function,
}

fn parse(arguments: TokenStream, item: &TokenStream, errors: &mut Errors) -> Written {
    Written {
        transaction: Transaction::parse(arguments, errors),
        function: Function::parse("transactional", item, errors),
    }
}

fn check(written: Written, errors: &mut Errors) -> Option<Meant> {
    let mut function = written.function?;
    let parameter = take_parameter(&mut function.signature, errors)?;
    Some(Meant {
        transaction: written.transaction,
        parameter,
        function,
    })
}

/// Takes the transaction out of the parameters of a function that can have one.
fn take_parameter(signature: &mut Signature, errors: &mut Errors) -> Option<PatType> {
    if !cfg!(any(feature = "transactional", test)) {
        errors.missing(
            "`#[transactional]` needs a database: \
             enable the feature `postgres`, `mysql` or `sqlite` of `shedlock`",
        );
    }
    if signature.asyncness.is_none() {
        errors.at(
            signature.fn_token,
            "a transactional function waits for its database: write `async fn`",
        );
    }
    parameter::take(signature, errors)
}

impl Transaction {
    fn parse(arguments: TokenStream, errors: &mut Errors) -> Self {
        let mut arguments = Arguments::parse(arguments, &KEYS, errors);
        Self {
            krate: arguments.crate_path(errors),
            isolation: Isolation::parse(&mut arguments, errors),
            pool: arguments.expression("pool", errors),
        }
    }
}

/// For `#[scheduler_lock]`, which must be around the transaction: the function as the
/// `#[transactional]` below makes it. `None` if that has a mistake, which is recorded.
pub(crate) fn open_below(mut function: Function, errors: &mut Errors) -> Option<Function> {
    let Some(attribute) = function.attribute_mut(Kind::Transactional) else {
        return Some(function);
    };
    let arguments = attribute::arguments(attribute);
    attribute::settle(attribute);
    let written = Written {
        transaction: Transaction::parse(arguments, errors),
        function: Some(function),
    };
    Some(check(written, errors)?.into_function())
}

/// For `#[scheduled]`, which registers the function as its callers see it: takes out the parameter
/// that the `#[transactional]` below fills. `None` if that has a mistake, which it reports itself.
pub(crate) fn take_parameter_below(function: &mut Function) -> Option<RegisteredPool> {
    let Some(attribute) = function.attribute(Kind::Transactional) else {
        return Some(RegisteredPool(None));
    };
    let unreported = &mut Errors::default();
    let transaction = Transaction::parse(attribute::arguments(attribute), unreported);
    let parameter = take_parameter(&mut function.signature, unreported);
    if !unreported.is_empty() {
        return None;
    }
    let registered = parameter.filter(|_| transaction.pool.is_none());
    Some(RegisteredPool(registered.map(|parameter| *parameter.ty)))
}

/// The `#[scheduled]` function's parameter that needs a registered pool, if there is one.
pub(crate) struct RegisteredPool(Option<Type>);

/// The type of an extractor that finds the pool, for code that names `__private` `__p`.
impl RegisteredPool {
    pub(crate) fn extractor(&self) -> Option<TokenStream> {
        let parameter = self.0.as_ref()?;
        Some(quote!(__p::Data<__p::PoolOf<#parameter>>))
    }
}

fn expand(meant: &Meant) -> TokenStream {
    let Function {
        attributes,
        visibility,
        signature,
        ..
    } = &meant.function;
    let statements = meant.statements();
    quote! {
        #(#attributes)*
        #visibility #signature {
            #statements
        }
    }
}

impl Meant {
    fn into_function(mut self) -> Function {
        self.function.statements = self.statements();
        self.function
    }

    fn statements(&self) -> TokenStream {
        let Transaction {
            krate,
            isolation,
            pool,
        } = &self.transaction;
        let Function {
            signature,
            statements,
            end,
            ..
        } = &self.function;
        let PatType { attrs, pat, ty, .. } = &self.parameter;
        let pool = pool.as_ref().map_or_else(
            || quote!(__p::registered_pool()),
            |pool| quote_spanned!(mixed(pool.span())=> __p::pool(&#pool)),
        );
        let transaction = Ident::new("transaction", Span::mixed_site());
        // A parameter of another type is an error there.
        let at_type = mixed(ty.span());
        let begun = Ident::new("transaction", at_type);
        let open = quote_spanned!(at_type=> __p::open(&mut #begun));
        let returned = returned(&signature.output);
        // The first line tells the compiler the type, so that it finds a mistake where it is.
        let mut body = Group::new(
            Delimiter::Brace,
            quote! {
                if false {
                    return __p::never::<#returned>();
                }
                #(#attrs)*
                let #pat: #ty = #open;
                #statements
            },
        );
        // What the body lacks is missing at its end.
        body.set_span(*end);
        let body = quote!(move |mut #transaction| async move #body);
        // A function that cannot say that there was no transaction is an error at its return type.
        let span = mixed(returned.span());
        let transactional =
            quote_spanned!(span=> __p::transactional(#pool, #isolation, #body).await);
        quote! {
            use #krate::__private as __p;
            #transactional
        }
    }
}

/// The same place, with names that the user's code neither sees nor shadows.
fn mixed(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}
