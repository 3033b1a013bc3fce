//! `MySqlLockProvider` keeps the promises of every lock provider, on a real MariaDB server.
#![cfg(all(feature = "test-util", feature = "mysql"))]

use std::{
    env, fs, process,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use shedlock_core::{
    LockName, LockTable, MySqlLockProvider,
    test_util::{Harness, LockRecord, LogHarness, RecordHarness, SqlHarness},
};
use sqlx::{
    AssertSqlSafe, MySqlPool, MySqlTransaction,
    mysql::{MySqlConnectOptions, MySqlPoolOptions, MySqlQueryResult},
};

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `cargo xtask test`"))
}

/// A name that no other test and no other run uses.
fn unique_name() -> String {
    static NAMES: AtomicU32 = AtomicU32::new(0);
    let name = NAMES.fetch_add(1, Relaxed);
    format!("conformance_{}_{name}", process::id())
}

/// A lock table.
struct MariaDb {
    table: String,
    /// What the tests themselves look through.
    eye: MySqlPool,
}

impl MariaDb {
    /// A statement in which `{t}` is the table.
    fn sql(&self, sql: &str) -> AssertSqlSafe<String> {
        AssertSqlSafe(sql.replace("{t}", &self.table))
    }

    async fn update(
        &self,
        transaction: &mut MySqlTransaction<'_>,
        name: &str,
    ) -> sqlx::Result<MySqlQueryResult> {
        let update = self.sql("UPDATE {t} SET locked_by = 'me' WHERE name = ?");
        let update = sqlx::query(update).bind(name);
        update.execute(&mut **transaction).await
    }
}

async fn pool(connections: u32) -> MySqlPool {
    let options: MySqlConnectOptions = variable("SHEDLOCK_TEST_MARIADB_URL").parse().unwrap();
    MySqlPoolOptions::new()
        .max_connections(connections)
        .connect_with(options)
        .await
        .unwrap()
}

fn instant(micros: i64) -> Duration {
    Duration::from_micros(micros.try_into().unwrap())
}

fn micros(instant: Duration) -> i64 {
    instant.as_micros().try_into().unwrap()
}

impl Harness for MariaDb {
    type Provider = MySqlLockProvider;

    async fn start() -> Self {
        let mariadb = Self {
            table: unique_name(),
            eye: pool(2).await,
        };
        mariadb.provider().await.migrate().await.unwrap();
        mariadb
    }

    async fn provider(&self) -> MySqlLockProvider {
        self.provider_on(&pool(4).await).await
    }

    async fn is_locked(&self, name: &LockName) -> bool {
        let held = "SELECT count(*) = 1 FROM {t} WHERE name = ? AND lock_until > UTC_TIMESTAMP(6)";
        sqlx::query_scalar(self.sql(held))
            .bind(name.as_str())
            .fetch_one(&self.eye)
            .await
            .unwrap()
    }

    async fn stop(&self) {
        let drop = self.sql("DROP TABLE {t}");
        sqlx::query(drop).execute(&self.eye).await.unwrap();
    }
}

impl RecordHarness for MariaDb {
    async fn record(&self, name: &LockName) -> Option<LockRecord> {
        let columns = "SELECT locked_by, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', locked_at), \
                TIMESTAMPDIFF(MICROSECOND, '1970-01-01', lock_until) FROM {t} WHERE name = ?";
        let row: Option<(String, i64, i64)> = sqlx::query_as(self.sql(columns))
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
        let now = "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
        instant(sqlx::query_scalar(now).fetch_one(&self.eye).await.unwrap())
    }

    async fn write(&self, name: &LockName, record: LockRecord) {
        let write = "REPLACE INTO {t} (name, locked_by, locked_at, lock_until) VALUES (?, ?, \
            '1970-01-01' + INTERVAL ? MICROSECOND, '1970-01-01' + INTERVAL ? MICROSECOND)";
        sqlx::query(self.sql(write))
            .bind(name.as_str())
            .bind(record.locked_by)
            .bind(micros(record.locked_at))
            .bind(micros(record.lock_until))
            .execute(&self.eye)
            .await
            .unwrap();
    }

    async fn delete(&self, name: &LockName) {
        sqlx::query(self.sql("DELETE FROM {t} WHERE name = ?"))
            .bind(name.as_str())
            .execute(&self.eye)
            .await
            .unwrap();
    }
}

impl SqlHarness for MariaDb {
    type Pool = MySqlPool;
    type Transaction = MySqlTransaction<'static>;

    async fn pool(&self, connections: u32) -> MySqlPool {
        pool(connections).await
    }

    async fn provider_on(&self, pool: &MySqlPool) -> MySqlLockProvider {
        MySqlLockProvider::new(pool.clone()).with_table(LockTable::new(&self.table).unwrap())
    }

    async fn begin(&self, pool: &MySqlPool) -> MySqlTransaction<'static> {
        let mut transaction = pool.begin().await.unwrap();
        sqlx::query(self.sql("SELECT now(), count(*) FROM {t}"))
            .execute(&mut *transaction)
            .await
            .unwrap();
        transaction
    }

    async fn rollback(&self, transaction: MySqlTransaction<'static>) {
        transaction.rollback().await.unwrap();
    }
}

impl LogHarness for MariaDb {
    async fn complaints(&self) -> Vec<String> {
        let log = fs::read(variable("SHEDLOCK_TEST_MARIADB_LOG")).unwrap();
        let log = String::from_utf8_lossy(&log);
        let ours = log.lines().filter(|line| line.contains(&self.table));
        ours.map(str::to_owned).collect()
    }
}

mod mariadb {
    shedlock_core::lock_provider_conformance!(
        #[ignore = "needs MariaDB: cargo xtask test"]
        super::MariaDb,
        records,
        sql,
        log
    );
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_deadlock_would_be_seen_in_the_log() {
    let mariadb = MariaDb::start().await;
    let insert = "INSERT INTO {t} (name, locked_by, locked_at, lock_until) \
        VALUES ('a', 'you', NOW(), NOW()), ('b', 'you', NOW(), NOW())";
    sqlx::query(mariadb.sql(insert))
        .execute(&mariadb.eye)
        .await
        .unwrap();
    let mut one = mariadb.eye.begin().await.unwrap();
    let mut other = mariadb.eye.begin().await.unwrap();
    mariadb.update(&mut one, "a").await.unwrap();
    mariadb.update(&mut other, "b").await.unwrap();
    let crossed = tokio::join!(
        mariadb.update(&mut one, "b"),
        mariadb.update(&mut other, "a")
    );
    assert!(crossed.0.is_err() || crossed.1.is_err());
    mariadb.rollback(one).await;
    mariadb.rollback(other).await;
    let complaints = mariadb.complaints().await;
    mariadb.stop().await;
    assert!(!complaints.is_empty());
}
