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
            // A new row is due at once.
            set: Some(Utc::now()),
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

    /// Waits until the `JobScheduler` calls jobs.
    pub(super) async fn call(&mut self) {
        loop {
            match self.calls.recv().await {
                Ok(row) if row != self.row => {}
                Ok(_) | Err(RecvError::Lagged(_)) => self.set = None,
                Err(RecvError::Closed) => pending().await,
            }
            self.called = Some(Monotonic::now());
            if self.calls.is_empty() {
                return;
            }
        }
    }

    /// Takes the row out of the `JobScheduler`.
    pub(super) async fn remove(self) -> Result<(), RunError> {
        store::remove_row(&self.job_scheduler, self.row).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn alarm() -> Alarm {
        let job_scheduler = JobScheduler::new().await.unwrap();
        Alarm::new(&job_scheduler).await.unwrap()
    }

    /// The given instant, in whole seconds.
    fn now() -> Now {
        let wall = DateTime::from_timestamp(1_000, 0).unwrap();
        let monotonic = Monotonic::now();
        Now { wall, monotonic }
    }

    async fn rings(alarm: &mut Alarm) -> i64 {
        let at = alarm.job_scheduler.next_tick_for_job(alarm.row).await;
        at.unwrap().unwrap().timestamp()
    }

    #[tokio::test]
    async fn it_rings_ahead_of_the_instant() {
        let (mut alarm, now) = (alarm().await, now());
        assert!(alarm.set(now.wall + TimeDelta::seconds(100), now).await);
        assert_eq!(rings(&mut alarm).await, 1_098);
    }

    #[tokio::test]
    async fn it_rings_not_before_the_next_second() {
        let (mut alarm, now) = (alarm().await, now());
        assert!(alarm.set(now.wall, now).await);
        assert_eq!(rings(&mut alarm).await, 1_001);
    }

    #[tokio::test]
    async fn an_earlier_instant_moves_it() {
        let (mut alarm, now) = (alarm().await, now());
        assert!(alarm.set(now.wall + TimeDelta::seconds(100), now).await);
        assert!(alarm.set(now.wall + TimeDelta::seconds(50), now).await);
        assert_eq!(rings(&mut alarm).await, 1_048);
    }

    #[tokio::test]
    async fn a_clock_that_was_set_back_moves_it() {
        let (mut alarm, mut now) = (alarm().await, now());
        assert!(alarm.set(now.wall + TimeDelta::seconds(100), now).await);
        now.wall -= TimeDelta::seconds(500);
        assert!(alarm.set(now.wall + TimeDelta::seconds(100), now).await);
        assert_eq!(rings(&mut alarm).await, 598);
    }

    #[tokio::test]
    async fn one_that_was_removed_is_refused() {
        let (mut alarm, now) = (alarm().await, now());
        store::remove_row(&alarm.job_scheduler, alarm.row)
            .await
            .unwrap();
        assert!(!alarm.set(now.wall, now).await);
    }

    #[tokio::test]
    async fn a_call_permits_for_a_while() {
        let mut alarm = alarm().await;
        let calls = alarm.job_scheduler.context().job_activation_tx.clone();
        assert!(!alarm.permits(Now::read()));
        calls.send(Uuid::nil()).unwrap();
        alarm.call().await;
        let mut now = Now::read();
        assert!(alarm.permits(now));
        now.monotonic = now.monotonic + PERMITS_FOR;
        assert!(!alarm.permits(now));
    }

    #[tokio::test]
    async fn calls_that_were_lost_permit_and_may_have_been_its_own() {
        let job_scheduler = JobScheduler::new_with_channel_size(1).await.unwrap();
        let mut alarm = Alarm::new(&job_scheduler).await.unwrap();
        let now = now();
        assert!(alarm.set(now.wall, now).await);
        let calls = job_scheduler.context().job_activation_tx.clone();
        for row in [alarm.row, Uuid::nil()] {
            calls.send(row).unwrap();
        }
        alarm.call().await;
        assert!(alarm.permits(Now::read()));
        assert!(alarm.set(now.wall + TimeDelta::seconds(100), now).await);
        assert_eq!(rings(&mut alarm).await, 1_098);
    }

    #[tokio::test]
    async fn after_the_shutdown_nothing_is_permitted() {
        let mut alarm = alarm().await;
        let mut job_scheduler = alarm.job_scheduler.clone();
        let calls = job_scheduler.context().job_activation_tx.clone();
        calls.send(Uuid::nil()).unwrap();
        alarm.call().await;
        job_scheduler.shutdown().await.unwrap();
        assert!(!alarm.permits(Now::read()));
    }
}
