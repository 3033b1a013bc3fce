//! The scheduler of `shedlock`: triggers, extractors, engines, shutdown.
//!
//! Applications use it through the `shedlock` crate.

mod agenda;
mod build;
mod builder;
mod context;
mod data;
mod definition;
mod engine;
mod event;
mod extract;
mod handle;
mod lifecycle;
mod log;
mod plan;
mod problem;
mod queue;
mod resolve;
mod run;
mod runner;
mod schedule;
mod scheduler;
mod signals;
mod task;
mod timer;
#[cfg(feature = "tokio-cron-scheduler")]
mod tokio_cron;

pub use builder::SchedulerBuilder;
pub use context::{FireTime, RunContext};
pub use data::Data;
pub use definition::{TaskDefinition, TaskFunction, TriggerDefinition};
pub use event::{Event, RunSkipReason};
pub use extract::{
    BlockingHandler, FromRun, Handler, MissingData, TaskFuture, TaskResult, TaskReturn,
};
pub use handle::{SchedulerHandle, TaskInfo};
pub use inventory;
pub use problem::{BuildError, BuildProblem, BuildProblemKind, TaskLocation};
pub use scheduler::{RunError, Scheduler};
pub use shedlock_core::DataMap;
pub use task::{Task, Trigger};
#[cfg(feature = "tokio-cron-scheduler")]
pub use tokio_cron::{RegisteredScheduler, TakeJobError};
pub use tokio_util::sync::CancellationToken;
