use std::iter;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use shedlock_core::{CronError, CronSchedule, Zone, parse_positive_duration};

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
}

/// A trigger whose texts are right as far as that is known while compiling.
pub(crate) enum Trigger {
    Cron { cron: Text, zone: Option<Text> },
    FixedRate(Text),
    FixedDelay(Text),
}

impl WrittenTrigger {
    pub(crate) fn parse(arguments: &mut Arguments, errors: &mut Errors) -> Self {
        Self {
            first: arguments.text_of_any(&KINDS, errors),
            further: iter::from_fn(|| arguments.text_of_any(&KINDS, errors)).collect(),
            zone: arguments.text("zone", errors),
        }
    }

    pub(crate) fn check(self, errors: &mut Errors) -> Option<Trigger> {
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
        if let Some(Given { key: zone, .. }) = &self.zone
            && key != "cron"
        {
            errors.at(
                zone,
                format!("`{zone}` goes with `cron`: a `{key}` has no time of day"),
            );
        }
        let zone = self.zone.and_then(|given| given.value);
        if let Some(zone) = &zone {
            zone.read(errors, str::parse::<Zone>);
        }
        let text = value?;
        if key == "cron" {
            text.read_with_span(errors, check_cron, CronError::span);
            return Some(Trigger::Cron { cron: text, zone });
        }
        text.read(errors, parse_positive_duration);
        Some(if key == "fixed_rate" {
            Trigger::FixedRate(text)
        } else {
            Trigger::FixedDelay(text)
        })
    }
}

fn check_cron(text: &str) -> Result<(), CronError> {
    if text == DISABLED {
        return Ok(());
    }
    CronSchedule::parse(text).map(drop)
}

/// The `TriggerDefinition`, for code that names `__private` `__p`.
impl ToTokens for Trigger {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Cron { cron, zone } => {
                let zone = optional(zone.as_ref());
                quote!(__p::TriggerDefinition::Cron { cron: #cron, zone: #zone })
            }
            Self::FixedRate(period) => quote!(__p::TriggerDefinition::FixedRate(#period)),
            Self::FixedDelay(delay) => quote!(__p::TriggerDefinition::FixedDelay(#delay)),
        });
    }
}
