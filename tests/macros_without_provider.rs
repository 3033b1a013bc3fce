//! A locked function in a process without any lock provider does not run, and says why.

#![cfg(feature = "macros")]

use shedlock::{LockError, LockingExecutor, MemoryLockProvider, scheduler_lock};

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() -> Result<(), LockError> {
    unreachable!("it has no lock")
}

#[scheduler_lock(name = "blocking-report", lock_at_most_for = "1m")]
fn blocking_report() -> Result<(), LockError> {
    unreachable!("it has no lock")
}

#[tokio::test]
async fn an_async_call_is_an_error_that_names_the_lock_and_the_fix() {
    let error = report().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no lock provider for lock `report`: build a `Scheduler` with `.lock_provider(..)` first, or call `LockingExecutor::new(..).install()`"
    );
}

#[test]
fn a_blocking_call_is_an_error_too() {
    assert!(matches!(
        blocking_report(),
        Err(LockError::NoProvider { .. })
    ));
}

#[scheduler_lock(name = "no-duration")]
async fn no_duration() -> Result<(), LockError> {
    unreachable!("it has no duration")
}

#[tokio::test]
async fn a_lock_without_any_lock_at_most_for_is_an_error() {
    let executor = LockingExecutor::new(MemoryLockProvider::new());
    let outer = shedlock::LockConfiguration::new("outer", std::time::Duration::from_mins(1));
    let ran = executor
        .execute(&outer.unwrap(), no_duration())
        .await
        .unwrap();
    assert!(matches!(
        ran.ran(),
        Some(Err(LockError::NoLockAtMostFor { .. }))
    ));
}
