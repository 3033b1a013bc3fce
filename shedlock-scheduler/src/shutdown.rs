use std::{sync::Arc, time::Duration};

use tokio::{
    select,
    time::{sleep, timeout},
};

use crate::{
    Event,
    runner::{Job, Runner},
};

/// How long runs that were cancelled are waited for. An async run ends at its next `.await`.
const PATIENCE: Duration = Duration::from_secs(2);

impl Runner {
    /// Lets no run start any more; the second time, cancels those that are going.
    pub(crate) fn shutdown(&self) {
        if self.shutdown.is_cancelled() {
            self.cancel.cancel();
        }
        self.shutdown.cancel();
    }

    /// Waits for the runs, cancels those that outlast the grace period, and tells of those that
    /// go on all the same.
    pub(crate) async fn drain(
        &self,
        grace_period: Duration,
        jobs: impl Iterator<Item = &Arc<Job>>,
    ) {
        self.runs.close();
        select! {
            () = self.runs.wait() => {}
            () = self.cancel.cancelled() => {}
            () = sleep(grace_period) => {}
        }
        self.cancel.cancel();
        if timeout(PATIENCE, self.runs.wait()).await.is_err() {
            for job in jobs {
                let running = job.running().clone();
                if let Some(run) = running {
                    self.emit(&Event::StillRunning { run });
                }
            }
        }
    }
}
