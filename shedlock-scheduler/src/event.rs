use std::{error::Error, sync::Arc, time::Duration};

use shedlock_core::{LockError, LockName};

use crate::RunContext;

/// What a scheduler tells of its runs: to the observer of
/// [`on_event`](crate::SchedulerBuilder::on_event), and with the feature `tracing` to the log.
///
/// ```
/// use shedlock_scheduler::{Event, Scheduler};
///
/// let scheduler = Scheduler::builder()
///     .on_event(|event| {
///         if let Event::Finished { run, duration } = event {
///             println!("{} of {:?} took {duration:?}", run.task(), run.fire_time());
///         }
///     })
///     .build()?;
/// # let _ = scheduler;
/// # Ok::<(), shedlock_scheduler::BuildError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the facts of each variant")]
pub enum Event {
    /// The function begins.
    Started { run: RunContext },
    /// The function returned, and its lock is released.
    Finished { run: RunContext, duration: Duration },
    /// The function returned an error.
    Failed {
        run: RunContext,
        duration: Duration,
        error: Box<dyn Error + Send + Sync>,
    },
    /// The function panicked.
    Panicked {
        run: RunContext,
        duration: Duration,
        message: String,
    },
    /// The function was not called.
    Skipped {
        run: RunContext,
        reason: RunSkipReason,
    },
    /// The shutdown's grace period was over, or a second signal came: the run was dropped.
    Cancelled { run: RunContext },
    /// The run did not end although it was cancelled: the scheduler leaves it behind.
    StillRunning { run: RunContext },
    /// The lock store does not answer. Said once, until it answers again.
    StoreFailed { error: Arc<LockError> },
    /// The lock store answers again.
    StoreRecovered,
}

/// Why a function was not called at an instant of its schedule.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RunSkipReason {
    /// Somebody else holds the lock: the usual answer on all nodes but one.
    #[error("lock `{0}` is held elsewhere")]
    HeldElsewhere(LockName),
    /// The run before has not ended, or waits for its turn.
    #[error("the run before has not ended")]
    Overlap,
    /// It could not be known whether the lock is free.
    #[error("the lock store failed")]
    StoreFailed(#[source] Arc<LockError>),
    /// The scheduler shuts down.
    #[error("the scheduler shuts down")]
    ShuttingDown,
}

impl Event {
    /// The run that it is about, unless it is about the store.
    ///
    /// ```
    /// # use shedlock_scheduler::Event;
    /// assert!(Event::StoreRecovered.run().is_none());
    /// ```
    #[must_use]
    pub fn run(&self) -> Option<&RunContext> {
        match self {
            Self::Started { run }
            | Self::Finished { run, .. }
            | Self::Failed { run, .. }
            | Self::Panicked { run, .. }
            | Self::Skipped { run, .. }
            | Self::Cancelled { run }
            | Self::StillRunning { run } => Some(run),
            Self::StoreFailed { .. } | Self::StoreRecovered => None,
        }
    }

    /// The name of the task that it is about.
    #[must_use]
    pub fn task(&self) -> Option<&str> {
        self.run().map(RunContext::task)
    }
}
