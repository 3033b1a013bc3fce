//! `#[scheduled]` registers a function with its texts.

use shedlock::{Data, TaskDefinition, TriggerDefinition, inventory, scheduled, scheduler_lock};

#[scheduled(cron = "0 0 4 * * *", zone = "Asia/Seoul")]
#[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "PT1H")]
async fn execute_payouts(Data(pool): Data<String>) -> Result<(), anyhow::Error> {
    drop(pool);
    Ok(())
}

#[test]
fn a_cron_task_is_registered_with_its_lock() {
    let task = inventory::iter::<TaskDefinition>()
        .find(|t| t.name == "execute_payouts")
        .unwrap();
    assert!(matches!(
        task.trigger,
        TriggerDefinition::Cron {
            cron: "0 0 4 * * *",
            zone: Some("Asia/Seoul")
        }
    ));
    assert_eq!(task.lock.unwrap().name, "settlement-payout-execute");
}
