//! How a scheduler starts and ends, whichever engine wakes it.

use std::{sync::Arc, time::Duration};

use shedlock_core::{LockProvider, LockingExecutor};
use tokio::{
    select,
    time::{sleep, timeout},
};

use crate::{Event, RunError, plan::Plan};

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

    /// After the last instant: waits for the runs, cancels those that outlast the grace period,
    /// tells of those that go on all the same, and waits until our locks are released.
    pub(crate) async fn end(&self) {
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
