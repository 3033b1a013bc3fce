//! A locked task runs on one node, and a store that fails ends nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use shedlock_core::{
    ActiveLock, LockConfiguration, LockError, LockProvider, LockRequest, LockStore,
    LockingExecutor, MemoryLockProvider, assert_locked,
};
use shedlock_scheduler::{Scheduler, SchedulerBuilder, Task, Trigger};
use tokio::task::spawn_blocking;

use crate::{
    engine::{BuiltIn, Engine},
    events::{Events, count},
};

const OFTEN: Trigger = Trigger::FixedRate(Duration::from_millis(5));
const ONCE: Trigger = Trigger::FixedRate(Duration::from_hours(1));
const HOUR: Duration = Duration::from_hours(1);

fn lock(name: &str) -> LockConfiguration {
    LockConfiguration::new(name, HOUR).unwrap()
}

/// Memory, behind a connection that a test can cut.
#[derive(Clone, Default)]
struct Unreliable {
    locks: MemoryLockProvider,
    down: Arc<AtomicBool>,
}

impl Unreliable {
    fn connection(&self) -> Result<&MemoryLockProvider, LockError> {
        if self.down.load(Ordering::SeqCst) {
            return Err(LockError::store("unreliable", "connection refused"));
        }
        Ok(&self.locks)
    }
}

impl LockStore for Unreliable {
    async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.connection()?.acquire(request).await
    }
    async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        LockStore::extend(self.connection()?, request).await
    }
    async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.connection()?.release(request).await
    }
    async fn check(&self) -> Result<(), LockError> {
        LockStore::check(self.connection()?).await
    }
}

/// Memory, behind a driver that needs a thread of the blocking pool for each call.
#[derive(Clone, Default)]
struct NeedsThread(MemoryLockProvider);

impl LockStore for NeedsThread {
    async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        spawn_blocking(|| {}).await.unwrap();
        self.0.acquire(request).await
    }
    async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        spawn_blocking(|| {}).await.unwrap();
        LockStore::extend(&self.0, request).await
    }
    async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        spawn_blocking(|| {}).await.unwrap();
        self.0.release(request).await
    }
    async fn check(&self) -> Result<(), LockError> {
        LockStore::check(&self.0).await
    }
}

fn on(provider: impl LockProvider) -> SchedulerBuilder {
    Scheduler::builder().lock_provider(provider)
}

on_each_engine! {
    async fn a_locked_task_runs_on_one_of_two_nodes(engine) {
        let locks = MemoryLockProvider::new();
        let node = || {
            let (builder, events) = Events::of(on(locks.clone()));
            let lock = lock("report").with_lock_at_least_for(HOUR).unwrap();
            let task = Task::new("report", ONCE, || async {}).lock(lock);
            (builder.task(task).build().unwrap(), events)
        };
        let ((one, mut of_one), (other, mut of_other)) = (node(), node());
        engine
            .run(one, async {
                of_one.until("report finished").await;
                engine
                    .run(other, async {
                        assert_eq!(of_other.next().await, "report skipped: lock `report` is held elsewhere");
                    })
                    .await;
            })
            .await;
    }

    async fn a_locked_body_runs_under_the_lock_and_may_take_it_again(engine) {
        let (builder, mut events) = Events::of(on(MemoryLockProvider::new()));
        let body = || async {
            assert_eq!(ActiveLock::current().unwrap().name().as_str(), "report");
            let executor = LockingExecutor::current().unwrap();
            let again = executor.execute(&lock("report"), async {}).await.unwrap();
            assert!(again.ran().is_some());
        };
        let scheduler = builder.task(Task::new("report", ONCE, body).lock(lock("report"))).build().unwrap();
        engine
            .run(scheduler, async {
                events.until("report finished").await;
            })
            .await;
    }

    async fn a_locked_blocking_body_runs_under_the_lock_and_may_take_it_again(engine) {
        let (builder, mut events) = Events::of(on(MemoryLockProvider::new()));
        let body = || {
            assert_locked();
            let executor = LockingExecutor::current().unwrap();
            let again = executor.execute_blocking(&lock("report"), || {}).unwrap();
            assert!(again.ran().is_some());
        };
        let scheduler = builder.task(Task::blocking("report", ONCE, body).lock(lock("report"))).build().unwrap();
        engine
            .run(scheduler, async {
                events.until("report finished").await;
            })
            .await;
    }

    async fn an_outage_of_the_store_is_told_once_and_so_is_its_end(engine) {
        let store = Unreliable::default();
        let (builder, mut events) = Events::of(on(store.clone()));
        let scheduler = builder
            .task(Task::new("report", OFTEN, || async {}).lock(lock("report")))
            .build()
            .unwrap();
        engine
            .run(scheduler, async {
                events.until("report finished").await;
                store.down.store(true, Ordering::SeqCst);
                events.until("the store failed").await;
                for _ in 0..3 {
                    let between = events.until("report skipped: the lock store failed").await;
                    assert_eq!(count(&between, "the store failed"), 0);
                    assert_eq!(count(&between, "report started"), 0);
                }
                store.down.store(false, Ordering::SeqCst);
                events.until("the store recovered").await;
                let after = events.until("report finished").await;
                assert_eq!(count(&after, "the store recovered"), 0);
            })
            .await;
    }
}

#[test]
fn one_blocking_thread_is_enough_for_any_number_of_locked_blocking_tasks() {
    let (mut builder, mut events) = Events::of(on(NeedsThread::default()));
    for number in 0..20 {
        let name = format!("task-{number}");
        let task = Task::blocking(name.as_str(), ONCE, assert_locked);
        builder = builder.task(task.lock(lock(&name)));
    }
    let scheduler = builder.build().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(BuiltIn.run(scheduler, async {
        let mut finished = 0;
        while finished < 20 {
            let line = events.next().await;
            assert!(!line.contains("skipped"), "{line}");
            finished += usize::from(line.ends_with("finished"));
        }
    }));
}
