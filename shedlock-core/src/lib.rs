//! Scheduled jobs that run on time, on one node at a time.

mod grammar;

pub use grammar::{
    CronError, CronField, CronSchedule, DurationError, LockName, LockNameError, PlaceholderError,
    Zone, ZoneError, format_duration, parse_duration, parse_positive_duration, placeholder_default,
    resolve_placeholders,
};
