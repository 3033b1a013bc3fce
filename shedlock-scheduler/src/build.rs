//! From a [`SchedulerBuilder`] to a [`Scheduler`], or to all that is wrong with it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use shedlock_core::{LockingExecutor, MemoryLockProvider, SharedLockProvider};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    BuildError, BuildProblemKind, DataMap, Scheduler, SchedulerBuilder, Task, TaskDefinition,
    Trigger,
    lifecycle::Lifecycle,
    plan::Plan,
    problem::{Problems, TaskLocation},
    resolve,
    runner::{Job, JobLock, Runner},
};

impl SchedulerBuilder {
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
                removed: AtomicBool::new(false),
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
