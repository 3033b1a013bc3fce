//! What compiles and is probably not meant: a warning of the compiler, at the text.
//!
//! Only a deprecation can be made to say anything on a stable compiler.

use std::{fmt, time::Duration};

use chrono::{DateTime, TimeDelta};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use shedlock_core::{CronSchedule, Zone, format_duration};

use crate::{
    arguments::{Given, nearest},
    errors::Errors,
    lock::{Limit, LockDefinition},
    text::Text,
    trigger::TriggerDefinition,
};

const TEN_SECONDS: Duration = Duration::from_secs(10);
const DAY: Duration = Duration::from_hours(24);

pub(crate) struct Warning {
    kind: Kind,
    place: Text,
    note: String,
}

/// The name by which a warning is switched off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    ShortPeriod,
    LongLockAtLeastFor,
    ShortLockAtMostFor,
}

/// The warnings that the attribute's `allow` switches off.
pub(crate) struct Allowed(Vec<Kind>);

/// The warnings about a task and its lock. A task without a lock has none.
pub(crate) fn of(
    trigger: &TriggerDefinition,
    lock: Option<&LockDefinition>,
    allowed: &Allowed,
) -> Vec<Warning> {
    let (Some((text, period)), Some(lock)) = (period(trigger), lock) else {
        return Vec::new();
    };
    let is_fixed_rate = matches!(trigger, TriggerDefinition::FixedRate(_));
    let most = lock.lock_at_most_for().and_then(known);
    let least = lock.lock_at_least_for().and_then(known);
    let shown = format_duration(period);
    let mut warnings = Vec::new();
    let mut warn = |kind: Kind, place: &Text, note: String| {
        if !allowed.0.contains(&kind) {
            let note = format!("{note}, or write `allow = \"{kind}\"` in `#[scheduled]`");
            let place = place.clone();
            warnings.push(Warning { kind, place, note });
        }
    };
    if period < TEN_SECONDS && lock.lock_at_least_for().is_none() {
        let half = format_duration(period / 2);
        warn(
            Kind::ShortPeriod,
            text,
            format!(
                "this job fires every {shown} and its lock has no `lock_at_least_for`: when a run is shorter than the difference between two nodes' clocks, each node runs it; give the lock one, such as `lock_at_least_for = \"{half}\"`"
            ),
        );
    }
    if let Some((text, least)) = least
        && least >= period
    {
        let least = format_duration(least);
        warn(
            Kind::LongLockAtLeastFor,
            text,
            format!(
                "this job fires every {shown} and its lock is kept for at least {least}: every second run or more is skipped; give `lock_at_least_for` less than the period"
            ),
        );
    }
    if let Some((text, most)) = most {
        let shown_most = format_duration(most);
        if is_fixed_rate && most < period {
            warn(
                Kind::ShortLockAtMostFor,
                text,
                format!(
                    "this job fires every {shown} and its lock ends after {shown_most}: a run that takes longer goes on without it; give `lock_at_most_for` the period or more"
                ),
            );
        } else if period >= DAY && most < TEN_SECONDS {
            warn(
                Kind::ShortLockAtMostFor,
                text,
                format!(
                    "this job fires once a day or less and its lock ends after {shown_most}: a run that takes longer goes on without it; give `lock_at_most_for` longer than the job ever takes"
                ),
            );
        }
    }
    warnings
}

/// The text that says when a task fires, and the shortest time between two runs.
fn period(trigger: &TriggerDefinition) -> Option<(&Text, Duration)> {
    match trigger {
        TriggerDefinition::FixedRate(period) | TriggerDefinition::FixedDelay(period) => {
            Some((&period.text, period.known?))
        }
        TriggerDefinition::Cron { cron, schedule, .. } => {
            Some((cron, shortest_interval(schedule.as_ref()?)?))
        }
    }
}

fn known(limit: &Limit) -> Option<(&Text, Duration)> {
    Some((&limit.text, limit.known?))
}

/// The shortest time between the first runs: those of a day, and those of a minute if it fires in
/// each second.
fn shortest_interval(schedule: &CronSchedule) -> Option<Duration> {
    const ENOUGH: usize = 61;
    let start = DateTime::UNIX_EPOCH - TimeDelta::seconds(1);
    let mut before = schedule.next_after(start, Zone::UTC)?;
    let mut shortest: Option<Duration> = None;
    for _ in 0..ENOUGH {
        let next = schedule.next_after(before, Zone::UTC)?;
        let interval = (next - before).to_std().ok()?;
        shortest = Some(shortest.map_or(interval, |shortest| shortest.min(interval)));
        // It fires once on a day, or can't fire sooner.
        if interval >= DAY || interval == Duration::from_secs(1) {
            break;
        }
        before = next;
    }
    shortest
}

impl Kind {
    const ALL: [Self; 3] = [
        Self::ShortPeriod,
        Self::LongLockAtLeastFor,
        Self::ShortLockAtMostFor,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::ShortPeriod => "short_period",
            Self::LongLockAtLeastFor => "long_lock_at_least_for",
            Self::ShortLockAtMostFor => "short_lock_at_most_for",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Allowed {
    /// Reads `allow = "short_period, .."`.
    pub(crate) fn read(given: Option<Given<Text>>, errors: &mut Errors) -> Self {
        let Some(text) = given.and_then(|given| given.value) else {
            return Self(Vec::new());
        };
        let all = text.value();
        let kinds = all.split(',').filter_map(|name| {
            let name = name.trim();
            let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
            if kind.is_none() {
                errors.at(&text, unknown(name));
            }
            kind
        });
        Self(kinds.collect())
    }
}

fn unknown(name: &str) -> String {
    let names = Kind::ALL.map(Kind::name);
    match nearest(name, &names) {
        Some(meant) => format!("unknown warning `{name}`; did you mean `{meant}`?"),
        None => format!(
            "unknown warning `{name}`; expected one or more of `{}`, with commas between them",
            names.join("`, `")
        ),
    }
}

impl ToTokens for Warning {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let span = self.place.span().resolved_at(Span::mixed_site());
        let (name, note) = (Ident::new(self.kind.name(), span), &self.note);
        tokens.extend(quote_spanned! {span=>
            const _: () = {
                #[deprecated(note = #note)]
                const fn #name() {}
                #name()
            };
        });
    }
}
