//! What `LockingExecutor` promises, whatever the store.
#![cfg(feature = "lock")]

use std::{
    future::pending,
    sync::{Arc, mpsc},
    time::Duration,
};

use shedlock_core::{
    Execution, HeldLock, HeldLockError, LockConfiguration, LockDefinition, LockError, LockName,
    LockProvider, LockRequest, LockingExecutor, MemoryLockProvider, SkipReason, assert_locked,
};
use tokio::sync::{Notify, oneshot};

const MINUTE: Duration = Duration::from_mins(1);

fn configuration(name: &str) -> LockConfiguration {
    LockConfiguration::new(name, MINUTE).unwrap()
}

fn job() -> LockName {
    LockName::new("job").unwrap()
}

/// A store that never answers an acquisition and counts what is abandoned.
#[derive(Clone, Default)]
struct Silent {
    abandoned: Arc<Notify>,
}

struct Never;

impl HeldLock for Never {
    async fn unlock(self) -> Result<(), HeldLockError<Self>> {
        Ok(())
    }

    async fn extend(self, _: Duration, _: Duration) -> Result<Self, HeldLockError<Self>> {
        Ok(self)
    }
}

impl LockProvider for Silent {
    type Held = Never;

    async fn try_lock(&self, _: &LockRequest) -> Result<Option<Never>, LockError> {
        pending().await
    }

    async fn abandon(&self, _: &LockRequest) -> Result<(), LockError> {
        self.abandoned.notify_one();
        Ok(())
    }
}

/// A store that grants every lock and fails every release.
struct FailsToRelease;

impl HeldLock for FailsToRelease {
    async fn unlock(self) -> Result<(), HeldLockError<Self>> {
        Err(HeldLockError::new(
            self,
            LockError::store("test", "the store is gone"),
        ))
    }

    async fn extend(self, _: Duration, _: Duration) -> Result<Self, HeldLockError<Self>> {
        Ok(self)
    }
}

impl LockProvider for FailsToRelease {
    type Held = Self;

    async fn try_lock(&self, _: &LockRequest) -> Result<Option<Self>, LockError> {
        Ok(Some(Self))
    }
}

#[tokio::test]
async fn a_job_runs_under_its_lock_and_the_lock_is_released() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let seen = executor
        .execute(&configuration("job"), async {
            assert_locked();
            locks.is_locked(&job())
        })
        .await
        .unwrap();
    assert!(matches!(seen, Execution::Ran(true)));
    assert!(!locks.is_locked(&job()));
}

#[tokio::test]
async fn a_second_node_skips_while_the_first_one_runs() {
    let locks = MemoryLockProvider::new();
    let (one, other) = (
        LockingExecutor::new(locks.clone()),
        LockingExecutor::new(locks),
    );
    let inner = async { other.execute(&configuration("job"), async {}).await };
    let seen = one
        .execute(&configuration("job"), inner)
        .await
        .unwrap()
        .ran()
        .unwrap();
    assert!(matches!(
        seen.unwrap(),
        Execution::Skipped(SkipReason::Held { name }) if name == job()
    ));
}

#[tokio::test]
async fn a_task_that_holds_the_lock_enters_it_again() {
    let executor = LockingExecutor::new(MemoryLockProvider::new());
    let inner = async { executor.execute(&configuration("job"), async { 1 }).await };
    let seen = executor
        .execute(&configuration("job"), inner)
        .await
        .unwrap()
        .ran()
        .unwrap();
    assert!(matches!(seen.unwrap(), Execution::Ran(1)));
}

#[tokio::test]
async fn a_lock_of_the_same_name_in_another_store_is_another_lock() {
    let other_store = MemoryLockProvider::new();
    let _holder = other_store
        .try_lock(&LockRequest::new(&configuration("job")))
        .await
        .unwrap();
    let (one, other) = (
        LockingExecutor::new(MemoryLockProvider::new()),
        LockingExecutor::new(other_store),
    );
    let nested = async { other.execute(&configuration("job"), async {}).await };
    let seen = one
        .execute(&configuration("job"), nested)
        .await
        .unwrap()
        .ran()
        .unwrap();
    assert!(seen.unwrap().is_skipped());
}

#[tokio::test(start_paused = true)]
async fn at_least_keeps_the_lock_after_a_short_job() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let configuration = configuration("job")
        .with_lock_at_least_for(Duration::from_secs(2))
        .unwrap();
    executor
        .execute(&configuration, async {})
        .await
        .unwrap()
        .ran()
        .unwrap();
    tokio::time::advance(Duration::from_millis(1_999)).await;
    assert!(locks.is_locked(&job()));
    tokio::time::advance(Duration::from_millis(1)).await;
    assert!(!locks.is_locked(&job()));
}

#[tokio::test]
async fn a_panic_releases_the_lock_and_goes_on() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let panicking = tokio::spawn({
        let executor = executor.clone();
        async move {
            let job = async { panic!("the job broke") };
            executor.execute(&configuration("job"), job).await.map(drop)
        }
    });
    let panic = panicking.await.unwrap_err().into_panic();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"the job broke"));
    assert!(!locks.is_locked(&job()));
}

#[tokio::test]
async fn a_dropped_job_releases_its_lock() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let (started, until_started) = oneshot::channel();
    let running = tokio::spawn({
        let executor = executor.clone();
        async move {
            let job = async {
                started.send(()).unwrap();
                pending::<()>().await;
            };
            executor.execute(&configuration("job"), job).await.map(drop)
        }
    });
    until_started.await.unwrap();
    assert!(locks.is_locked(&job()));
    running.abort();
    running.await.unwrap_err();
    executor.released().await;
    assert!(!locks.is_locked(&job()));
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_is_an_error_and_the_attempt_is_abandoned() {
    let store = Silent::default();
    let executor = LockingExecutor::new(store.clone());
    let answer = executor
        .execute(&configuration("job"), async { panic!("must not run") })
        .await;
    assert!(
        matches!(answer, Err(LockError::Timeout { .. })),
        "{answer:?}"
    );
    store.abandoned.notified().await;
}

#[tokio::test]
async fn a_failed_release_does_not_hide_the_result() {
    let executor = LockingExecutor::new(FailsToRelease);
    let ran = executor
        .execute(&configuration("job"), async { "done" })
        .await
        .unwrap();
    assert_eq!(ran.ran(), Some("done"));
}

#[test]
fn a_blocking_job_takes_the_lock_from_a_plain_thread() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let locks = MemoryLockProvider::new();
    let executor = {
        let _inside = runtime.enter();
        LockingExecutor::new(locks.clone())
    };
    let ran = executor.execute_blocking(&configuration("job"), || locks.is_locked(&job()));
    assert_eq!(ran.unwrap().ran(), Some(true));
    assert!(!locks.is_locked(&job()));
}

#[tokio::test]
async fn a_job_on_the_blocking_pool_runs_under_its_lock() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let (inner, held) = (configuration("job"), locks.clone());
    let execution = executor
        .execute_on_blocking_pool(&configuration("job"), move || {
            assert_locked();
            assert!(held.is_locked(&job()));
            // The executor is the thread's own, so that it enters its lock again.
            let executor = LockingExecutor::current().unwrap();
            executor.execute_blocking(&inner, || 42).unwrap().ran()
        })
        .await
        .unwrap();
    assert_eq!(execution.ran(), Some(Some(42)));
    assert!(!locks.is_locked(&job()));
}

#[tokio::test]
async fn a_panic_on_the_blocking_pool_releases_the_lock_and_goes_on() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let running = tokio::spawn(async move {
        let job = || panic!("oh no");
        executor
            .execute_on_blocking_pool::<()>(&configuration("job"), job)
            .await
    });
    assert!(running.await.unwrap_err().is_panic());
    assert!(!locks.is_locked(&job()));
}

#[tokio::test]
async fn a_job_on_the_blocking_pool_keeps_its_lock_when_nobody_waits_for_it() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    let (started, has_started) = oneshot::channel();
    let (end, ended) = mpsc::channel::<()>();
    let waiting = {
        let executor = executor.clone();
        tokio::spawn(async move {
            let job = move || {
                started.send(()).unwrap();
                let _ = ended.recv();
            };
            executor
                .execute_on_blocking_pool(&configuration("job"), job)
                .await
        })
    };
    has_started.await.unwrap();
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert!(locks.is_locked(&job()));
    drop(end);
    executor.released().await;
    assert!(!locks.is_locked(&job()));
}

#[test]
fn a_blocking_job_without_a_runtime_is_an_error() {
    let executor = LockingExecutor::new(MemoryLockProvider::new());
    let answer = executor.execute_blocking(&configuration("job"), || {});
    assert!(
        matches!(answer, Err(LockError::NoRuntime { .. })),
        "{answer:?}"
    );
}

#[test]
fn a_blocking_job_on_the_only_thread_of_its_runtime_is_an_error_not_a_hang() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let answer = runtime.block_on(async {
        let executor = LockingExecutor::new(MemoryLockProvider::new())
            .with_store_timeout(Duration::from_millis(20));
        executor.execute_blocking(&configuration("job"), || {})
    });
    assert!(
        matches!(answer, Err(LockError::Timeout { .. })),
        "{answer:?}"
    );
}

fn definition(name: &'static str, lock_at_most_for: Option<&'static str>) -> LockDefinition {
    LockDefinition {
        name,
        lock_at_most_for,
        lock_at_least_for: None,
    }
}

#[test]
fn a_definition_takes_its_values_from_placeholders_and_defaults() {
    let executor = LockingExecutor::new(MemoryLockProvider::new())
        .with_default_lock_at_most_for(MINUTE)
        .with_default_lock_at_least_for(2 * MINUTE)
        .with_placeholders(|name| (name == "AT_MOST").then(|| "PT30S".to_owned()));
    let of = |at_most| executor.configuration(&definition("job", at_most)).unwrap();
    assert_eq!(of(None).lock_at_most_for(), MINUTE);
    assert_eq!(
        of(None).lock_at_least_for(),
        MINUTE,
        "cut to `lock_at_most_for`"
    );
    assert_eq!(of(Some("${AT_MOST:1h}")).lock_at_most_for(), MINUTE / 2);
    assert_eq!(of(Some("${OTHER:1h}")).lock_at_most_for(), 60 * MINUTE);
}

#[test]
fn a_definition_without_a_lock_at_most_for_says_where_to_set_it() {
    let executor = LockingExecutor::new(MemoryLockProvider::new());
    let refused = executor
        .configuration(&definition("job", None))
        .unwrap_err();
    assert!(
        refused.to_string().contains("default_lock_at_most_for"),
        "{refused}"
    );
}
