use std::collections::HashSet;

use chrono::{Datelike as _, NaiveDate, NaiveTime, TimeDelta};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::grammar::mutated::mutated;

#[track_caller]
fn refuses(text: &str, at: &str, expected: &str) {
    let error = CronSchedule::parse(text).unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.span().map(|span| &text[span]), Some(at));
}

#[track_caller]
fn equal(one: &str, other: &str) {
    assert_eq!(CronSchedule::parse(one), CronSchedule::parse(other));
    assert!(CronSchedule::parse(one).is_ok());
}

/// The first runs after noon of 1 January 2026, a Thursday, as `MM-DD hh:mm:ss`.
#[track_caller]
fn fires(text: &str, expected: &[&str]) {
    first_runs(&CronSchedule::parse(text).unwrap(), expected);
}

#[track_caller]
fn fires_with(text: &str, day_match: DayMatch, expected: &[&str]) {
    first_runs(
        &CronSchedule::parse_with(text, day_match).unwrap(),
        expected,
    );
}

#[track_caller]
fn first_runs(schedule: &CronSchedule, expected: &[&str]) {
    let start: DateTime<Utc> = "2026-01-01T12:00:00Z".parse().unwrap();
    let runs = std::iter::successors(Some(start), |after| schedule.next_after(*after, Zone::UTC));
    let shown: Vec<_> = runs
        .skip(1)
        .take(expected.len())
        .map(|run| run.format("%m-%d %H:%M:%S").to_string())
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn five_fields_fire_at_second_zero() {
    fires("30 4 * * *", &["01-02 04:30:00", "01-03 04:30:00"]);
    equal("30 4 * * *", "0 30 4 * * *");
}

#[test]
fn macros_stand_for_patterns() {
    equal("@yearly", "0 0 1 1 *");
    equal("@annually", "@yearly");
    equal("@monthly", "0 0 1 * *");
    equal("@weekly", "0 0 * * 0");
    equal("@Daily", "0 0 * * *");
    equal("@midnight", "@daily");
    equal(" @hourly ", "0 * * * *");
}

#[test]
fn an_unknown_macro_is_refused_with_the_nearest() {
    refuses(
        "@dayly",
        "@dayly",
        "unknown cron macro `@dayly`; did you mean `@daily`?",
    );
    refuses(
        "@every 5m",
        "@every 5m",
        "unknown cron macro `@every 5m`; write an interval as a fixed rate or a fixed delay instead",
    );
    refuses(
        " @reboot",
        "@reboot",
        "unknown cron macro `@reboot`; write one of `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight`, `@hourly`",
    );
}

#[test]
fn a_start_with_a_step_counts_up() {
    fires(
        "0/20 * * * * *",
        &["01-01 12:00:20", "01-01 12:00:40", "01-01 12:01:00"],
    );
    fires(
        "0 5/30 * * * *",
        &["01-01 12:05:00", "01-01 12:35:00", "01-01 13:05:00"],
    );
}

#[test]
fn days_from_the_end_of_the_month_and_nearest_weekdays() {
    fires("0 0 L * *", &["01-31 00:00:00", "02-28 00:00:00"]);
    fires("0 0 LW * *", &["01-30 00:00:00", "02-27 00:00:00"]);
    fires("0 0 15W 2 *", &["02-16 00:00:00"]);
    fires("0 0 * * 5L", &["01-30 00:00:00", "02-27 00:00:00"]);
    fires("0 0 * * friL", &["01-30 00:00:00", "02-27 00:00:00"]);
    fires("0 0 * * MON#2", &["01-12 00:00:00", "02-09 00:00:00"]);
}

#[test]
fn names_and_question_marks() {
    fires(
        "0 0 ? mar-Apr sat-sun",
        &["03-01 00:00:00", "03-07 00:00:00", "03-08 00:00:00"],
    );
    equal("0 0 ? * MON", "0 0 * * mon");
}

#[test]
fn sunday_is_zero_and_seven() {
    fires("0 0 * * 0", &["01-04 00:00:00", "01-11 00:00:00"]);
    fires("0 0 * * 7", &["01-04 00:00:00", "01-11 00:00:00"]);
}

#[test]
fn days_counted_from_the_last_one() {
    fires(
        "0 0 L-3 * *",
        &[
            "01-28 00:00:00",
            "02-25 00:00:00",
            "03-28 00:00:00",
            "04-27 00:00:00",
        ],
    );
    fires(
        "0 0,12 L-30,l-1,15,L * *",
        &[
            "01-15 00:00:00",
            "01-15 12:00:00",
            "01-30 00:00:00",
            "01-30 12:00:00",
            "01-31 00:00:00",
            "01-31 12:00:00",
            "02-15 00:00:00",
            "02-15 12:00:00",
            "02-27 00:00:00",
            "02-27 12:00:00",
            "02-28 00:00:00",
            "02-28 12:00:00",
            "03-01 00:00:00",
        ],
    );
    fires("0 0 L-28 2 *", &["02-01 00:00:00"]);
    assert!(CronSchedule::parse("0 0 L-29 2 *").is_err());
}

#[test]
fn two_restricted_days_fire_on_either_or_on_both() {
    fires_with(
        "0 0 6 * FRI",
        DayMatch::Any,
        &["01-02 00:00:00", "01-06 00:00:00", "01-09 00:00:00"],
    );
    fires_with(
        "0 0 13 * FRI",
        DayMatch::All,
        &["02-13 00:00:00", "03-13 00:00:00"],
    );
    fires_with(
        "0 0 15W * MON",
        DayMatch::All,
        &["02-16 00:00:00", "03-16 00:00:00"],
    );
    fires_with(
        "0 0 L-3 1-2 MON",
        DayMatch::Any,
        &[
            "01-05 00:00:00",
            "01-12 00:00:00",
            "01-19 00:00:00",
            "01-26 00:00:00",
            "01-28 00:00:00",
        ],
    );
    fires_with(
        "0 0 L-3,L * WED",
        DayMatch::All,
        &["01-28 00:00:00", "02-25 00:00:00", "09-30 00:00:00"],
    );
}

#[test]
fn two_restricted_days_must_say_how_they_go_together() {
    refuses(
        "0 0 13 * FRI",
        "13 * FRI",
        "`13 * FRI` restricts the day of month and the day of week: cron fires on days that either names, Spring on days that both name; write `day_match = \"any\"` for either or `day_match = \"all\"` for both (in code: `CronSchedule::parse_with`)",
    );
}

#[test]
fn the_way_to_match_days_counts_only_where_both_are_restricted() {
    let parse = |text, day_match| CronSchedule::parse_with(text, day_match).unwrap();
    assert_eq!(
        parse("0 0 13 * *", DayMatch::All),
        parse("0 0 13 * ?", DayMatch::Any)
    );
    assert_ne!(
        parse("0 0 13 * 5", DayMatch::All),
        parse("0 0 13 * 5", DayMatch::Any)
    );
}

#[test]
fn a_wrong_count_of_fields_shows_both_forms() {
    let forms = "write `minute hour day-of-month month day-of-week`, such as `0 4 * * *`, or the same with the second first, such as `0 0 4 * * *`";
    refuses(
        "0 4 * *",
        "0 4 * *",
        &format!("a cron pattern has 5 or 6 fields, not 4; {forms}"),
    );
    refuses(
        "0 0 4 * * * 2030",
        "2030",
        &format!("a cron pattern has 5 or 6 fields, not 7 (there is no year field); {forms}"),
    );
    let empty = CronSchedule::parse(" ").unwrap_err();
    assert_eq!(
        empty.to_string(),
        format!("a cron pattern is empty; {forms}")
    );
    assert_eq!(empty.span(), None);
}

#[test]
fn a_wrong_field_is_named_with_what_it_allows() {
    refuses(
        "0 0 25 * * *",
        "25",
        "`25` in the hour field (number 3) is out of range; allowed: 0-23, `*`, `1,2`, `1-5`, `*/5`, `0/5`",
    );
    refuses(
        "0 25 * * *",
        "25",
        "`25` in the hour field (number 2) is out of range; allowed: 0-23, `*`, `1,2`, `1-5`, `*/5`, `0/5`",
    );
    refuses(
        "0 0 0 * Foo *",
        "Foo",
        "`Foo` in the month field (number 5) cannot be read; allowed: 1-12 or JAN-DEC, `*`, `1,2`, `1-5`, `*/5`, `1/5`",
    );
}

#[track_caller]
fn refuses_part(text: &str, at: &str, problem: &str) {
    let error = CronSchedule::parse(text).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains(&format!(") {problem}; allowed: ")),
        "{message}"
    );
    assert_eq!(error.span().map(|span| &text[span]), Some(at));
}

#[test]
fn each_mistake_in_a_field_has_its_text() {
    refuses_part("60 * * * * *", "60", "is out of range");
    refuses_part("0 5,99 * * * *", "99", "is out of range");
    refuses_part("0 0 0 0 * *", "0", "is out of range");
    refuses_part("0 0 0 * * 8", "8", "is out of range");
    refuses_part("* 22-2 * * *", "22-2", "runs backwards; write `22-23,0-2`");
    refuses_part(
        "* * * * fri-mon",
        "fri-mon",
        "runs backwards; write `5-7,1`",
    );
    refuses_part("* * * * 6-0", "6-0", "runs backwards; write `6-7`");
    refuses_part("*/0 * * * *", "*/0", "has a step that is not 1 to 59");
    refuses_part("*/x * * * *", "*/x", "has a step that is not 1 to 59");
    refuses_part(
        "/5 * * * *",
        "/5",
        "has a step without a start; write `*/5`",
    );
    refuses_part("1,,2 * * * *", "1,,2", "has an empty item");
    refuses_part("*,2 * * * *", "*,2", "has `*` beside others");
    refuses_part("? * * * *", "?", "cannot be read");
    refuses_part("MON * * * *", "MON", "cannot be read");
    refuses_part("+5 * * * *", "+5", "cannot be read");
    refuses_part("* * * * +FRI", "+FRI", "cannot be read");
    refuses_part(
        "* * * * L",
        "L",
        "needs a day; write `5L` for the last Friday of the month",
    );
    refuses_part(
        "* * L-31 * *",
        "L-31",
        "counts back from the last day by something else than 1 to 30",
    );
    refuses_part(
        "* * L-3W * *",
        "L-3W",
        "counts back from the last day by something else than 1 to 30",
    );
    refuses_part(
        "* * * * 5#6",
        "5#6",
        "has `#6`, but a month has weekdays `#1` to `#5`",
    );
    refuses_part("* * 32W * *", "32W", "is out of range");
    refuses_part("* * * é *", "é", "cannot be read");
}

#[test]
fn a_date_that_no_year_has_is_refused() {
    refuses(
        "0 0 30 2 *",
        "30 2",
        "`30 2` never fires: none of its months has such a day; change the day or the month",
    );
    assert!(CronSchedule::parse("0 0 31 4,6 *").is_err());
    assert!(CronSchedule::parse("0 0 29 2 *").is_ok());
    assert!(CronSchedule::parse_with("0 0 30 2 MON", DayMatch::Any).is_ok());
    assert!(CronSchedule::parse_with("0 0 30 2 MON", DayMatch::All).is_err());
    assert!(CronSchedule::parse_with("0 0 15 * MON#1", DayMatch::All).is_err());
}

#[test]
fn a_schedule_shows_the_text_as_given() {
    let schedule = CronSchedule::parse("0 0  4 * * mon").unwrap();
    assert_eq!(schedule.to_string(), "0 0  4 * * mon");
    assert_eq!(format!("{schedule:?}"), r#"CronSchedule("0 0  4 * * mon")"#);
}

#[test]
fn equal_patterns_hash_alike() {
    let texts = ["0 4 * * mon", "0 0 4 ? * MON", " 0 0 4 * * MON"];
    let schedules: HashSet<_> = texts.map(|text| CronSchedule::parse(text).unwrap()).into();
    assert_eq!(schedules.len(), 1);
}

#[test]
fn ten_thousand_equal_patterns_share_one() {
    let schedules: Vec<_> = (0..10_000)
        .map(|_| CronSchedule::parse("7 7 7 7 7 *").unwrap())
        .collect();
    let first = &schedules[0].pattern;
    assert!(
        schedules
            .iter()
            .all(|other| Arc::ptr_eq(first, &other.pattern))
    );
}

#[test]
fn a_pattern_that_nobody_uses_is_forgotten() {
    let pattern = Arc::downgrade(&CronSchedule::parse("8 8 8 8 8 *").unwrap().pattern);
    assert!(pattern.upgrade().is_none());
}

#[test]
fn the_ends_of_time_have_an_answer() {
    let zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"];
    for text in ["* * * * * *", "0 0 29 2 *"] {
        let schedule = CronSchedule::parse(text).unwrap();
        for zone in zones.map(|zone| zone.parse().unwrap()) {
            assert_eq!(schedule.next_after(DateTime::<Utc>::MAX_UTC, zone), None);
            let first = schedule.next_after(DateTime::<Utc>::MIN_UTC, zone);
            assert!(first.is_none_or(|first| first > DateTime::<Utc>::MIN_UTC));
        }
    }
}

proptest! {
    #[test]
    fn a_mutated_pattern_is_a_schedule_or_an_error(text in mutated(&["0 0/10 9-17 ? JAN-MAR MON-FRI", "*/15 * LW,15W,L-3 * ?", "*/15 * * * 5#2,FRIL", "0 0 29 2 *", "@midnight"])) {
        if let Err(error) = CronSchedule::parse(&text) {
            let span = error.span().unwrap_or_default();
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        }
    }

    #[test]
    fn every_text_is_a_schedule_or_an_error_with_a_span_inside(
        text in "\\PC{0,20}|@?[a-z]{0,9}|(([0-9]{1,3}|[*?LW/#,-]|MON|SUN|jan|é){1,3} {1,2}){4,7}"
    ) {
        match CronSchedule::parse(&text) {
            Ok(schedule) => prop_assert_eq!(schedule.as_str(), &text),
            Err(error) => if let Some(span) = error.span() {
                prop_assert!(!text[span].is_empty());
            },
        }
    }

    /// What our check of the fields lets through, croner takes.
    #[test]
    fn no_checked_text_is_rejected_later(
        text in "(([0-9]{1,2}|[0-9]-[0-9]|[0-9]/[0-9]|\\*|\\*/[0-9]|[1-7]W|[1-7]#[1-5]|[1-7]L|L|L-[1-9]|LW|MON-SUN|jan,DEC) ){5,6}",
        day_match in select(&[DayMatch::Any, DayMatch::All]),
    ) {
        let error = CronSchedule::parse_with(&text, day_match).err();
        let is_rejected = matches!(error, Some(CronError::Rejected { .. }));
        prop_assert!(!is_rejected, "{:?}", error);
    }

    /// Against a look at each day.
    #[test]
    fn days_from_the_end_and_weekdays_agree_with_the_calendar(
        before in 1_u32..=30,
        weekday in 0_u32..7,
        day_match in select(&[DayMatch::Any, DayMatch::All]),
    ) {
        let text = format!("0 0 L-{before} * {weekday}");
        let schedule = CronSchedule::parse_with(&text, day_match);
        let midnight = |date: NaiveDate| date.and_time(NaiveTime::MIN).and_utc();
        let start = NaiveDate::from_ymd_opt(2024, 1, 1).unwrap();
        let expected: Vec<_> = start
            .iter_days()
            .take(3 * 365)
            .filter(|date| {
                let from_the_end = u32::from(date.num_days_in_month()) - date.day() == before;
                let on_weekday = date.weekday().num_days_from_sunday() == weekday;
                match day_match {
                    DayMatch::Any => from_the_end || on_weekday,
                    DayMatch::All => from_the_end && on_weekday,
                }
            })
            .map(midnight)
            .collect();
        let schedule = schedule.unwrap();
        let first = midnight(start) - TimeDelta::seconds(1);
        let runs = std::iter::successors(Some(first), |after| schedule.next_after(*after, Zone::UTC));
        prop_assert_eq!(runs.skip(1).take(expected.len()).collect::<Vec<_>>(), expected);
    }
}
