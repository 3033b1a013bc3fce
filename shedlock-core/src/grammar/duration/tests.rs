use proptest::prelude::*;

use super::*;
use crate::grammar::mutated::mutated;

#[track_caller]
fn reads(text: &str, expected: Duration) {
    assert_eq!(parse_duration(text), Ok(expected), "{text}");
}

#[track_caller]
fn refuses(text: &str, expected: &str) {
    assert_eq!(parse_duration(text).unwrap_err().to_string(), expected);
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[test]
fn iso_texts_mean_what_java_means() {
    reads("PT20.345S", Duration::from_millis(20_345));
    reads("PT15M", secs(900));
    reads("PT10H", secs(36_000));
    reads("P2D", secs(172_800));
    reads("P2DT3H4M", secs(2 * 86_400 + 3 * 3600 + 240));
    reads("PT0.5S", Duration::from_millis(500));
    reads("PT1,5S", Duration::from_millis(1500));
    reads("PT1.S", secs(1));
    reads("pt1h2m3s", secs(3723));
    reads("+PT1S", secs(1));
}

#[test]
fn each_iso_unit_may_have_a_sign() {
    reads("PT+6H-3M", secs(6 * 3600 - 180));
    reads("-PT-6H+3M", secs(6 * 3600 - 180));
    reads("-PT-0.5S", Duration::from_millis(500));
    reads("PT1M-0.5S", Duration::from_millis(59_500));
}

#[test]
fn iso_milliseconds_are_accepted_as_people_write_them() {
    reads("PT500MS", Duration::from_millis(500));
    reads("PT1M1S500ms", Duration::from_millis(61_500));
}

#[test]
fn shedlock_units_are_accepted_in_any_case() {
    for (unit, nanos) in [
        ("ns", 1),
        ("us", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ] {
        let expected = Duration::from_nanos(10 * nanos);
        reads(&format!("10{unit}"), expected);
        reads(&format!("+10{}", unit.to_uppercase()), expected);
    }
}

#[test]
fn a_bare_number_is_milliseconds() {
    reads("100", Duration::from_millis(100));
    reads(" 0 ", Duration::ZERO);
}

#[test]
fn humantime_texts_are_accepted() {
    reads("1h 30m", secs(5400));
    reads("1h30m", secs(5400));
    reads("2days 4 hours", secs(2 * 86_400 + 4 * 3600));
    reads("1.5h", secs(5400));
    reads("10 µs", Duration::from_micros(10));
    reads("1H 30m", secs(5400));
}

#[test]
fn a_week_is_seven_days() {
    reads("1w", secs(7 * 86_400));
    reads("2weeks", secs(14 * 86_400));
}

#[test]
fn a_lone_capital_m_is_minutes_and_refused_beside_others() {
    reads("5M", secs(300));
    refuses(
        "1h 30M",
        "`1h 30M` has `30M`, which may be minutes or months; for minutes write `30m`",
    );
}

#[test]
fn zero_is_accepted_where_it_may_mean_something() {
    reads("PT0S", Duration::ZERO);
    reads("-0s", Duration::ZERO);
    assert!(parse_positive_duration("0").is_err());
    assert_eq!(parse_positive_duration("1ns"), Ok(Duration::from_nanos(1)));
}

#[test]
fn negative_durations_are_refused() {
    refuses("-5s", "`-5s` is negative; write `5s`");
    refuses("-PT15M", "`-PT15M` is negative; write `PT15M`");
    refuses(
        "PT-15M",
        "`PT-15M` is negative; write a duration of zero or more, such as `PT15M`",
    );
}

#[test]
fn calendar_units_are_refused_with_the_fix() {
    refuses(
        "P15M",
        "`P15M` has a month, whose length varies; for minutes write `PT15M`, for days `P450D`",
    );
    refuses(
        "P1Y2D",
        "`P1Y2D` has a year, whose length varies; write days: `P365D`",
    );
    refuses(
        "P2W",
        "`P2W` has weeks, which ISO-8601 durations in Java do not have; write days: `P14D`",
    );
    refuses(
        "1month",
        "`1month` has a month, whose length varies; for minutes write `1m`, for days `30d`",
    );
    refuses(
        "2 years",
        "`2 years` has a year, whose length varies; write days: `730d`",
    );
}

#[test]
fn durations_that_no_clock_can_add_are_refused() {
    let fix = "is longer than 292 years; write a shorter duration";
    refuses(
        "9223372036854775808ns",
        &format!("`9223372036854775808ns` {fix}"),
    );
    refuses(
        "PT9999999999999999H",
        &format!("`PT9999999999999999H` {fix}"),
    );
    reads(
        "9223372036854775807ns",
        Duration::from_nanos(i64::MAX as u64),
    );
    let digits = "9".repeat(400);
    assert!(matches!(
        parse_duration(&digits),
        Err(DurationError::TooLong { .. })
    ));
    let iso = format!("P{digits}D");
    assert!(matches!(
        parse_duration(&iso),
        Err(DurationError::TooLong { .. })
    ));
}

#[test]
fn a_sum_that_overflows_humantime_itself_does_not_panic() {
    let text = "18446744073709551615s 1000000000ns";
    assert!(matches!(
        parse_duration(text),
        Err(DurationError::TooLong { .. })
    ));
}

#[test]
fn unreadable_texts_are_refused_with_the_fix() {
    let forms = "write for example `PT1H30M`, `1h 30m`, `10s` or `500ms`";
    refuses("", &format!("a duration is empty; {forms}"));
    refuses(
        "10foo",
        &format!("`10foo` is not a duration: unknown unit `foo`; {forms}"),
    );
    refuses(
        "fast",
        &format!("`fast` is not a duration: `fast` has no number; {forms}"),
    );
    refuses(
        "1h 30",
        &format!("`1h 30` is not a duration: `30` has no unit; {forms}"),
    );
    refuses(
        "P",
        &format!("`P` is not a duration: nothing follows the `P`; {forms}"),
    );
    refuses(
        "P1DT",
        &format!("`P1DT` is not a duration: nothing follows the `T`; {forms}"),
    );
    refuses(
        "PTS",
        &format!("`PTS` is not a duration: `S` has no number; {forms}"),
    );
    refuses(
        "1.5",
        &format!("`1.5` is not a duration: `1.5` has no unit; {forms}"),
    );
    refuses(
        "1.2.3s",
        &format!("`1.2.3s` is not a duration: `1.2.3s` cannot be read; {forms}"),
    );
    refuses(
        "- 5s",
        &format!("`- 5s` is not a duration: ` 5s` has no number; {forms}"),
    );
    refuses(
        "-",
        &format!("`-` is not a duration: it has no number; {forms}"),
    );
    refuses(
        "0.1ns",
        &format!(
            "`0.1ns` is not a duration: `0.1ns` is not a whole number of nanoseconds; {forms}"
        ),
    );
    refuses(
        "P5H",
        &format!(
            "`P5H` is not a duration: hours, minutes and seconds follow a `T`: `PT5H`; {forms}"
        ),
    );
    refuses(
        "PT1D",
        &format!("`PT1D` is not a duration: days stand before the `T`: `P1D`; {forms}"),
    );
    refuses(
        "PT1.5H",
        &format!("`PT1.5H` is not a duration: only seconds may have a fraction; {forms}"),
    );
    refuses(
        "PT1S1M",
        &format!(
            "`PT1S1M` is not a duration: units stand once each, in the order `D`, `H`, `M`, `S`, `MS`; {forms}"
        ),
    );
}

/// The text that Java's `Duration.toString` gives.
fn java_text(duration: Duration) -> String {
    let secs = duration.as_secs();
    let fraction = format!(".{:09}", duration.subsec_nanos());
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    let part = |count: u64, unit| match count {
        0 => String::new(),
        count => format!("{count}{unit}"),
    };
    let (hours, minutes) = (part(secs / 3600, "H"), part(secs / 60 % 60, "M"));
    let seconds = match (secs % 60, fraction) {
        (0, "") if secs > 0 => String::new(),
        (seconds, fraction) => format!("{seconds}{fraction}S"),
    };
    format!("PT{hours}{minutes}{seconds}")
}

proptest! {
    #[test]
    fn a_duration_reads_back_from_the_text_of_java(nanos in 0..=i64::MAX as u64, unit in 0..4_u32) {
        let duration = Duration::from_nanos(nanos / 1000_u64.pow(unit) * 1000_u64.pow(unit));
        prop_assert_eq!(parse_duration(&java_text(duration)), Ok(duration));
    }

    #[test]
    fn signed_iso_units_add_up(
        days in -400_i64..400, hours in -99_i64..99, minutes in -99_i64..99, millis in -99_999_i64..99_999,
    ) {
        let sign = if millis < 0 { "-" } else { "" };
        let (secs, fraction) = (millis.abs() / 1000, millis.abs() % 1000);
        let text = format!("P{days}DT{hours}H{minutes}M{sign}{secs}.{fraction:03}S");
        let total = ((days * 24 + hours) * 60 + minutes) * 60_000 + millis;
        let expected = u64::try_from(total).ok().map(Duration::from_millis);
        prop_assert_eq!(parse_duration(&text).ok(), expected);
        let expected = u64::try_from(-total).ok().map(Duration::from_millis);
        prop_assert_eq!(parse_duration(&format!("-{text}")).ok(), expected);
    }

    #[test]
    fn the_three_forms_agree(hours in 0..10_000_u64, minutes in 0..60_u64, millis in 0..60_000_u64) {
        let expected = Duration::from_millis((hours * 60 + minutes) * 60_000 + millis);
        let total = expected.as_millis();
        for text in [
            format!("PT{hours}H{minutes}M{millis}MS"),
            format!("{hours}h {minutes}m {millis}ms"),
            format!("{hours}hours{minutes}min{millis}millis"),
            format!("{total}ms"),
            format!("{total}"),
        ] {
            prop_assert_eq!(parse_duration(&text), Ok(expected));
        }
    }

    #[test]
    fn a_mutated_duration_is_a_duration_or_an_error(text in mutated(&["-P2DT-3H+4M5.5S", "PT1S500MS", "1h 30m", "18446744073709551615s", "1week 1.5days", "9223372036854775807ns"])) {
        if let Err(error) = parse_positive_duration(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn every_text_is_a_duration_or_an_error(
        text in "\\PC{0,20}|[-+PTpt0-9.,DHMSdhmsWYwy ]{0,24}|([0-9]{1,21} ?(ns|us|ms|s|m|h|d|w|M|y)? ?){1,4}"
    ) {
        if let Err(error) = parse_duration(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
