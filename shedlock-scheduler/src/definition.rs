use shedlock_core::{DayMatch, LockDefinition};

use crate::{
    DataMap, MissingData, RunContext,
    extract::{TaskFuture, TaskResult},
};

/// A task as `#[scheduled]` registers it: texts that may hold `${NAME:default}` placeholders, and
/// the function.
#[derive(Debug, Clone, Copy)]
pub struct TaskDefinition {
    /// The task's name, without placeholders: the function's, unless the attribute names it.
    pub name: &'static str,
    /// Where the attribute stands: file and line.
    pub location: (&'static str, u32),
    /// The service that its package declares.
    pub service: Option<&'static str>,
    /// When it runs.
    pub trigger: TriggerDefinition,
    /// How long after the start of the scheduler the first instant is.
    pub initial_delay: Option<&'static str>,
    /// The lock that it runs under.
    pub lock: Option<LockDefinition>,
    /// What the function needs and `data` lacks.
    pub check: fn(data: &DataMap) -> Vec<MissingData>,
    /// The function.
    pub function: TaskFunction,
}

/// When a task runs, as text.
#[derive(Debug, Clone, Copy)]
pub enum TriggerDefinition {
    /// At the instants of a cron text in a zone (UTC unless given).
    Cron {
        /// The cron text, or `-` to disable the task.
        cron: &'static str,
        /// The IANA zone.
        zone: Option<&'static str>,
        /// How two restricted days go together.
        day_match: Option<DayMatch>,
    },
    /// Each period, counted from the start.
    FixedRate(&'static str),
    /// This long after the end of the run before.
    FixedDelay(&'static str),
}

/// The function of a task.
#[derive(Debug, Clone, Copy)]
pub enum TaskFunction {
    /// An `async fn`, for the runtime.
    Async(fn(&RunContext) -> TaskFuture),
    /// A `fn`, for the blocking pool.
    Blocking(fn(&RunContext) -> TaskResult),
}

inventory::collect!(TaskDefinition);
