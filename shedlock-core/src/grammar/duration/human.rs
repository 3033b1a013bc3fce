use super::DurationError;
use super::error::in_days;

/// The nanoseconds of `unsigned`, which is `text` without its sign: `10s`, `100` or `1h 30m`.
pub(super) fn nanos(text: &str, unsigned: &str) -> Result<i128, DurationError> {
    let mut rest = unsigned;
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (number, unit, tail) = next_part(rest);
        let is_alone = number.len() + unit.len() == unsigned.len();
        let unit = match unit {
            "" if is_alone => "ms",
            "M" if is_alone => "m",
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
    let split = |text: &'_ str, end: &dyn Fn(char) -> bool| text.find(end).unwrap_or(text.len());
    let (number, tail) = text.split_at(split(text, &|c| !is_number(c)));
    let tail = tail.trim_start();
    let (unit, tail) = tail.split_at(split(tail, &|c| is_number(c) || c.is_whitespace()));
    (number, unit, tail.trim_start())
}

fn part_nanos(text: &str, number: &str, unit: &str) -> Result<i128, DurationError> {
    let shown = unit.escape_debug();
    if number.is_empty() {
        return Err(DurationError::unreadable(
            text,
            format!("`{shown}` has no number"),
        ));
    }
    if unit.is_empty() {
        return Err(DurationError::unreadable(
            text,
            format!("`{number}` has no unit"),
        ));
    }
    if unit == "M" {
        return Err(DurationError::AmbiguousUnit {
            text: text.to_owned(),
            number: number.to_owned(),
        });
    }
    let unit = unit.to_lowercase();
    match &*unit {
        "month" | "months" => {
            let days = in_days(number, 30);
            let fix = format!("for minutes write `{number}m`, for days `{days}d`");
            return Err(DurationError::month(text, fix));
        }
        "year" | "years" | "yr" | "yrs" | "y" => {
            let fix = format!("write days: `{}d`", in_days(number, 365));
            return Err(DurationError::year(text, fix));
        }
        _ => {}
    }
    // One number at a time: humantime panics when a sum reaches the end of `Duration`.
    match humantime::parse_duration(&format!("{number}{unit}")) {
        Ok(duration) => {
            i128::try_from(duration.as_nanos()).map_err(|_| DurationError::too_long(text))
        }
        Err(humantime::DurationError::NumberOverflow) if number.contains('.') => {
            Err(DurationError::unreadable(
                text,
                format!("`{number}{unit}` is not a whole number of nanoseconds"),
            ))
        }
        Err(humantime::DurationError::NumberOverflow) => Err(DurationError::too_long(text)),
        Err(humantime::DurationError::UnknownUnit { .. }) => Err(DurationError::unreadable(
            text,
            format!("unknown unit `{shown}`"),
        )),
        Err(_) => Err(DurationError::unreadable(
            text,
            format!("`{number}` is not a number"),
        )),
    }
}
