//! Everything that the runs of one scheduler share, and how a run starts.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use shedlock_core::{LockConfiguration, LockError, LockingExecutor};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{DataMap, Event, FireTime, RunContext, RunSkipReason, log, run::Run, task::Body};

pub(crate) type Observer = dyn Fn(&Event) + Send + Sync;

/// A task as it is run.
pub(crate) struct Job {
    pub(crate) name: Arc<str>,
    pub(crate) body: Body,
    pub(crate) lock: Option<JobLock>,
    /// The run that has not ended yet.
    pub(crate) running: Mutex<Option<RunContext>>,
    /// It is not fired any more.
    pub(crate) removed: AtomicBool,
}

/// What a task is locked by.
#[derive(Debug)]
pub(crate) struct JobLock {
    pub(crate) executor: LockingExecutor,
    pub(crate) configuration: LockConfiguration,
}

impl Job {
    /// Whether it has not been removed.
    pub(crate) fn is_scheduled(&self) -> bool {
        !self.removed.load(Ordering::Relaxed)
    }

    pub(crate) fn running(&self) -> MutexGuard<'_, Option<RunContext>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("name", &self.name)
            .field("lock", &self.lock)
            .finish_non_exhaustive()
    }
}

/// A run that is going, until this is dropped, so that nothing that it does can keep its task from
/// the next one.
struct Going<F: FnOnce()> {
    job: Arc<Job>,
    at_end: Option<F>,
}

impl<F: FnOnce()> Going<F> {
    /// None while the run before is going.
    fn enter(run: &Run, at_end: Option<F>) -> Option<Self> {
        let mut running = run.0.job().running();
        if running.is_some() {
            return None;
        }
        *running = Some(run.0.clone());
        Some(Self {
            job: Arc::clone(run.0.job()),
            at_end,
        })
    }
}

impl<F: FnOnce()> Drop for Going<F> {
    fn drop(&mut self) {
        *self.job.running() = None;
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
    }
}

/// What the runs of one scheduler share.
pub(crate) struct Runner {
    pub(crate) data: Arc<DataMap>,
    pub(crate) permits: Option<Semaphore>,
    pub(crate) observer: Option<Box<Observer>>,
    pub(crate) store_failing: AtomicBool,
    pub(crate) runs: TaskTracker,
    /// No run starts any more.
    pub(crate) shutdown: CancellationToken,
    /// The runs must end.
    pub(crate) cancel: CancellationToken,
}

impl Runner {
    /// Starts a run on the runtime, unless the one before is still going. `at_end` is called when
    /// it has ended, however it did.
    pub(crate) fn start<F: FnOnce() + Send + 'static>(
        self: &Arc<Self>,
        job: &Arc<Job>,
        fire_time: FireTime,
        at_end: Option<F>,
    ) {
        let run = Run(RunContext::new(job, self, fire_time));
        let Some(going) = Going::enter(&run, at_end) else {
            self.emit(&run.skipped(RunSkipReason::Overlap));
            return;
        };
        self.runs.spawn(async move {
            let _going = going;
            run.finish().await;
        });
    }

    /// Lets no run start any more; the second time, cancels those that are going.
    pub(crate) fn shutdown(&self) {
        if self.shutdown.is_cancelled() {
            self.cancel.cancel();
        }
        self.shutdown.cancel();
    }

    /// Tells the observer and the log. An observer that panics harms nobody.
    pub(crate) fn emit(&self, event: &Event) {
        log::event(event);
        if let Some(observer) = &self.observer {
            let _ = catch_unwind(AssertUnwindSafe(|| observer(event)));
        }
    }

    /// The store could not say whether a lock is free.
    pub(crate) fn store_failed(&self, error: LockError) -> RunSkipReason {
        let error = Arc::new(error);
        if !self.store_failing.swap(true, Ordering::Relaxed) {
            self.emit(&Event::StoreFailed {
                error: Arc::clone(&error),
            });
        }
        RunSkipReason::StoreFailed(error)
    }

    /// The store gave an answer.
    pub(crate) fn store_answered(&self) {
        if self.store_failing.swap(false, Ordering::Relaxed) {
            self.emit(&Event::StoreRecovered);
        }
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("data", &self.data)
            .field("permits", &self.permits)
            .finish_non_exhaustive()
    }
}
