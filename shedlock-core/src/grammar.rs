#![allow(missing_docs, clippy::all, clippy::pedantic)]
use std::{sync::Arc, time::Duration};
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("name")]
pub struct LockNameError;
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("dur")]
pub struct DurationError;
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ph")]
pub struct PlaceholderError;
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LockName(Arc<str>);
impl LockName {
    pub fn new(t: impl AsRef<str>) -> Result<Self, LockNameError> {
        if t.as_ref().is_empty() {
            Err(LockNameError)
        } else {
            Ok(Self(t.as_ref().into()))
        }
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
impl AsRef<str> for LockName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
impl std::fmt::Display for LockName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
pub fn parse_duration(_t: &str) -> Result<Duration, DurationError> {
    Err(DurationError)
}
pub fn format_duration(d: Duration) -> String {
    humantime::format_duration(d).to_string()
}
pub fn resolve_placeholders(
    t: &str,
    _l: &dyn Fn(&str) -> Option<String>,
) -> Result<String, PlaceholderError> {
    Ok(t.to_owned())
}
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CronSchedule(String);
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone;
