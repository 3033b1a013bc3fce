//! `SqliteLockProvider` keeps the promises of every lock provider, on a file.
#![cfg(all(feature = "test-util", feature = "sqlite"))]

use std::time::Duration;

use shedlock_core::{
    LockName, SqliteLockProvider,
    test_util::{Harness, LockRecord, RecordHarness, SqlHarness},
};
use sqlx::{
    SqlitePool, SqliteTransaction,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tempfile::TempDir;

/// A database file in a directory of its own.
struct Sqlite {
    directory: TempDir,
    /// What the tests themselves look through.
    eye: SqlitePool,
}

async fn pool(directory: &TempDir, connections: u32) -> SqlitePool {
    let options = SqliteConnectOptions::new()
        .filename(directory.path().join("locks.db"))
        .create_if_missing(true);
    SqlitePoolOptions::new()
        .max_connections(connections)
        .connect_with(options)
        .await
        .unwrap()
}

fn instant(millis: i64) -> Duration {
    Duration::from_millis(millis.try_into().unwrap())
}

fn millis(instant: Duration) -> i64 {
    instant.as_millis().try_into().unwrap()
}

impl Harness for Sqlite {
    type Provider = SqliteLockProvider;

    async fn start() -> Self {
        let directory = TempDir::new().unwrap();
        let eye = pool(&directory, 1).await;
        SqliteLockProvider::new(eye.clone())
            .migrate()
            .await
            .unwrap();
        Self { directory, eye }
    }

    async fn provider(&self) -> SqliteLockProvider {
        SqliteLockProvider::new(self.pool(4).await)
    }

    async fn is_locked(&self, name: &LockName) -> bool {
        let record = self.record(name).await;
        let now = self.now().await;
        record.is_some_and(|record| record.lock_until > now)
    }

    async fn stop(&self) {
        self.eye.close().await;
    }
}

impl RecordHarness for Sqlite {
    async fn record(&self, name: &LockName) -> Option<LockRecord> {
        let columns = "SELECT locked_by, locked_at, lock_until FROM shedlock WHERE name = $1";
        let row: Option<(String, i64, i64)> = sqlx::query_as(columns)
            .bind(name.as_str())
            .fetch_optional(&self.eye)
            .await
            .unwrap();
        row.map(|(locked_by, locked_at, lock_until)| LockRecord {
            locked_by,
            locked_at: instant(locked_at),
            lock_until: instant(lock_until),
        })
    }

    async fn now(&self) -> Duration {
        let now = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";
        instant(sqlx::query_scalar(now).fetch_one(&self.eye).await.unwrap())
    }

    async fn write(&self, name: &LockName, record: LockRecord) {
        let write = "INSERT OR REPLACE INTO shedlock (name, locked_by, locked_at, lock_until) \
            VALUES ($1, $2, $3, $4)";
        sqlx::query(write)
            .bind(name.as_str())
            .bind(record.locked_by)
            .bind(millis(record.locked_at))
            .bind(millis(record.lock_until))
            .execute(&self.eye)
            .await
            .unwrap();
    }

    async fn delete(&self, name: &LockName) {
        sqlx::query("DELETE FROM shedlock WHERE name = $1")
            .bind(name.as_str())
            .execute(&self.eye)
            .await
            .unwrap();
    }
}

impl SqlHarness for Sqlite {
    type Pool = SqlitePool;
    type Transaction = SqliteTransaction<'static>;

    async fn pool(&self, connections: u32) -> SqlitePool {
        pool(&self.directory, connections).await
    }

    async fn provider_on(&self, pool: &SqlitePool) -> SqliteLockProvider {
        SqliteLockProvider::new(pool.clone())
    }

    async fn begin(&self, pool: &SqlitePool) -> SqliteTransaction<'static> {
        let mut transaction = pool.begin().await.unwrap();
        sqlx::query("SELECT count(*) FROM shedlock")
            .execute(&mut *transaction)
            .await
            .unwrap();
        transaction
    }

    async fn rollback(&self, transaction: SqliteTransaction<'static>) {
        transaction.rollback().await.unwrap();
    }
}

mod sqlite {
    shedlock_core::lock_provider_conformance!(super::Sqlite, records, sql);
}
