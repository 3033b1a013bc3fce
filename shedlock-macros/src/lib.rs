//! The attributes of `shedlock`. Applications use them through the `shedlock` crate, which has
//! their documentation.
//!
//! Each attribute is three functions: `parse` reads what is written, `check` turns it into what is
//! meant, `expand` writes that out and cannot fail. The first two record each mistake and go on.

mod arguments;
mod attribute;
mod duplicate;
mod errors;
mod function;
mod lock;
mod order;
mod returned;
mod scheduled;
mod scheduler_lock;
mod service;
#[cfg(test)]
mod testing;
mod text;
mod transactional;
mod trigger;
mod warning;

use proc_macro::TokenStream;

#[expect(missing_docs, reason = "documented where `shedlock` exports it")]
#[proc_macro_attribute]
pub fn scheduled(arguments: TokenStream, item: TokenStream) -> TokenStream {
    scheduled::scheduled(arguments.into(), &item.into()).into()
}

/// `#[scheduled]` where the scheduler is left out: says so.
#[proc_macro_attribute]
pub fn scheduled_without_scheduler(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    scheduled::without_scheduler(&item.into()).into()
}

#[expect(missing_docs, reason = "documented where `shedlock` exports it")]
#[proc_macro_attribute]
pub fn scheduler_lock(arguments: TokenStream, item: TokenStream) -> TokenStream {
    scheduler_lock::scheduler_lock(arguments.into(), &item.into()).into()
}

#[expect(missing_docs, reason = "documented where `shedlock` exports it")]
#[proc_macro_attribute]
pub fn transactional(arguments: TokenStream, item: TokenStream) -> TokenStream {
    transactional::transactional(arguments.into(), &item.into()).into()
}
