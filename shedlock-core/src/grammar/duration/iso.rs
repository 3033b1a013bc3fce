use super::error::in_days;
use super::{DurationError, split_where};

/// The units in the order that ISO-8601 wants, with the letters before and after the `T`.
const DATE_UNITS: &[(&str, i128)] = &[("D", 86_400_000_000_000)];
const TIME_UNITS: &[(&str, i128)] = &[
    ("H", 3_600_000_000_000),
    ("M", 60_000_000_000),
    ("S", 1_000_000_000),
    ("MS", 1_000_000),
];

/// The nanoseconds of `unsigned`, which is `text` without its sign and starts with `P`.
pub(super) fn nanos(text: &str, unsigned: &str) -> Result<i128, DurationError> {
    let body = unsigned[1..].to_ascii_uppercase();
    let (date, time) = match body.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (&*body, None),
    };
    if time == Some("") {
        return Err(DurationError::unreadable(text, "nothing follows the `T`"));
    }
    if date.is_empty() && time.is_none() {
        return Err(DurationError::unreadable(text, "nothing follows the `P`"));
    }
    let date = section(text, date, DATE_UNITS, misplaced_in_date)?;
    let time = section(text, time.unwrap_or(""), TIME_UNITS, misplaced_in_time)?;
    date.checked_add(time)
        .ok_or_else(|| DurationError::too_long(text))
}

/// Adds up the numbers and units of the part before or after the `T`.
fn section(
    text: &str,
    mut rest: &str,
    mut units: &[(&str, i128)],
    misplaced: fn(&str, &str, &str) -> DurationError,
) -> Result<i128, DurationError> {
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (number, tail) = split_where(rest, |c| c.is_ascii_alphabetic());
        let (unit, tail) = split_where(tail, |c| !c.is_ascii_alphabetic());
        rest = tail;
        if number.is_empty() {
            let problem = format!("`{unit}` has no number");
            return Err(DurationError::unreadable(text, problem));
        }
        let Some(place) = units.iter().position(|(name, _)| *name == unit) else {
            return Err(misplaced(text, number, unit));
        };
        let nanos = scaled(text, number, unit, units[place].1)?;
        units = &units[place + 1..];
        total = total
            .checked_add(nanos)
            .ok_or_else(|| DurationError::too_long(text))?;
    }
    Ok(total)
}

/// `number`, which may have a sign and in seconds a fraction, times `nanos`.
fn scaled(text: &str, number: &str, unit: &str, nanos: i128) -> Result<i128, DurationError> {
    let digits = number.strip_prefix(['-', '+']).unwrap_or(number);
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        let problem = format!("`{number}` before `{unit}` is not a number");
        return Err(DurationError::unreadable(text, problem));
    }
    if unit != "S" && whole.len() < digits.len() {
        return Err(DurationError::unreadable(
            text,
            "only seconds may have a fraction",
        ));
    }
    if fraction.len() > 9 {
        return Err(DurationError::unreadable(
            text,
            "a fraction has at most 9 digits",
        ));
    }
    let whole = whole.parse::<i128>().ok();
    let fraction: i128 = format!("{fraction:0<9}").parse().unwrap_or(0);
    let magnitude = whole
        .and_then(|whole| whole.checked_mul(nanos)?.checked_add(fraction))
        .ok_or_else(|| DurationError::too_long(text))?;
    Ok(if number.starts_with('-') {
        -magnitude
    } else {
        magnitude
    })
}

fn misplaced_in_date(text: &str, number: &str, unit: &str) -> DurationError {
    match unit {
        "Y" => DurationError::year(text, format!("write days: `P{}D`", in_days(number, 365))),
        "M" => DurationError::month(
            text,
            format!(
                "for minutes write `PT{number}M`, for days `P{}D`",
                in_days(number, 30)
            ),
        ),
        "W" => DurationError::iso_week(text, format!("write days: `P{}D`", in_days(number, 7))),
        "H" | "S" | "MS" => DurationError::unreadable(
            text,
            format!("hours, minutes and seconds follow a `T`: `PT{number}{unit}`"),
        ),
        _ => unknown(text, number, unit),
    }
}

fn misplaced_in_time(text: &str, number: &str, unit: &str) -> DurationError {
    match unit {
        "D" => DurationError::unreadable(text, format!("days stand before the `T`: `P{number}D`")),
        _ => unknown(text, number, unit),
    }
}

fn unknown(text: &str, number: &str, unit: &str) -> DurationError {
    let problem = match unit {
        "" => format!("`{}` has no unit", number.escape_debug()),
        "D" | "H" | "M" | "S" | "MS" => {
            "units stand once each, in the order `D`, `H`, `M`, `S`, `MS`".to_owned()
        }
        _ => format!("unknown unit `{unit}`"),
    };
    DurationError::unreadable(text, problem)
}
