use super::*;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_hours(1);
const NOON: &str = "2026-03-10T12:00:00Z";

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// Noon, a day after the machine started.
fn noon() -> Now {
    Now {
        wall: instant(NOON),
        monotonic: Monotonic::ZERO + 24 * HOUR,
    }
}

impl Now {
    /// Time passes.
    fn after(self, passed: Duration) -> Self {
        Self {
            wall: self.wall + passed,
            monotonic: self.monotonic + passed,
        }
    }

    /// Somebody sets the wall clock.
    fn set(self, wall: &str) -> Self {
        Self {
            wall: instant(wall),
            ..self
        }
    }
}

fn cron(pattern: &str) -> Schedule {
    Schedule::new(
        Trigger::Cron(pattern.parse().unwrap(), Zone::UTC),
        Duration::ZERO,
    )
}

fn wall(text: &str) -> Due {
    Due::Wall(instant(text))
}

fn monotonic(now: Now, passed: Duration) -> Due {
    Due::Monotonic(now.monotonic + passed)
}

fn fire_time(text: &str) -> FireTime {
    FireTime(instant(text))
}

#[test]
fn a_cron_schedule_starts_with_the_first_instant_after_the_start() {
    assert_eq!(
        cron("0 0 12 * * *").start(noon()),
        Some(wall("2026-03-11T12:00:00Z"))
    );
}

#[test]
fn a_cron_instant_at_the_end_of_the_initial_delay_counts() {
    let every_hour = Trigger::Cron("0 0 * * * *".parse().unwrap(), Zone::UTC);
    let mut schedule = Schedule::new(every_hour, 2 * HOUR);
    assert_eq!(schedule.start(noon()), Some(wall("2026-03-10T14:00:00Z")));
}

#[test]
fn a_clock_that_is_set_during_the_initial_delay_does_not_end_it() {
    let every_hour = Trigger::Cron("0 0 * * * *".parse().unwrap(), Zone::UTC);
    let mut schedule = Schedule::new(every_hour, 2 * HOUR);
    schedule.start(noon());
    let set = noon().set("2026-03-10T06:30:00Z");
    assert_eq!(
        schedule.clock_set(set),
        Some(instant("2026-03-10T09:00:00Z"))
    );
}

#[test]
fn each_cron_instant_follows_the_one_before() {
    let mut schedule = cron("0 */10 * * * *");
    schedule.start(noon());
    let due = noon().after(600 * SECOND);
    assert_eq!(schedule.fire(due), Some(fire_time("2026-03-10T12:10:00Z")));
    assert_eq!(schedule.advance(due), Some(wall("2026-03-10T12:20:00Z")));
}

#[test]
fn of_the_cron_instants_missed_in_a_stall_only_the_latest_fires() {
    let mut schedule = cron("* * * * * *");
    schedule.start(noon());
    let woken = noon().after(3 * HOUR + SECOND / 2);
    assert_eq!(
        schedule.fire(woken),
        Some(fire_time("2026-03-10T15:00:00Z"))
    );
    assert_eq!(schedule.advance(woken), Some(wall("2026-03-10T15:00:01Z")));
}

#[test]
fn the_latest_of_the_missed_instants_is_the_one_that_a_search_in_order_finds() {
    let cron: CronSchedule = "7,8,40-50 */7 * * * *".parse().unwrap();
    let start = cron.next_after(instant(NOON), Zone::UTC).unwrap();
    for seconds in 0..3_000 {
        let now = start + seconds * SECOND + SECOND / 3;
        let following = |at: &DateTime<Utc>| cron.next_after(*at, Zone::UTC);
        let in_order = std::iter::successors(Some(start), following)
            .take_while(|at| *at <= now)
            .last();
        assert_eq!(Some(latest_until(&cron, Zone::UTC, start, now)), in_order);
    }
}

#[test]
fn years_of_missed_instants_are_passed_over_at_once() {
    let mut schedule = cron("* * * * * *");
    schedule.start(noon());
    let set = noon().set("2046-03-10T12:00:00Z");
    assert_eq!(schedule.clock_set(set), Some(instant(NOON) + SECOND));
    assert_eq!(schedule.fire(set), Some(fire_time("2046-03-10T12:00:00Z")));
    assert_eq!(schedule.advance(set), Some(wall("2046-03-10T12:00:01Z")));
}

#[test]
fn a_clock_set_back_does_not_fire_a_daily_instant_again() {
    let mut schedule = cron("0 0 13 * * *");
    schedule.start(noon());
    let due = noon().after(HOUR);
    schedule.fire(due);
    schedule.advance(due);
    let set = due.set("2026-03-10T12:30:00Z");
    assert_eq!(
        schedule.clock_set(set),
        Some(instant("2026-03-11T13:00:00Z"))
    );
}

#[test]
fn a_clock_set_back_a_little_does_not_fire_an_instant_again() {
    let mut schedule = cron("* * * * * *");
    schedule.start(noon());
    let due = noon().after(SECOND);
    schedule.fire(due);
    schedule.advance(due);
    let set = due.set("2026-03-10T12:00:00.900Z");
    assert_eq!(
        schedule.clock_set(set),
        Some(instant("2026-03-10T12:00:02Z"))
    );
}

#[test]
fn a_clock_set_back_an_hour_does_not_silence_a_schedule_of_each_second() {
    let mut schedule = cron("* * * * * *");
    schedule.start(noon());
    let due = noon().after(SECOND);
    schedule.fire(due);
    schedule.advance(due);
    let set = due.set("2026-03-10T11:00:00Z");
    assert_eq!(
        schedule.clock_set(set),
        Some(instant("2026-03-10T11:00:01Z"))
    );
    let due = set.after(SECOND);
    assert_eq!(schedule.fire(due), Some(fire_time("2026-03-10T11:00:01Z")));
    assert_eq!(schedule.advance(due), Some(wall("2026-03-10T11:00:02Z")));
}

#[test]
fn a_clock_set_back_ten_years_does_not_end_a_daily_schedule() {
    let mut schedule = cron("0 0 13 * * *");
    schedule.start(noon());
    let due = noon().after(HOUR);
    schedule.fire(due);
    schedule.advance(due);
    let set = due.set("2016-03-10T12:30:00Z");
    assert_eq!(
        schedule.clock_set(set),
        Some(instant("2016-03-10T13:00:00Z"))
    );
}

#[test]
fn a_fixed_rate_starts_after_the_initial_delay() {
    let mut schedule = Schedule::new(Trigger::FixedRate(HOUR), SECOND);
    assert_eq!(schedule.start(noon()), Some(monotonic(noon(), SECOND)));
    assert_eq!(
        schedule.fire(noon().after(SECOND)),
        Some(fire_time("2026-03-10T12:00:01Z"))
    );
}

#[test]
fn a_fixed_rate_keeps_its_phase_however_late_it_is_woken() {
    let mut schedule = Schedule::new(Trigger::FixedRate(10 * SECOND), Duration::ZERO);
    schedule.start(noon());
    let late = noon().after(3 * SECOND);
    assert_eq!(schedule.fire(late), Some(fire_time(NOON)));
    assert_eq!(schedule.advance(late), Some(monotonic(noon(), 10 * SECOND)));
}

#[test]
fn missed_periods_of_a_fixed_rate_are_one_run() {
    let mut schedule = Schedule::new(Trigger::FixedRate(10 * SECOND), Duration::ZERO);
    schedule.start(noon());
    let late = noon().after(35 * SECOND);
    assert_eq!(schedule.fire(late), Some(fire_time("2026-03-10T12:00:30Z")));
    assert_eq!(schedule.advance(late), Some(monotonic(noon(), 40 * SECOND)));
}

#[test]
fn a_clock_that_is_set_does_not_move_a_fixed_rate() {
    let mut schedule = Schedule::new(Trigger::FixedRate(10 * SECOND), Duration::ZERO);
    schedule.start(noon());
    let set = noon().after(SECOND).set("2020-01-01T00:00:00Z");
    assert_eq!(schedule.clock_set(set), None);
    assert_eq!(schedule.advance(set), Some(monotonic(noon(), 10 * SECOND)));
}

#[test]
fn a_fixed_delay_counts_from_the_end_of_the_run() {
    let mut schedule = Schedule::new(Trigger::FixedDelay(10 * SECOND), Duration::ZERO);
    assert_eq!(
        schedule.start(noon()),
        Some(monotonic(noon(), Duration::ZERO))
    );
    schedule.fire(noon());
    assert_eq!(schedule.advance(noon()), None);
    let end = noon().after(HOUR);
    assert_eq!(schedule.run_ended(end), Some(monotonic(end, 10 * SECOND)));
}

#[test]
fn the_longest_periods_do_not_overflow() {
    let mut schedule = Schedule::new(Trigger::FixedRate(Duration::MAX), Duration::MAX);
    schedule.start(noon());
    schedule.advance(noon());
    schedule.fire(noon());
    assert!(schedule.next(noon()).is_some());
}
