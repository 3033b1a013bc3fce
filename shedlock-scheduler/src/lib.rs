//! The scheduler of `shedlock`: triggers, extractors, engines, shutdown.
//!
//! Applications use it through the `shedlock` crate.

mod context;
mod data;
mod definition;
mod extract;
mod task;

pub use context::{FireTime, RunContext};
pub use data::{Data, DataMap};
pub use definition::{TaskDefinition, TaskFunction, TriggerDefinition};
pub use extract::{
    BlockingHandler, FromRun, Handler, MissingData, TaskFuture, TaskResult, TaskReturn,
};
pub use inventory;
pub use task::{Task, Trigger};
pub use tokio_util::sync::CancellationToken;
