//! Tasks fire at the instants of their triggers.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use chrono::{TimeDelta, Utc};
use shedlock_scheduler::{FireTime, Scheduler, Task, Trigger};
use tokio::sync::mpsc;

const DELAY: Duration = Duration::from_millis(20);

on_each_engine! {
    async fn a_cron_task_fires_at_each_instant_and_never_early(engine) {
        let each_second = Trigger::Cron("* * * * * *".parse().unwrap(), "UTC".parse().unwrap());
        let (sender, mut fires) = mpsc::unbounded_channel();
        let task = Task::new("tick", each_second, move |FireTime(at)| {
            let _ = sender.send((at, Utc::now()));
            async {}
        });
        let scheduler = Scheduler::builder().task(task).build().unwrap();
        engine
            .run(scheduler, async {
                let (first, called) = fires.recv().await.unwrap();
                assert!(called >= first);
                assert_eq!(first.timestamp_subsec_nanos(), 0);
                let (second, called) = fires.recv().await.unwrap();
                assert!(called >= second);
                assert_eq!(second - first, TimeDelta::seconds(1));
            })
            .await;
    }

    async fn a_fixed_rate_task_fires_again_and_again(engine) {
        let (sender, mut fires) = mpsc::unbounded_channel();
        let task = Task::new("tick", Trigger::FixedRate(DELAY), move || {
            let _ = sender.send(());
            async {}
        });
        let scheduler = Scheduler::builder().task(task).build().unwrap();
        engine
            .run(scheduler, async {
                for _ in 0..5 {
                    fires.recv().await.unwrap();
                }
            })
            .await;
    }

    async fn of_ten_thousand_tasks_due_together_none_is_lost(engine) {
        const TASKS: usize = 10_000;
        let each_second = Trigger::Cron("* * * * * *".parse().unwrap(), "UTC".parse().unwrap());
        let (sender, mut fires) = mpsc::unbounded_channel();
        let mut builder = Scheduler::builder();
        for number in 0..TASKS {
            let sender = sender.clone();
            builder = builder.task(Task::new(number.to_string(), each_second.clone(), move |FireTime(at)| {
                let _ = sender.send(at);
                async {}
            }));
        }
        let scheduler = builder.build().unwrap();
        engine
            .run(scheduler, async {
                let mut runs = BTreeMap::new();
                while runs.len() < 3 {
                    *runs.entry(fires.recv().await.unwrap()).or_insert(0) += 1;
                }
                assert_eq!(runs.into_values().take(2).collect::<Vec<_>>(), [TASKS, TASKS]);
            })
            .await;
    }

    async fn a_fixed_delay_counts_from_the_end_of_the_run(engine) {
        let (sender, mut runs) = mpsc::unbounded_channel();
        let task = Task::new("tick", Trigger::FixedDelay(DELAY), move || {
            let (start, sender) = (Instant::now(), sender.clone());
            async move {
                tokio::time::sleep(2 * DELAY).await;
                let _ = sender.send((start, Instant::now()));
            }
        });
        let scheduler = Scheduler::builder().task(task).build().unwrap();
        engine
            .run(scheduler, async {
                let (_, mut end) = runs.recv().await.unwrap();
                for _ in 0..3 {
                    let (start, next_end) = runs.recv().await.unwrap();
                    assert!(start >= end + DELAY);
                    end = next_end;
                }
            })
            .await;
    }

    async fn an_initial_delay_comes_first(engine) {
        let (sender, mut fires) = mpsc::unbounded_channel();
        let task = Task::new("tick", Trigger::FixedRate(DELAY), move || {
            let _ = sender.send(Instant::now());
            async {}
        });
        let started = Instant::now();
        let scheduler = Scheduler::builder().task(task.initial_delay(5 * DELAY)).build().unwrap();
        engine
            .run(scheduler, async {
                assert!(fires.recv().await.unwrap() >= started + 5 * DELAY);
            })
            .await;
    }

    async fn a_task_that_is_not_due_has_a_next_instant(engine) {
        let yearly = Trigger::Cron("0 0 0 1 1 *".parse().unwrap(), "UTC".parse().unwrap());
        let scheduler = Scheduler::builder()
            .task(Task::new("rare", yearly, || async {}))
            .build()
            .unwrap();
        let handle = scheduler.handle();
        assert_eq!(handle.tasks()[0].next(), None);
        engine
            .run(scheduler, async {
                while handle.tasks()[0].next().is_none() {
                    tokio::task::yield_now().await;
                }
                assert!(handle.tasks()[0].next().unwrap() > Utc::now());
            })
            .await;
    }
}
