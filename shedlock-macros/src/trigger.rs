use std::{iter, time::Duration};

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use shedlock_core::{CronError, CronSchedule, DayMatch, Zone, parse_positive_duration};

use crate::{
    arguments::{Arguments, Given},
    errors::Errors,
    text::{Text, optional},
};

const KINDS: [&str; 3] = ["cron", "fixed_rate", "fixed_delay"];
/// The cron text of a task that never runs.
const DISABLED: &str = "-";

/// When the task runs, as `#[scheduled]` has it.
pub(crate) struct WrittenTrigger {
    first: Option<Given<Text>>,
    further: Vec<Given<Text>>,
    zone: Option<Given<Text>>,
    day_match: Option<Given<Text>>,
}

/// A trigger whose texts are right as far as that is known while compiling.
pub(crate) enum TriggerDefinition {
    Cron {
        cron: Text,
        zone: Option<Text>,
        day_match: Option<DayMatch>,
        /// Unless it is disabled, or known at the start only.
        schedule: Option<CronSchedule>,
    },
    FixedRate(Period),
    FixedDelay(Period),
}

pub(crate) struct Period {
    pub(crate) text: Text,
    /// Unless it is known at the start only.
    pub(crate) known: Option<Duration>,
}

impl WrittenTrigger {
    pub(crate) fn parse(arguments: &mut Arguments, errors: &mut Errors) -> Self {
        Self {
            first: arguments.text_of_any(&KINDS, errors),
            further: iter::from_fn(|| arguments.text_of_any(&KINDS, errors)).collect(),
            zone: arguments.text("zone", errors),
            day_match: arguments.text("day_match", errors),
        }
    }

    pub(crate) fn check(self, errors: &mut Errors) -> Option<TriggerDefinition> {
        let Some(Given { key, value }) = self.first else {
            errors.missing(
                "missing a trigger: add `cron = \"...\"`, `fixed_rate = \"...\"` or `fixed_delay = \"...\"`",
            );
            return None;
        };
        for Given { key: further, .. } in &self.further {
            errors.at(
                further,
                format!("`{further}` cannot be combined with `{key}`; keep one"),
            );
        }
        if key != "cron" {
            refuse_without_cron(self.zone.as_ref(), &key, "time of day", errors);
            refuse_without_cron(self.day_match.as_ref(), &key, "days", errors);
        }
        let zone = self.zone.and_then(|given| given.value);
        if let Some(zone) = &zone {
            zone.read(errors, str::parse::<Zone>);
        }
        // Of a wrong text it is not known which days it restricts.
        let day_match_given = self.day_match.is_some();
        let day_match = self.day_match.and_then(|given| given.value);
        let day_match = day_match.and_then(|text| text.read_literal(errors, str::parse));
        let text = value?;
        if key == "cron" {
            let read = |text: &str| read_cron(text, day_match);
            let schedule = match day_match {
                None if day_match_given => None,
                _ => text.read_with_span(errors, read, CronError::span).flatten(),
            };
            return Some(TriggerDefinition::Cron {
                cron: text,
                zone,
                day_match,
                schedule,
            });
        }
        let known = text.read(errors, parse_positive_duration);
        let period = Period { text, known };
        Some(if key == "fixed_rate" {
            TriggerDefinition::FixedRate(period)
        } else {
            TriggerDefinition::FixedDelay(period)
        })
    }
}

fn refuse_without_cron(
    given: Option<&Given<Text>>,
    trigger: &Ident,
    lacks: &str,
    errors: &mut Errors,
) {
    if let Some(Given { key, .. }) = given {
        let message = format!("`{key}` goes with `cron`: a `{trigger}` has no {lacks}");
        errors.at(key, message);
    }
}

/// `None` if the text disables the task.
fn read_cron(text: &str, day_match: Option<DayMatch>) -> Result<Option<CronSchedule>, CronError> {
    match day_match {
        _ if text == DISABLED => Ok(None),
        None => CronSchedule::parse(text).map(Some),
        Some(day_match) => CronSchedule::parse_with(text, day_match).map(Some),
    }
}

/// The `TriggerDefinition`, for code that names `__private` `__p`.
impl ToTokens for TriggerDefinition {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Cron {
                cron,
                zone,
                day_match,
                ..
            } => {
                let zone = optional(zone.as_ref());
                let day_match = optional(day_match.map(|day_match| match day_match {
                    DayMatch::Any => quote!(__p::DayMatch::Any),
                    DayMatch::All => quote!(__p::DayMatch::All),
                }));
                quote! {
                    __p::TriggerDefinition::Cron { cron: #cron, zone: #zone, day_match: #day_match }
                }
            }
            Self::FixedRate(Period { text, .. }) => {
                quote!(__p::TriggerDefinition::FixedRate(#text))
            }
            Self::FixedDelay(Period { text, .. }) => {
                quote!(__p::TriggerDefinition::FixedDelay(#text))
            }
        });
    }
}
