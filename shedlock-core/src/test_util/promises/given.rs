//! What the promises begin with, and what they ask again and again.

use std::time::Duration;

use crate::{
    HeldLock, HeldLockError, LockConfiguration, LockError, LockName, LockProvider, LockRequest,
};

pub(super) const MINUTE: Duration = Duration::from_mins(1);

pub(super) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The lock that most promises are about.
pub(super) fn job() -> LockName {
    name("job")
}

pub(super) fn name(text: &str) -> LockName {
    LockName::new(text).expect("the name is valid")
}

/// One more acquisition of `job`, for a minute.
pub(super) fn request() -> LockRequest {
    request_for(MINUTE)
}

pub(super) fn request_for(lock_at_most_for: Duration) -> LockRequest {
    LockRequest::new(&configuration("job", lock_at_most_for))
}

pub(super) fn request_of(name: &str) -> LockRequest {
    LockRequest::new(&configuration(name, MINUTE))
}

pub(super) fn request_at_least(lock_at_least_for: Duration) -> LockRequest {
    let configuration = configuration("job", MINUTE).with_lock_at_least_for(lock_at_least_for);
    LockRequest::new(&configuration.expect("the durations are valid"))
}

pub(super) fn configuration(name: &str, lock_at_most_for: Duration) -> LockConfiguration {
    LockConfiguration::new(name, lock_at_most_for).expect("the configuration is valid")
}

/// Takes a lock that is free.
pub(super) async fn take<P: LockProvider>(provider: &P, request: &LockRequest) -> P::Held {
    let answer = provider.try_lock(request).await;
    let held = answer.expect("the store answers");
    held.unwrap_or_else(|| panic!("lock `{}` is free, but was refused", request.name()))
}

/// Whether somebody else holds the lock.
pub(super) async fn is_refused<P: LockProvider>(provider: &P, request: &LockRequest) -> bool {
    let answer = provider.try_lock(request).await;
    answer.expect("a holder is no error").is_none()
}

/// Releases a lock that is held.
pub(super) async fn unlock(held: impl HeldLock) {
    held.unlock().await.expect("the lock is held");
}

/// The lock that a call handed back as lost.
#[track_caller]
pub(super) fn lost<T, H>(answer: Result<T, HeldLockError<H>>) -> H {
    match answer {
        Ok(_) => panic!("the lock was lost, but the call succeeded"),
        Err(HeldLockError {
            lock,
            error: LockError::Lost { .. },
        }) => lock,
        Err(failed) => panic!("the lock was lost, but the call failed: {failed}"),
    }
}
