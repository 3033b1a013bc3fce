//! What stands in the log.

#![cfg(feature = "tracing")]

use std::{
    cell::RefCell,
    io,
    sync::{
        Arc, Once,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use shedlock_core::{
    LockConfiguration, LockError, LockProvider, LockRequest, MemoryLockProvider, SharedHeldLock,
};
use shedlock_scheduler::{Scheduler, SchedulerBuilder, Task, Trigger};
use tokio::sync::Notify;

use crate::engine::{BuiltIn, Engine};

const OFTEN: Trigger = Trigger::FixedRate(Duration::from_millis(5));

thread_local! {
    /// What this thread has logged; each test has a thread, and everything runs on it.
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct Log;

impl io::Write for Log {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.write(text))
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs until the task has been called, or skipped, a few times.
async fn log_of(builder: SchedulerBuilder) -> Vec<String> {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(|| {
        tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(tracing::Level::DEBUG)
            .with_writer(|| Log)
            .init();
    });
    let enough = Arc::new(Notify::new());
    let (told, runs) = (Arc::clone(&enough), AtomicU32::new(0));
    let scheduler = builder
        .on_event(move |event| {
            if event.run().is_some() && runs.fetch_add(1, Ordering::SeqCst) == 6 {
                told.notify_one();
            }
        })
        .build()
        .unwrap();
    BuiltIn.run(scheduler, enough.notified()).await;
    let text = String::from_utf8(LOG.take()).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A store that is set up and does not answer.
struct Broken;

impl LockProvider for Broken {
    type Held = SharedHeldLock;

    async fn try_lock(&self, _: &LockRequest) -> Result<Option<Self::Held>, LockError> {
        Err(LockError::store("broken", "connection refused"))
    }
}

#[tokio::test]
async fn an_outage_of_the_store_is_one_line() {
    let lock = LockConfiguration::new("report", Duration::from_secs(10)).unwrap();
    let task = Task::new("report", OFTEN, || async {}).lock(lock);
    let log = log_of(Scheduler::builder().lock_provider(Broken).task(task)).await;
    let errors: Vec<_> = log.iter().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(errors.len(), 1, "{log:#?}");
    assert!(errors[0].contains("connection refused"), "{errors:?}");
}

#[tokio::test]
async fn a_lock_of_another_service_is_one_line() {
    let lock = LockConfiguration::new("xr-report", Duration::from_secs(10)).unwrap();
    let locks = MemoryLockProvider::new();
    let theirs = LockRequest::of_service(&lock, Some("settlement"));
    assert!(locks.try_lock(&theirs).await.unwrap().is_some());
    let task = Task::new("report", OFTEN, || async {}).lock(lock);
    let log = log_of(
        Scheduler::builder()
            .service("xr")
            .lock_provider(locks)
            .task(task),
    )
    .await;
    let warnings: Vec<_> = log.iter().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 1, "{log:#?}");
    let told = "give the lock of one of them another name lock=xr-report service=\"settlement\"";
    assert!(warnings[0].contains(told), "{warnings:?}");
}

#[tokio::test]
async fn what_a_task_logs_stands_under_its_name() {
    let task = Task::new("report", OFTEN, || async { tracing::info!("hello") });
    let log = log_of(Scheduler::builder().task(task)).await;
    let hello = log.iter().find(|line| line.ends_with("hello"));
    assert!(
        hello.unwrap().contains("task{name=\"report\" fire_time="),
        "{hello:?}"
    );
}
