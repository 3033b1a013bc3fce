//! A lock name with the arguments of the call in it.

#![cfg(feature = "macros")]

use std::{sync::Once, time::Duration};

use shedlock::{ActiveLock, LockError, LockingExecutor, MemoryLockProvider, scheduler_lock};

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        LockingExecutor::new(MemoryLockProvider::new())
            .with_default_lock_at_most_for(Duration::from_mins(1))
            .with_placeholders(|name| (name == "REGION").then(|| "{seoul}".to_owned()))
            .install();
    });
}

fn active() -> String {
    ActiveLock::current().unwrap().name().to_string()
}

#[scheduler_lock(name = "report-{tenant}-{day}")]
async fn report(tenant: &str, day: u32) -> Result<String, LockError> {
    Ok(format!("{} of {tenant} {day}", active()))
}

#[scheduler_lock(name = "template-${REGION:asia}-{{{type}}}")]
fn blocking(r#type: String) -> Option<String> {
    drop(r#type);
    Some(active())
}

#[tokio::test]
async fn a_call_fills_in_its_arguments() {
    install();
    assert_eq!(report("acme", 7).await.unwrap(), "report-acme-7 of acme 7");
}

#[tokio::test(flavor = "multi_thread")]
async fn placeholders_and_braces_stand_beside_arguments() {
    install();
    let name = tokio::task::spawn_blocking(|| blocking("a{b}".to_owned()))
        .await
        .unwrap();
    assert_eq!(name.as_deref(), Some("template-{seoul}-{a{b}}"));
}

#[scheduler_lock(name = "template-outer-{tenant}")]
async fn outer(tenant: &str) -> Result<String, LockError> {
    report(tenant, 1).await
}

#[tokio::test]
async fn different_arguments_are_different_locks() {
    install();
    let (one, other) = tokio::join!(outer("one"), outer("other"));
    assert_eq!(one.unwrap(), "report-one-1 of one 1");
    assert_eq!(other.unwrap(), "report-other-1 of other 1");
}

#[tokio::test]
async fn a_name_that_becomes_too_long_is_an_error_and_nothing_runs() {
    install();
    let refused = report(&"t".repeat(64), 1).await.unwrap_err();
    assert!(refused.to_string().contains("at most 64"), "{refused}");
}
