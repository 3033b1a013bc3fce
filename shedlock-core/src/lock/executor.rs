use std::{
    env, fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, PoisonError, RwLock, mpsc},
    time::Duration,
};

use tokio::{runtime::Handle, task::spawn_blocking};
use tokio_util::task::TaskTracker;

use super::{active::ActiveLock, caught::caught, keeper::Keeper};
use crate::{
    Execution, LockConfiguration, LockDefinition, LockError, LockProvider, LockRequest,
    SharedLockProvider, SkipReason,
};

/// How long one call of the store may take unless set.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

type Placeholders = dyn Fn(&str) -> Option<String> + Send + Sync;

static INSTALLED: RwLock<Option<LockingExecutor>> = RwLock::new(None);

tokio::task_local! {
    static CURRENT: LockingExecutor;
}

/// Runs jobs under locks: takes the lock or skips, runs the job, releases the lock.
///
/// Clones share one provider and one set of held locks.
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::{Execution, LockConfiguration, LockingExecutor, MemoryLockProvider};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), shedlock_core::LockError> {
/// let executor = LockingExecutor::new(MemoryLockProvider::new());
/// let configuration = LockConfiguration::new("report", Duration::from_secs(60))?;
/// match executor.execute(&configuration, async { 6 * 7 }).await? {
///     Execution::Ran(answer) => assert_eq!(answer, 42),
///     Execution::Skipped(reason) => println!("somebody else does it: {reason:?}"),
/// }
/// # Ok(()) }
/// ```
#[derive(Clone)]
#[must_use = "an executor does nothing until `execute` is called or it is installed"]
pub struct LockingExecutor {
    provider: SharedLockProvider,
    service: Option<Arc<str>>,
    default_lock_at_most_for: Option<Duration>,
    default_lock_at_least_for: Duration,
    placeholders: Arc<Placeholders>,
    store_timeout: Duration,
    runtime: Option<Handle>,
    held: TaskTracker,
}

impl LockingExecutor {
    /// An executor that takes its locks from `provider`.
    pub fn new(provider: impl LockProvider) -> Self {
        Self {
            provider: SharedLockProvider::new(provider),
            service: None,
            default_lock_at_most_for: None,
            default_lock_at_least_for: Duration::ZERO,
            placeholders: Arc::new(|name| env::var(name).ok()),
            store_timeout: STORE_TIMEOUT,
            runtime: Handle::try_current().ok(),
            held: TaskTracker::new(),
        }
    }

    /// The name of the deployed application; it stands in front of `locked_by`.
    pub fn with_service(mut self, service: impl Into<Arc<str>>) -> Self {
        self.service = Some(service.into());
        self
    }

    /// `lock_at_most_for` of the locks that have none of their own.
    pub fn with_default_lock_at_most_for(mut self, default: Duration) -> Self {
        self.default_lock_at_most_for = Some(default);
        self
    }

    /// `lock_at_least_for` of the locks that have none of their own; it is cut to their
    /// `lock_at_most_for`.
    pub fn with_default_lock_at_least_for(mut self, default: Duration) -> Self {
        self.default_lock_at_least_for = default;
        self
    }

    /// Where `${NAME}` placeholders get their values: the environment unless set.
    pub fn with_placeholders(
        mut self,
        lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.placeholders = Arc::new(lookup);
        self
    }

    /// How long one call of the store may take, 5 s unless set. An acquisition that is not
    /// answered by then counts as not held.
    pub fn with_store_timeout(mut self, limit: Duration) -> Self {
        self.store_timeout = limit;
        self
    }

    /// Makes this executor the one that locked functions use when they are called outside of
    /// another executor's jobs. The last one installed counts.
    pub fn install(&self) {
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) = Some(self.clone());
    }

    /// The executor whose job the current task runs, else the installed one.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok().or_else(|| {
            INSTALLED
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
    }

    /// The provider of the locks.
    #[must_use]
    pub fn provider(&self) -> &SharedLockProvider {
        &self.provider
    }

    /// The value of a placeholder.
    #[must_use]
    pub fn placeholder(&self, name: &str) -> Option<String> {
        (self.placeholders)(name)
    }

    /// Fills in a definition's placeholders and defaults and checks it.
    ///
    /// # Errors
    /// When a placeholder has no value, a text is no duration, or the result is no valid
    /// [`LockConfiguration`].
    pub fn configuration(
        &self,
        definition: &LockDefinition,
    ) -> Result<LockConfiguration, LockError> {
        self.configuration_with(definition, &[])
    }

    /// As [`configuration`](Self::configuration), for a name that is a template over `arguments`.
    pub(super) fn configuration_with(
        &self,
        definition: &LockDefinition,
        arguments: &[(&str, String)],
    ) -> Result<LockConfiguration, LockError> {
        definition.resolve(
            arguments,
            &*self.placeholders,
            self.default_lock_at_most_for,
            self.default_lock_at_least_for,
        )
    }

    /// Runs `job` if the lock is free, and releases it afterwards.
    ///
    /// A task that holds this lock of this provider already runs the job at once. The lock is
    /// released also when the job panics; the panic then goes on. A failed release is logged and
    /// never hides the job's result.
    ///
    /// # Errors
    /// When the store failed or did not answer in time: the job did not run.
    ///
    /// # Cancellation
    /// When the future is dropped, the job is dropped and a task of the runtime releases the lock.
    pub async fn execute<F: Future>(
        &self,
        configuration: &LockConfiguration,
        job: F,
    ) -> Result<Execution<F::Output>, LockError> {
        if ActiveLock::covers(&self.provider, configuration.name()) {
            return Ok(Execution::Ran(job.await));
        }
        let (active, keeper) = match self.acquire(configuration).await? {
            Execution::Ran(acquired) => acquired,
            Execution::Skipped(reason) => return Ok(Execution::Skipped(reason)),
        };
        let outcome = caught(CURRENT.scope(self.clone(), active.scope(job))).await;
        keeper.release().await;
        Ok(Execution::Ran(
            outcome.unwrap_or_else(|panic| resume_unwind(panic)),
        ))
    }

    /// Runs a blocking `job` if the lock is free, on the calling thread.
    ///
    /// It blocks the thread also while it waits for the store. The store's answer comes through the
    /// tokio runtime of the calling thread, else of the thread that made the executor, so the
    /// only thread of a `current_thread` runtime must not call it: that is a
    /// [`LockError::Timeout`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute), and [`LockError::NoRuntime`].
    pub fn execute_blocking<T>(
        &self,
        configuration: &LockConfiguration,
        job: impl FnOnce() -> T,
    ) -> Result<Execution<T>, LockError> {
        if ActiveLock::covers(&self.provider, configuration.name()) {
            return Ok(Execution::Ran(job()));
        }
        let (active, keeper) = match self.acquire_blocking(configuration)? {
            Execution::Ran(acquired) => acquired,
            Execution::Skipped(reason) => return Ok(Execution::Skipped(reason)),
        };
        let job = || CURRENT.sync_scope(self.clone(), || active.sync_scope(job));
        let outcome = catch_unwind(AssertUnwindSafe(job));
        pollster::block_on(keeper.release());
        Ok(Execution::Ran(
            outcome.unwrap_or_else(|panic| resume_unwind(panic)),
        ))
    }

    /// Runs a blocking `job` if the lock is free, on the blocking pool of the tokio runtime.
    ///
    /// The lock is taken before the job asks for a thread, so that no thread is held while the
    /// store answers.
    ///
    /// # Errors
    /// As [`execute`](Self::execute), and [`LockError::NoRuntime`] when the runtime shuts down.
    ///
    /// # Cancellation
    /// When the future is dropped, a job that has started goes on, and keeps the lock until its
    /// end.
    pub async fn execute_on_blocking_pool<T: Send + 'static>(
        &self,
        configuration: &LockConfiguration,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Execution<T>, LockError> {
        let (active, keeper) = match ActiveLock::current() {
            Some(active) if ActiveLock::covers(&self.provider, configuration.name()) => {
                (active, None)
            }
            _ => match self.acquire(configuration).await? {
                Execution::Ran((active, keeper)) => (active, Some(keeper)),
                Execution::Skipped(reason) => return Ok(Execution::Skipped(reason)),
            },
        };
        let executor = self.clone();
        // The keeper goes along, so that nothing but the job's end releases the lock.
        let ran = spawn_blocking(move || {
            let job = || CURRENT.sync_scope(executor, || active.sync_scope(job));
            (catch_unwind(AssertUnwindSafe(job)), keeper)
        });
        let (outcome, keeper) = ran.await.map_err(|_| LockError::NoRuntime {
            name: configuration.name().clone(),
        })?;
        if let Some(keeper) = keeper {
            keeper.release().await;
        }
        Ok(Execution::Ran(
            outcome.unwrap_or_else(|panic| resume_unwind(panic)),
        ))
    }

    /// Waits until every lock that this executor took is released, or given up by its store's
    /// time limit.
    pub async fn released(&self) {
        self.held.close();
        self.held.wait().await;
    }

    async fn acquire(
        &self,
        configuration: &LockConfiguration,
    ) -> Result<Execution<(ActiveLock, Keeper)>, LockError> {
        let runtime = self.runtime(configuration)?;
        let request = LockRequest::of_service(configuration, self.service.as_deref());
        let ending = TaskTracker::new();
        let keeper = Keeper::acquire(
            &runtime,
            &self.held,
            &self.provider,
            &request,
            ending.clone(),
            self.store_timeout,
        )
        .await?;
        Ok(match keeper {
            Some(keeper) => {
                let active = ActiveLock::enter(self.provider.clone(), request, ending);
                Execution::Ran((active, keeper))
            }
            None => Execution::Skipped(SkipReason::Held {
                name: configuration.name().clone(),
            }),
        })
    }

    fn acquire_blocking(
        &self,
        configuration: &LockConfiguration,
    ) -> Result<Execution<(ActiveLock, Keeper)>, LockError> {
        let (answer, answered) = mpsc::sync_channel(1);
        let (executor, asked) = (self.clone(), configuration.clone());
        self.runtime(configuration)?.spawn(async move {
            // Nobody waits any more: the dropped keeper releases the lock.
            let _ = answer.send(executor.acquire(&asked).await);
        });
        // An attempt may be followed by an abandon, each within the limit.
        let limit = self.store_timeout * 3;
        answered.recv_timeout(limit).unwrap_or_else(|_| {
            Err(LockError::Timeout {
                name: configuration.name().clone(),
                limit,
            })
        })
    }

    fn runtime(&self, configuration: &LockConfiguration) -> Result<Handle, LockError> {
        Handle::try_current()
            .ok()
            .or_else(|| self.runtime.clone())
            .ok_or_else(|| LockError::NoRuntime {
                name: configuration.name().clone(),
            })
    }
}

impl fmt::Debug for LockingExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockingExecutor")
            .field("service", &self.service)
            .field("default_lock_at_most_for", &self.default_lock_at_most_for)
            .field("default_lock_at_least_for", &self.default_lock_at_least_for)
            .field("store_timeout", &self.store_timeout)
            .finish_non_exhaustive()
    }
}
