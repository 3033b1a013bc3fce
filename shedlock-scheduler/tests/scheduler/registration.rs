//! How tasks come into a `JobScheduler` and leave it.

use std::{future::pending, time::Duration};

use shedlock_core::{LockConfiguration, MemoryLockProvider};
use shedlock_scheduler::{RunError, Scheduler, SchedulerBuilder, Task, Trigger};
use tokio::{task::yield_now, time::timeout};
use tokio_cron_scheduler::JobScheduler;

use crate::{
    events::Events,
    job_scheduler::{OFTEN, cron, in_time, plain_job, registered, tick},
    shutdown::Absent,
};

const HOUR: Duration = Duration::from_hours(1);

/// How many jobs it has.
async fn jobs_of(job_scheduler: &JobScheduler) -> usize {
    let context = job_scheduler.context();
    let mut jobs = context.metadata_storage.write().await;
    jobs.list_next_ticks().await.unwrap().len()
}

#[tokio::test]
async fn a_shutdown_takes_the_jobs_out_of_the_job_scheduler() {
    let rare = tick("rare", cron("0 0 0 1 1 *"));
    let (job_scheduler, registered) = registered(Scheduler::builder().task(rare)).await;
    assert_ne!(jobs_of(&job_scheduler).await, 0);
    in_time(registered.shutdown()).await;
    assert_eq!(jobs_of(&job_scheduler).await, 0);
}

#[tokio::test]
async fn what_is_dropped_cancels_its_runs_and_leaves_the_job_scheduler() {
    let locks = MemoryLockProvider::new();
    let lock = LockConfiguration::new("report", HOUR).unwrap();
    let name = lock.name().clone();
    let task = Task::new("report", Trigger::FixedRate(HOUR), pending::<()>).lock(lock);
    let (builder, mut events) = Events::of(Scheduler::builder().lock_provider(locks.clone()));
    let (job_scheduler, registered) = registered(builder.task(task)).await;
    job_scheduler.start().await.unwrap();
    events.until("report started").await;

    drop(registered);
    events.until("report cancelled").await;
    in_time(async {
        while locks.is_locked(&name) || jobs_of(&job_scheduler).await > 0 {
            yield_now().await;
        }
    })
    .await;
}

/// A `JobScheduler` to which more jobs were added at once than its channel holds.
async fn overrun() -> JobScheduler {
    let mut job_scheduler = JobScheduler::new_with_channel_size(1).await.unwrap();
    job_scheduler.init().await.unwrap();
    let add = || job_scheduler.add(plain_job());
    let adds = async { tokio::join!(add(), add(), add()) };
    let _ = timeout(Duration::from_secs(1), adds).await;
    job_scheduler
}

async fn refusal(builder: SchedulerBuilder, job_scheduler: &JobScheduler) -> RunError {
    let scheduler = builder.task(tick("tick", OFTEN)).build().unwrap();
    scheduler.register_with(job_scheduler).await.unwrap_err()
}

#[tokio::test]
async fn a_store_that_fails_its_check_is_an_error_at_the_registration() {
    let job_scheduler = JobScheduler::new().await.unwrap();
    let builder = Scheduler::builder().lock_provider(Absent::Refuses);
    let refusal = refusal(builder, &job_scheduler).await;
    assert!(matches!(refusal, RunError::Store(_)), "{refusal:?}");
    assert_eq!(jobs_of(&job_scheduler).await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_job_scheduler_that_takes_no_jobs_is_an_error_at_the_registration() {
    let refusal = refusal(Scheduler::builder(), &overrun().await).await;
    assert!(matches!(refusal, RunError::JobScheduler(_)), "{refusal:?}");
}

#[tokio::test(start_paused = true)]
async fn a_job_scheduler_that_does_not_answer_is_an_error_at_the_registration() {
    let job_scheduler = overrun().await;
    let _one_of_its_listeners_left = job_scheduler.context().job_create_tx.subscribe();
    let refusal = refusal(Scheduler::builder(), &job_scheduler).await;
    assert!(
        matches!(refusal, RunError::JobSchedulerTimeout { .. }),
        "{refusal:?}"
    );
}
