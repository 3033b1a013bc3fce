use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_cron_scheduler::JobScheduler;
use uuid::Uuid;

use super::store;
use crate::{RunError, log, schedule::Now, timer::Monotonic};

/// How long before an instant the alarm rings; the scheduler may call half a second later.
const AHEAD: TimeDelta = TimeDelta::seconds(2);
/// How long a call lets tasks fire: past the instant, and past the next call of a busy alarm.
const PERMITS_FOR: Duration = Duration::from_secs(3);

/// A row that is due shortly before the next instant, by which the `JobScheduler` says that it is
/// started and runs.
///
/// Every call counts as one of it, whichever job is called, and so do calls that were lost: what
/// the channel drops, somebody has sent.
pub(super) struct Alarm {
    job_scheduler: JobScheduler,
    row: Uuid,
    set: Option<DateTime<Utc>>,
    calls: Receiver<Uuid>,
    called: Option<Monotonic>,
    shutdown: Arc<AtomicBool>,
}

impl Alarm {
    pub(super) async fn new(job_scheduler: &JobScheduler) -> Result<Self, RunError> {
        let calls = job_scheduler.context().job_activation_tx.subscribe();
        let shutdown = Arc::clone(&job_scheduler.scheduler.read().await.shutdown);
        Ok(Self {
            row: store::add_row(job_scheduler).await?,
            job_scheduler: job_scheduler.clone(),
            set: None,
            calls,
            called: None,
            shutdown,
        })
    }

    /// Whether the `JobScheduler` lets tasks fire now.
    pub(super) fn permits(&self, now: Now) -> bool {
        !self.shutdown.load(Ordering::Relaxed)
            && self
                .called
                .is_some_and(|called| now.monotonic.saturating_duration_since(called) < PERMITS_FOR)
    }

    /// Rings ahead of an instant, at most once a second; false if the `JobScheduler` refused it.
    pub(super) async fn set(&mut self, instant: DateTime<Utc>, now: Now) -> bool {
        let soonest = now.wall + TimeDelta::seconds(1);
        let at = instant
            .checked_sub_signed(AHEAD)
            .map_or(soonest, |ahead| ahead.max(soonest));
        if self.set.is_some_and(|set| set <= at) {
            return true;
        }
        let set = store::set_rows(&self.job_scheduler, [(self.row, at)]).await;
        self.set = set.is_ok().then_some(at);
        set.inspect_err(log::job_scheduler_failed).is_ok()
    }

    /// Waits until the `JobScheduler` calls a job.
    pub(super) async fn call(&mut self) {
        match self.calls.recv().await {
            Ok(row) if row != self.row => {}
            Ok(_) | Err(RecvError::Lagged(_)) => self.set = None,
            Err(RecvError::Closed) => pending().await,
        }
        self.called = Some(Monotonic::now());
    }

    /// Takes the row out of the `JobScheduler`.
    pub(super) async fn remove(self) {
        if let Err(error) = store::remove_row(&self.job_scheduler, self.row).await {
            log::job_scheduler_failed(&error);
        }
    }
}
