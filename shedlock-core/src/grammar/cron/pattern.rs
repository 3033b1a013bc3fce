use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use super::normalised::Normalised;
use super::{CronError, DayMatch};

/// A parsed pattern, shared by all schedules with the same normalised form.
pub(super) struct Pattern {
    normalised: Normalised,
    fixed_times: bool,
    /// It fires where any of them does.
    parts: Vec<Part>,
}

/// What croner can read of a pattern: it does not count days from the end of a month.
struct Part {
    cron: Cron,
    /// How many days before the last of its month a day must be.
    before_last: Option<u32>,
}

/// The patterns in use. The parsed form takes more than 5 KB, most of it a table of years.
static PATTERNS: LazyLock<Mutex<HashMap<Normalised, Weak<Pattern>>>> =
    LazyLock::new(Mutex::default);

impl Pattern {
    /// The pattern of `text`, parsed unless an equal one is in use.
    pub(super) fn interned(
        text: &str,
        day_match: Option<DayMatch>,
    ) -> Result<Arc<Self>, CronError> {
        let (normalised, days) = Normalised::read(text, day_match)?;
        let mut patterns = PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pattern) = patterns.get(&normalised).and_then(Weak::upgrade) {
            return Ok(pattern);
        }
        let pattern = Self::parse(normalised).map_err(|reason| CronError::Rejected {
            text: text.to_owned(),
            reason: reason.to_string(),
        })?;
        let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
        if pattern.next_match(start.into()).is_none() {
            return Err(CronError::NeverFires {
                found: text[days.clone()].to_owned(),
                span: days,
            });
        }
        let pattern = Arc::new(pattern);
        if patterns.len() == patterns.capacity() {
            patterns.retain(|_, pattern| pattern.strong_count() > 0);
        }
        patterns.insert(pattern.normalised.clone(), Arc::downgrade(&pattern));
        Ok(pattern)
    }

    fn parse(normalised: Normalised) -> Result<Self, croner::errors::CronError> {
        let parser = CronParser::builder()
            .seconds(Seconds::Required)
            .year(Year::Disallowed)
            .sloppy_ranges(true)
            .dom_and_dow(normalised.day_match() == Some(DayMatch::All))
            .build();
        let parts = normalised.parts().into_iter().map(|(text, before_last)| {
            let cron = parser.parse(&text)?;
            Ok(Part { cron, before_last })
        });
        Ok(Self {
            parts: parts.collect::<Result<_, _>>()?,
            fixed_times: normalised.has_fixed_times(),
            normalised,
        })
    }

    /// Equal for equal patterns, however they are written.
    pub(super) fn normalised(&self) -> &Normalised {
        &self.normalised
    }

    /// Whether second, minute and hour are numbers or lists of them.
    pub(super) fn has_fixed_times(&self) -> bool {
        self.fixed_times
    }

    /// The first time of a wall clock after `local` that matches, whatever a zone makes of it.
    pub(super) fn next_match(&self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        let next = self.parts.iter().filter_map(|part| part.next_match(local));
        next.min()
    }
}

impl Part {
    fn next_match(&self, mut local: NaiveDateTime) -> Option<NaiveDateTime> {
        const LAST_SECOND: NaiveTime = NaiveTime::from_hms_opt(23, 59, 59).unwrap();
        loop {
            let next = self.cron.find_next_occurrence(&local, false).ok()?;
            let behind = u32::from(next.num_days_in_month()) - next.day();
            if self.before_last.is_none_or(|wanted| wanted == behind) {
                return Some(next);
            }
            local = next.date().and_time(LAST_SECOND);
        }
    }
}
