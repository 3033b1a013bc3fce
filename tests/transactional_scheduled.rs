//! A function with all three attributes gets its pool from the scheduler's data.

#![cfg(feature = "macros")]

use std::time::Duration;

use shedlock::{
    Data, Event, MemoryLockProvider, Scheduler, scheduled, scheduler_lock, transactional,
};
use sqlx::{Sqlite, SqlitePool, SqliteTransaction, sqlite::SqlitePoolOptions};
use tokio::{sync::mpsc, time::timeout};

#[scheduled(fixed_rate = "1h")]
#[scheduler_lock(name = "pay", lock_at_most_for = "1h")]
#[transactional(isolation = "immediate")]
async fn pay(tx: &mut SqliteTransaction<'_>, Data(amount): Data<i64>) -> anyhow::Result<()> {
    let pay = sqlx::query("INSERT INTO payout VALUES (?)").bind(amount);
    pay.execute(&mut **tx).await?;
    Ok(())
}

/// A database in memory, in its only connection.
async fn pool() -> SqlitePool {
    let options = SqlitePoolOptions::new().max_connections(1);
    let pool = options.connect("sqlite::memory:").await.unwrap();
    let create = "CREATE TABLE payout (amount INTEGER)";
    sqlx::query(create).execute(&pool).await.unwrap();
    pool
}

async fn paid(pool: &SqlitePool) -> i64 {
    let sum = sqlx::query_scalar::<Sqlite, i64>("SELECT sum(amount) FROM payout");
    sum.fetch_one(pool).await.unwrap()
}

#[tokio::test]
async fn a_scheduled_function_pays_in_the_registered_database_and_a_direct_call_too() {
    let pool = pool().await;
    let (tell, mut finished) = mpsc::unbounded_channel();
    let scheduler = Scheduler::builder()
        .lock_provider(MemoryLockProvider::new())
        .data(pool.clone())
        .data(7_i64)
        .on_event(move |event| {
            if let Event::Finished { .. } = event {
                let _ = tell.send(());
            }
        })
        .discover()
        .build()
        .unwrap();
    let run = async {
        timeout(Duration::from_mins(1), finished.recv())
            .await
            .unwrap();
    };
    scheduler.run_until(run).await.unwrap();
    assert_eq!(paid(&pool).await, 7);

    pay(Data(8)).await.unwrap();
    assert_eq!(paid(&pool).await, 15);
}

#[test]
fn a_pool_that_is_not_registered_is_an_error_of_build() {
    let built = Scheduler::builder()
        .lock_provider(MemoryLockProvider::new())
        .data(7_i64)
        .discover()
        .build();
    let error = built.unwrap_err().to_string();
    assert!(error.contains("Sqlite"), "{error}");
}
