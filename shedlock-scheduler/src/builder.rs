use std::{env, fmt, sync::Arc, time::Duration};

use shedlock_core::{LockProvider, SharedLockProvider};

use crate::{DataMap, Event, Task, TaskDefinition, runner::Observer};

const GRACE_PERIOD: Duration = Duration::from_secs(30);
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

type Placeholders = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Says what a [`Scheduler`](crate::Scheduler) runs and how. Made by
/// [`Scheduler::builder`](crate::Scheduler::builder).
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::{LockConfiguration, MemoryLockProvider};
/// use shedlock_scheduler::{Scheduler, Task, Trigger};
///
/// let nightly = Trigger::Cron("0 0 4 * * *".parse()?, "Asia/Seoul".parse()?);
/// let scheduler = Scheduler::builder()
///     .service("settlement")
///     .lock_provider(MemoryLockProvider::new())
///     .task(
///         Task::new("execute-payouts", nightly, || async { println!("paid") })
///             .lock(LockConfiguration::new("settlement-payout", Duration::from_secs(3600))?),
///     )
///     .shutdown_grace_period(Duration::from_secs(20))
///     .build()?;
/// # let _ = scheduler;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "call `.build()`"]
pub struct SchedulerBuilder {
    pub(crate) provider: Option<SharedLockProvider>,
    pub(crate) service: Option<Arc<str>>,
    pub(crate) default_lock_at_most_for: Option<Duration>,
    pub(crate) default_lock_at_least_for: Duration,
    pub(crate) data: DataMap,
    pub(crate) tasks: Vec<Task>,
    pub(crate) definitions: Vec<TaskDefinition>,
    pub(crate) discover: bool,
    pub(crate) placeholders: Arc<Placeholders>,
    pub(crate) max_concurrent_runs: Option<usize>,
    pub(crate) grace_period: Duration,
    pub(crate) store_timeout: Duration,
    pub(crate) observer: Option<Box<Observer>>,
}

impl Default for SchedulerBuilder {
    fn default() -> Self {
        Self {
            provider: None,
            service: None,
            default_lock_at_most_for: None,
            default_lock_at_least_for: Duration::ZERO,
            data: DataMap::default(),
            tasks: Vec::new(),
            definitions: Vec::new(),
            discover: false,
            placeholders: Arc::new(|name| env::var(name).ok()),
            max_concurrent_runs: None,
            grace_period: GRACE_PERIOD,
            store_timeout: STORE_TIMEOUT,
            observer: None,
        }
    }
}

impl SchedulerBuilder {
    /// Where the locks are. A scheduler whose tasks have no locks needs none.
    pub fn lock_provider(mut self, provider: impl LockProvider) -> Self {
        self.provider = Some(SharedLockProvider::new(provider));
        self
    }

    /// The name of the deployed application; it stands in front of `locked_by`.
    pub fn service(mut self, service: impl Into<Arc<str>>) -> Self {
        self.service = Some(service.into());
        self
    }

    /// `lock_at_most_for` of the locks that have none of their own.
    pub fn default_lock_at_most_for(mut self, default: Duration) -> Self {
        self.default_lock_at_most_for = Some(default);
        self
    }

    /// `lock_at_least_for` of the locks that have none of their own; it is cut to their
    /// `lock_at_most_for`.
    pub fn default_lock_at_least_for(mut self, default: Duration) -> Self {
        self.default_lock_at_least_for = default;
        self
    }

    /// Registers a value for [`Data`](crate::Data) parameters; it takes the place of an earlier one
    /// of its type.
    pub fn data<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.data.insert(value);
        self
    }

    /// Adds a task.
    pub fn task(mut self, task: Task) -> Self {
        self.tasks.push(task);
        self
    }

    /// Adds a task whose texts are read when the scheduler is built.
    pub fn definition(mut self, definition: TaskDefinition) -> Self {
        self.definitions.push(definition);
        self
    }

    /// Adds every function with `#[scheduled]` in this binary.
    ///
    /// A crate that no code of the binary names is not linked, and its functions are not found:
    /// write `use my_jobs as _;`.
    pub fn discover(mut self) -> Self {
        self.discover = true;
        self
    }

    /// Where `${NAME}` placeholders get their values: the environment unless set.
    pub fn placeholders(
        mut self,
        lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.placeholders = Arc::new(lookup);
        self
    }

    /// How many runs may be going at once; any number unless set. The others wait in the order of
    /// their instants.
    pub fn max_concurrent_runs(mut self, limit: usize) -> Self {
        self.max_concurrent_runs = Some(limit);
        self
    }

    /// How long runs may go on after the shutdown began; 30 s unless set.
    pub fn shutdown_grace_period(mut self, grace_period: Duration) -> Self {
        self.grace_period = grace_period;
        self
    }

    /// How long one call of the lock store may take; 5 s unless set.
    pub fn store_timeout(mut self, limit: Duration) -> Self {
        self.store_timeout = limit;
        self
    }

    /// Calls `observer` with each [`Event`], on the thread where it happens: it must be quick and
    /// must not block.
    pub fn on_event(mut self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }
}

impl fmt::Debug for SchedulerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchedulerBuilder")
            .field("service", &self.service)
            .field("tasks", &self.tasks)
            .field("definitions", &self.definitions)
            .field("discover", &self.discover)
            .finish_non_exhaustive()
    }
}
