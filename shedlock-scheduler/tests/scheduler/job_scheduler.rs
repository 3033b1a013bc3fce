//! What tasks do as jobs of a `JobScheduler`, beyond what they do on each engine.

use std::{collections::BTreeMap, future::ready, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use shedlock_core::{LockConfiguration, MemoryLockProvider};
use shedlock_scheduler::{
    FireTime, RegisteredScheduler, Scheduler, SchedulerBuilder, Task, TaskInfo, Trigger,
};
use tokio::{
    sync::{broadcast::error::TryRecvError, mpsc},
    time::{sleep, timeout},
};
use tokio_cron_scheduler::{Job, JobScheduler};

use crate::{
    engine::DEADLINE,
    events::{Events, count},
};

pub(crate) const OFTEN: Trigger = Trigger::FixedRate(Duration::from_millis(5));
const HOUR: Duration = Duration::from_hours(1);

pub(crate) fn cron(pattern: &str) -> Trigger {
    Trigger::Cron(pattern.parse().unwrap(), "UTC".parse().unwrap())
}

fn each_second() -> Trigger {
    cron("* * * * * *")
}

pub(crate) fn tick(name: &str, trigger: Trigger) -> Task {
    Task::new(name, trigger, || async {})
}

/// A task that tells its instants.
fn telling(name: String, trigger: Trigger) -> (Task, mpsc::UnboundedReceiver<DateTime<Utc>>) {
    let (sender, instants) = mpsc::unbounded_channel();
    let task = Task::new(name, trigger, move |FireTime(at)| {
        let _ = sender.send(at);
        ready(())
    });
    (task, instants)
}

pub(crate) fn plain_job() -> Job {
    Job::new_async("* * * * * *", |_, _| Box::pin(ready(()))).unwrap()
}

/// Jobs of a `JobScheduler` that is not started yet.
pub(crate) async fn registered(builder: SchedulerBuilder) -> (JobScheduler, RegisteredScheduler) {
    let job_scheduler = JobScheduler::new().await.unwrap();
    let scheduler = builder.build().unwrap();
    let registered = scheduler.register_with(&job_scheduler).await.unwrap();
    (job_scheduler, registered)
}

pub(crate) async fn in_time<T>(future: impl Future<Output = T>) -> T {
    timeout(DEADLINE, future).await.expect("it ends in time")
}

#[tokio::test]
async fn of_a_thousand_jobs_due_at_one_instant_none_is_lost() {
    let (sender, mut runs) = mpsc::unbounded_channel();
    let mut builder = Scheduler::builder();
    for number in 0..1_000 {
        let sender = sender.clone();
        let once = Trigger::FixedDelay(HOUR);
        builder = builder.task(Task::new(number.to_string(), once, move || {
            sender.send(number).unwrap();
            ready(())
        }));
    }
    let (job_scheduler, registered) = registered(builder).await;
    job_scheduler.start().await.unwrap();
    let mut ran = Vec::new();
    in_time(runs.recv_many(&mut ran, 1_000)).await;
    while ran.len() < 1_000 {
        ran.push(in_time(runs.recv()).await.unwrap());
    }
    in_time(registered.shutdown()).await;
    ran.sort_unstable();
    assert!(ran.into_iter().eq(0..1_000));
    assert!(runs.is_empty());
}

#[tokio::test]
async fn a_removed_job_fires_no_more_and_the_others_go_on() {
    let (builder, mut events) = Events::of(Scheduler::builder());
    let builder = builder.task(tick("one", OFTEN)).task(tick("other", OFTEN));
    let (job_scheduler, registered) = registered(builder).await;
    job_scheduler.start().await.unwrap();
    events.until("one finished").await;

    let id = registered.job_id("one").unwrap();
    in_time(job_scheduler.remove(&id)).await.unwrap();
    while events.try_next().is_some() {}
    // A run of both may have been on its way.
    events.until("other finished").await;
    let mut after = Vec::new();
    for _ in 0..5 {
        after.extend(events.until("other finished").await);
    }
    assert_eq!(count(&after, "one started"), 0, "{after:?}");
    let left: Vec<_> = registered.handle().tasks();
    assert_eq!(
        left.iter().map(TaskInfo::name).collect::<Vec<_>>(),
        ["other"]
    );
}

#[tokio::test]
async fn nothing_fires_before_the_start_and_what_was_missed_fires_once() {
    let (task, mut instants) = telling("tick".to_owned(), each_second());
    let (job_scheduler, registered) = registered(Scheduler::builder().task(task)).await;
    let due = registered.handle().tasks()[0].next().unwrap();
    while Utc::now() < due + TimeDelta::seconds(2) {
        sleep(Duration::from_millis(50)).await;
    }
    assert!(instants.is_empty());

    let start = Utc::now();
    job_scheduler.start().await.unwrap();
    let late = in_time(instants.recv()).await.unwrap();
    assert!(
        late > start - TimeDelta::seconds(1),
        "the latest stands for all"
    );
    let next = in_time(instants.recv()).await.unwrap();
    assert!(next > late);
}

#[tokio::test]
async fn after_the_shutdown_of_the_job_scheduler_nothing_fires() {
    let (builder, mut events) = Events::of(Scheduler::builder());
    let (mut job_scheduler, _registered) = registered(builder.task(tick("tick", OFTEN))).await;
    job_scheduler.start().await.unwrap();
    events.until("tick finished").await;
    job_scheduler.shutdown().await.unwrap();
    // One that had started ends.
    sleep(Duration::from_millis(50)).await;
    while events.try_next().is_some() {}
    sleep(Duration::from_millis(200)).await;
    assert_eq!(events.try_next(), None);
}

#[tokio::test]
async fn beside_a_flood_of_plain_jobs_none_is_lost() {
    const TASKS: usize = 100;
    let (sender, mut instants) = mpsc::unbounded_channel();
    let mut builder = Scheduler::builder();
    for number in 0..TASKS {
        let sender = sender.clone();
        let task = Task::new(number.to_string(), each_second(), move |FireTime(at)| {
            sender.send(at).unwrap();
            ready(())
        });
        builder = builder.task(task);
    }
    let (job_scheduler, registered) = registered(builder).await;
    for _ in 0..1_000 {
        job_scheduler.add(plain_job()).await.unwrap();
    }
    let mut calls = job_scheduler.context().job_activation_tx.subscribe();
    job_scheduler.start().await.unwrap();
    let mut runs = BTreeMap::new();
    while runs.len() < 4 {
        *runs
            .entry(in_time(instants.recv()).await.unwrap())
            .or_insert(0) += 1;
    }
    assert_eq!(runs.into_values().take(3).collect::<Vec<_>>(), [TASKS; 3]);
    assert!(matches!(calls.try_recv(), Err(TryRecvError::Lagged(_))));
    in_time(registered.shutdown()).await;
}

#[tokio::test]
async fn the_next_tick_of_a_job_is_its_instant() {
    let (mut job_scheduler, registered) =
        registered(Scheduler::builder().task(tick("rare", cron("0 0 0 1 1 *")))).await;
    let id = registered.job_id("rare").unwrap();
    let shown = job_scheduler.next_tick_for_job(id).await.unwrap();
    assert!(shown > Some(Utc::now()));
    assert_eq!(shown, registered.handle().tasks()[0].next());
}

#[tokio::test]
async fn the_next_tick_of_a_job_is_rounded_up_to_the_second() {
    let task = tick("later", Trigger::FixedRate(HOUR)).initial_delay(HOUR);
    let (mut job_scheduler, registered) = registered(Scheduler::builder().task(task)).await;
    let id = registered.job_id("later").unwrap();
    let shown = job_scheduler.next_tick_for_job(id).await.unwrap().unwrap();
    let later = shown - registered.handle().tasks()[0].next().unwrap();
    assert!(
        later >= TimeDelta::zero() && later < TimeDelta::seconds(1),
        "{later}"
    );
}

#[tokio::test]
async fn a_locked_task_in_two_job_schedulers_runs_once() {
    let locks = MemoryLockProvider::new();
    let node = || {
        let lock = LockConfiguration::new("report", HOUR).unwrap();
        let lock = lock.with_lock_at_least_for(HOUR).unwrap();
        let (builder, events) = Events::of(Scheduler::builder().lock_provider(locks.clone()));
        (
            builder.task(tick("report", each_second()).lock(lock)),
            events,
        )
    };
    let ((one, mut of_one), (other, mut of_other)) = (node(), node());
    let (one, other) = (registered(one).await, registered(other).await);
    one.0.start().await.unwrap();
    other.0.start().await.unwrap();
    let skipped = "report skipped: lock `report` is held elsewhere";
    let mut told = Vec::new();
    for events in [&mut of_one, &mut of_other] {
        for _ in 0..2 {
            told.extend(events.until(skipped).await);
        }
    }
    assert_eq!(count(&told, "report finished"), 1, "{told:?}");
}
