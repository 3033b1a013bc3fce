use std::future::pending;

use tokio::sync::oneshot;

use super::{
    given::{MINUTE, configuration, job, millis, request, take},
    span::Span,
};
use crate::{Execution, LockingExecutor, SkipReason, assert_locked, test_util::Harness};

pub async fn a_job_runs_under_its_lock<H: Harness>(harness: &H) {
    let executor = LockingExecutor::new(harness.provider().await);
    let locked = async {
        assert_locked();
        harness.is_locked(&job()).await
    };
    let ran = executor
        .execute(&configuration("job", MINUTE), locked)
        .await;
    assert!(matches!(ran, Ok(Execution::Ran(true))), "{ran:?}");
    assert!(!harness.is_locked(&job()).await);
}

pub async fn another_node_skips_while_a_job_runs<H: Harness>(harness: &H) {
    let one = LockingExecutor::new(harness.provider().await);
    let other = LockingExecutor::new(harness.provider().await);
    let (started, until_started) = oneshot::channel();
    let running = tokio::spawn(async move {
        let job = async {
            let _ = started.send(());
            pending::<()>().await;
        };
        one.execute(&configuration("job", MINUTE), job).await
    });
    until_started.await.expect("the job starts");
    let configuration = configuration("job", MINUTE);
    let skipped = other
        .execute(&configuration, async { panic!("two at once") })
        .await;
    assert!(
        matches!(&skipped, Ok(Execution::Skipped(SkipReason::Held { name })) if *name == job()),
        "{skipped:?}"
    );
    running.abort();
}

pub async fn a_job_keeps_its_lock_for_at_least<H: Harness>(harness: &H) {
    let executor = LockingExecutor::new(harness.provider().await);
    let configuration = configuration("job", MINUTE).with_lock_at_least_for(millis(300));
    let configuration = configuration.expect("the durations are valid");
    let (ran, _) = Span::of(executor.execute(&configuration, async {})).await;
    let end = ran + millis(300);
    end.is_the_end_of(harness, &job()).await;
}

pub async fn a_job_that_panics_releases_its_lock<H: Harness>(harness: &H) {
    let executor = LockingExecutor::new(harness.provider().await);
    let panicking = tokio::spawn(async move {
        let job = async { panic!("the job broke") };
        executor
            .execute(&configuration("job", MINUTE), job)
            .await
            .map(drop)
    });
    panicking.await.expect_err("the panic goes on");
    take(&harness.provider().await, &request()).await;
}

pub async fn a_blocking_job_runs_under_its_lock<H: Harness>(harness: &H) {
    let executor = LockingExecutor::new(harness.provider().await);
    let ran = tokio::task::spawn_blocking(move || {
        executor.execute_blocking(&configuration("job", MINUTE), assert_locked)
    });
    let ran = ran.await.expect("the job does not panic");
    assert!(matches!(ran, Ok(Execution::Ran(()))), "{ran:?}");
    assert!(!harness.is_locked(&job()).await);
}
