use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;

use crate::{DataMap, FromRun};

/// The instant that a run is for: the one that the trigger names, not the one at which the run
/// happened to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FireTime(pub DateTime<Utc>);

/// What a run knows about itself. Clones are of the same run.
#[derive(Debug, Clone)]
pub struct RunContext(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    task: Arc<str>,
    fire_time: FireTime,
    /// The token of all runs.
    cancel: CancellationToken,
    /// A child of it, made for those who ask: a run can cancel itself and nobody else.
    cancellation: OnceLock<CancellationToken>,
    data: Arc<DataMap>,
}

impl RunContext {
    pub(crate) fn new(
        task: Arc<str>,
        fire_time: FireTime,
        cancel: CancellationToken,
        data: Arc<DataMap>,
    ) -> Self {
        Self(Arc::new(Inner {
            task,
            fire_time,
            cancel,
            cancellation: OnceLock::new(),
            data,
        }))
    }

    /// The task's name.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.0.task
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
            .get_or_init(|| self.0.cancel.child_token())
    }

    pub(crate) fn data_map(&self) -> &Arc<DataMap> {
        &self.0.data
    }

    /// A clone of the registered value of this type.
    #[must_use]
    pub fn data<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.0.data.get()
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
