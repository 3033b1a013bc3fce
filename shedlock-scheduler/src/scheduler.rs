use std::{future::Future, io, sync::Arc, time::Duration};

use shedlock_core::{LockError, format_duration};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    SchedulerBuilder, SchedulerHandle,
    agenda::Agenda,
    engine,
    lifecycle::{Lifecycle, resume_panic},
    plan::Ended,
};

/// Runs tasks at their instants, on one node at a time where a lock says so.
///
/// ```
/// use std::time::Duration;
/// use shedlock_scheduler::{Data, Scheduler, Task, Trigger};
/// use tokio::sync::mpsc;
///
/// async fn say_hello(Data(greetings): Data<mpsc::Sender<&'static str>>) {
///     let _ = greetings.send("hello").await;
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (greetings, mut greeted) = mpsc::channel(1);
/// let often = Trigger::FixedRate(Duration::from_millis(10));
/// let scheduler = Scheduler::builder()
///     .data(greetings)
///     .task(Task::new("say-hello", often, say_hello))
///     .build()?;
/// scheduler
///     .run_until(async {
///         assert_eq!(greeted.recv().await, Some("hello"));
///         assert_eq!(greeted.recv().await, Some("hello"));
///     })
///     .await?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
#[must_use = "a scheduler does nothing until `run_until_shutdown` is awaited"]
pub struct Scheduler {
    pub(crate) lifecycle: Lifecycle,
    pub(crate) ended: Ended,
}

impl Scheduler {
    /// A scheduler without tasks, to be filled.
    pub fn builder() -> SchedulerBuilder {
        SchedulerBuilder::default()
    }

    /// Looks at the scheduler and ends it from elsewhere.
    #[must_use]
    pub fn handle(&self) -> SchedulerHandle {
        SchedulerHandle::new(Arc::clone(&self.lifecycle.plan))
    }

    /// Runs until the process is asked to end: SIGTERM or ctrl-c.
    ///
    /// Then no run starts any more; runs that are going have the grace period to end; those left
    /// are cancelled: an `async fn` is dropped, a blocking `fn` has to look at its
    /// `CancellationToken`; our own locks are released. A second signal cancels at once.
    ///
    /// From then on the process does not end by these signals any more. A blocking `fn` that never
    /// returns keeps its lock, and keeps a tokio runtime from ending.
    ///
    /// # Errors
    /// When the lock store can't be used, or the system refuses a timer or the signals. Nothing has
    /// run then.
    ///
    /// # Panics
    /// On a tokio runtime without timers and I/O: build it with `enable_all`.
    ///
    /// # Cancellation
    /// When the future is dropped, no run starts any more and those that are going are cancelled.
    pub async fn run_until_shutdown(self) -> Result<(), RunError> {
        let Self { lifecycle, ended } = self;
        lifecycle.run_until_shutdown(fire(&lifecycle, ended)).await
    }

    /// Runs until `shutdown` is ready, or [`SchedulerHandle::shutdown`] was called; then as
    /// [`run_until_shutdown`](Self::run_until_shutdown).
    ///
    /// # Errors
    /// As [`run_until_shutdown`](Self::run_until_shutdown).
    ///
    /// # Panics
    /// As [`run_until_shutdown`](Self::run_until_shutdown).
    ///
    /// # Cancellation
    /// As [`run_until_shutdown`](Self::run_until_shutdown).
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<(), RunError> {
        let Self { lifecycle, ended } = self;
        lifecycle.run_until(shutdown, fire(&lifecycle, ended)).await
    }
}

/// Fires with the built-in engine until it is dropped.
async fn fire(lifecycle: &Lifecycle, ended: Ended) -> Result<(), RunError> {
    lifecycle.check().await?;
    let agenda = Agenda::start(Arc::clone(&lifecycle.plan), ended).map_err(RunError::Timer)?;
    // A task of the runtime's own starts runs faster than the thread outside of it.
    let Err(failed) = AbortOnDropHandle::new(tokio::spawn(engine::run(agenda))).await;
    resume_panic(failed);
    Ok(())
}

/// Why a scheduler did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The lock store is not set up, or can't be reached.
    #[error("the lock store can't be used, so no task was started")]
    Store(#[source] LockError),
    /// The lock store did not answer in time.
    #[error(
        "the lock store did not answer within {}, so no task was started; is its address right?",
        format_duration(*.limit)
    )]
    StoreTimeout {
        /// How long the answer was waited for.
        limit: Duration,
    },
    /// The system has no timer left.
    #[error("the system gave no timer")]
    Timer(#[source] io::Error),
    /// The system does not pass signals on.
    #[error("the system does not pass on SIGTERM and ctrl-c; `run_until` needs no signals")]
    Signals(#[source] io::Error),
    /// The `JobScheduler` refused a task.
    #[cfg(feature = "tokio-cron-scheduler")]
    #[error(
        "the `JobScheduler` took not all tasks, so none was started; it takes none any more once \
         more jobs were added at the same time than its channel holds: add them one after the other"
    )]
    JobScheduler(#[source] tokio_cron_scheduler::JobSchedulerError),
    /// The `JobScheduler` did not answer in time.
    #[cfg(feature = "tokio-cron-scheduler")]
    #[error(
        "the `JobScheduler` did not answer within {}; it never answers once more jobs were added at \
         the same time than its channel holds: add them one after the other",
        format_duration(*.limit)
    )]
    JobSchedulerTimeout {
        /// How long the answer was waited for.
        limit: Duration,
    },
}
