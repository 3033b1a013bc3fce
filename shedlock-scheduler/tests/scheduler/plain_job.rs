//! A task as a plain `Job` that a `JobScheduler` times by itself.

use std::time::Duration;

use shedlock_core::{LockConfiguration, LockingExecutor, MemoryLockProvider};
use shedlock_scheduler::{Data, Scheduler, TakeJobError, Task, Trigger};
use tokio_cron_scheduler::JobScheduler;

use crate::events::{Events, count};

fn cron(pattern: &str) -> Trigger {
    Trigger::Cron(pattern.parse().unwrap(), "Asia/Seoul".parse().unwrap())
}

fn scheduler(trigger: Trigger) -> Scheduler {
    let task = Task::new("report", trigger, || async {});
    Scheduler::builder().task(task).build().unwrap()
}

#[tokio::test]
async fn a_plain_job_gets_its_parameters_and_takes_its_lock_or_skips() {
    let locks = MemoryLockProvider::new();
    let lock = LockConfiguration::new("report", Duration::from_mins(1)).unwrap();
    let task = Task::new(
        "report",
        cron("* * * * * *"),
        |Data(text): Data<String>| async move {
            shedlock_core::assert_locked();
            assert_eq!(text, "text");
        },
    );
    let builder = Scheduler::builder()
        .lock_provider(locks.clone())
        .data("text".to_owned());
    let (builder, mut events) = Events::of(builder);
    let scheduler = builder.task(task.lock(lock.clone())).build().unwrap();
    let mut job_scheduler = JobScheduler::new().await.unwrap();
    job_scheduler
        .add(scheduler.take_job("report").unwrap())
        .await
        .unwrap();
    job_scheduler.start().await.unwrap();
    events.until("report finished").await;

    let elsewhere = LockingExecutor::new(locks);
    let held = async {
        while events.try_next().is_some() {}
        let before = events
            .until("report skipped: lock `report` is held elsewhere")
            .await;
        assert_eq!(count(&before, "report started"), 0, "{before:?}");
    };
    elsewhere.execute(&lock, held).await.unwrap().ran().unwrap();
    events.until("report finished").await;
    job_scheduler.shutdown().await.unwrap();
}

#[test]
fn a_taken_task_is_not_the_schedulers_any_more() {
    let scheduler = scheduler(cron("0 0 4 * * *"));
    scheduler.take_job("report").unwrap();
    assert!(scheduler.handle().tasks().is_empty());
    let again = scheduler.take_job("report");
    assert!(matches!(again, Err(TakeJobError::UnknownTask(_))));
}

#[test]
fn a_pattern_of_five_fields_is_taken() {
    scheduler(cron("0 4 * * MON-FRI"))
        .take_job("report")
        .unwrap();
    scheduler(cron("@daily")).take_job("report").unwrap();
}

#[test]
fn a_delay_is_no_plain_job() {
    let refused = scheduler(Trigger::FixedDelay(Duration::from_secs(5))).take_job("report");
    assert!(matches!(refused, Err(TakeJobError::NoCron(_))));
}

#[test]
fn a_pattern_of_either_day_is_no_plain_job() {
    let refused = scheduler(cron("0 0 0 13 * FRI")).take_job("report");
    assert!(matches!(refused, Err(TakeJobError::BothDays(_))));
}

#[test]
fn a_pattern_that_is_not_read_is_no_plain_job() {
    let refused = scheduler(cron("@midnight")).take_job("report");
    assert!(matches!(refused, Err(TakeJobError::Pattern { .. })));
}
