//! What stands in the log.

#![cfg(feature = "tracing")]

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use shedlock_core::{LockConfiguration, LockError, LockProvider, LockRequest, SharedHeldLock};
use shedlock_scheduler::{Scheduler, SchedulerBuilder, Task, Trigger};
use tokio::sync::Notify;
use tracing_subscriber::fmt::MakeWriter;

use crate::engine::{BuiltIn, Engine};

const OFTEN: Trigger = Trigger::FixedRate(Duration::from_millis(5));

/// Keeps the log as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

impl io::Write for Log {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(text)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// Runs until the task has been called, or skipped, a few times.
async fn log_of(builder: SchedulerBuilder) -> Vec<String> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(log.clone())
        .finish();
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
    // Everything runs on this thread.
    let _guard = tracing::subscriber::set_default(subscriber);
    BuiltIn.run(scheduler, enough.notified()).await;
    log.lines()
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
async fn what_a_task_logs_stands_under_its_name() {
    let task = Task::new("report", OFTEN, || async { tracing::info!("hello") });
    let log = log_of(Scheduler::builder().task(task)).await;
    let hello = log.iter().find(|line| line.ends_with("hello"));
    assert!(
        hello.unwrap().contains("task{name=\"report\" fire_time="),
        "{hello:?}"
    );
}
