use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use tokio::select;
use tokio_util::sync::DropGuard;

use super::{alarm::Alarm, rows::Rows};
use crate::{RunError, agenda::Agenda, log, plan::Plan, schedule::Now, timer::Deadline};

/// How soon an alarm that was refused is set again.
const AGAIN: Duration = Duration::from_secs(1);

pub(super) struct Engine {
    pub(super) plan: Arc<Plan>,
    pub(super) agenda: Agenda,
    pub(super) rows: Rows,
    pub(super) alarm: Alarm,
    /// An engine that fails ends its scheduler.
    pub(super) _end: DropGuard,
}

impl Engine {
    /// Fires until the shutdown, then leaves the `JobScheduler`.
    pub(super) async fn run(mut self) {
        let shutdown = self.plan.runner().shutdown.clone();
        shutdown.run_until_cancelled(self.fire()).await;
        if let Err(error) = self.leave().await {
            log::job_scheduler_failed(&error);
        }
    }

    async fn leave(self) -> Result<(), RunError> {
        self.rows.remove().await?;
        self.alarm.remove().await
    }

    async fn fire(&mut self) {
        loop {
            self.rows.forget_removed().await;
            let now = Now::read();
            if self.alarm.permits(now) {
                let fired = self.agenda.fire(now).await;
                self.rows.show(&self.plan, fired).await;
            }
            let until = self.set_alarm(now).await;
            select! {
                moved = self.agenda.wait(until) => self.rows.show(&self.plan, moved).await,
                () = self.alarm.call() => {}
                removal = self.rows.removal() => self.rows.forget(removal).await,
            }
        }
    }

    /// Lets the alarm ring ahead of the next instant; says how long to wait for anything else.
    async fn set_alarm(&mut self, now: Now) -> Deadline {
        let mut until = self.agenda.deadline();
        let monotonic = until.monotonic.map(|at| now.wall_at(at));
        let Some(next) = until.wall.into_iter().chain(monotonic).min() else {
            return until;
        };
        if next <= now.wall {
            // It is due, and only a call lets it fire. The far instant keeps steps of the clock noticed.
            until = Deadline {
                wall: Some(now.wall + TimeDelta::days(1)),
                monotonic: None,
            };
        }
        if !self.alarm.set(next, now).await {
            let again = now.monotonic + AGAIN;
            until.monotonic = Some(until.monotonic.map_or(again, |at| at.min(again)));
        }
        until
    }
}
