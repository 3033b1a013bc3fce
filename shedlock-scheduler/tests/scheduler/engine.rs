//! The engines that every test runs on.

use std::{future::Future, time::Duration};

use shedlock_scheduler::Scheduler;
use tokio::time::timeout;

/// Longer than anything takes on a busy machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// Who wakes up for the instants.
pub(crate) trait Engine {
    /// Runs the scheduler until the future is ready, then shuts it down.
    async fn run(&self, scheduler: Scheduler, until: impl Future<Output = ()>);
}

pub(crate) struct BuiltIn;

impl Engine for BuiltIn {
    async fn run(&self, scheduler: Scheduler, until: impl Future<Output = ()>) {
        timeout(2 * DEADLINE, scheduler.run_until(until))
            .await
            .expect("the scheduler ends in time")
            .expect("the scheduler runs");
    }
}

#[cfg(feature = "tokio-cron-scheduler")]
pub(crate) struct TokioCronScheduler;

#[cfg(feature = "tokio-cron-scheduler")]
impl Engine for TokioCronScheduler {
    async fn run(&self, scheduler: Scheduler, until: impl Future<Output = ()>) {
        let mut job_scheduler = tokio_cron_scheduler::JobScheduler::new().await.unwrap();
        let registered = scheduler
            .register_with(&job_scheduler)
            .await
            .expect("the tasks are registered");
        job_scheduler.start().await.unwrap();
        timeout(2 * DEADLINE, registered.run_until(until))
            .await
            .expect("the scheduler ends in time");
        job_scheduler.shutdown().await.unwrap();
    }
}

/// Each test on each engine.
macro_rules! on_each_engine {
    ($(async fn $test:ident($engine:ident) $body:block)*) => {
        $(async fn $test($engine: impl crate::engine::Engine) $body)*

        mod built_in {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test(crate::engine::BuiltIn).await;
                }
            )*
        }

        #[cfg(feature = "tokio-cron-scheduler")]
        mod tokio_cron_scheduler {
            $(
                #[tokio::test]
                async fn $test() {
                    super::$test(crate::engine::TokioCronScheduler).await;
                }
            )*
        }
    };
}
