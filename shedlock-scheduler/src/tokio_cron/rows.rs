use std::{
    collections::HashMap,
    sync::{Arc, atomic::Ordering},
};

use chrono::{DateTime, Utc};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_cron_scheduler::{JobScheduler, JobSchedulerError};
use uuid::Uuid;

use super::store;
use crate::{
    RunError,
    plan::{GroupId, Plan},
    runner::Job,
    schedule::Now,
};

type Deleted = Result<Uuid, (JobSchedulerError, Option<Uuid>)>;
/// What is heard of removals, unless it was lost.
type Removal = Result<Deleted, RecvError>;

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
            let next = plan.next(group, now).map(second_from);
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

    /// Forgets all jobs that the application has removed: its call returns after it was told.
    pub(super) async fn forget_removed(&mut self) {
        while !self.deleted.is_empty() {
            let removal = self.removal().await;
            self.forget(removal).await;
        }
    }

    /// Waits until the application removes a job.
    pub(super) async fn removal(&mut self) -> Removal {
        self.deleted.recv().await
    }

    /// Lets a removed job fire no more.
    pub(super) async fn forget(&mut self, removal: Removal) {
        match removal {
            Ok(Ok(row)) => self.forget_row(row),
            Err(RecvError::Lagged(_)) => self.look_for_removed().await,
            Ok(Err(_)) | Err(RecvError::Closed) => {}
        }
    }

    fn forget_row(&mut self, row: Uuid) {
        if let Some(job) = self.jobs.remove(&row) {
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
            self.forget_row(row);
        }
    }

    /// Takes the rows out of the `JobScheduler`.
    pub(super) async fn remove(self) -> Result<(), RunError> {
        for row in self.jobs.into_keys() {
            store::remove_row(&self.job_scheduler, row).await?;
        }
        Ok(())
    }
}

/// The first whole second that is not earlier, so that a row is not due before its job is.
fn second_from(at: DateTime<Utc>) -> DateTime<Utc> {
    let up = i64::from(at.timestamp_subsec_nanos() > 0);
    DateTime::from_timestamp(at.timestamp() + up, 0).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Scheduler, Task, Trigger};

    #[tokio::test]
    async fn removals_that_were_not_heard_are_found() {
        let mut builder = Scheduler::builder();
        for name in ["one", "two", "three"] {
            let hourly = Trigger::FixedRate(Duration::from_hours(1));
            builder = builder.task(Task::new(name, hourly, || async {}));
        }
        let scheduler = builder.build().unwrap();
        let job_scheduler = JobScheduler::new_with_channel_size(1).await.unwrap();
        let mut rows = Rows::add(&job_scheduler, &scheduler.lifecycle.plan)
            .await
            .unwrap();
        let ids: HashMap<_, _> = rows.ids().collect();
        for name in ["one", "two"] {
            job_scheduler.remove(&ids[name]).await.unwrap();
        }
        rows.forget_removed().await;
        let tasks = scheduler.handle().tasks();
        assert_eq!(tasks.len(), 1);
        assert_eq!(tasks[0].name(), "three");
    }
}
