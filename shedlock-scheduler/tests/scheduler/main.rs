//! What a scheduler promises, on each engine.

#[macro_use]
mod engine;
mod build;
mod events;
#[cfg(feature = "tokio-cron-scheduler")]
mod job_scheduler;
mod locks;
mod log;
#[cfg(feature = "tokio-cron-scheduler")]
mod plain_job;
#[cfg(feature = "tokio-cron-scheduler")]
mod registration;
mod runs;
mod shutdown;
mod signals;
mod triggers;
