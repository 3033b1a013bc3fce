use chrono::{DateTime, LocalResult, NaiveDateTime, Offset as _, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

use super::pattern::Pattern;

const SECOND: TimeDelta = TimeDelta::seconds(1);
/// More than any zone's distance from UTC.
const LARGEST_OFFSET: TimeDelta = TimeDelta::hours(16);

// croner is asked for wall clock times only. Its own search in a zone takes a list of times for an
// interval, drops a run whose gap ends on a day that the pattern doesn't name, and fails at a gap
// of more than two hours, such as the day that Apia skipped.
impl Pattern {
    /// See [`CronSchedule::next_after`](super::CronSchedule::next_after), which states the rule.
    pub(super) fn next_after(&self, after: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
        let next = self.search(local(after, zone)?, after, zone);
        if self.has_fixed_times() {
            return next;
        }
        // The search walks the wall clock forwards and so passes a repeated range once. From its
        // first pass, the second one still lies ahead.
        match end_of_first_pass(after, zone) {
            Some(turn) if next.is_none_or(|next| next >= turn) => {
                self.search(local(turn, zone)? - SECOND, turn - SECOND, zone)
            }
            _ => next,
        }
    }

    /// The first run after `after` whose wall clock time is after `wall`.
    fn search(
        &self,
        mut wall: NaiveDateTime,
        after: DateTime<Utc>,
        zone: Tz,
    ) -> Option<DateTime<Utc>> {
        loop {
            wall = self.next_match(wall)?;
            let run = match zone.from_local_datetime(&wall) {
                LocalResult::Single(run) => run.to_utc(),
                LocalResult::Ambiguous(first, second) => {
                    if self.has_fixed_times() || first > after {
                        first.to_utc()
                    } else {
                        second.to_utc()
                    }
                }
                LocalResult::None => {
                    let end = end_of_gap(wall, zone)?;
                    if !self.has_fixed_times() {
                        wall = local(end, zone)? - SECOND;
                        continue;
                    }
                    end
                }
            };
            if run > after {
                return Some(run);
            }
        }
    }
}

/// What the clocks in `zone` show at `instant`, if the calendar reaches so far.
fn local(instant: DateTime<Utc>, zone: Tz) -> Option<NaiveDateTime> {
    let instant = instant.naive_utc();
    instant.checked_add_offset(zone.offset_from_utc_datetime(&instant).fix())
}

/// The first instant at which the clocks show more than `wall`, a time that they skip.
fn end_of_gap(wall: NaiveDateTime, zone: Tz) -> Option<DateTime<Utc>> {
    let middle = wall.and_utc();
    let before = middle.checked_sub_signed(LARGEST_OFFSET)?;
    let behind = middle.checked_add_signed(LARGEST_OFFSET)?;
    Some(first_instant(before, behind, |instant| {
        local(instant, zone).is_none_or(|shown| shown > wall)
    }))
}

/// The instant at which the clocks go back, if they show the time of `instant` once more after it.
fn end_of_first_pass(instant: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
    let LocalResult::Ambiguous(_, second) = zone.from_local_datetime(&local(instant, zone)?) else {
        return None;
    };
    let offset = |instant: DateTime<Utc>| zone.offset_from_utc_datetime(&instant.naive_utc()).fix();
    let first_offset = offset(instant);
    (instant < second).then(|| {
        first_instant(instant, second.to_utc(), |later| {
            offset(later) != first_offset
        })
    })
}

/// The first whole second in `(from, to]` at which `holds`, where it changes from no to yes once.
fn first_instant(
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    holds: impl Fn(DateTime<Utc>) -> bool,
) -> DateTime<Utc> {
    let (mut no, mut yes) = (from.timestamp(), to.timestamp());
    let instant = |seconds| DateTime::from_timestamp(seconds, 0).unwrap_or(to);
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        if holds(instant(middle)) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    instant(yes)
}
