//! A direct call of a function with `#[scheduler_lock]` takes its lock, or skips.

#![cfg(feature = "macros")]

use std::{sync::OnceLock, time::Duration};

use shedlock::{
    ActiveLock, Execution, LockConfiguration, LockError, LockName, LockProvider, LockRequest,
    LockingExecutor, MemoryLockProvider, SkipReason, scheduler_lock,
};

/// The locks that the functions of this file take.
fn locks() -> &'static MemoryLockProvider {
    static LOCKS: OnceLock<MemoryLockProvider> = OnceLock::new();
    LOCKS.get_or_init(|| {
        let locks = MemoryLockProvider::new();
        LockingExecutor::new(locks.clone())
            .with_default_lock_at_most_for(Duration::from_secs(60))
            .with_placeholders(|name| (name == "TENANT").then(|| "seoul".to_owned()))
            .install();
        locks
    })
}

/// Another node takes the lock.
async fn hold(name: &str) {
    let minute = LockConfiguration::new(name, Duration::from_secs(60)).unwrap();
    let held = locks().try_lock(&LockRequest::new(&minute)).await.unwrap();
    assert!(held.is_some(), "{name} is free");
}

fn is_locked(name: &str) -> bool {
    locks().is_locked(&LockName::new(name).unwrap())
}

/// The name of the lock that the caller runs under.
fn active() -> String {
    ActiveLock::current().map_or_else(String::new, |lock| lock.name().to_string())
}

#[scheduler_lock(name = "async-free", lock_at_most_for = "1m")]
async fn async_free(words: &str) -> Option<String> {
    tokio::task::yield_now().await;
    Some(format!("{words} {}", active()))
}

#[tokio::test]
async fn an_async_function_runs_under_its_lock_and_releases_it() {
    locks();
    let ran = async_free("under").await;
    assert_eq!(ran.as_deref(), Some("under async-free"));
    assert!(!is_locked("async-free"));
}

#[scheduler_lock(name = "blocking-free", lock_at_most_for = "1m")]
fn blocking_free() -> Option<String> {
    Some(active())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocking_function_runs_under_its_lock_and_releases_it() {
    locks();
    let ran = tokio::task::spawn_blocking(blocking_free).await.unwrap();
    assert_eq!(ran.as_deref(), Some("blocking-free"));
    assert!(!is_locked("blocking-free"));
}

#[scheduler_lock(name = "unit", lock_at_most_for = "1m")]
async fn unit(runs: &mut u32) {
    *runs += 1;
}

#[tokio::test]
async fn a_skipped_call_without_result_does_nothing() {
    locks();
    let mut runs = 0;
    unit(&mut runs).await;
    hold("unit").await;
    unit(&mut runs).await;
    assert_eq!(runs, 1);
}

#[scheduler_lock(name = "option", lock_at_most_for = "1m")]
async fn option() -> Option<u32> {
    Some(1)
}

#[tokio::test]
async fn a_skipped_call_returns_none() {
    hold("option").await;
    assert_eq!(option().await, None);
}

#[scheduler_lock(name = "result", lock_at_most_for = "1m")]
async fn result() -> Result<u32, LockError> {
    Ok(1)
}

#[tokio::test]
async fn a_skipped_call_returns_its_lock_as_an_error() {
    hold("result").await;
    let error = result().await.unwrap_err();
    assert!(matches!(error, LockError::Held { name } if name.as_str() == "result"));
}

#[scheduler_lock(name = "anyhow", lock_at_most_for = "1m")]
async fn any_error() -> anyhow::Result<u32> {
    Ok("one".parse()?)
}

#[tokio::test]
async fn a_question_mark_leaves_the_body_and_releases_the_lock() {
    locks();
    let error = any_error().await.unwrap_err();
    assert!(error.is::<std::num::ParseIntError>(), "{error}");
    assert!(!is_locked("anyhow"));
}

#[scheduler_lock(name = "execution", lock_at_most_for = "1m")]
async fn execution() -> Execution<u32> {
    Execution::Ran(1)
}

#[tokio::test]
async fn a_skipped_call_returns_why() {
    hold("execution").await;
    let skipped = execution().await;
    assert!(matches!(
        skipped,
        Execution::Skipped(SkipReason::Held { name }) if name.as_str() == "execution"
    ));
}

#[scheduler_lock(name = "blocking-held", lock_at_most_for = "1m")]
fn blocking_held() -> Result<u32, LockError> {
    Ok(1)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocking_call_skips_while_the_lock_is_held() {
    hold("blocking-held").await;
    let ran = tokio::task::spawn_blocking(blocking_held).await.unwrap();
    assert!(matches!(ran, Err(LockError::Held { .. })), "{ran:?}");
}

#[scheduler_lock(name = "early-return", lock_at_most_for = "1m")]
async fn early_return(early: bool) -> Option<&'static str> {
    if early {
        return Some("early");
    }
    Some("late")
}

#[tokio::test]
async fn a_return_leaves_the_body_and_releases_the_lock() {
    locks();
    assert_eq!(early_return(true).await, Some("early"));
    assert!(!is_locked("early-return"));
    assert_eq!(early_return(false).await, Some("late"));
}

#[scheduler_lock(name = "nested", lock_at_most_for = "1m")]
async fn nested(depth: u32) -> Option<u32> {
    if depth == 0 {
        return Some(0);
    }
    Box::pin(nested(depth - 1)).await.map(|below| below + 1)
}

#[tokio::test]
async fn a_call_inside_of_its_own_lock_enters_it() {
    locks();
    assert_eq!(nested(3).await, Some(3));
}

#[scheduler_lock(name = "report-${TENANT}-${REGION:asia}")]
async fn with_placeholders() -> Option<String> {
    Some(active())
}

#[tokio::test]
async fn placeholders_and_defaults_are_filled_in_at_the_call() {
    locks();
    assert_eq!(
        with_placeholders().await.as_deref(),
        Some("report-seoul-asia")
    );
}

#[scheduler_lock(name = "at-least", lock_at_most_for = "1m", lock_at_least_for = "30s")]
async fn at_least() {}

#[tokio::test(start_paused = true)]
async fn the_lock_is_kept_for_at_least_that_long() {
    locks();
    at_least().await;
    assert!(is_locked("at-least"));
    tokio::time::advance(Duration::from_secs(31)).await;
    assert!(!is_locked("at-least"));
}

struct Report {
    pages: Vec<String>,
}

impl Report {
    #[scheduler_lock(name = "method", lock_at_most_for = "1m")]
    async fn longest(&self, at_least: usize) -> Option<&str> {
        let pages = self.pages.iter().filter(|page| page.len() >= at_least);
        pages.max_by_key(|page| page.len()).map(|page| &**page)
    }

    #[scheduler_lock(name = "generic-method", lock_at_most_for = "1m")]
    fn add<T: ToString>(&mut self, page: T) -> Option<usize> {
        self.pages.push(page.to_string());
        Some(self.pages.len())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_and_generic_functions_are_locked_too() {
    locks();
    let mut report = Report {
        pages: vec!["one".to_owned()],
    };
    let pages = tokio::task::block_in_place(|| report.add("a second"));
    assert_eq!(pages, Some(2));
    assert_eq!(report.longest(4).await, Some("a second"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_future_of_a_locked_function_is_send() {
    locks();
    let words = String::from("spawned");
    let ran = tokio::spawn(async move { early_return(words.is_empty()).await });
    assert_eq!(ran.await.unwrap(), Some("late"));
}

#[tokio::test]
async fn the_executor_of_the_running_job_comes_first() {
    hold("option-of-executor").await;
    let executor = LockingExecutor::new(MemoryLockProvider::new());
    let minute = LockConfiguration::new("outer", Duration::from_secs(60)).unwrap();
    let ran = executor
        .execute(&minute, option_of_executor())
        .await
        .unwrap();
    assert_eq!(ran.ran().flatten(), Some(1));
}

#[scheduler_lock(name = "option-of-executor", lock_at_most_for = "1m")]
async fn option_of_executor() -> Option<u32> {
    Some(1)
}
