//! How a scheduler starts and ends, whichever engine wakes it.

use std::{future::Future, panic::resume_unwind, pin::pin, sync::Arc, time::Duration};

use shedlock_core::{LockProvider, LockingExecutor};
use tokio::{
    select,
    task::JoinError,
    time::{sleep, timeout},
};
use tokio_util::sync::DropGuard;

use crate::{Event, RunError, plan::Plan, signals::Signals};

/// How long runs that were cancelled are waited for. An async run ends at its next `.await`.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct Lifecycle {
    pub(crate) plan: Arc<Plan>,
    pub(crate) executor: Option<LockingExecutor>,
    pub(crate) store_timeout: Duration,
    pub(crate) grace_period: Duration,
}

impl Lifecycle {
    /// Says at the start what each locked run would fail of.
    pub(crate) async fn check(&self) -> Result<(), RunError> {
        let Some(executor) = &self.executor else {
            return Ok(());
        };
        let limit = self.store_timeout;
        timeout(limit, executor.provider().check())
            .await
            .map_err(|_| RunError::StoreTimeout { limit })?
            .map_err(RunError::Store)
    }

    /// As [`run`](Self::run), until the process is asked to end.
    pub(crate) async fn run_until_shutdown(
        &self,
        engine: impl Future<Output = Result<(), RunError>>,
    ) -> Result<(), RunError> {
        let mut signals = Signals::listen().map_err(RunError::Signals)?;
        let each_signal = async {
            loop {
                signals.next().await;
                self.plan.runner().shutdown();
            }
        };
        select! {
            never = each_signal => never,
            result = self.run(engine) => result,
        }
    }

    /// As [`run`](Self::run), until `shutdown` is ready.
    pub(crate) async fn run_until<E>(
        &self,
        shutdown: impl Future<Output = ()>,
        engine: impl Future<Output = Result<(), E>>,
    ) -> Result<(), E> {
        let mut run = pin!(self.run(engine));
        select! {
            () = shutdown => self.plan.runner().shutdown(),
            result = &mut run => return result,
        }
        run.await
    }

    /// Lets the engine fire until the shutdown, then ends. Dropped, it ends all at once.
    async fn run<E>(&self, engine: impl Future<Output = Result<(), E>>) -> Result<(), E> {
        let _end = self.end_on_drop();
        let fired = self
            .plan
            .runner()
            .shutdown
            .run_until_cancelled(engine)
            .await;
        self.end().await;
        fired.unwrap_or(Ok(()))
    }

    /// When it is dropped, no run starts any more and those that are going are cancelled.
    pub(crate) fn end_on_drop(&self) -> [DropGuard; 2] {
        let runner = self.plan.runner();
        [&runner.shutdown, &runner.cancel].map(|token| token.clone().drop_guard())
    }

    /// After the last instant: waits for the runs, cancels those that outlast the grace period,
    /// tells of those that go on all the same, and waits until our locks are released.
    async fn end(&self) {
        let runner = self.plan.runner();
        runner.runs.close();
        select! {
            () = runner.runs.wait() => {}
            () = runner.cancel.cancelled() => {}
            () = sleep(self.grace_period) => {}
        }
        runner.cancel.cancel();
        if timeout(PATIENCE, runner.runs.wait()).await.is_err() {
            for run in self.plan.jobs().filter_map(|job| job.running().clone()) {
                runner.emit(&Event::StillRunning { run });
            }
        }
        if let Some(executor) = &self.executor {
            // A locked function that was called directly may go on for longer.
            let _ = timeout(self.store_timeout, executor.released()).await;
        }
    }
}

/// Lets a panic of an engine go on.
pub(crate) fn resume_panic(failed: JoinError) {
    if let Ok(panic) = failed.try_into_panic() {
        resume_unwind(panic);
    }
}
