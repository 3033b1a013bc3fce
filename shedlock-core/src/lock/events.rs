//! What the locks tell the application, in one place: each decision is one `tracing` event.
//! Without the feature `tracing` nothing is said.

#![cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "nobody listens")
)]

use crate::{LockError, LockRequest};

macro_rules! event {
    ($level:ident, $($arguments:tt)*) => {
        #[cfg(feature = "tracing")]
        tracing::$level!($($arguments)*);
    };
}

pub(super) fn acquired(request: &LockRequest) {
    event!(debug, lock = %request.name(), locked_by = %request.owner(), "lock acquired");
}

pub(super) fn held_elsewhere(request: &LockRequest) {
    event!(debug, lock = %request.name(), "lock is held elsewhere");
}

pub(super) fn released(request: &LockRequest) {
    event!(debug, lock = %request.name(), locked_by = %request.owner(), "lock released");
}

pub(super) fn lost(request: &LockRequest) {
    event!(
        error,
        lock = %request.name(),
        locked_by = %request.owner(),
        "lock was lost before it was released: its `lock_at_most_for` is shorter than the run"
    );
}

pub(super) fn not_released(request: &LockRequest, error: &LockError) {
    event!(
        error,
        lock = %request.name(),
        locked_by = %request.owner(),
        error = error as &dyn std::error::Error,
        "lock could not be released; it ends by itself after `lock_at_most_for`"
    );
}

#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) fn not_ended(error: &sqlx::Error) {
    event!(
        error,
        error = error as &dyn std::error::Error,
        "transaction could not be ended; the database rolls it back with its connection"
    );
}

pub(super) fn not_run(error: &LockError) {
    event!(
        error,
        error = error as &dyn std::error::Error,
        "locked function did not run"
    );
}
