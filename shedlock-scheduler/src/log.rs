//! What a scheduler writes to the log: each [`Event`](crate::Event) is one `tracing` event, and what
//! a task writes stands in a span with its name. Without the feature `tracing` nothing is written.

#[cfg(not(feature = "tracing"))]
pub(crate) fn event(_: &crate::Event) {}

#[cfg(all(feature = "tokio-cron-scheduler", not(feature = "tracing")))]
pub(crate) fn job_scheduler_failed(_: &crate::RunError) {}

#[cfg(all(feature = "tokio-cron-scheduler", feature = "tracing"))]
pub(crate) use with_tracing::job_scheduler_failed;
#[cfg(feature = "tracing")]
pub(crate) use with_tracing::{event, span};

#[cfg(feature = "tracing")]
mod with_tracing {
    use std::error::Error;

    use tracing::{Span, debug, error, field::display, info, info_span, warn};

    use crate::{Event, RunContext, RunSkipReason};

    pub(crate) fn span(cx: &RunContext) -> Span {
        info_span!("task", name = cx.task(), fire_time = %cx.fire_time().0)
    }

    pub(crate) fn event(event: &Event) {
        let task = event.task();
        let fire_time = event.run().map(|run| display(run.fire_time().0));
        match event {
            Event::Started { .. } => debug!(task, fire_time, "task started"),
            Event::Finished { duration, .. } => debug!(task, fire_time, ?duration, "task finished"),
            Event::Failed {
                duration, error, ..
            } => {
                let error = &**error as &dyn Error;
                error!(task, fire_time, ?duration, error, "task failed");
            }
            Event::Panicked {
                duration, message, ..
            } => error!(task, fire_time, ?duration, panic = message, "task panicked"),
            Event::Skipped {
                reason: reason @ RunSkipReason::Overlap,
                ..
            } => warn!(task, fire_time, %reason, "task skipped"),
            // The outage is told once, by an event of its own.
            Event::Skipped { reason, .. } => debug!(task, fire_time, %reason, "task skipped"),
            Event::Cancelled { .. } => warn!(task, fire_time, "task cancelled"),
            Event::StillRunning { .. } => error!(
                task,
                fire_time, "task was cancelled and still runs; its lock ends by itself"
            ),
            Event::StoreFailed { error } => {
                let error = &**error as &dyn Error;
                error!(
                    error,
                    "lock store failed: locked tasks are skipped until it answers again"
                );
            }
            Event::StoreRecovered => info!("lock store answers again"),
        }
    }

    #[cfg(feature = "tokio-cron-scheduler")]
    pub(crate) fn job_scheduler_failed(error: &crate::RunError) {
        let error = error as &dyn Error;
        warn!(error, "the `JobScheduler` refused a change of its jobs");
    }
}
