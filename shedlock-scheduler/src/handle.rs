use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::{Trigger, plan::Plan, schedule::Now};

/// Looks at a scheduler and ends it from elsewhere. Clones are of the same scheduler.
///
/// ```
/// use std::time::Duration;
/// use shedlock_scheduler::{Scheduler, Task, Trigger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let hourly = Trigger::FixedRate(Duration::from_secs(3600));
/// let scheduler = Scheduler::builder()
///     .task(Task::new("report", hourly, || async {}))
///     .build()?;
/// let handle = scheduler.handle();
/// assert_eq!(handle.tasks()[0].name(), "report");
///
/// handle.shutdown();
/// scheduler.run_until(std::future::pending()).await?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct SchedulerHandle {
    plan: Arc<Plan>,
}

impl SchedulerHandle {
    pub(crate) fn new(plan: Arc<Plan>) -> Self {
        Self { plan }
    }

    /// Ends the scheduler as a signal does: no run starts any more, those that are going may end
    /// within the grace period. The second call cancels them at once.
    pub fn shutdown(&self) {
        self.plan.runner().shutdown();
    }

    /// The tasks, in the order of their names.
    #[must_use]
    pub fn tasks(&self) -> Vec<TaskInfo> {
        let mut tasks: Vec<_> = self.plan.tasks(Now::read()).collect();
        tasks.sort_by(|a, b| a.name.cmp(&b.name));
        tasks
    }
}

/// A task of a scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskInfo {
    pub(crate) name: Arc<str>,
    pub(crate) trigger: Trigger,
    pub(crate) next: Option<DateTime<Utc>>,
}

impl TaskInfo {
    /// The task's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When it runs.
    #[must_use]
    pub fn trigger(&self) -> &Trigger {
        &self.trigger
    }

    /// Its next instant: none before the scheduler runs, and while a run is going whose end the
    /// next one counts from.
    #[must_use]
    pub fn next(&self) -> Option<DateTime<Utc>> {
        self.next
    }
}
