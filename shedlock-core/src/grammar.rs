//! The texts that a person writes in an attribute or a configuration value.
//!
//! The macros read them while compiling and the scheduler at start, through the same functions, so
//! that a text means the same in both places.

mod cron;
mod duration;
#[cfg(test)]
mod mutated;
mod name;
mod placeholder;
mod service;
mod template;
mod zone;

pub use cron::{CronError, CronField, CronSchedule, DayMatch, DayMatchError};
pub use duration::{DurationError, format_duration, parse_duration, parse_positive_duration};
pub use name::{LockName, LockNameError};
pub use placeholder::{PlaceholderError, placeholder_default, resolve_placeholders};
pub use service::{ForeignLockName, ServiceName, ServiceNameError};
pub use template::{NameTemplate, NameTemplateError};
pub use zone::{Zone, ZoneError};
