//! The exchange-rate service: two jobs.

use shedlock::{Data, FireTime, scheduled, scheduler_lock};
use uuid::Uuid;

use crate::{
    database::Database,
    receiver::Receiver,
    settlement::{Calendar, publish},
};

const SERVICE: &str = "xr";

#[scheduled(fixed_delay = "${XR_RELAY_DELAY:5s}")]
#[scheduler_lock(
    name = "xr-outbox-relay",
    lock_at_most_for = "PT1M",
    lock_at_least_for = "PT0.5S"
)]
async fn relay_outbox(
    Data(database): Data<Database>,
    Data(receiver): Data<Receiver>,
) -> anyhow::Result<()> {
    publish(&database, &receiver, SERVICE).await
}

#[scheduled(cron = "${XR_METRICS_CRON:0 0 4 * * *}", zone = "Asia/Seoul")]
#[scheduler_lock(
    name = "xr-compute-daily-metrics",
    lock_at_most_for = "PT30M",
    lock_at_least_for = "${DAILY_LOCK_AT_LEAST_FOR:PT1M}"
)]
async fn compute_daily_metrics(
    Data(database): Data<Database>,
    Data(calendar): Data<Calendar>,
    FireTime(now): FireTime,
) -> anyhow::Result<()> {
    let yesterday = calendar.day(now) - 1;
    let known: Vec<(String,)> = database
        .fetch("select id from metrics where day = $1", &[yesterday.into()])
        .await?;
    if !known.is_empty() {
        return Ok(());
    }
    let amounts: Vec<(i64,)> = database
        .fetch(
            "select amount from orders where day = $1",
            &[yesterday.into()],
        )
        .await?;
    let orders = i64::try_from(amounts.len())?;
    let amount: i64 = amounts.iter().map(|(amount,)| amount).sum();
    let id = Uuid::new_v4().to_string();
    let mut transaction = database.begin().await?;
    database
        .execute_in(
            &mut transaction,
            "insert into metrics (id, day, orders, amount) values ($1, $2, $3, $4)",
            &[
                id.as_str().into(),
                yesterday.into(),
                orders.into(),
                amount.into(),
            ],
        )
        .await?;
    let natural_key = format!("metrics of day {yesterday}");
    database
        .add_event(&mut transaction, SERVICE, &id, &natural_key)
        .await?;
    transaction.commit().await?;
    Ok(())
}
