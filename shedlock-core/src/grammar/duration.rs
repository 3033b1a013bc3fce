mod error;
mod format;
mod human;
mod iso;

pub use error::DurationError;
pub use format::format_duration;

use std::time::Duration;

/// The longest duration, about 292 years: what 64 bits of nanoseconds hold, so that every clock
/// and every store can add it to the present.
const MAX_NANOS: i128 = i64::MAX as i128;

/// Reads a duration in one of three forms, with or without blanks around it.
///
/// | form | examples |
/// |---|---|
/// | ISO-8601 as Java's `Duration.parse` reads it | `PT15M`, `P2DT3H4M`, `pt20.345s`, `-PT-6H+3M` |
/// | one number with a unit, as `ShedLock` reads it | `10s`, `500ms`, `5M`, `100` (milliseconds) |
/// | numbers with units | `1h 30m`, `1.5h`, `2days`, `1week 12hours` |
///
/// Beyond Java, the ISO form takes milliseconds: `PT500MS`, `PT1S500MS`.
///
/// Units are `ns us ms s m h d w` and their longer names, in any case. `m` is minutes. A capital
/// `M` is minutes too where a number with it is the whole text (`5M`), as `ShedLock` has it, and is
/// refused beside others (`1h 30M`), where some read months. A week is 7 days of 24 hours.
///
/// Zero is accepted here; see [`parse_positive_duration`].
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::parse_duration;
///
/// for text in ["PT1.5S", "1500ms", "1500", "1s 500ms", "1.5s", "PT1500MS"] {
///     assert_eq!(parse_duration(text)?, Duration::from_millis(1500));
/// }
/// assert_eq!(
///     parse_duration("P1M").unwrap_err().to_string(),
///     "`P1M` has a month, whose length varies; for minutes write `PT1M`, for days `P30D`",
/// );
/// # Ok::<(), shedlock_core::DurationError>(())
/// ```
///
/// # Errors
///
/// [`DurationError`] for a text in none of the forms, a negative or too long duration, and for
/// months and years, whose length varies. Its message shows the fix.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(DurationError::Empty);
    }
    let unsigned = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
    if unsigned.is_empty() {
        return Err(DurationError::unreadable(trimmed, "it has no number"));
    }
    let nanos = if unsigned.starts_with(['p', 'P']) {
        iso::nanos(trimmed, unsigned)?
    } else {
        human::nanos(trimmed, unsigned)?
    };
    let nanos = if trimmed.starts_with('-') {
        -nanos
    } else {
        nanos
    };
    if nanos < 0 {
        return Err(DurationError::negative(trimmed));
    }
    u64::try_from(nanos)
        .ok()
        .filter(|_| nanos <= MAX_NANOS)
        .map(Duration::from_nanos)
        .ok_or_else(|| DurationError::too_long(trimmed))
}

/// Reads a duration as [`parse_duration`] does and refuses zero.
///
/// For settings where zero does nothing: a lock held for at most zero protects nothing, a period
/// of zero never ends.
///
/// ```
/// use shedlock_core::parse_positive_duration;
///
/// assert_eq!(
///     parse_positive_duration("PT0S").unwrap_err().to_string(),
///     "`PT0S` is zero, which protects nothing and never waits; write a positive duration, such as `10s`",
/// );
/// ```
///
/// # Errors
///
/// As [`parse_duration`], and [`DurationError::Zero`].
pub fn parse_positive_duration(text: &str) -> Result<Duration, DurationError> {
    match parse_duration(text)? {
        Duration::ZERO => Err(DurationError::zero(text.trim())),
        duration => Ok(duration),
    }
}

/// Splits `text` before the first character for which `found` says yes.
fn split_where(text: &str, found: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(found).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests;
