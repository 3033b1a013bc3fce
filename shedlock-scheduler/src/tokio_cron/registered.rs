use std::{
    collections::HashMap,
    convert::Infallible,
    fmt,
    future::{Future, pending, ready},
    sync::Arc,
};

use tokio::task::JoinHandle;
use tokio_cron_scheduler::JobScheduler;
use tokio_util::sync::DropGuard;
use uuid::Uuid;

use super::{alarm::Alarm, engine::Engine, rows::Rows};
use crate::{
    RunError, Scheduler, SchedulerHandle,
    agenda::Agenda,
    lifecycle::{Lifecycle, resume_panic},
};

impl Scheduler {
    /// Hands the tasks to a `JobScheduler` that the application has.
    ///
    /// Each task becomes a job of it: [`next_tick_for_job`](JobScheduler::next_tick_for_job) tells
    /// its next instant, rounded up to the second, and [`remove`](JobScheduler::remove) ends it.
    /// Tasks fire while the `JobScheduler` runs, from half a second after its
    /// [`start`](JobScheduler::start) to its [`shutdown`](JobScheduler::shutdown); what was due
    /// before fires then, once. They fire at the instants of their own triggers and as precisely as
    /// without it: one job more, which is ours, makes the `JobScheduler` call ahead of each instant,
    /// and the rest is slept. Locks, overlaps, events and the limit of runs are those of every
    /// [`Scheduler`].
    ///
    /// Use a `JobScheduler` that keeps its jobs in memory. One that keeps them in a database is
    /// asked once for each job and instant, and keeps jobs that nobody runs when the process dies.
    /// The job notifications of a `JobScheduler` are not sent for these jobs:
    /// [`on_event`](crate::SchedulerBuilder::on_event) tells more.
    ///
    /// # Errors
    /// When the lock store can't be used, the system refuses a timer, or the `JobScheduler` does not
    /// take the tasks. None of them runs then.
    ///
    /// # Panics
    /// On a tokio runtime without timers and I/O: build it with `enable_all`.
    ///
    /// # Examples
    /// See [`RegisteredScheduler`].
    ///
    /// # Cancellation
    /// When the future is dropped no task runs. Jobs that the `JobScheduler` has taken already stay
    /// there and do nothing.
    pub async fn register_with(
        self,
        job_scheduler: &JobScheduler,
    ) -> Result<RegisteredScheduler, RunError> {
        let Self { lifecycle, ended } = self;
        lifecycle.check().await?;
        let plan = &lifecycle.plan;
        let alarm = Alarm::new(job_scheduler).await?;
        let mut rows = Rows::add(job_scheduler, plan).await?;
        let ids = rows.ids().collect();
        let agenda = Agenda::start(Arc::clone(plan), ended).map_err(RunError::Timer)?;
        rows.show(plan, plan.groups()).await;
        let engine = Engine {
            _end: plan.runner().shutdown.clone().drop_guard(),
            plan: Arc::clone(plan),
            agenda,
            rows,
            alarm,
        };
        Ok(RegisteredScheduler {
            engine: tokio::spawn(engine.run()),
            _end: lifecycle.end_on_drop(),
            lifecycle,
            ids,
        })
    }
}

/// A [`Scheduler`] whose tasks are jobs of a `JobScheduler`. Made by [`Scheduler::register_with`].
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::{LockConfiguration, MemoryLockProvider};
/// use shedlock_scheduler::{Data, Scheduler, Task, Trigger};
/// use tokio::sync::mpsc;
/// use tokio_cron_scheduler::JobScheduler;
///
/// async fn report(Data(reports): Data<mpsc::Sender<&'static str>>) {
///     let _ = reports.send("done").await;
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (reports, mut reported) = mpsc::channel(1);
/// let each_second = Trigger::Cron("* * * * * *".parse()?, "UTC".parse()?);
/// let lock = LockConfiguration::new("daily-report", Duration::from_secs(600))?;
/// let scheduler = Scheduler::builder()
///     .lock_provider(MemoryLockProvider::new())
///     .data(reports)
///     .task(Task::new("report", each_second, report).lock(lock))
///     .build()?;
///
/// let mut job_scheduler = JobScheduler::new().await?;
/// let registered = scheduler.register_with(&job_scheduler).await?;
/// job_scheduler.start().await?;
///
/// let id = registered.job_id("report").expect("it is registered");
/// assert!(job_scheduler.next_tick_for_job(id).await?.is_some());
/// registered
///     .run_until(async { assert_eq!(reported.recv().await, Some("done")) })
///     .await;
/// assert!(job_scheduler.next_tick_for_job(id).await?.is_none());
/// # Ok(()) }
/// ```
///
/// When it is dropped, its tasks end: no run starts any more, those that are going are cancelled,
/// and the jobs are taken out of the `JobScheduler`.
#[must_use = "its tasks end when it is dropped: await `run_until_shutdown`"]
pub struct RegisteredScheduler {
    lifecycle: Lifecycle,
    engine: JoinHandle<()>,
    ids: HashMap<Arc<str>, Uuid>,
    _end: [DropGuard; 2],
}

impl RegisteredScheduler {
    /// The job that a task is in the `JobScheduler`.
    #[must_use]
    pub fn job_id(&self, task: &str) -> Option<Uuid> {
        self.ids.get(task).copied()
    }

    /// Looks at the tasks and ends them from elsewhere. Those that the application removed from the
    /// `JobScheduler` are not among them any more.
    #[must_use]
    pub fn handle(&self) -> SchedulerHandle {
        SchedulerHandle::new(Arc::clone(&self.lifecycle.plan))
    }

    /// Runs until the process is asked to end, then ends as [`Scheduler::run_until_shutdown`] does;
    /// the jobs are taken out of the `JobScheduler`.
    ///
    /// # Errors
    /// When the system refuses the signals.
    ///
    /// # Cancellation
    /// As when it is dropped.
    pub async fn run_until_shutdown(self) -> Result<(), RunError> {
        self.lifecycle.run_until_shutdown(pending()).await?;
        self.left().await;
        Ok(())
    }

    /// Runs until `shutdown` is ready, or [`SchedulerHandle::shutdown`] was called; then as
    /// [`run_until_shutdown`](Self::run_until_shutdown).
    ///
    /// # Cancellation
    /// As when it is dropped.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) {
        let engine = pending::<Result<(), Infallible>>();
        let Ok(()) = self.lifecycle.run_until(shutdown, engine).await;
        self.left().await;
    }

    /// Ends now, as [`run_until_shutdown`](Self::run_until_shutdown) does after the signal.
    ///
    /// # Cancellation
    /// As when it is dropped.
    pub async fn shutdown(self) {
        self.run_until(ready(())).await;
    }

    /// Waits until the engine has left the `JobScheduler`.
    async fn left(self) {
        if let Err(failed) = self.engine.await {
            resume_panic(failed);
        }
    }
}

impl fmt::Debug for RegisteredScheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegisteredScheduler")
            .field("jobs", &self.ids)
            .finish_non_exhaustive()
    }
}
