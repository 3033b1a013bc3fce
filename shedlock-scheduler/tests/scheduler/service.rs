//! The service that a scheduler belongs to, and locks that are not its own.

use std::time::Duration;

use shedlock_core::{
    LockConfiguration, LockDefinition, LockProvider, LockRequest, MemoryLockProvider,
};
use shedlock_scheduler::{
    BuildError, RunContext, Scheduler, SchedulerBuilder, Task, TaskDefinition, TaskFunction,
    TaskFuture, Trigger, TriggerDefinition,
};

use crate::events::Events;

const OFTEN: Trigger = Trigger::FixedDelay(Duration::from_millis(5));

fn lock(name: &str) -> LockConfiguration {
    LockConfiguration::new(name, Duration::from_mins(1)).unwrap()
}

fn locked(name: &'static str) -> Task {
    Task::new(name, OFTEN, || async {}).lock(lock(name))
}

fn nothing(_: &RunContext) -> TaskFuture {
    Box::pin(async { Ok(()) })
}

/// A task of a package that declares this service.
fn declared(service: &'static str, lock: &'static str) -> TaskDefinition {
    TaskDefinition {
        name: lock,
        location: ("src/jobs.rs", 7),
        service: Some(service),
        trigger: TriggerDefinition::FixedRate("1h"),
        initial_delay: None,
        lock: Some(LockDefinition {
            name: lock,
            lock_at_most_for: Some("1m"),
            lock_at_least_for: None,
        }),
        check: |_| Vec::new(),
        function: TaskFunction::Async(nothing),
    }
}

fn with_locks() -> SchedulerBuilder {
    Scheduler::builder().lock_provider(MemoryLockProvider::new())
}

#[track_caller]
fn told(builder: SchedulerBuilder) -> Vec<String> {
    let error: BuildError = builder.build().unwrap_err();
    error.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn a_lock_name_without_the_prefix_of_the_service_is_a_problem() {
    let builder = with_locks()
        .service("settlement")
        .placeholders(|_| Some("payout".to_owned()))
        .task(locked("settlement-confirm"))
        .task(locked("report"))
        .definition(declared("settlement", "${PAYOUT}"));
    let told = told(builder);
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].ends_with("lock name `report` lacks the prefix of the service `settlement`; write `settlement-report`"), "{told:#?}");
    assert!(told[1].ends_with("write `settlement-payout`"), "{told:#?}");
}

#[test]
fn the_service_that_the_packages_declare_counts() {
    let builder = with_locks()
        .definition(declared("settlement", "settlement-payout"))
        .task(locked("report"));
    assert_eq!(told(builder).len(), 1);
}

#[test]
fn the_service_that_the_application_names_counts_more() {
    let builder = with_locks()
        .service("xr")
        .definition(declared("settlement", "settlement-payout"))
        .definition(declared("xr", "xr-relay"));
    let told = told(builder);
    assert!(
        told[0].ends_with("write `xr-settlement-payout`"),
        "{told:#?}"
    );
    assert_eq!(told.len(), 1, "{told:#?}");
}

#[test]
fn packages_of_two_services_are_a_problem() {
    let builder = with_locks()
        .definition(declared("settlement", "settlement-payout"))
        .definition(declared("xr", "xr-relay"));
    let told = told(builder);
    let expected = "task `xr-relay` (src/jobs.rs:7): its package declares the service `xr`, that of task `settlement-payout` (src/jobs.rs:7) the service `settlement`; say which one this is: `.service(\"..\")`";
    assert!(told.contains(&expected.to_owned()), "{told:#?}");
}

#[test]
fn a_name_that_is_no_service_is_a_problem() {
    let told = told(Scheduler::builder().service("settle ment"));
    assert!(told[0].contains("without blanks and `@`"), "{told:#?}");
}

/// What a scheduler of `settlement` tells first whose lock had this holder.
async fn told_after(holder: &LockRequest) -> String {
    let locks = MemoryLockProvider::new();
    let held = locks.try_lock(holder).await.unwrap().unwrap();
    shedlock_core::HeldLock::unlock(held).await.unwrap();
    let builder = Scheduler::builder()
        .service("settlement")
        .lock_provider(locks)
        .task(locked("settlement-payout"));
    let (builder, mut events) = Events::of(builder);
    let mut first = String::new();
    let scheduler = builder.build().unwrap();
    scheduler
        .run_until(async { first = events.next().await })
        .await
        .unwrap();
    first
}

#[tokio::test]
async fn a_lock_that_another_service_held_last_is_told_before_anything_runs() {
    let other = LockRequest::of_service(&lock("settlement-payout"), Some("xr"));
    assert_eq!(told_after(&other).await, "settlement-payout belongs to xr");
}

#[tokio::test]
async fn our_own_lock_and_that_of_a_node_without_a_service_are_nothing_to_tell() {
    for service in [Some("settlement"), None] {
        let holder = LockRequest::of_service(&lock("settlement-payout"), service);
        assert_eq!(told_after(&holder).await, "settlement-payout started");
    }
}

#[tokio::test]
async fn the_lock_of_another_service_is_told_once() {
    let locks = MemoryLockProvider::new();
    let other = LockRequest::of_service(&lock("settlement-payout"), Some("xr"));
    let held = locks.try_lock(&other).await.unwrap().unwrap();
    let builder = Scheduler::builder()
        .service("settlement")
        .lock_provider(locks)
        .task(locked("settlement-payout"));
    let (builder, mut events) = Events::of(builder);
    let scheduler = builder.build().unwrap();
    scheduler
        .run_until(async {
            assert_eq!(events.next().await, "settlement-payout belongs to xr");
            let skipped = "settlement-payout skipped: lock `settlement-payout` is held elsewhere";
            assert_eq!(events.next().await, skipped);
            assert_eq!(events.next().await, skipped);
        })
        .await
        .unwrap();
    drop(held);
}
