//! When the instants of one trigger are: pure, told by its caller what the clocks show.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use shedlock_core::{CronSchedule, Zone};

use crate::{FireTime, Trigger, queue::Due, timer::Monotonic};

/// What both clocks show, read together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) wall: DateTime<Utc>,
    pub(crate) monotonic: Monotonic,
}

impl Now {
    pub(crate) fn read() -> Self {
        Self {
            wall: Utc::now(),
            monotonic: Monotonic::now(),
        }
    }

    /// What the wall clock shows when the other one is there, as far as can be known now.
    pub(crate) fn wall_at(self, monotonic: Monotonic) -> DateTime<Utc> {
        let ago = delta(self.monotonic.saturating_duration_since(monotonic));
        let ahead = delta(monotonic.saturating_duration_since(self.monotonic));
        self.wall
            .checked_add_signed(ahead - ago)
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

/// The instants of one trigger, one after the other.
#[derive(Debug)]
pub(crate) struct Schedule {
    trigger: Trigger,
    initial_delay: Duration,
    /// The start and the initial delay.
    not_before: Monotonic,
    next: Option<Due>,
    fired: Option<DateTime<Utc>>,
}

impl Schedule {
    pub(crate) fn new(trigger: Trigger, initial_delay: Duration) -> Self {
        Self {
            trigger,
            initial_delay,
            not_before: Monotonic::now(),
            next: None,
            fired: None,
        }
    }

    /// The next instant as the wall clock will show it, unless it is not known yet.
    pub(crate) fn next(&self, now: Now) -> Option<DateTime<Utc>> {
        self.next.map(|due| match due {
            Due::Wall(at) => at,
            Due::Monotonic(at) => now.wall_at(at),
        })
    }

    /// The first instant.
    pub(crate) fn start(&mut self, now: Now) -> Option<Due> {
        self.not_before = now.monotonic + self.initial_delay;
        self.next = match &self.trigger {
            Trigger::Cron(cron, zone) => self.next_cron(cron, *zone, now).map(Due::Wall),
            Trigger::FixedRate(_) | Trigger::FixedDelay(_) => Some(Due::Monotonic(self.not_before)),
        };
        self.next
    }

    /// The instant that is due: of several that were missed the latest, which stands for all.
    pub(crate) fn fire(&mut self, now: Now) -> Option<FireTime> {
        let fired = match (&self.trigger, self.next?) {
            (Trigger::Cron(cron, zone), Due::Wall(at)) => {
                let latest = latest_until(cron, *zone, at, now.wall);
                self.fired = Some(latest);
                latest
            }
            (Trigger::FixedRate(period), Due::Monotonic(at)) => {
                now.wall_at(latest_period(at, *period, now.monotonic))
            }
            (_, Due::Monotonic(at)) => now.wall_at(at),
            (_, Due::Wall(at)) => at,
        };
        Some(FireTime(fired))
    }

    /// The instant after the one that was fired; a fixed delay has none until the run has ended.
    pub(crate) fn advance(&mut self, now: Now) -> Option<Due> {
        self.next = match (&self.trigger, self.next) {
            (Trigger::Cron(cron, zone), _) => self.next_cron(cron, *zone, now).map(Due::Wall),
            (Trigger::FixedRate(period), Some(Due::Monotonic(at))) => Some(Due::Monotonic(
                latest_period(at, *period, now.monotonic) + *period,
            )),
            _ => None,
        };
        self.next
    }

    /// The instant after a run that has just ended, if the delay counts from there.
    pub(crate) fn run_ended(&mut self, now: Now) -> Option<Due> {
        if let Trigger::FixedDelay(delay) = self.trigger {
            self.next = Some(Due::Monotonic(now.monotonic + delay));
        }
        self.next
    }

    /// The next instant after the wall clock was set. One that has come stays and is due.
    pub(crate) fn clock_set(&mut self, now: Now) -> Option<DateTime<Utc>> {
        let (Trigger::Cron(cron, zone), Some(Due::Wall(at))) = (&self.trigger, self.next) else {
            return None;
        };
        if at <= now.wall {
            return Some(at);
        }
        let next = self.next_cron(cron, *zone, now);
        self.next = next.map(Due::Wall);
        next
    }

    /// The first instant after now and the initial delay.
    ///
    /// A clock that was set back comes by instants that have been fired. They are passed over as
    /// long as that is shorter than the wait for the next one; beyond that the clock was corrected,
    /// and what it shows counts.
    fn next_cron(&self, cron: &CronSchedule, zone: Zone, now: Now) -> Option<DateTime<Utc>> {
        let delay = self.not_before.saturating_duration_since(now.monotonic);
        let after = match delay {
            Duration::ZERO => now.wall,
            // An instant exactly at the end of the delay counts.
            delay => now
                .wall
                .checked_add_signed(delta(delay) - TimeDelta::nanoseconds(1))?,
        };
        let next = cron.next_after(after, zone);
        let Some(fired) = self.fired.filter(|fired| *fired > after) else {
            return next;
        };
        let following = cron.next_after(fired, zone)?;
        if fired - after < following - fired {
            Some(following)
        } else {
            next
        }
    }
}

/// The last instant of the pattern up to `now`, given one of them.
fn latest_until(
    cron: &CronSchedule,
    zone: Zone,
    instant: DateTime<Utc>,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    let (mut latest, mut none_after) = (instant, now);
    // Instants are whole seconds. Halving finds one among millions in a few steps.
    while none_after - latest >= TimeDelta::seconds(1) {
        let middle = latest + (none_after - latest) / 2;
        match cron.next_after(middle, zone) {
            Some(next) if next <= now => latest = next,
            _ => none_after = middle,
        }
    }
    latest
}

/// The last multiple of the period from `at` up to `now`.
fn latest_period(at: Monotonic, period: Duration, now: Monotonic) -> Monotonic {
    let passed = now.saturating_duration_since(at);
    let since = passed.as_nanos() % period.as_nanos().max(1);
    at + passed.saturating_sub(Duration::from_nanos_u128(since))
}

fn delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests;
