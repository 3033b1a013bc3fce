//! A function with `#[scheduled]` is registered with the texts of its attributes.

#![cfg(all(feature = "macros", feature = "scheduler"))]

use shedlock::{
    Data, DataMap, DayMatch, FireTime, LockDefinition, RunContext, TaskDefinition, TaskFunction,
    TriggerDefinition, inventory, scheduled, scheduler_lock,
};

fn task(name: &str) -> &'static TaskDefinition {
    let mut tasks = inventory::iter::<TaskDefinition>().filter(|task| task.name == name);
    let task = tasks.next().expect("it is registered");
    assert!(tasks.next().is_none(), "{name} is registered once");
    task
}

#[scheduled(cron = "${PAYOUT_CRON:0 0 4 * * *}", zone = "Asia/Seoul")]
#[scheduler_lock(
    name = "settlement-payout-execute",
    lock_at_most_for = "PT1H",
    lock_at_least_for = "PT1M"
)]
async fn execute_payouts(Data(account): Data<String>, at: FireTime) -> anyhow::Result<()> {
    drop((account, at));
    Ok(())
}

const LINE_OF_EXECUTE_PAYOUTS: u32 = line!() - 11;

#[test]
fn a_cron_task_has_its_texts_and_its_lock() {
    let task = task("execute_payouts");
    assert!(matches!(
        task.trigger,
        TriggerDefinition::Cron {
            cron: "${PAYOUT_CRON:0 0 4 * * *}",
            zone: Some("Asia/Seoul"),
            day_match: None,
        }
    ));
    assert_eq!(task.initial_delay, None);
    assert!(matches!(task.function, TaskFunction::Async(_)));
    assert_eq!(
        task.lock,
        Some(LockDefinition {
            name: "settlement-payout-execute",
            lock_at_most_for: Some("PT1H"),
            lock_at_least_for: Some("PT1M"),
        })
    );
}

#[test]
fn a_task_knows_the_line_of_its_attribute() {
    assert_eq!(
        task("execute_payouts").location,
        (file!(), LINE_OF_EXECUTE_PAYOUTS)
    );
}

#[test]
fn a_task_says_what_data_it_misses() {
    let mut data = DataMap::default();
    let missing = (task("execute_payouts").check)(&data);
    let texts: Vec<_> = missing.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        ["no `alloc::string::String` is registered: call `.data(..)` with one before `.build()`"]
    );
    data.insert(String::new());
    assert!((task("execute_payouts").check)(&data).is_empty());
}

#[scheduled(fixed_rate = "5s", initial_delay = "PT1M", name = "count visits")]
fn count(_: RunContext, visits: Option<Data<String>>) {
    drop(visits);
}

#[test]
fn a_blocking_task_has_its_period_delay_and_name() {
    let task = task("count visits");
    assert!(matches!(task.trigger, TriggerDefinition::FixedRate("5s")));
    assert_eq!(task.initial_delay, Some("PT1M"));
    assert!(matches!(task.function, TaskFunction::Blocking(_)));
    assert_eq!(task.lock, None);
    assert!((task.check)(&DataMap::default()).is_empty());
}

mod inner {
    use shedlock::scheduled;

    #[scheduled(fixed_delay = "2s")]
    pub(super) async fn relay() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_scheduled_function_is_still_a_function() {
    assert!(matches!(
        task("relay").trigger,
        TriggerDefinition::FixedDelay("2s")
    ));
    inner::relay().await;
}

#[test]
fn a_function_inside_of_a_function_is_registered() {
    #[scheduled(cron = "-", day_match = "all")]
    fn never() {}

    assert!(matches!(
        task("never").trigger,
        TriggerDefinition::Cron {
            cron: "-",
            zone: None,
            day_match: Some(DayMatch::All),
        }
    ));
}

#[test]
fn attributes_written_by_a_macro_are_read() {
    macro_rules! task {
        ($name:ident, $delay:literal, $data:ty) => {
            #[scheduled(fixed_delay = $delay)]
            #[scheduler_lock(name = $delay, lock_at_least_for = "1s")]
            fn $name(_: $data) {}
        };
    }
    task!(from_a_macro, "3s", Option<Data<String>>);

    let task = task("from_a_macro");
    assert!(matches!(task.trigger, TriggerDefinition::FixedDelay("3s")));
    assert_eq!(task.lock.unwrap().name, "3s");
}
