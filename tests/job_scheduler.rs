//! Annotated functions inside a `tokio_cron_scheduler::JobScheduler` that the application has.

use std::time::Duration;

use shedlock::{
    Data, LockConfiguration, LockName, LockingExecutor, MemoryLockProvider, Scheduler,
    assert_locked, scheduled, scheduler_lock,
};
use tokio::{sync::mpsc, time::timeout};
use tokio_cron_scheduler::{Job, JobScheduler};

const LONG_ENOUGH: Duration = Duration::from_mins(1);

#[scheduled(cron = "* * * * * *")]
#[scheduler_lock(name = "job-scheduler-report", lock_at_most_for = "1m")]
async fn report(Data(runs): Data<mpsc::UnboundedSender<&'static str>>) {
    assert_locked();
    let _ = runs.send("report");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_annotated_function_is_a_job_of_the_job_scheduler() {
    let (runs, mut ran) = mpsc::unbounded_channel();
    let jobs = JobScheduler::new().await.unwrap();
    let scheduler = Scheduler::builder()
        .lock_provider(MemoryLockProvider::new())
        .data(runs)
        .discover()
        .build()
        .unwrap();
    let registered = scheduler.register_with(&jobs).await.unwrap();
    assert!(registered.job_id("report").is_some());
    jobs.start().await.unwrap();
    for _ in 0..2 {
        assert_eq!(
            timeout(LONG_ENOUGH, ran.recv()).await.unwrap(),
            Some("report")
        );
    }
    registered.shutdown().await;
}

#[scheduler_lock(name = "job-scheduler-plain", lock_at_most_for = "1m")]
async fn plain(runs: mpsc::UnboundedSender<&'static str>) -> Result<(), shedlock::LockError> {
    let _ = runs.send("ran");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_function_is_locked_as_a_plain_job_too() {
    let locks = MemoryLockProvider::new();
    let executor = LockingExecutor::new(locks.clone());
    executor.install();
    let (runs, mut ran) = mpsc::unbounded_channel();
    let job = Job::new_async("* * * * * *", move |_, _| {
        let runs = runs.clone();
        Box::pin(async move {
            if plain(runs.clone()).await.is_err() {
                let _ = runs.send("skipped");
            }
        })
    });
    let mut jobs = JobScheduler::new().await.unwrap();
    jobs.add(job.unwrap()).await.unwrap();
    jobs.start().await.unwrap();
    assert_eq!(timeout(LONG_ENOUGH, ran.recv()).await.unwrap(), Some("ran"));

    let lock = LockConfiguration::new("job-scheduler-plain", LONG_ENOUGH).unwrap();
    let elsewhere = LockingExecutor::new(locks.clone());
    let holding = elsewhere.execute(&lock, async {
        assert!(locks.is_locked(&LockName::new("job-scheduler-plain").unwrap()));
        while timeout(LONG_ENOUGH, ran.recv()).await.unwrap() != Some("skipped") {}
    });
    assert!(!holding.await.unwrap().is_skipped());
    jobs.shutdown().await.unwrap();
}
