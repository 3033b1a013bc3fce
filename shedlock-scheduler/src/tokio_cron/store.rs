//! What is asked of a `JobScheduler`, and how long it may take.

use std::{
    future::{Future, ready},
    time::Duration,
};

use chrono::{DateTime, Utc};
use tokio::time::timeout;
use tokio_cron_scheduler::{Job, JobScheduler, JobSchedulerError};
use uuid::Uuid;

use crate::RunError;

/// A `JobScheduler` whose listeners have ended never answers.
const LIMIT: Duration = Duration::from_secs(5);

/// Adds a row that does nothing by itself.
///
/// Its period is zero: what the scheduler writes after it called a row is `next_tick + period`, so
/// it never overwrites what we wrote, whoever comes first.
pub(super) async fn add_row(job_scheduler: &JobScheduler) -> Result<Uuid, RunError> {
    let row = Job::new_repeated_async(Duration::ZERO, |_, _| Box::pin(ready(())))
        .map_err(RunError::JobScheduler)?;
    within_limit(job_scheduler.add(row)).await
}

/// Sets when rows are due next, in whole seconds: the scheduler drops what is beyond.
pub(super) async fn set_rows(
    job_scheduler: &JobScheduler,
    rows: impl IntoIterator<Item = (Uuid, DateTime<Utc>)>,
) -> Result<(), RunError> {
    within_limit(async {
        let context = job_scheduler.context();
        let mut store = context.metadata_storage.write().await;
        let mut result = Ok(());
        for (row, at) in rows {
            let set = store.set_next_and_last_tick(row, Some(at), None);
            result = result.and(set.await);
        }
        result
    })
    .await
}

pub(super) async fn remove_row(job_scheduler: &JobScheduler, row: Uuid) -> Result<(), RunError> {
    within_limit(job_scheduler.remove(&row)).await
}

async fn within_limit<T>(
    answer: impl Future<Output = Result<T, JobSchedulerError>>,
) -> Result<T, RunError> {
    timeout(LIMIT, answer)
        .await
        .map_err(|_| RunError::JobSchedulerTimeout { limit: LIMIT })?
        .map_err(RunError::JobScheduler)
}
