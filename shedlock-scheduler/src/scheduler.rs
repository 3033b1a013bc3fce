use std::{future::Future, io, pin::pin, sync::Arc, time::Duration};

use shedlock_core::{LockError, LockProvider, LockingExecutor, format_duration};
use tokio::{select, time::timeout};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    SchedulerBuilder, SchedulerHandle, engine,
    plan::{Ended, Plan},
    signals::Signals,
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
    pub(crate) plan: Arc<Plan>,
    pub(crate) ended: Ended,
    pub(crate) executor: Option<LockingExecutor>,
    pub(crate) store_timeout: Duration,
    pub(crate) grace_period: Duration,
}

impl Scheduler {
    /// A scheduler without tasks, to be filled.
    pub fn builder() -> SchedulerBuilder {
        SchedulerBuilder::default()
    }

    /// Looks at the scheduler and ends it from elsewhere.
    #[must_use]
    pub fn handle(&self) -> SchedulerHandle {
        SchedulerHandle::new(Arc::clone(&self.plan))
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
    /// # Cancellation
    /// When the future is dropped, no run starts any more and those that are going are cancelled.
    pub async fn run_until_shutdown(self) -> Result<(), RunError> {
        let mut signals = Signals::listen().map_err(RunError::Signals)?;
        let handle = self.handle();
        let each_signal = async {
            loop {
                signals.next().await;
                handle.shutdown();
            }
        };
        select! {
            never = each_signal => never,
            result = self.run() => result,
        }
    }

    /// Runs until `shutdown` is ready, or [`SchedulerHandle::shutdown`] was called; then as
    /// [`run_until_shutdown`](Self::run_until_shutdown).
    ///
    /// # Errors
    /// As [`run_until_shutdown`](Self::run_until_shutdown).
    ///
    /// # Cancellation
    /// As [`run_until_shutdown`](Self::run_until_shutdown).
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<(), RunError> {
        let handle = self.handle();
        let mut run = pin!(self.run());
        select! {
            () = shutdown => handle.shutdown(),
            result = &mut run => return result,
        }
        run.await
    }

    async fn run(self) -> Result<(), RunError> {
        let Self {
            plan,
            ended,
            executor,
            store_timeout,
            grace_period,
        } = self;
        let runner = plan.runner();
        // Whoever drops this future ends all of it.
        let _end = (
            runner.shutdown.clone().drop_guard(),
            runner.cancel.clone().drop_guard(),
        );
        let fire = async {
            if let Some(executor) = &executor {
                check(executor, store_timeout).await?;
            }
            // A task of the runtime's own starts runs faster than the thread outside of it.
            let plan = Arc::clone(&plan);
            let engine = tokio::spawn(async move { engine::run(&plan, ended).await });
            AbortOnDropHandle::new(engine)
                .await
                .unwrap_or_else(|failed| Err(failed.into()))
                .map_err(RunError::Timer)
        };
        let fired = runner.shutdown.run_until_cancelled(fire).await;
        runner.drain(grace_period, plan.jobs()).await;
        if let Some(executor) = &executor {
            // A function that was called directly may hold its lock for longer.
            let _ = timeout(store_timeout, executor.released()).await;
        }
        fired.unwrap_or(Ok(()))
    }
}

async fn check(executor: &LockingExecutor, limit: Duration) -> Result<(), RunError> {
    timeout(limit, executor.provider().check())
        .await
        .map_err(|_| RunError::StoreTimeout { limit })?
        .map_err(RunError::Store)
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
}
