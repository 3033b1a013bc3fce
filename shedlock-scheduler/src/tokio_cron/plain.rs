use std::sync::{Arc, atomic::Ordering};

use chrono::Utc;
use shedlock_core::CronSchedule;
use tokio::sync::oneshot;
use tokio_cron_scheduler::{Job as PlainJob, JobSchedulerError};

use crate::{FireTime, Scheduler, Trigger};

impl Scheduler {
    /// Takes a cron task out of the scheduler, as a plain `Job` that any `JobScheduler` times by
    /// itself.
    ///
    /// The job takes the task's lock or skips, gets its parameters, and tells its events, as in a
    /// scheduler. If this scheduler is run, its shutdown ends also the job's runs. The instants are
    /// those of tokio-cron-scheduler, with its limits: a run comes up to half a second late, and
    /// the zone's offset is fixed when the job is made, so that the next change of the clocks in
    /// that zone makes it an hour off. A run's [`FireTime`] is when it was called, and an initial
    /// delay counts for nothing.
    /// [`register_with`](Self::register_with) has none of these limits.
    ///
    /// A function with `#[scheduler_lock]` needs no conversion: it takes its lock wherever it is
    /// called.
    ///
    /// ```
    /// use std::time::Duration;
    /// use shedlock_core::{LockConfiguration, MemoryLockProvider};
    /// use shedlock_scheduler::{Scheduler, Task, Trigger};
    /// use tokio_cron_scheduler::JobScheduler;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let nightly = Trigger::Cron("0 0 4 * * *".parse()?, "Asia/Seoul".parse()?);
    /// let lock = LockConfiguration::new("daily-report", Duration::from_secs(600))?;
    /// let scheduler = Scheduler::builder()
    ///     .lock_provider(MemoryLockProvider::new())
    ///     .task(Task::new("report", nightly, || async { println!("done") }).lock(lock))
    ///     .build()?;
    ///
    /// let job_scheduler = JobScheduler::new().await?;
    /// job_scheduler.add(scheduler.take_job("report")?).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// When no task has that name, or tokio-cron-scheduler can't time it as its trigger says.
    pub fn take_job(&self, task: &str) -> Result<PlainJob, TakeJobError> {
        let plan = &self.lifecycle.plan;
        let named = |group| plan.jobs_of(group).find(|job| *job.name == *task);
        let Some((group, job)) = plan.groups().find_map(|group| Some((group, named(group)?)))
        else {
            return Err(TakeJobError::UnknownTask(task.to_owned()));
        };
        let task = Arc::clone(&job.name);
        let Trigger::Cron(cron, zone) = plan.trigger(group) else {
            return Err(TakeJobError::NoCron(task));
        };
        let offset = *zone.local(Utc::now()).offset();
        let pattern = pattern(cron).ok_or_else(|| TakeJobError::BothDays(Arc::clone(&task)))?;
        let (runner, taken) = (Arc::clone(plan.runner()), Arc::clone(job));
        let run = move |_, _| {
            let (ends, ended) = oneshot::channel::<()>();
            let at_end = move || drop(ends);
            runner.start(&taken, FireTime(Utc::now()), Some(at_end));
            Box::pin(async {
                let _ = ended.await;
            }) as _
        };
        let made = PlainJob::new_async_tz(pattern, offset, run)
            .map_err(|source| TakeJobError::Pattern { task, source })?;
        job.removed.store(true, Ordering::Relaxed);
        Ok(made)
    }
}

/// The pattern with seconds. None if both days are restricted: either is enough for a
/// [`CronSchedule`], tokio-cron-scheduler asks for both.
fn pattern(cron: &CronSchedule) -> Option<String> {
    let text = cron.as_str();
    let fields: Vec<_> = text.split_whitespace().collect();
    match fields[..] {
        [.., day, _, weekday] if ![day, weekday].iter().any(|day| ["*", "?"].contains(day)) => None,
        [_, _, _, _, _] => Some(format!("0 {text}")),
        _ => Some(text.to_owned()),
    }
}

/// Why a task can't be a plain job of tokio-cron-scheduler.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TakeJobError {
    /// The scheduler has no task of that name, or it was taken already.
    #[error("no task is named `{0}`, or it was taken already")]
    UnknownTask(String),
    /// A fixed rate or delay.
    #[error(
        "task `{0}` has no cron trigger: tokio-cron-scheduler's own repeated jobs know whole seconds \
         only, stop for good after a stall, and know no delay; use `register_with`"
    )]
    NoCron(Arc<str>),
    /// A pattern that means something else there.
    #[error(
        "task `{0}` runs on a day of the month or a day of the week, and tokio-cron-scheduler would \
         run it only where both match; use `register_with`"
    )]
    BothDays(Arc<str>),
    /// A pattern that tokio-cron-scheduler does not read.
    #[error("tokio-cron-scheduler does not read the pattern of task `{task}`; use `register_with`")]
    Pattern {
        /// The task's name.
        task: Arc<str>,
        /// What it said.
        source: JobSchedulerError,
    },
}
