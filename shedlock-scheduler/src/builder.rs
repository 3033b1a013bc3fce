use std::{
    collections::HashMap,
    env, fmt,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use shedlock_core::{LockProvider, LockingExecutor, MemoryLockProvider, SharedLockProvider};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    BuildError, DataMap, Event, Scheduler, Task, TaskDefinition, Trigger,
    lifecycle::Lifecycle,
    plan::Plan,
    problem::{BuildProblemKind, Problems, TaskLocation},
    resolve,
    runner::{Job, JobLock, Observer, Runner},
};

const GRACE_PERIOD: Duration = Duration::from_secs(30);
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

type Placeholders = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Says what a [`Scheduler`] runs and how. Made by [`Scheduler::builder`].
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
///             .lock(LockConfiguration::new("settlement-payout-execute", Duration::from_secs(3600))?),
///     )
///     .shutdown_grace_period(Duration::from_secs(20))
///     .build()?;
/// # let _ = scheduler;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "call `.build()`"]
pub struct SchedulerBuilder {
    provider: Option<SharedLockProvider>,
    service: Option<Arc<str>>,
    default_lock_at_most_for: Option<Duration>,
    default_lock_at_least_for: Duration,
    data: DataMap,
    tasks: Vec<Task>,
    definitions: Vec<TaskDefinition>,
    discover: bool,
    placeholders: Arc<Placeholders>,
    max_concurrent_runs: Option<usize>,
    grace_period: Duration,
    store_timeout: Duration,
    observer: Option<Box<Observer>>,
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

    /// Checks everything and makes the scheduler.
    ///
    /// Its [`LockingExecutor`] becomes the process's own unless one is
    /// [installed](LockingExecutor::install) already, so that locked functions are locked also
    /// when they are called directly. The same goes for its [data](DataMap::install).
    ///
    /// # Errors
    /// With all problems at once: values that the tasks need and are not there, names that two
    /// tasks or two tasks' locks share, locks without a provider, texts that are no duration, cron,
    /// zone or lock name, placeholders without a value, limits of zero.
    pub fn build(self) -> Result<Scheduler, BuildError> {
        let mut problems = Problems::default();
        if self.max_concurrent_runs == Some(0) {
            problems.push(BuildProblemKind::NoConcurrentRuns);
        }
        if self.store_timeout.is_zero() {
            problems.push(BuildProblemKind::NoStoreTimeout);
        }
        let executor = self.executor();
        let tasks = self.tasks(&executor, &mut problems);
        check(&tasks, &self.data, self.provider.is_some(), &mut problems);
        problems.none_or_error()?;

        let executor = self.provider.is_some().then_some(executor);
        if let Some(executor) = &executor
            && LockingExecutor::current().is_none()
        {
            executor.install();
        }
        let data = Arc::new(self.data);
        if DataMap::current().is_none() {
            Arc::clone(&data).install();
        }
        let planned = tasks.into_iter().map(|task| {
            let lock = executor.clone().zip(task.lock);
            let job = Job {
                name: task.name,
                body: task.body,
                lock: lock.map(|(executor, configuration)| JobLock {
                    executor,
                    configuration,
                }),
                running: Mutex::default(),
            };
            (job, task.trigger, task.initial_delay)
        });
        let runner = Arc::new(Runner {
            data,
            permits: self.max_concurrent_runs.map(Semaphore::new),
            observer: self.observer,
            store_failing: AtomicBool::new(false),
            runs: TaskTracker::new(),
            shutdown: CancellationToken::new(),
            cancel: CancellationToken::new(),
        });
        let (plan, ended) = Plan::new(runner, planned);
        let lifecycle = Lifecycle {
            plan: Arc::new(plan),
            executor,
            store_timeout: self.store_timeout,
            grace_period: self.grace_period,
        };
        Ok(Scheduler { lifecycle, ended })
    }

    /// Without a provider it reads the texts of locks and takes none.
    fn executor(&self) -> LockingExecutor {
        let provider = self
            .provider
            .clone()
            .unwrap_or_else(|| SharedLockProvider::new(MemoryLockProvider::new()));
        let placeholders = Arc::clone(&self.placeholders);
        let mut executor = LockingExecutor::new(provider)
            .with_default_lock_at_least_for(self.default_lock_at_least_for)
            .with_placeholders(move |name| placeholders(name))
            .with_store_timeout(self.store_timeout);
        if let Some(service) = &self.service {
            executor = executor.with_service(Arc::clone(service));
        }
        if let Some(default) = self.default_lock_at_most_for {
            executor = executor.with_default_lock_at_most_for(default);
        }
        executor
    }

    fn tasks(&self, executor: &LockingExecutor, problems: &mut Problems) -> Vec<Task> {
        let discovered = inventory::iter::<TaskDefinition>
            .into_iter()
            .filter(|_| self.discover);
        let defined = self
            .definitions
            .iter()
            .copied()
            .chain(discovered.copied())
            .filter_map(|definition| resolve::task(&definition, executor, problems));
        self.tasks.iter().cloned().chain(defined).collect()
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

/// What no task shows alone, and what the application did not give.
fn check(tasks: &[Task], data: &DataMap, has_provider: bool, problems: &mut Problems) {
    let mut names = HashMap::new();
    let mut locks = HashMap::new();
    for task in tasks {
        let location = TaskLocation {
            name: Arc::clone(&task.name),
            location: task.location,
        };
        for missing in (task.check)(data) {
            problems.push_of(&location, missing);
        }
        if let Trigger::FixedRate(Duration::ZERO) | Trigger::FixedDelay(Duration::ZERO) =
            task.trigger
        {
            problems.push_of(&location, BuildProblemKind::ZeroPeriod);
        }
        if let Some(other) = names.insert(&task.name, location.clone()) {
            problems.push_of(&location, BuildProblemKind::DuplicateTask { other });
        }
        let Some(lock) = &task.lock else {
            continue;
        };
        if !has_provider {
            problems.push_of(&location, BuildProblemKind::NoLockProvider);
        }
        if let Some(other) = locks.insert(lock.name(), location.clone()) {
            let lock = lock.name().clone();
            problems.push_of(&location, BuildProblemKind::DuplicateLock { lock, other });
        }
    }
}
