//! The other engine: the tasks live in a `tokio_cron_scheduler::JobScheduler`.
//!
//! That scheduler looks every 500 ms, in whole seconds, and says what is due on a channel that loses
//! messages. So each task has a row there, to be seen and removed, and one row more, the alarm,
//! rings ahead of the next instant; a ring lets the tasks fire for a while, and the rest is slept
//! with our own timer.

mod alarm;
mod engine;
mod plain;
mod registered;
mod rows;
mod store;

pub use plain::TakeJobError;
pub use registered::RegisteredScheduler;
