//! The conformance suite for lock providers: what every provider promises, as named tests.
//!
//! A provider is done when [`lock_provider_conformance!`](crate::lock_provider_conformance) passes
//! against its real store. Tell the suite how to reach the store by implementing [`Harness`], and,
//! where the store has what they need, [`RecordHarness`], [`SqlHarness`], [`LogHarness`] and
//! [`ClockHarness`]; then name the groups that go with them.
//!
//! | group | needs | shows |
//! |---|---|---|
//! | always | [`Harness`] | exclusion, durations, owners, extension, abandoned attempts, the executor |
//! | `records` | [`RecordHarness`] | what stands in the store, and what a hand may change there |
//! | `sql` | [`SqlHarness`] | independence from the application's transactions and connections |
//! | `log` | [`LogHarness`] | contention leaves the server's error log alone |
//! | `clock` | [`ClockHarness`] | the store's clock decides, not the client's |
//!
//! A provider of one's own, tested whole:
//!
#![doc = concat!("```\n", include_str!("../tests/conformance_home_made.rs"), "```")]

mod conformance;
mod harness;
#[doc(hidden)]
pub mod promises;
mod run;

pub use harness::{ClockHarness, Harness, LockRecord, LogHarness, RecordHarness, SqlHarness};
#[doc(hidden)]
pub use run::run;
