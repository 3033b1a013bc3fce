mod day_match;
mod error;
mod field;
mod next;
mod normalised;
mod pattern;

pub use day_match::{DayMatch, DayMatchError};
pub use error::CronError;
pub use field::CronField;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Zone;
use pattern::Pattern;

/// When a job runs: a cron pattern of 5 fields, or of 6 with the second first.
///
/// | field | values | beyond `*`, lists `1,2`, ranges `1-5`, steps `*/5`, `1-30/5`, `0/5` |
/// |---|---|---|
/// | second | 0-59; 0 where left out | |
/// | minute | 0-59 | |
/// | hour | 0-23 | |
/// | day of month | 1-31 | `L` last day, `L-3` three days before it, `LW` last weekday, `15W` weekday nearest to the 15th, `?` |
/// | month | 1-12, `JAN`-`DEC` | |
/// | day of week | 0-7, `SUN`-`SAT`; 0 and 7 are Sunday | `5L` last Friday, `5#2` second Friday, `?` |
///
/// Names are read in any case. The macros `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`,
/// `@midnight` and `@hourly` stand for whole patterns.
///
/// **Both days restricted.** Where day of month and day of week are both something else than `*`
/// and `?`, as in `0 0 13 * FRI`, cron fires on each 13th and on each Friday, Spring on each Friday
/// the 13th. [`parse`](Self::parse) refuses such a pattern; [`parse_with`](Self::parse_with) says
/// which of the two is meant.
///
/// Schedules are equal if their patterns are, apart from case and blanks, macros written out and
/// an omitted second. Equal schedules share one parsed pattern, and a clone shares it too, so that
/// ten thousand jobs of one pattern cost the memory of one.
///
/// ```
/// use shedlock_core::{CronSchedule, Zone};
///
/// let schedule: CronSchedule = "0 0 4 * * *".parse()?;
/// let zone: Zone = "Asia/Seoul".parse()?;
/// let next = schedule.next_after("2026-03-01T12:00:00Z".parse()?, zone);
/// assert_eq!(next, Some("2026-03-01T19:00:00Z".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CronSchedule {
    text: Arc<str>,
    pattern: Arc<Pattern>,
}

impl CronSchedule {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// [`CronError`] names the field, what was found there and what is allowed. A pattern that
    /// never fires, such as `0 0 30 2 *`, is an error too, and so is one that restricts both day of
    /// month and day of week.
    pub fn parse(text: &str) -> Result<Self, CronError> {
        Self::read(text, None)
    }

    /// Reads a pattern that may restrict both day of month and day of week.
    ///
    /// ```
    /// use shedlock_core::{CronSchedule, DayMatch, Zone};
    ///
    /// let friday_the_13th = CronSchedule::parse_with("0 0 13 * FRI", DayMatch::All)?;
    /// let next = friday_the_13th.next_after("2026-01-01T00:00:00Z".parse()?, Zone::UTC);
    /// assert_eq!(next, Some("2026-02-13T00:00:00Z".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_with(text: &str, day_match: DayMatch) -> Result<Self, CronError> {
        Self::read(text, Some(day_match))
    }

    fn read(text: &str, day_match: Option<DayMatch>) -> Result<Self, CronError> {
        Ok(Self {
            text: text.into(),
            pattern: Pattern::interned(text, day_match)?,
        })
    }

    /// The first instant strictly after `after` at which the schedule fires in `zone`, or `None` if
    /// there is none up to the year 5000.
    ///
    /// **Changes of the clock.** A pattern whose second, minute and hour are plain numbers or lists
    /// of them (`0 30 2 * * *`, `0 0 2,14 * * *`) names *fixed times*:
    /// - a fixed time that the clock skips runs once, at the end of the gap, and so do several
    ///   that fall into one gap together;
    /// - a fixed time that the clock shows twice runs once, the first time.
    ///
    /// Every other pattern, with a `*`, range or step in one of the three fields (`*/15 * * * *`,
    /// `0 0 9-17 * * *`), is an *interval*: it runs whenever the clock shows a matching time, so
    /// that it keeps its interval through both passes of a repeated hour, and neither waits nor
    /// makes up for an hour that is skipped.
    ///
    /// ```
    /// use shedlock_core::{CronSchedule, Zone};
    ///
    /// // Berlin's clocks go from 02:00 to 03:00 at 01:00 UTC: the run moves to that instant.
    /// let berlin: Zone = "Europe/Berlin".parse()?;
    /// let next = CronSchedule::parse("0 30 2 * * *")?.next_after("2026-03-28T12:00:00Z".parse()?, berlin);
    /// assert_eq!(next, Some("2026-03-29T01:00:00Z".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn next_after(&self, after: DateTime<Utc>, zone: Zone) -> Option<DateTime<Utc>> {
        self.pattern.next_after(after, zone.tz())
    }

    /// How day of month and day of week go together: `None` unless both are restricted.
    #[must_use]
    pub fn day_match(&self) -> Option<DayMatch> {
        self.pattern.normalised().day_match()
    }

    /// The pattern as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for CronSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CronSchedule").field(&self.text).finish()
    }
}

impl fmt::Display for CronSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for CronSchedule {
    type Err = CronError;

    fn from_str(text: &str) -> Result<Self, CronError> {
        Self::parse(text)
    }
}

impl PartialEq for CronSchedule {
    fn eq(&self, other: &Self) -> bool {
        self.pattern.normalised() == other.pattern.normalised()
    }
}

impl Eq for CronSchedule {}

impl Hash for CronSchedule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.pattern.normalised().hash(state);
    }
}

#[cfg(test)]
mod dst_tests;
#[cfg(test)]
mod tests;
