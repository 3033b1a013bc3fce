//! The end of a scheduler: no new runs, a grace period, then cancellation, and no lock of ours left.

use std::{
    future::pending,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use shedlock_core::{
    LockConfiguration, LockError, LockName, LockProvider, LockRequest, LockStore,
    MemoryLockProvider, SharedHeldLock,
};
use shedlock_scheduler::{CancellationToken, RunError, Scheduler, SchedulerBuilder, Task, Trigger};
use tokio::{
    sync::{Notify, Semaphore},
    task::yield_now,
    time::{sleep, timeout},
};

use crate::{
    engine::DEADLINE,
    events::{Events, count},
};

const OFTEN: Trigger = Trigger::FixedRate(Duration::from_millis(5));
const ONCE: Trigger = Trigger::FixedRate(Duration::from_hours(1));
const SHORT: Duration = Duration::from_millis(20);
const HOUR: Duration = Duration::from_hours(1);

fn lock() -> LockConfiguration {
    LockConfiguration::new("report", HOUR).unwrap()
}

fn lock_name() -> LockName {
    lock().name().clone()
}

/// A task that never ends by itself, and its lock.
fn endless() -> (MemoryLockProvider, SchedulerBuilder, Events) {
    let locks = MemoryLockProvider::new();
    let (builder, events) = endless_on(locks.clone());
    (locks, builder, events)
}

fn endless_on(locks: impl LockProvider) -> (SchedulerBuilder, Events) {
    let task = Task::new("report", ONCE, pending::<()>).lock(lock());
    Events::of(Scheduler::builder().lock_provider(locks).task(task))
}

/// Memory, far away: it answers as often as the test allows.
#[derive(Clone)]
struct Distant {
    locks: MemoryLockProvider,
    answers: Arc<Semaphore>,
}

impl Distant {
    fn answering(times: usize) -> Self {
        Self {
            locks: MemoryLockProvider::new(),
            answers: Arc::new(Semaphore::new(times)),
        }
    }

    async fn answer(&self) -> &MemoryLockProvider {
        self.answers.acquire().await.unwrap().forget();
        &self.locks
    }
}

impl LockStore for Distant {
    async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.answer().await.acquire(request).await
    }
    async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        LockStore::extend(self.answer().await, request).await
    }
    async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.answer().await.release(request).await
    }
    async fn check(&self) -> Result<(), LockError> {
        Ok(())
    }
}

on_each_engine! {
    async fn a_run_may_end_within_the_grace_period(engine) {
        let (builder, mut events) = Events::of(Scheduler::builder());
        let task = Task::new("report", ONCE, || sleep(3 * SHORT));
        let scheduler = builder.task(task).build().unwrap();
        engine
            .run(scheduler, async {
                events.until("report started").await;
            })
            .await;
        assert_eq!(events.rest(), ["report finished"]);
    }

    async fn a_run_is_cancelled_after_the_grace_period_and_its_lock_released(engine) {
        let (locks, builder, mut events) = endless();
        let scheduler = builder.shutdown_grace_period(SHORT).build().unwrap();
        engine
            .run(scheduler, async {
                events.until("report started").await;
                assert!(locks.is_locked(&lock_name()));
            })
            .await;
        assert_eq!(events.rest(), ["report cancelled"]);
        assert!(!locks.is_locked(&lock_name()));
    }

    async fn a_second_shutdown_cancels_at_once(engine) {
        let (locks, builder, mut events) = endless();
        let scheduler = builder.shutdown_grace_period(HOUR).build().unwrap();
        let handle = scheduler.handle();
        engine
            .run(scheduler, async {
                events.until("report started").await;
                handle.shutdown();
                handle.shutdown();
            })
            .await;
        assert_eq!(events.rest(), ["report cancelled"]);
        assert!(!locks.is_locked(&lock_name()));
    }

    async fn no_run_starts_after_the_shutdown_began(engine) {
        let (builder, mut events) = Events::of(Scheduler::builder());
        let scheduler = builder
            .task(Task::new("tick", OFTEN, || async {}))
            .task(Task::new("slow", ONCE, || sleep(5 * SHORT)))
            .build()
            .unwrap();
        engine
            .run(scheduler, async {
                events.until("tick finished").await;
                events.until("tick finished").await;
            })
            .await;
        let after = events.rest();
        assert_eq!(count(&after, "tick started"), 0, "{after:?}");
    }

    async fn a_run_that_waits_for_its_turn_is_skipped_by_a_shutdown(engine) {
        let gate = Arc::new(Notify::new());
        let opened = Arc::clone(&gate);
        let (builder, mut events) = Events::of(Scheduler::builder().max_concurrent_runs(1));
        let scheduler = builder
            .task(Task::new("first", ONCE, move || Arc::clone(&opened).notified_owned()))
            .task(Task::new("second", ONCE, || async {}))
            .build()
            .unwrap();
        let handle = scheduler.handle();
        engine
            .run(scheduler, async {
                events.until("first started").await;
                handle.shutdown();
                gate.notify_one();
                pending::<()>().await;
            })
            .await;
        assert_eq!(
            events.rest(),
            ["second skipped: the scheduler shuts down", "first finished"]
        );
    }

    async fn a_run_whose_lock_is_granted_after_the_shutdown_began_does_not_start(engine) {
        let store = Distant::answering(0);
        let (builder, mut events) = endless_on(store.clone());
        // It comes later, so the lock has been asked for when it starts.
        let mark = Task::new("mark", ONCE, || async {}).initial_delay(SHORT);
        let scheduler = builder.task(mark).build().unwrap();
        let handle = scheduler.handle();
        engine
            .run(scheduler, async {
                events.until("mark finished").await;
                handle.shutdown();
                store.answers.add_permits(2);
                pending::<()>().await;
            })
            .await;
        assert_eq!(events.rest(), ["report skipped: the scheduler shuts down"]);
        assert!(!store.locks.is_locked(&lock_name()));
    }

    async fn the_end_waits_until_the_store_has_released_the_locks_of_cancelled_runs(engine) {
        let store = Distant::answering(1);
        let (builder, mut events) = endless_on(store.clone());
        let scheduler = builder.shutdown_grace_period(SHORT).build().unwrap();
        let answers = Arc::clone(&store.answers);
        engine
            .run(scheduler, async {
                events.until("report started").await;
                tokio::spawn(async move {
                    events.until("report cancelled").await;
                    sleep(SHORT).await;
                    answers.add_permits(1);
                });
            })
            .await;
        assert!(!store.locks.is_locked(&lock_name()));
    }

    async fn a_blocking_run_that_looks_at_its_token_ends(engine) {
        let (builder, mut events) = Events::of(Scheduler::builder().shutdown_grace_period(SHORT));
        let look = |cancellation: CancellationToken| {
            while !cancellation.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let scheduler = builder.task(Task::blocking("report", ONCE, look)).build().unwrap();
        engine
            .run(scheduler, async {
                events.until("report started").await;
            })
            .await;
        assert_eq!(events.rest(), ["report finished"]);
    }

    async fn a_blocking_run_that_does_not_look_is_told_of_and_keeps_its_lock(engine) {
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let task = Task::blocking("report", ONCE, move || {
            let _ = released.lock().unwrap().recv();
        });
        let locks = MemoryLockProvider::new();
        let builder = Scheduler::builder()
            .lock_provider(locks.clone())
            .store_timeout(SHORT)
            .shutdown_grace_period(SHORT);
        let (builder, mut events) = Events::of(builder);
        let scheduler = builder.task(task.lock(lock())).build().unwrap();
        engine
            .run(scheduler, async {
                events.until("report started").await;
            })
            .await;
        assert_eq!(events.rest(), ["report still runs"]);
        assert!(locks.is_locked(&lock_name()));
        drop(release);
    }
}

#[tokio::test]
async fn a_dropped_scheduler_cancels_its_runs_and_releases_their_locks() {
    let (locks, builder, mut events) = endless();
    let scheduler = builder.build().unwrap();
    tokio::select! {
        _ = scheduler.run_until(pending()) => unreachable!("nobody ends it"),
        _ = events.until("report started") => {}
    }
    events.until("report cancelled").await;
    let released = async {
        while locks.is_locked(&lock_name()) {
            yield_now().await;
        }
    };
    timeout(DEADLINE, released).await.expect("it is released");
}

/// A store that can't be used.
pub(crate) enum Absent {
    Refuses,
    DoesNotAnswer,
}

impl LockProvider for Absent {
    type Held = SharedHeldLock;

    async fn try_lock(&self, _: &LockRequest) -> Result<Option<Self::Held>, LockError> {
        unreachable!("no task starts")
    }

    async fn check(&self) -> Result<(), LockError> {
        match self {
            Self::Refuses => Err(LockError::store("absent", "no such table")),
            Self::DoesNotAnswer => pending().await,
        }
    }
}

/// Why nothing runs.
async fn refusal(store: Absent) -> RunError {
    let (builder, events) = Events::of(Scheduler::builder());
    let scheduler = builder
        .lock_provider(store)
        .store_timeout(SHORT)
        .task(Task::new("tick", OFTEN, || async {}))
        .build()
        .unwrap();
    let refusal = timeout(DEADLINE, scheduler.run_until(pending()))
        .await
        .expect("it ends at once")
        .unwrap_err();
    assert!(events.rest().is_empty());
    refusal
}

#[tokio::test]
async fn a_store_that_fails_its_check_is_an_error_at_the_start() {
    let refusal = refusal(Absent::Refuses).await;
    assert!(matches!(refusal, RunError::Store(_)), "{refusal:?}");
}

#[tokio::test]
async fn a_store_that_does_not_answer_its_check_is_an_error_at_the_start() {
    let refusal = refusal(Absent::DoesNotAnswer).await;
    assert!(
        matches!(refusal, RunError::StoreTimeout { .. }),
        "{refusal:?}"
    );
}
