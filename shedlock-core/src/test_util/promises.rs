//! One function per promise, one file per subject.

mod given;
mod span;

pub mod abandoning;
pub mod clock;
pub mod contending;
pub mod executing;
pub mod extending;
pub mod holding;
pub mod log;
pub mod naming;
pub mod owning;
pub mod records;
pub mod transactions;
