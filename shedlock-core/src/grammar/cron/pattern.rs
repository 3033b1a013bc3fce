use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use chrono::{NaiveDate, NaiveDateTime};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use super::CronError;
use super::normalised::Normalised;

/// A parsed pattern, shared by all schedules with the same normalised text.
pub(super) struct Pattern {
    text: Box<str>,
    cron: Cron,
    fixed_times: bool,
}

/// The patterns in use. The parsed form takes more than 5 KB, most of it a table of years.
static PATTERNS: LazyLock<Mutex<HashMap<Box<str>, Weak<Pattern>>>> = LazyLock::new(Mutex::default);

impl Pattern {
    /// The pattern of `text`, parsed unless an equal one is in use.
    pub(super) fn interned(text: &str) -> Result<Arc<Self>, CronError> {
        let normalised = Normalised::read(text)?;
        let mut patterns = PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pattern) = patterns.get(&*normalised.text).and_then(Weak::upgrade) {
            return Ok(pattern);
        }
        let pattern = Arc::new(Self::parse(text, normalised)?);
        if patterns.len() == patterns.capacity() {
            patterns.retain(|_, pattern| pattern.strong_count() > 0);
        }
        patterns.insert(pattern.text.clone(), Arc::downgrade(&pattern));
        Ok(pattern)
    }

    fn parse(text: &str, normalised: Normalised) -> Result<Self, CronError> {
        // `dom_and_dow(false)` is cron's rule for two restricted days: either one is enough.
        let cron = CronParser::builder()
            .seconds(Seconds::Required)
            .year(Year::Disallowed)
            .sloppy_ranges(true)
            .dom_and_dow(false)
            .build()
            .parse(&normalised.text)
            .map_err(|error| CronError::Rejected {
                text: text.to_owned(),
                reason: error.to_string(),
            })?;
        let pattern = Self {
            fixed_times: normalised.has_fixed_times(),
            text: normalised.text.into(),
            cron,
        };
        let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
        match pattern.next_match(start.into()) {
            Some(_) => Ok(pattern),
            None => Err(CronError::NeverFires {
                found: text[normalised.days.clone()].to_owned(),
                span: normalised.days,
            }),
        }
    }

    /// The normalised text: 6 fields in capitals, one blank between them.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether second, minute and hour are numbers or lists of them.
    pub(super) fn has_fixed_times(&self) -> bool {
        self.fixed_times
    }

    /// The first time of a wall clock after `local` that matches, whatever a zone makes of it.
    pub(super) fn next_match(&self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        self.cron.find_next_occurrence(&local, false).ok()
    }
}
