use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;

use crate::{
    FromRun,
    runner::{Job, Runner},
};

/// The instant that a run is for: the one that the trigger names, not the one at which the run
/// happened to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FireTime(pub DateTime<Utc>);

/// What a run knows about itself. Clones are of the same run.
#[derive(Debug, Clone)]
pub struct RunContext(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    job: Arc<Job>,
    runner: Arc<Runner>,
    fire_time: FireTime,
    /// A child of the token of all runs, made for those who ask: a run can cancel itself and nobody
    /// else.
    cancellation: OnceLock<CancellationToken>,
}

impl RunContext {
    pub(crate) fn new(job: &Arc<Job>, runner: &Arc<Runner>, fire_time: FireTime) -> Self {
        Self(Arc::new(Inner {
            job: Arc::clone(job),
            runner: Arc::clone(runner),
            fire_time,
            cancellation: OnceLock::new(),
        }))
    }

    pub(crate) fn job(&self) -> &Arc<Job> {
        &self.0.job
    }

    pub(crate) fn runner(&self) -> &Runner {
        &self.0.runner
    }

    /// The task's name.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.0.job.name
    }

    /// The instant that this run is for.
    #[must_use]
    pub fn fire_time(&self) -> FireTime {
        self.0.fire_time
    }

    /// Cancelled when the run must end: a shutdown's grace period is over.
    ///
    /// An `async fn` is dropped then; a blocking `fn` has to look.
    #[must_use]
    pub fn cancellation_token(&self) -> &CancellationToken {
        self.0
            .cancellation
            .get_or_init(|| self.0.runner.cancel.child_token())
    }

    /// A clone of the registered value of this type.
    #[must_use]
    pub fn data<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.0.runner.data.get()
    }
}

impl FromRun for RunContext {
    fn from_run(cx: &RunContext) -> Self {
        cx.clone()
    }
}

impl FromRun for FireTime {
    fn from_run(cx: &RunContext) -> Self {
        cx.fire_time()
    }
}

impl FromRun for CancellationToken {
    fn from_run(cx: &RunContext) -> Self {
        cx.cancellation_token().clone()
    }
}
