//! `build()` says everything that is wrong, at once.

use std::time::Duration;

use shedlock_core::{LockConfiguration, LockDefinition, MemoryLockProvider};
use shedlock_scheduler::{
    BuildProblemKind, Data, FromRun, MissingData, RunContext, Scheduler, SchedulerBuilder, Task,
    TaskDefinition, TaskFunction, TaskFuture, Trigger, TriggerDefinition,
};

const ONCE: Trigger = Trigger::FixedRate(Duration::from_hours(1));

fn nothing(_: &RunContext) -> TaskFuture {
    Box::pin(async { Ok(()) })
}

fn defined(name: &'static str, trigger: TriggerDefinition) -> TaskDefinition {
    TaskDefinition {
        name,
        location: ("src/jobs.rs", 7),
        trigger,
        initial_delay: None,
        lock: None,
        check: |_| Vec::new(),
        function: TaskFunction::Async(nothing),
    }
}

fn cron(cron: &'static str, zone: Option<&'static str>) -> TaskDefinition {
    defined("report", TriggerDefinition::Cron { cron, zone })
}

fn locked(name: &'static str, at_most: &'static str, at_least: &'static str) -> TaskDefinition {
    TaskDefinition {
        lock: Some(LockDefinition {
            name,
            lock_at_most_for: Some(at_most),
            lock_at_least_for: Some(at_least),
        }),
        ..defined("report", TriggerDefinition::FixedRate("10s"))
    }
}

fn task(name: &'static str) -> Task {
    Task::new(name, ONCE, || async {})
}

fn lock(name: &str) -> LockConfiguration {
    LockConfiguration::new(name, Duration::from_mins(1)).unwrap()
}

fn with_locks() -> SchedulerBuilder {
    Scheduler::builder().lock_provider(MemoryLockProvider::new())
}

/// The one problem, as it is told.
#[track_caller]
fn problem(builder: SchedulerBuilder) -> String {
    let error = builder.build().unwrap_err();
    assert_eq!(error.problems().len(), 1, "{error}");
    error.problems()[0].to_string()
}

#[track_caller]
fn defined_problem(definition: TaskDefinition) -> String {
    problem(with_locks().definition(definition))
}

#[test]
fn missing_data() {
    let needy = Task::new("report", ONCE, |_: Data<u64>| async {});
    let told = problem(Scheduler::builder().task(needy));
    assert!(
        told.starts_with("task `report` (shedlock-scheduler/tests/scheduler/build.rs:"),
        "{told}"
    );
    assert!(
        told.ends_with("no `u64` is registered: call `.data(..)` with one before `.build()`"),
        "{told}"
    );
}

#[test]
fn two_tasks_of_one_name() {
    let told = problem(
        Scheduler::builder()
            .task(task("report"))
            .definition(cron("0 0 4 * * *", None)),
    );
    assert!(
        told.starts_with("task `report` (src/jobs.rs:7): task `report` ("),
        "{told}"
    );
    assert!(
        told.ends_with("has the same name; give one of them another: `name = \"..\"`"),
        "{told}"
    );
}

#[test]
fn two_tasks_of_one_lock() {
    let (one, other) = (
        task("one").lock(lock("shared")),
        task("other").lock(lock("shared")),
    );
    let told = problem(with_locks().task(one).task(other));
    assert!(told.starts_with("task `other` ("), "{told}");
    assert!(told.contains("task `one` ("), "{told}");
    assert!(told.contains("has the same lock `shared`"), "{told}");
}

#[test]
fn a_lock_without_a_provider() {
    let told = problem(Scheduler::builder().task(task("report").lock(lock("report"))));
    assert!(
        told.ends_with("there is no lock provider: call `.lock_provider(..)`"),
        "{told}"
    );
}

#[test]
fn a_placeholder_without_a_value() {
    let told = problem(
        with_locks()
            .placeholders(|_| None)
            .definition(cron("${REPORT_CRON}", None)),
    );
    assert!(
        told.starts_with("task `report` (src/jobs.rs:7): `cron`: `${REPORT_CRON}` has no value"),
        "{told}"
    );
}

#[test]
fn a_wrong_value_of_a_placeholder() {
    let delay = defined("report", TriggerDefinition::FixedDelay("${DELAY:2s}"));
    let told = problem(
        Scheduler::builder()
            .placeholders(|name| (name == "DELAY").then(|| "soon".to_owned()))
            .definition(delay),
    );
    assert!(
        told.starts_with("task `report` (src/jobs.rs:7): `fixed_delay`: "),
        "{told}"
    );
    assert!(told.contains("soon"), "{told}");
}

#[test]
fn a_wrong_cron_text() {
    let told = defined_problem(cron("0 0 25 * * *", None));
    assert!(
        told.starts_with("task `report` (src/jobs.rs:7): `cron`: "),
        "{told}"
    );
    assert!(told.contains("25"), "{told}");
}

#[test]
fn an_unknown_zone() {
    let told = defined_problem(cron("0 0 4 * * *", Some("Asia/Soul")));
    assert!(
        told.ends_with("`zone`: unknown zone `Asia/Soul`; did you mean `Asia/Seoul`?"),
        "{told}"
    );
}

#[test]
fn a_wrong_duration() {
    let wrong = TaskDefinition {
        initial_delay: Some("P1M"),
        ..cron("0 0 4 * * *", None)
    };
    let told = defined_problem(wrong);
    assert!(told.contains("`initial_delay`: "), "{told}");
}

#[test]
fn a_lock_name_that_is_too_long() {
    const LONG: &str = "a-name-of-sixty-five-characters-that-no-column-of-sixty-four-has-";
    let told = defined_problem(locked(LONG, "10m", "0s"));
    assert!(told.contains("64"), "{told}");
}

#[test]
fn a_lock_that_is_held_at_least_for_longer_than_at_most() {
    let told = defined_problem(locked("report", "10s", "20s"));
    assert!(
        told.ends_with(
            "`lock_at_least_for` (20s) of lock `report` is longer than `lock_at_most_for` (10s)"
        ),
        "{told}"
    );
}

#[test]
fn a_lock_without_a_limit() {
    let lock = LockDefinition {
        name: "report",
        lock_at_most_for: None,
        lock_at_least_for: None,
    };
    let unlimited = TaskDefinition {
        lock: Some(lock),
        ..cron("0 0 4 * * *", None)
    };
    let told = defined_problem(unlimited);
    assert!(told.contains("default_lock_at_most_for"), "{told}");
    let limited = with_locks().default_lock_at_most_for(Duration::from_mins(1));
    assert!(limited.definition(unlimited).build().is_ok());
}

#[test]
fn a_period_of_zero() {
    let told = defined_problem(defined("report", TriggerDefinition::FixedRate("0s")));
    assert!(told.contains("`fixed_rate`: `0s` is zero"), "{told}");
    let never = Task::new("report", Trigger::FixedDelay(Duration::ZERO), || async {});
    let told = problem(Scheduler::builder().task(never));
    assert!(told.contains("its period is zero"), "{told}");
}

#[test]
fn limits_of_zero() {
    let error = Scheduler::builder()
        .max_concurrent_runs(0)
        .store_timeout(Duration::ZERO)
        .build()
        .unwrap_err();
    let problems = error.problems();
    assert!(matches!(
        problems[0].kind(),
        BuildProblemKind::NoConcurrentRuns
    ));
    assert!(matches!(
        problems[1].kind(),
        BuildProblemKind::NoStoreTimeout
    ));
}

#[test]
fn all_problems_of_all_tasks_are_told_at_once() {
    let wrong = TaskDefinition {
        initial_delay: Some("later"),
        ..locked("", "10m", "0s")
    };
    let wrong = TaskDefinition {
        trigger: TriggerDefinition::Cron {
            cron: "* * *",
            zone: Some("Mars"),
        },
        check: |data| MissingData::of(data, [Data::<i8>::check]),
        ..wrong
    };
    let needy = Task::new("needy", ONCE, |_: Data<u64>, _: Data<String>| async {});
    let error = Scheduler::builder()
        .max_concurrent_runs(0)
        .definition(wrong)
        .task(needy.lock(lock("needy")))
        .build()
        .unwrap_err();
    let told = error.to_string();
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told[0], "the scheduler can't be built:");
    assert_eq!(told.len(), 1 + 9, "{told:#?}");
}

#[test]
fn a_cron_text_of_a_dash_disables_its_task() {
    let scheduler = Scheduler::builder()
        .placeholders(|_| Some("-".to_owned()))
        .definition(cron("${REPORT_CRON:0 0 4 * * *}", Some("Mars")))
        .build()
        .unwrap();
    assert!(scheduler.handle().tasks().is_empty());
}

#[test]
fn the_first_scheduler_locks_the_direct_calls_of_the_process() {
    let _ = with_locks().build().unwrap();
    assert!(shedlock_core::LockingExecutor::current().is_some());
}
