//! The rule of [`CronSchedule::next_after`] against an oracle that looks at every minute.

use std::iter::successors;

use chrono::{NaiveDateTime, Offset as _, TimeDelta, TimeZone as _};
use chrono_tz::{TZ_VARIANTS, Tz};
use croner::Cron;
use proptest::prelude::*;

use super::*;

type Instant = DateTime<Utc>;
const MINUTE: TimeDelta = TimeDelta::minutes(1);

fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

fn runs(text: &str, zone: &str, from: &str, to: &str) -> Vec<String> {
    let zone: Zone = zone.parse().unwrap();
    schedule_runs(&CronSchedule::parse(text).unwrap(), zone, at(from), at(to))
        .map(|run| zone.local(run).format("%dT%H:%M%:z").to_string())
        .collect()
}

/// The runs in `(from, to]`.
fn schedule_runs(
    schedule: &CronSchedule,
    zone: Zone,
    from: Instant,
    to: Instant,
) -> impl Iterator<Item = Instant> {
    successors(Some(from), move |after| schedule.next_after(*after, zone))
        .skip(1)
        .take_while(move |run| *run <= to)
}

#[test]
fn berlin_half_past_two_runs_at_the_end_of_the_gap() {
    let runs = runs(
        "0 30 2 * * *",
        "Europe/Berlin",
        "2026-03-27T12:00:00Z",
        "2026-03-30T12:00:00Z",
    );
    assert_eq!(runs, ["28T02:30+01:00", "29T03:00+02:00", "30T02:30+02:00"]);
}

#[test]
fn times_that_fall_into_one_gap_run_once_together() {
    let runs = runs(
        "0 10,40 2,3 * * *",
        "Europe/Berlin",
        "2026-03-29T00:00:00Z",
        "2026-03-29T12:00:00Z",
    );
    assert_eq!(runs, ["29T03:00+02:00", "29T03:10+02:00", "29T03:40+02:00"]);
}

#[test]
fn new_york_half_past_one_runs_once_in_the_fold() {
    let runs = runs(
        "30 1 * * *",
        "America/New_York",
        "2026-10-31T12:00:00Z",
        "2026-11-02T12:00:00Z",
    );
    assert_eq!(runs, ["01T01:30-04:00", "02T01:30-05:00"]);
}

#[test]
fn a_list_of_times_runs_once_in_the_fold() {
    let runs = runs(
        "0 30 1,13 * * *",
        "America/New_York",
        "2026-11-01T00:00:00Z",
        "2026-11-01T23:00:00Z",
    );
    assert_eq!(runs, ["01T01:30-04:00", "01T13:30-05:00"]);
}

#[test]
fn a_search_from_the_second_pass_does_not_run_a_fixed_time_again() {
    let runs = runs(
        "30 1 * * *",
        "America/New_York",
        "2026-11-01T06:10:00Z",
        "2026-11-02T12:00:00Z",
    );
    assert_eq!(runs, ["02T01:30-05:00"]);
}

#[test]
fn every_fifteen_minutes_goes_on_through_both_passes() {
    let (from, to) = (at("2026-11-01T04:00:00Z"), at("2026-11-01T08:00:00Z"));
    let schedule = CronSchedule::parse("*/15 * * * *").unwrap();
    let runs = schedule_runs(&schedule, "America/New_York".parse().unwrap(), from, to);
    let quarters = successors(Some(from), |run| Some(*run + MINUTE * 15));
    assert!(runs.eq(quarters.skip(1).take(16)));
}

#[test]
fn steps_within_one_hour_run_in_both_passes() {
    let runs = runs(
        "0/30 1 * * *",
        "America/New_York",
        "2026-11-01T04:00:00Z",
        "2026-11-01T12:00:00Z",
    );
    assert_eq!(
        runs,
        [
            "01T01:00-04:00",
            "01T01:30-04:00",
            "01T01:00-05:00",
            "01T01:30-05:00"
        ]
    );
}

#[test]
fn apia_runs_the_job_of_the_day_that_it_skipped_at_the_end_of_the_gap() {
    let runs = runs(
        "0 30 2 * * *",
        "Pacific/Apia",
        "2011-12-29T00:00:00Z",
        "2012-01-01T00:00:00Z",
    );
    assert_eq!(
        runs,
        [
            "29T02:30-10:00",
            "31T00:00+14:00",
            "31T02:30+14:00",
            "01T02:30+14:00"
        ]
    );
}

#[test]
fn apia_midnight_runs_once_after_the_gap_of_a_day() {
    let runs = runs(
        "@daily",
        "Pacific/Apia",
        "2011-12-29T12:00:00Z",
        "2011-12-31T12:00:00Z",
    );
    assert_eq!(runs, ["31T00:00+14:00", "01T00:00+14:00"]);
}

#[test]
fn a_gap_that_ends_on_the_next_day_still_runs_the_job_of_the_day_before() {
    // Nuuk goes from Saturday 23:00 to Sunday 00:00.
    let runs = runs(
        "0 30 23 * * SAT",
        "America/Nuuk",
        "2026-03-25T00:00:00Z",
        "2026-04-06T00:00:00Z",
    );
    assert_eq!(runs, ["29T00:00-01:00", "04T23:30-01:00"]);
}

#[test]
fn troll_skips_and_repeats_two_hours() {
    let gap = runs(
        "0 30 1 * * *",
        "Antarctica/Troll",
        "2026-03-28T12:00:00Z",
        "2026-03-29T12:00:00Z",
    );
    assert_eq!(gap, ["29T03:00+02:00"]);
    let fold = runs(
        "0 30 1 * * *",
        "Antarctica/Troll",
        "2026-10-24T12:00:00Z",
        "2026-10-25T12:00:00Z",
    );
    assert_eq!(fold, ["25T01:30+02:00"]);
}

#[test]
fn dublin_has_its_negative_summer_time_like_any_other() {
    let gap = runs(
        "30 1 * * *",
        "Europe/Dublin",
        "2026-03-28T12:00:00Z",
        "2026-03-29T12:00:00Z",
    );
    assert_eq!(gap, ["29T02:00+01:00"]);
    let fold = runs(
        "30 1 * * *",
        "Europe/Dublin",
        "2026-10-24T12:00:00Z",
        "2026-10-25T12:00:00Z",
    );
    assert_eq!(fold, ["25T01:30+01:00"]);
}

#[test]
fn casablanca_changes_twice_around_ramadan() {
    let fold = runs(
        "30 2 * * *",
        "Africa/Casablanca",
        "2026-02-14T12:00:00Z",
        "2026-02-15T12:00:00Z",
    );
    assert_eq!(fold, ["15T02:30+01:00"]);
    let gap = runs(
        "30 2 * * *",
        "Africa/Casablanca",
        "2026-03-21T12:00:00Z",
        "2026-03-22T12:00:00Z",
    );
    assert_eq!(gap, ["22T03:00+01:00"]);
}

#[test]
fn london_midnight_runs_once_in_the_hour_before_the_gap() {
    let runs = runs(
        "0 0 * * *",
        "Europe/London",
        "2026-03-28T12:00:00Z",
        "2026-03-30T12:00:00Z",
    );
    assert_eq!(runs, ["29T00:00+00:00", "30T00:00+01:00"]);
}

#[test]
fn monrovia_skips_a_part_of_an_hour_with_seconds() {
    let schedule = CronSchedule::parse("0 30 0 * * *").unwrap();
    let next = schedule.next_after(
        at("1972-01-06T12:00:00Z"),
        "Africa/Monrovia".parse().unwrap(),
    );
    assert_eq!(next, Some(at("1972-01-07T00:44:30Z")));
}

#[test]
fn a_fraction_of_a_second_waits_for_the_next_whole_one() {
    let schedule = CronSchedule::parse("* * * * * *").unwrap();
    let next = schedule.next_after(
        at("2026-11-01T05:59:59.500Z"),
        "America/New_York".parse().unwrap(),
    );
    assert_eq!(next, Some(at("2026-11-01T06:00:00Z")));
}

#[test]
fn every_second_crosses_the_gap_of_a_day_at_once() {
    let schedule = CronSchedule::parse("* * * * * *").unwrap();
    let next = schedule.next_after(at("2011-12-30T09:59:59Z"), "Pacific/Apia".parse().unwrap());
    assert_eq!(next, Some(at("2011-12-30T10:00:00Z")));
}

/// A pattern of minutes, hours and days, and whether it names fixed times.
#[derive(Debug)]
struct Case {
    text: String,
    fixed: bool,
}

impl Case {
    fn new(text: &str, fixed: bool) -> Self {
        let text = text.to_owned();
        Self { text, fixed }
    }

    /// The runs in `(from, to]`: each minute is asked what the clocks show.
    ///
    /// `from` is so far before a change of the clock that no time after it was shown before.
    fn oracle(&self, zone: Zone, from: Instant, to: Instant) -> Vec<Instant> {
        let cron: Cron = self.text.parse().unwrap();
        let matches = |shown: NaiveDateTime| cron.is_time_matching(&shown).unwrap();
        let mut latest = shown(zone, from);
        let mut runs = Vec::new();
        for minute in successors(Some(from + MINUTE), |minute| Some(*minute + MINUTE))
            .take_while(|minute| *minute <= to)
        {
            let now = shown(zone, minute);
            let runs_now = if self.fixed {
                // All that the clocks reach in this minute for the first time.
                successors(Some(latest + MINUTE), |time| Some(*time + MINUTE))
                    .take_while(|time| *time <= now)
                    .any(matches)
            } else {
                matches(now)
            };
            if runs_now {
                runs.push(minute);
            }
            latest = latest.max(now);
        }
        runs
    }

    /// Compares with the oracle for `hours` before and after a change of the clock.
    fn check(&self, zone: Zone, change: Instant, hours: i64) {
        let around = TimeDelta::hours(hours);
        let (from, to) = (change - around, change + around);
        let schedule = CronSchedule::parse(&self.text).unwrap();
        let runs: Vec<_> = schedule_runs(&schedule, zone, from, to).collect();
        assert_eq!(
            runs,
            self.oracle(zone, from, to),
            "{} {zone} {change}",
            self.text
        );
    }

    /// Every instant between two runs has the second of them as its next.
    fn check_consistency(&self, zone: Zone, change: Instant) {
        let (from, to) = (change - TimeDelta::hours(4), change + TimeDelta::hours(4));
        let schedule = CronSchedule::parse(&self.text).unwrap();
        let mut next = schedule.next_after(from, zone);
        let steps = successors(Some(from), |time| Some(*time + TimeDelta::seconds(30)));
        for time in steps.take_while(|time| *time < to) {
            if next.is_some_and(|next| next <= time) {
                next = schedule.next_after(next.unwrap(), zone);
            }
            assert_eq!(
                schedule.next_after(time, zone),
                next,
                "{} {zone} {time}",
                self.text
            );
        }
    }
}

fn shown(zone: Zone, instant: Instant) -> NaiveDateTime {
    zone.local(instant).naive_local()
}

/// The whole minutes of `year` at which the clocks of `zone` change.
fn changes(zone: Tz, year: i32) -> Vec<Instant> {
    let offset = |time: Instant| zone.offset_from_utc_datetime(&time.naive_utc()).fix();
    let start = Utc.with_ymd_and_hms(year, 1, 1, 0, 0, 0).unwrap();
    let step = TimeDelta::hours(12);
    (0..2 * 366)
        .map(|half_day| start + step * half_day)
        .filter(|time| offset(*time) != offset(*time + step))
        .map(|time| {
            let mut minutes = successors(Some(time), |minute| Some(*minute + MINUTE));
            minutes
                .find(|minute| offset(*minute) != offset(time))
                .unwrap()
        })
        .collect()
}

#[test]
fn all_zones_follow_the_rule_at_each_change() {
    let cases = [
        Case::new("0,30 0,1,2,14 * * *", true),
        Case::new("45 23 L * *", true),
        Case::new("*/15 * * * *", false),
        Case::new("20 0-3 * * SAT,SUN", false),
    ];
    for tz in TZ_VARIANTS {
        for change in changes(tz, 2026) {
            for case in &cases {
                case.check(tz.name().parse().unwrap(), change, 5);
            }
        }
    }
}

fn minute_list() -> impl Strategy<Value = String> {
    prop::collection::btree_set(0..60_u32, 1..4).prop_map(list)
}

fn hour_list() -> impl Strategy<Value = String> {
    prop::collection::btree_set(0..24_u32, 1..12).prop_map(list)
}

fn list(values: impl IntoIterator<Item = u32>) -> String {
    let values: Vec<_> = values.into_iter().map(|value| value.to_string()).collect();
    values.join(",")
}

fn case() -> impl Strategy<Value = Case> {
    let fixed = (minute_list(), hour_list()).prop_map(|(m, h)| (format!("{m} {h}"), true));
    let steps = (1..60_u32, 0..24_u32).prop_map(|(m, h)| (format!("*/{m} {h}-23"), false));
    let each_hour = minute_list().prop_map(|m| (format!("{m} *"), false));
    let each_minute = hour_list().prop_map(|h| (format!("* {h}"), false));
    let days = prop_oneof![
        3 => Just("* * *".to_owned()),
        1 => (1..31_u32).prop_map(|day| format!("{day},L * *")),
        1 => (0..7_u32).prop_map(|day| format!("* * {day}")),
    ];
    (prop_oneof![fixed, steps, each_hour, each_minute], days).prop_map(|((times, fixed), days)| {
        Case {
            text: format!("{times} {days}"),
            fixed,
        }
    })
}

/// A zone and an instant at which its clocks change.
fn change() -> impl Strategy<Value = (Zone, Instant)> {
    // Before 1973 clocks were set to fractions of a minute.
    let year_of_zone = (0..TZ_VARIANTS.len(), 1973..2100_i32);
    (year_of_zone, any::<prop::sample::Index>()).prop_filter_map(
        "no change of the clock",
        |((zone, year), index)| {
            let changes = changes(TZ_VARIANTS[zone], year);
            let change = (!changes.is_empty()).then(|| *index.get(&changes))?;
            Some((TZ_VARIANTS[zone].name().parse().unwrap(), change))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, max_local_rejects: 100_000, ..Default::default() })]

    #[test]
    fn any_pattern_follows_the_rule_in_any_zone(case in case(), (zone, change) in change()) {
        case.check(zone, change, 27);
    }

    #[test]
    fn every_instant_between_two_runs_has_the_same_next(case in case(), (zone, change) in change()) {
        case.check_consistency(zone, change);
    }
}
