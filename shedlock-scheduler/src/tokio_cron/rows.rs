use std::{
    collections::HashMap,
    sync::{Arc, atomic::Ordering},
};

use chrono::{DateTime, Utc};
use tokio::sync::broadcast::{
    Receiver,
    error::{RecvError, TryRecvError},
};
use tokio_cron_scheduler::{JobScheduler, JobSchedulerError};
use uuid::Uuid;

use super::store;
use crate::{
    RunError, log,
    plan::{GroupId, Plan},
    runner::Job,
    schedule::Now,
};

type Deleted = Result<Uuid, (JobSchedulerError, Option<Uuid>)>;

/// The tasks as the `JobScheduler` has them: a row each, that shows the next instant and that the
/// application may remove.
pub(super) struct Rows {
    job_scheduler: JobScheduler,
    jobs: HashMap<Uuid, Arc<Job>>,
    groups: Vec<Group>,
    deleted: Receiver<Deleted>,
}

/// The rows of jobs that are always due together.
struct Group {
    rows: Vec<Uuid>,
    shown: Option<DateTime<Utc>>,
}

impl Rows {
    /// Adds one after the other: many at once would overrun the scheduler's channels.
    pub(super) async fn add(job_scheduler: &JobScheduler, plan: &Plan) -> Result<Self, RunError> {
        let deleted = job_scheduler.context().job_deleted_tx.subscribe();
        let mut jobs = HashMap::new();
        let mut groups = Vec::new();
        for group in plan.groups() {
            let mut rows = Vec::new();
            for job in plan.jobs_of(group) {
                let row = store::add_row(job_scheduler).await?;
                jobs.insert(row, Arc::clone(job));
                rows.push(row);
            }
            groups.push(Group { rows, shown: None });
        }
        Ok(Self {
            job_scheduler: job_scheduler.clone(),
            jobs,
            groups,
            deleted,
        })
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = (Arc<str>, Uuid)> {
        self.jobs
            .iter()
            .map(|(&row, job)| (Arc::clone(&job.name), row))
    }

    /// Shows the next instants of these groups. A group that has none, because its delay counts
    /// from the end of a run that is going, goes on to show the instant of that run.
    pub(super) async fn show(&mut self, plan: &Plan, groups: impl IntoIterator<Item = GroupId>) {
        let now = Now::read();
        let mut moved = Vec::new();
        for group in groups {
            let next = plan.next(group, now).map(store::second_from);
            let group = &mut self.groups[group];
            if let Some(next) = next
                && group.shown.replace(next) != Some(next)
            {
                let rows = group.rows.iter().filter(|row| self.jobs.contains_key(row));
                moved.extend(rows.map(|&row| (row, next)));
            }
        }
        if !moved.is_empty() {
            // A row that has just been removed refuses.
            let _ = store::set_rows(&self.job_scheduler, moved).await;
        }
    }

    /// Waits until the application removes a job, and removes it here.
    pub(super) async fn removal(&mut self) {
        match self.deleted.recv().await {
            Ok(deleted) => self.forget(deleted),
            Err(RecvError::Lagged(_)) => self.look_for_removed().await,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }

    /// Removes here all jobs that the application has removed: its call returns after it was told.
    pub(super) async fn removals(&mut self) {
        loop {
            match self.deleted.try_recv() {
                Ok(deleted) => self.forget(deleted),
                Err(TryRecvError::Lagged(_)) => self.look_for_removed().await,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    fn forget(&mut self, deleted: Deleted) {
        if let Ok(row) = deleted
            && let Some(job) = self.jobs.remove(&row)
        {
            job.removed.store(true, Ordering::Relaxed);
        }
    }

    /// After messages were lost.
    async fn look_for_removed(&mut self) {
        let context = self.job_scheduler.context();
        let mut store = context.metadata_storage.write().await;
        let mut removed = Vec::new();
        for &row in self.jobs.keys() {
            if matches!(store.get(row).await, Ok(None)) {
                removed.push(row);
            }
        }
        drop(store);
        for row in removed {
            self.forget(Ok(row));
        }
    }

    /// Takes the rows out of the `JobScheduler`.
    pub(super) async fn remove(self) {
        for row in self.jobs.into_keys() {
            if let Err(error) = store::remove_row(&self.job_scheduler, row).await {
                // It does not answer any more.
                log::job_scheduler_failed(&error);
                return;
            }
        }
    }
}
