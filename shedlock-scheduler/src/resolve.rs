//! From the texts at a function to a [`Task`].

use std::{sync::Arc, time::Duration};

use shedlock_core::{
    DurationError, LockingExecutor, Zone, parse_duration, parse_positive_duration,
    resolve_placeholders,
};

use crate::{
    Task, TaskDefinition, TaskFunction, Trigger, TriggerDefinition,
    problem::{BuildProblemKind, Problems, TaskLocation},
    task::Body,
};

/// The cron text of a task that is switched off.
const DISABLED: &str = "-";

/// Stands for a trigger that can't be read, so that the rest of the task is checked too. It is never
/// waited for: with a problem no scheduler is built.
const UNREADABLE: Trigger = Trigger::FixedDelay(Duration::MAX);

/// The task of a definition, unless its cron text disables it. What can't be read is noted.
pub(crate) fn task(
    definition: &TaskDefinition,
    executor: &LockingExecutor,
    problems: &mut Problems,
) -> Option<Task> {
    let mut texts = Texts {
        task: TaskLocation {
            name: definition.name.into(),
            location: definition.location,
        },
        executor,
        problems,
    };
    let trigger = match definition.trigger {
        TriggerDefinition::Cron { cron, zone } => {
            let cron = texts.value("cron", cron);
            if cron.as_deref() == Some(DISABLED) {
                return None;
            }
            texts.cron(cron, zone)
        }
        TriggerDefinition::FixedRate(period) => texts
            .duration("fixed_rate", period, parse_positive_duration)
            .map(Trigger::FixedRate),
        TriggerDefinition::FixedDelay(delay) => texts
            .duration("fixed_delay", delay, parse_positive_duration)
            .map(Trigger::FixedDelay),
    };
    let initial_delay = definition
        .initial_delay
        .and_then(|delay| texts.duration("initial_delay", delay, parse_duration));
    let lock = definition.lock.and_then(|lock| {
        let configuration = executor.configuration(&lock);
        texts.noted(configuration.map_err(BuildProblemKind::from))
    });
    Some(Task {
        name: texts.task.name,
        location: definition.location,
        trigger: trigger.unwrap_or(UNREADABLE),
        initial_delay: initial_delay.unwrap_or_default(),
        lock,
        check: definition.check,
        body: match definition.function {
            TaskFunction::Async(function) => Body::Async(Arc::new(function)),
            TaskFunction::Blocking(function) => Body::Blocking(Arc::new(function)),
        },
    })
}

/// The texts of one definition: what is wrong with one is noted, and the next is read.
struct Texts<'a> {
    task: TaskLocation,
    executor: &'a LockingExecutor,
    problems: &'a mut Problems,
}

impl Texts<'_> {
    fn noted<T>(&mut self, result: Result<T, BuildProblemKind>) -> Option<T> {
        result
            .map_err(|problem| self.problems.push_of(&self.task, problem))
            .ok()
    }

    fn value(&mut self, argument: &'static str, text: &str) -> Option<String> {
        let value = resolve_placeholders(text, &|name| self.executor.placeholder(name));
        self.noted(value.map_err(|source| BuildProblemKind::Placeholder { argument, source }))
    }

    fn duration(
        &mut self,
        argument: &'static str,
        text: &str,
        parse: fn(&str) -> Result<Duration, DurationError>,
    ) -> Option<Duration> {
        let value = self.value(argument, text)?;
        self.noted(parse(&value).map_err(|source| BuildProblemKind::Duration { argument, source }))
    }

    fn cron(&mut self, cron: Option<String>, zone: Option<&str>) -> Option<Trigger> {
        let schedule =
            cron.and_then(|cron| self.noted(cron.parse().map_err(BuildProblemKind::Cron)));
        let zone = match zone {
            Some(zone) => self
                .value("zone", zone)
                .and_then(|zone| self.noted(zone.parse().map_err(BuildProblemKind::Zone))),
            None => Some(Zone::UTC),
        };
        Some(Trigger::Cron(schedule?, zone?))
    }
}
