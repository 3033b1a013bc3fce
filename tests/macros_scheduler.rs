//! A function with both attributes runs on its schedule, under its lock.

#![cfg(all(feature = "macros", feature = "scheduler"))]

use std::{collections::BTreeSet, time::Duration};

use shedlock::{
    ActiveLock, Data, Event, LockConfiguration, LockProvider, LockRequest, MemoryLockProvider,
    RunSkipReason, Scheduler, scheduled, scheduler_lock,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const ASYNC: &str = "async-task";
const BLOCKING: &str = "blocking-task";

#[scheduled(fixed_delay = "10ms", allow = "short_period")]
#[scheduler_lock(name = "async-task", lock_at_most_for = "1m")]
async fn async_task(Data(locks): Data<UnboundedSender<String>>) -> anyhow::Result<()> {
    tokio::task::yield_now().await;
    locks.send(active())?;
    Ok(())
}

#[scheduled(fixed_delay = "10ms", allow = "short_period")]
#[scheduler_lock(name = "blocking-task", lock_at_most_for = "1m")]
fn blocking_task(Data(locks): Data<UnboundedSender<String>>) -> anyhow::Result<()> {
    locks.send(active())?;
    Ok(())
}

fn active() -> String {
    ActiveLock::current().map_or_else(String::new, |lock| lock.name().to_string())
}

/// Waits until both tasks' locks were named.
async fn both(names: &mut UnboundedReceiver<String>) {
    let mut seen = BTreeSet::new();
    while seen.len() < 2 {
        seen.insert(names.recv().await.expect("the scheduler runs"));
    }
    assert_eq!(
        seen,
        BTreeSet::from([ASYNC.to_owned(), BLOCKING.to_owned()])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scheduler_takes_the_lock_and_the_function_enters_it() {
    let (locks, mut names) = unbounded_channel();
    let scheduler = Scheduler::builder()
        .lock_provider(MemoryLockProvider::new())
        .data(locks)
        .discover()
        .build()
        .unwrap();
    scheduler.run_until(both(&mut names)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_skipped_while_another_node_holds_the_lock() {
    let provider = MemoryLockProvider::new();
    for name in [ASYNC, BLOCKING] {
        let minute = LockConfiguration::new(name, Duration::from_mins(1)).unwrap();
        let held = provider.try_lock(&LockRequest::new(&minute)).await;
        assert!(held.unwrap().is_some());
    }
    let (locks, mut ran) = unbounded_channel::<String>();
    let (skipped, mut names) = unbounded_channel();
    let scheduler = Scheduler::builder()
        .lock_provider(provider)
        .data(locks)
        .on_event(move |event| {
            if let Event::Skipped {
                reason: RunSkipReason::HeldElsewhere(name),
                ..
            } = event
            {
                skipped.send(name.to_string()).expect("the test listens");
            }
        })
        .discover()
        .build()
        .unwrap();
    scheduler.run_until(both(&mut names)).await.unwrap();
    assert!(ran.try_recv().is_err());
}
