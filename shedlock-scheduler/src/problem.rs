use std::{error::Error, fmt, sync::Arc};

use shedlock_core::{CronError, DurationError, LockError, LockName, PlaceholderError, ZoneError};

use crate::MissingData;

/// Everything that is wrong with a scheduler, one problem a line.
///
/// ```
/// use shedlock_scheduler::{Data, Scheduler, Task, Trigger};
/// use std::time::Duration;
///
/// let never = Trigger::FixedRate(Duration::ZERO);
/// let error = Scheduler::builder()
///     .task(Task::new("report", never, |_: Data<String>| async {}))
///     .max_concurrent_runs(0)
///     .build()
///     .unwrap_err();
/// assert_eq!(error.problems().len(), 3);
/// assert!(error.to_string().contains("task `report`"));
/// ```
#[derive(Debug)]
pub struct BuildError {
    problems: Vec<BuildProblem>,
}

impl BuildError {
    /// The problems, in the order in which they were found.
    #[must_use]
    pub fn problems(&self) -> &[BuildProblem] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the scheduler can't be built:")?;
        self.problems
            .iter()
            .try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl Error for BuildError {}

/// One thing that is wrong with a scheduler, and where.
#[derive(Debug)]
pub struct BuildProblem {
    task: Option<TaskLocation>,
    kind: BuildProblemKind,
}

impl BuildProblem {
    /// The name of the task, unless it is about the scheduler itself.
    #[must_use]
    pub fn task(&self) -> Option<&str> {
        self.task.as_ref().map(|task| &*task.name)
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &BuildProblemKind {
        &self.kind
    }
}

impl fmt::Display for BuildProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(task) = &self.task {
            write!(f, "{task}: ")?;
        }
        self.kind.fmt(f)
    }
}

/// What can be wrong with a scheduler.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildProblemKind {
    /// The function needs a value that is not there.
    #[error(transparent)]
    MissingData(#[from] MissingData),
    /// Two tasks have one name.
    #[error("{other} has the same name; give one of them another: `name = \"..\"`")]
    DuplicateTask {
        /// The task that had the name first.
        other: TaskLocation,
    },
    /// Two tasks have one lock.
    #[error(
        "{other} has the same lock `{lock}`, so one would skip while the other runs; give each its own"
    )]
    DuplicateLock {
        /// The name of the lock.
        lock: LockName,
        /// The task that had it first.
        other: TaskLocation,
    },
    /// A task has a lock and the scheduler no provider.
    #[error("it runs under a lock, and there is no lock provider: call `.lock_provider(..)`")]
    NoLockProvider,
    /// The lock's name or durations are refused.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A `${..}` placeholder has no value.
    #[error("`{argument}`: {source}")]
    Placeholder {
        /// The attribute's argument.
        argument: &'static str,
        /// Which placeholder.
        source: PlaceholderError,
    },
    /// A duration is none.
    #[error("`{argument}`: {source}")]
    Duration {
        /// The attribute's argument.
        argument: &'static str,
        /// What is wrong with the text.
        source: DurationError,
    },
    /// The cron text is refused.
    #[error("`cron`: {0}")]
    Cron(CronError),
    /// There is no such zone.
    #[error("`zone`: {0}")]
    Zone(ZoneError),
    /// A period of zero never ends.
    #[error("its period is zero, so that it would run without end; give it one, such as 10 s")]
    ZeroPeriod,
    /// No run could ever start.
    #[error("`max_concurrent_runs` is 0, so that no task could run; allow at least 1")]
    NoConcurrentRuns,
    /// No store could ever answer.
    #[error("`store_timeout` is zero, so that no lock could be taken; allow a second or more")]
    NoStoreTimeout,
}

/// A task and where it stands in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLocation {
    pub(crate) name: Arc<str>,
    pub(crate) location: (&'static str, u32),
}

impl fmt::Display for TaskLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line) = self.location;
        write!(f, "task `{}` ({file}:{line})", self.name)
    }
}

/// Collects what is wrong.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<BuildProblem>);

impl Problems {
    pub(crate) fn push(&mut self, kind: BuildProblemKind) {
        self.0.push(BuildProblem { task: None, kind });
    }

    pub(crate) fn push_of(&mut self, task: &TaskLocation, kind: impl Into<BuildProblemKind>) {
        self.0.push(BuildProblem {
            task: Some(task.clone()),
            kind: kind.into(),
        });
    }

    pub(crate) fn none_or_error(self) -> Result<(), BuildError> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(BuildError { problems: self.0 })
    }
}
