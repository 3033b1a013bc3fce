//! Whatever becomes of a run, it is told, and the schedule goes on.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use shedlock_scheduler::{
    CancellationToken, Data, Event, FireTime, RunContext, Scheduler, Task, Trigger,
};
use tokio::{sync::Semaphore, task::yield_now};

use crate::events::{Events, count};

const OFTEN: Trigger = Trigger::FixedRate(Duration::from_millis(5));
const ONCE: Trigger = Trigger::FixedRate(Duration::from_hours(1));

/// Runs one task often until it has told this line twice.
async fn tells_twice(engine: impl crate::engine::Engine, task: Task, line: &str) {
    let (builder, mut events) = Events::of(Scheduler::builder());
    let scheduler = builder.task(task).build().unwrap();
    engine
        .run(scheduler, async {
            events.until(line).await;
            events.until(line).await;
        })
        .await;
}

fn oh_no() {
    panic!("oh {}", "no");
}

fn broken() -> Result<(), &'static str> {
    Err("broken")
}

on_each_engine! {
    async fn an_error_does_not_end_a_schedule(engine) {
        let task = Task::new("tick", OFTEN, || async { broken() });
        tells_twice(engine, task, "tick failed: broken").await;
    }

    async fn an_error_of_a_blocking_task_does_not_end_a_schedule(engine) {
        tells_twice(engine, Task::blocking("tick", OFTEN, broken), "tick failed: broken").await;
    }

    async fn a_panic_does_not_end_a_schedule(engine) {
        let task = Task::new("tick", OFTEN, || async { oh_no() });
        tells_twice(engine, task, "tick panicked: oh no").await;
    }

    async fn a_panic_before_the_first_await_does_not_end_a_schedule(engine) {
        let task = Task::new("tick", OFTEN, || {
            oh_no();
            async {}
        });
        tells_twice(engine, task, "tick panicked: oh no").await;
    }

    async fn a_panic_of_a_blocking_task_does_not_end_a_schedule(engine) {
        let task = Task::blocking("tick", OFTEN, oh_no);
        tells_twice(engine, task, "tick panicked: oh no").await;
    }

    async fn a_panic_does_not_end_a_fixed_delay(engine) {
        let often = Trigger::FixedDelay(Duration::from_millis(1));
        let task = Task::new("tick", often, || async { oh_no() });
        tells_twice(engine, task, "tick panicked: oh no").await;
    }

    async fn a_panic_of_the_observer_harms_nobody(engine) {
        let finished = Arc::new(Semaphore::new(0));
        let observed = Arc::clone(&finished);
        let scheduler = Scheduler::builder()
            .task(Task::new("tick", OFTEN, || async {}))
            .on_event(move |event| {
                if let Event::Finished { .. } = event {
                    observed.add_permits(1);
                }
                panic!("the observer fails");
            })
            .build()
            .unwrap();
        engine
            .run(scheduler, async {
                let _ = finished.acquire_many(2).await.unwrap();
            })
            .await;
    }

    async fn an_instant_during_the_run_before_is_skipped(engine) {
        let gate = Arc::new(Semaphore::new(0));
        let (builder, mut events) = Events::of(Scheduler::builder());
        let held = Arc::clone(&gate);
        let task = Task::new("slow", OFTEN, move || {
            let gate = Arc::clone(&held);
            async move { gate.acquire().await.unwrap().forget() }
        });
        let scheduler = builder.task(task).build().unwrap();
        engine
            .run(scheduler, async {
                assert_eq!(events.next().await, "slow started");
                assert_eq!(events.next().await, "slow skipped: the run before has not ended");
                gate.add_permits(1);
                let skipped = events.until("slow finished").await;
                assert_eq!(count(&skipped, "slow started"), 0);
                events.until("slow started").await;
                gate.add_permits(Semaphore::MAX_PERMITS);
            })
            .await;
    }

    async fn a_run_gets_its_parameters(engine) {
        type Seen = (String, Option<Data<u8>>, FireTime, bool, String);
        async fn look(
            Data(text): Data<String>,
            absent: Option<Data<u8>>,
            fire_time: FireTime,
            cancellation: CancellationToken,
            cx: RunContext,
            Data(seen): Data<Arc<Mutex<Vec<Seen>>>>,
        ) {
            assert_eq!(fire_time, cx.fire_time());
            let cancelled = cancellation.is_cancelled();
            let task = cx.task().to_owned();
            seen.lock().unwrap().push((text, absent, fire_time, cancelled, task));
        }

        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (builder, mut events) = Events::of(Scheduler::builder());
        let scheduler = builder
            .data("text".to_owned())
            .data(Arc::clone(&seen))
            .task(Task::new("look", ONCE, look))
            .build()
            .unwrap();
        engine
            .run(scheduler, async {
                events.until("look finished").await;
            })
            .await;
        let seen = seen.lock().unwrap();
        let (text, absent, _, cancelled, task) = &seen[0];
        assert_eq!((text.as_str(), *absent, *cancelled, task.as_str()), ("text", None, false, "look"));
    }

    async fn a_run_that_cancels_its_own_token_cancels_no_other(engine) {
        let (builder, mut events) = Events::of(Scheduler::builder());
        let scheduler = builder
            .task(Task::new("selfish", ONCE, |own: CancellationToken| async move { own.cancel() }))
            .task(Task::new("tick", OFTEN, |own: CancellationToken| async move {
                assert!(!own.is_cancelled());
            }))
            .build()
            .unwrap();
        engine
            .run(scheduler, async {
                events.until("selfish finished").await;
                events.until("tick finished").await;
            })
            .await;
    }

    async fn no_more_runs_than_the_limit_go_at_once_and_all_get_their_turn(engine) {
        let (going, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (mut builder, mut events) = Events::of(Scheduler::builder().max_concurrent_runs(2));
        for number in 0..6 {
            let (going, most) = (Arc::clone(&going), Arc::clone(&most));
            builder = builder.task(Task::new(format!("task {number}"), ONCE, move || {
                let (going, most) = (Arc::clone(&going), Arc::clone(&most));
                async move {
                    most.fetch_max(going.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    for _ in 0..10 {
                        yield_now().await;
                    }
                    going.fetch_sub(1, Ordering::SeqCst);
                }
            }));
        }
        let scheduler = builder.build().unwrap();
        let mut finished = Vec::new();
        engine
            .run(scheduler, async {
                while finished.len() < 6 {
                    let line = events.next().await;
                    finished.extend(line.strip_suffix(" finished").map(str::to_owned));
                }
            })
            .await;
        assert_eq!(most.load(Ordering::SeqCst), 2);
        finished.sort();
        assert_eq!(finished, ["task 0", "task 1", "task 2", "task 3", "task 4", "task 5"]);
    }

    async fn a_blocking_task_does_not_hold_up_the_only_thread_of_a_runtime(engine) {
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let (builder, mut events) = Events::of(Scheduler::builder());
        let scheduler = builder
            .task(Task::blocking("block", ONCE, move || {
                let _ = released.lock().unwrap().recv();
            }))
            .task(Task::new("tick", OFTEN, || async {}))
            .build()
            .unwrap();
        engine
            .run(scheduler, async {
                events.until("block started").await;
                for _ in 0..3 {
                    events.until("tick finished").await;
                }
                drop(release);
                events.until("block finished").await;
            })
            .await;
    }
}
