//! The settlement service: five jobs, each an async function under a lock.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use shedlock::{Data, FireTime, scheduled, scheduler_lock};
use uuid::Uuid;

use crate::{database::Database, receiver::Receiver};

const SERVICE: &str = "settlement";

/// How long a day is; the number of the day that an instant is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calendar {
    pub(crate) seconds_per_day: i64,
}

impl Calendar {
    pub(crate) fn day(self, instant: DateTime<Utc>) -> i64 {
        instant.timestamp() / self.seconds_per_day
    }
}

#[scheduled(fixed_delay = "${OUTBOX_POLLING_DELAY:2s}")]
#[scheduler_lock(
    name = "settlement-outbox-publisher",
    lock_at_most_for = "PT1M",
    lock_at_least_for = "PT0.5S"
)]
async fn publish_pending_events(
    Data(database): Data<Database>,
    Data(receiver): Data<Receiver>,
) -> anyhow::Result<()> {
    publish(&database, &receiver, SERVICE).await
}

/// Delivers what is pending, oldest first. An event is marked after it was delivered, so that none
/// is lost; that none is delivered twice is the lock's work.
pub(crate) async fn publish(
    database: &Database,
    receiver: &Receiver,
    service: &str,
) -> anyhow::Result<()> {
    for event in database.pending_events(service).await? {
        receiver.deliver(&event.id, &event.natural_key).await?;
        database.mark_published(&event).await?;
    }
    Ok(())
}

#[scheduled(cron = "${SETTLEMENT_CREATE_CRON:0 0 2 * * *}")]
#[scheduler_lock(
    name = "settlement-create-daily",
    lock_at_most_for = "PT30M",
    lock_at_least_for = "${DAILY_LOCK_AT_LEAST_FOR:PT1M}"
)]
async fn create_daily_settlements(
    Data(database): Data<Database>,
    Data(calendar): Data<Calendar>,
    FireTime(now): FireTime,
) -> anyhow::Result<()> {
    let yesterday = calendar.day(now) - 1;
    let unsettled: Vec<(i64, i64)> = database
        .fetch(
            "select merchant, amount from orders where day = $1 and merchant not in (select merchant from settlements where day = $2)",
            &[yesterday.into(), yesterday.into()],
        )
        .await?;
    let mut totals = BTreeMap::<i64, i64>::new();
    for (merchant, amount) in unsettled {
        *totals.entry(merchant).or_default() += amount;
    }
    for (merchant, amount) in totals {
        let id = Uuid::new_v4().to_string();
        let mut transaction = database.begin().await?;
        database
            .execute_in(
                &mut transaction,
                "insert into settlements (id, merchant, day, amount, status) values ($1, $2, $3, $4, 'created')",
                &[id.as_str().into(), merchant.into(), yesterday.into(), amount.into()],
            )
            .await?;
        let natural_key = format!("settlement of merchant {merchant}, day {yesterday}");
        database
            .add_event(&mut transaction, SERVICE, &id, &natural_key)
            .await?;
        transaction.commit().await?;
    }
    Ok(())
}

#[scheduled(cron = "${SETTLEMENT_CONFIRM_CRON:0 0 3 * * *}")]
#[scheduler_lock(
    name = "settlement-confirm-daily",
    lock_at_most_for = "PT30M",
    lock_at_least_for = "${DAILY_LOCK_AT_LEAST_FOR:PT1M}"
)]
async fn confirm_daily_settlements(
    Data(database): Data<Database>,
    Data(receiver): Data<Receiver>,
) -> anyhow::Result<()> {
    let created: Vec<(String,)> = database
        .fetch(
            "select id from settlements where status = 'created' order by id",
            &[],
        )
        .await?;
    for (id,) in created {
        receiver
            .deliver(
                &format!("confirm-{id}"),
                &format!("confirmation of settlement {id}"),
            )
            .await?;
        database
            .execute(
                "update settlements set status = 'confirmed' where id = $1",
                &[id.as_str().into()],
            )
            .await?;
    }
    Ok(())
}

#[scheduled(cron = "${HOLDBACK_RELEASE_CRON:0 0 3 * * *}", zone = "Asia/Seoul")]
#[scheduler_lock(
    name = "settlement-holdback-release",
    lock_at_most_for = "PT30M",
    lock_at_least_for = "${DAILY_LOCK_AT_LEAST_FOR:PT1M}"
)]
async fn release_due_holdbacks(
    Data(database): Data<Database>,
    Data(receiver): Data<Receiver>,
    Data(calendar): Data<Calendar>,
    FireTime(now): FireTime,
) -> anyhow::Result<()> {
    let due: Vec<(String,)> = database
        .fetch(
            "select id from holdbacks where released = 0 and due <= $1 order by id",
            &[calendar.day(now).into()],
        )
        .await?;
    for (id,) in due {
        receiver
            .deliver(
                &format!("holdback-{id}"),
                &format!("release of holdback {id}"),
            )
            .await?;
        database
            .execute(
                "update holdbacks set released = 1 where id = $1",
                &[id.as_str().into()],
            )
            .await?;
    }
    Ok(())
}

#[scheduled(cron = "${PAYOUT_EXECUTE_CRON:0 0 4 * * *}", zone = "Asia/Seoul")]
#[scheduler_lock(
    name = "settlement-payout-execute",
    lock_at_most_for = "PT1H",
    lock_at_least_for = "${DAILY_LOCK_AT_LEAST_FOR:PT1M}"
)]
async fn execute_payouts(
    Data(database): Data<Database>,
    Data(receiver): Data<Receiver>,
) -> anyhow::Result<()> {
    let unpaid: Vec<(String, i64)> = database
        .fetch(
            "select id, amount from settlements where status = 'confirmed' and id not in (select settlement from payouts) order by id",
            &[],
        )
        .await?;
    for (settlement, amount) in unpaid {
        let id = Uuid::new_v4().to_string();
        receiver
            .deliver(&id, &format!("payout of settlement {settlement}"))
            .await?;
        database
            .execute(
                "insert into payouts (id, settlement, amount) values ($1, $2, $3)",
                &[
                    id.as_str().into(),
                    settlement.as_str().into(),
                    amount.into(),
                ],
            )
            .await?;
    }
    Ok(())
}
