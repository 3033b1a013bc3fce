use std::{fmt, panic::Location, sync::Arc, time::Duration};

use shedlock_core::{CronSchedule, LockConfiguration, Zone};

use crate::{
    BlockingHandler, DataMap, Handler, MissingData, RunContext, TaskLocation,
    extract::{TaskFuture, TaskResult},
};

/// When a task runs.
///
/// A task never runs twice at once: an instant that comes while the run before is going is skipped.
/// Of several instants that were missed, because the machine slept or the process stood still, the
/// latest is run, once, and the schedule goes on from there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trigger {
    /// At the instants of a cron schedule in a zone, as the wall clock shows them.
    ///
    /// When the clock is set forward, what it jumps over counts as missed. When it is set back, it
    /// comes by instants again that have been run. They are not run again if they are passed sooner
    /// than the schedule waits between two of them: a daily task runs once also if the clock goes
    /// back by an hour. When the clock goes back further, the schedule follows it.
    Cron(CronSchedule, Zone),
    /// At the start of the scheduler and each period after it, wherever the wall clock is set.
    FixedRate(Duration),
    /// At the start of the scheduler and this long after the end of each run.
    FixedDelay(Duration),
}

/// A scheduled function without macros.
///
/// ```
/// use std::time::Duration;
/// use shedlock_scheduler::{Data, Task, Trigger};
///
/// let task = Task::new(
///     "say-hello",
///     Trigger::FixedRate(Duration::from_secs(5)),
///     |Data(name): Data<String>| async move { println!("hello {name}") },
/// );
/// # let _ = task;
/// ```
#[derive(Clone)]
#[must_use = "give it to `Scheduler::builder().task(..)`"]
pub struct Task {
    pub(crate) name: Arc<str>,
    /// Where it was made: file and line.
    pub(crate) location: (&'static str, u32),
    pub(crate) trigger: Trigger,
    pub(crate) initial_delay: Duration,
    pub(crate) lock: Option<LockConfiguration>,
    pub(crate) check: fn(&DataMap) -> Vec<MissingData>,
    pub(crate) body: Body,
}

/// What a task runs.
#[derive(Clone)]
pub(crate) enum Body {
    Async(Arc<AsyncFunction>),
    Blocking(Arc<BlockingFunction>),
}

pub(crate) type AsyncFunction = dyn Fn(&RunContext) -> TaskFuture + Send + Sync;
pub(crate) type BlockingFunction = dyn Fn(&RunContext) -> TaskResult + Send + Sync;

impl Task {
    /// A task of an async function, which runs on the runtime.
    #[track_caller]
    pub fn new<Parameters, H: Handler<Parameters>>(
        name: impl Into<Arc<str>>,
        trigger: Trigger,
        handler: H,
    ) -> Self {
        Self::of(
            name,
            trigger,
            H::check,
            Body::Async(Arc::new(move |cx| handler.run(cx))),
        )
    }

    /// A task of a blocking function, which runs on the runtime's blocking pool.
    #[track_caller]
    pub fn blocking<Parameters, H: BlockingHandler<Parameters>>(
        name: impl Into<Arc<str>>,
        trigger: Trigger,
        handler: H,
    ) -> Self {
        Self::of(
            name,
            trigger,
            H::check,
            Body::Blocking(Arc::new(move |cx| handler.run(cx))),
        )
    }

    /// Runs the task under this lock.
    pub fn lock(mut self, lock: LockConfiguration) -> Self {
        self.lock = Some(lock);
        self
    }

    /// How long after the start of the scheduler the first instant is; a cron instant before that is
    /// passed over.
    pub fn initial_delay(mut self, initial_delay: Duration) -> Self {
        self.initial_delay = initial_delay;
        self
    }

    /// The task's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn location(&self) -> TaskLocation {
        TaskLocation {
            name: Arc::clone(&self.name),
            location: self.location,
        }
    }

    #[track_caller]
    fn of(
        name: impl Into<Arc<str>>,
        trigger: Trigger,
        check: fn(&DataMap) -> Vec<MissingData>,
        body: Body,
    ) -> Self {
        let location = Location::caller();
        Self {
            name: name.into(),
            location: (location.file(), location.line()),
            trigger,
            initial_delay: Duration::ZERO,
            lock: None,
            check,
            body,
        }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("name", &self.name)
            .field("trigger", &self.trigger)
            .field("initial_delay", &self.initial_delay)
            .field("lock", &self.lock)
            .finish_non_exhaustive()
    }
}
