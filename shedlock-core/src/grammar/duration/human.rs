use humantime::DurationError as HumantimeError;

use super::error::in_days;
use super::{DurationError, split_where};

/// The nanoseconds of `unsigned`, which is `text` without its sign: `10s`, `100` or `1h 30m`.
pub(super) fn nanos(text: &str, unsigned: &str) -> Result<i128, DurationError> {
    let mut rest = unsigned;
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (number, unit, tail) = next_part(rest);
        if number.is_empty() {
            let problem = format!("`{}` has no number", rest.escape_debug());
            return Err(DurationError::unreadable(text, problem));
        }
        let is_shedlock = number.len() + unit.len() == unsigned.len() && !number.contains('.');
        let unit = match unit {
            "" if is_shedlock => "ms",
            "M" if is_shedlock => "m",
            _ => unit,
        };
        total = total
            .checked_add(part_nanos(text, number, unit)?)
            .ok_or_else(|| DurationError::too_long(text))?;
        rest = tail;
    }
    Ok(total)
}

/// The number and the unit that `text` starts with, and what follows them.
fn next_part(text: &str) -> (&str, &str, &str) {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let (number, tail) = split_where(text, |c| !is_number(c));
    let (unit, tail) = split_where(tail.trim_start(), |c| is_number(c) || c.is_whitespace());
    (number, unit, tail.trim_start())
}

fn part_nanos(text: &str, number: &str, unit: &str) -> Result<i128, DurationError> {
    let unreadable = |problem: String| DurationError::unreadable(text, problem);
    match &*unit.to_lowercase() {
        "" => Err(unreadable(format!("`{number}` has no unit"))),
        _ if unit == "M" => Err(DurationError::AmbiguousUnit {
            text: text.to_owned(),
            number: number.to_owned(),
        }),
        "month" | "months" => {
            let days = in_days(number, 30);
            let fix = format!("for minutes write `{number}m`, for days `{days}d`");
            Err(DurationError::month(text, fix))
        }
        "year" | "years" | "yr" | "yrs" | "y" => {
            let fix = format!("write days: `{}d`", in_days(number, 365));
            Err(DurationError::year(text, fix))
        }
        // One number at a time: humantime panics when a sum reaches the end of `Duration`.
        lower => match humantime::parse_duration(&format!("{number}{lower}")) {
            Ok(duration) => {
                i128::try_from(duration.as_nanos()).map_err(|_| DurationError::too_long(text))
            }
            Err(HumantimeError::NumberOverflow) if number.contains('.') => Err(unreadable(
                format!("`{number}{unit}` is not a whole number of nanoseconds"),
            )),
            Err(HumantimeError::NumberOverflow) => Err(DurationError::too_long(text)),
            Err(HumantimeError::UnknownUnit { .. }) => {
                let unit = unit.escape_debug();
                Err(unreadable(format!("unknown unit `{unit}`")))
            }
            Err(_) => Err(unreadable(format!(
                "`{number}{}` cannot be read",
                unit.escape_debug()
            ))),
        },
    }
}
