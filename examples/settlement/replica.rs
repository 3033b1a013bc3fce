//! One replica: the annotated jobs, a lock provider, a scheduler.

use shedlock::{
    Event, MySqlLockProvider, PostgresLockProvider, Scheduler, SharedLockProvider,
    SqliteLockProvider,
};
use sqlx::{MySqlPool, PgPool, SqlitePool};
use tracing_subscriber::EnvFilter;

use crate::{
    database::{Database, Kind},
    options::Replica,
    receiver::Receiver,
    settlement::Calendar,
    unlocked::Unlocked,
};

pub(crate) async fn run(options: &Replica) -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let locks = if options.unlocked {
        SharedLockProvider::new(Unlocked)
    } else {
        lock_provider(&options.store).await?
    };
    Scheduler::builder()
        .lock_provider(locks)
        .data(Database::connect(&options.store).await?)
        .data(Receiver(options.receiver))
        .data(Calendar {
            seconds_per_day: i64::try_from(options.day)?,
        })
        .on_event(report)
        .discover()
        .build()?
        .run_until_shutdown()
        .await?;
    Ok(())
}

/// The provider for a store, its table made.
pub(crate) async fn lock_provider(store: &str) -> anyhow::Result<SharedLockProvider> {
    Ok(match Kind::of(store)? {
        Kind::Sqlite => {
            let locks = SqliteLockProvider::new(SqlitePool::connect(store).await?);
            locks.migrate().await?;
            SharedLockProvider::new(locks)
        }
        Kind::Postgres => {
            let locks = PostgresLockProvider::new(PgPool::connect(store).await?);
            locks.migrate().await?;
            SharedLockProvider::new(locks)
        }
        Kind::MySql => {
            let locks = MySqlLockProvider::new(MySqlPool::connect(store).await?);
            locks.migrate().await?;
            SharedLockProvider::new(locks)
        }
    })
}

/// Tells the cluster what became of a run: a line `word<TAB>task`.
fn report(event: &Event) {
    let word = match event {
        Event::Finished { .. } => "ran",
        Event::Skipped { .. } => "skipped",
        Event::Failed { .. } | Event::Panicked { .. } | Event::Cancelled { .. } => "failed",
        _ => return,
    };
    println!("{word}\t{}", event.task().unwrap_or_default());
}
