//! `#[transactional]` commits or rolls back before the lock is released, whatever becomes of the
//! function: what others see is looked at when the lock is about to be released.

#![cfg(feature = "macros")]

mod bank;
mod watched;

use std::{
    env, process,
    sync::atomic::{AtomicI64, Ordering::Relaxed},
};

use shedlock::{
    LockProvider, LockTable, MySqlLockProvider, PostgresLockProvider, SqliteLockProvider,
};
use sqlx::{
    MySqlPool, PgPool, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};
use tempfile::TempDir;

use self::bank::bank;

/// A number that no other test and no other run uses.
fn unique() -> i64 {
    static NUMBERS: AtomicI64 = AtomicI64::new(0);
    i64::from(process::id()) * 1_000 + NUMBERS.fetch_add(1, Relaxed)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `cargo xtask test`"))
}

fn lock_table() -> LockTable {
    LockTable::new(&format!("transactional_{}", unique())).unwrap()
}

async fn open_postgres() -> (PgPool, PgPool, impl LockProvider, Option<TempDir>) {
    let url = variable("SHEDLOCK_TEST_POSTGRES_URL");
    let pool = PgPool::connect(&url).await.unwrap();
    let eye = PgPool::connect(&url).await.unwrap();
    let locks = PostgresLockProvider::new(pool.clone()).with_table(lock_table());
    locks.migrate().await.unwrap();
    (pool, eye, locks, None)
}

async fn open_mariadb() -> (MySqlPool, MySqlPool, impl LockProvider, Option<TempDir>) {
    let url = variable("SHEDLOCK_TEST_MARIADB_URL");
    let pool = MySqlPool::connect(&url).await.unwrap();
    let eye = MySqlPool::connect(&url).await.unwrap();
    let locks = MySqlLockProvider::new(pool.clone()).with_table(lock_table());
    locks.migrate().await.unwrap();
    (pool, eye, locks, None)
}

/// A file for the bank and one for the locks, because SQLite has one writer at a time.
async fn open_sqlite() -> (SqlitePool, SqlitePool, impl LockProvider, Option<TempDir>) {
    let files = TempDir::new().unwrap();
    let file = |name| {
        SqliteConnectOptions::new()
            .filename(files.path().join(name))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
    };
    let pool = SqlitePool::connect_with(file("bank.db")).await.unwrap();
    let does_not_wait = file("bank.db").busy_timeout(std::time::Duration::ZERO);
    let eye = SqlitePool::connect_with(does_not_wait).await.unwrap();
    let locks = SqlitePool::connect_with(file("locks.db")).await.unwrap();
    let locks = SqliteLockProvider::new(locks);
    locks.migrate().await.unwrap();
    (pool, eye, locks, Some(files))
}

bank! {
    mod postgres;
    #[ignore = "needs PostgreSQL: cargo xtask test"]
    database: sqlx::Postgres,
    open: crate::open_postgres,
    create: "INSERT INTO account VALUES ($1, 0)",
    pay: "UPDATE account SET balance = balance + 1 WHERE id = $1",
    look: "SELECT balance FROM account WHERE id = $1",
    touch: "SELECT balance FROM account WHERE id = $1 FOR UPDATE NOWAIT",
    slow: "SELECT pg_sleep(1)",
    level: "SELECT current_setting('transaction_isolation')",
    isolations:
        "read uncommitted"
        "read committed"
        "repeatable read"
        "serializable"
}

bank! {
    mod mariadb;
    #[ignore = "needs MariaDB: cargo xtask test"]
    database: sqlx::MySql,
    open: crate::open_mariadb,
    create: "INSERT INTO account VALUES (?, 0)",
    pay: "UPDATE account SET balance = balance + 1 WHERE id = ?",
    look: "SELECT balance FROM account WHERE id = ?",
    touch: "SELECT balance FROM account WHERE id = ? FOR UPDATE NOWAIT",
    slow: "SELECT SLEEP(1)",
    level: "SELECT trx_isolation_level FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()",
    isolations:
        "read uncommitted"
        "read committed"
        "repeatable read"
        "serializable"
}

bank! {
    mod sqlite;
    database: sqlx::Sqlite,
    open: crate::open_sqlite,
    create: "INSERT INTO account VALUES (?, 0)",
    pay: "UPDATE account SET balance = balance + 1 WHERE id = ?",
    look: "SELECT balance FROM account WHERE id = ?",
    touch: "UPDATE account SET balance = balance WHERE id = ?",
    slow: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n",
    level: "SELECT CASE WHEN max(balance) > 0 THEN 'immediate' END FROM account",
    isolations: "immediate"
}

mod sqlite_isolation {
    use std::sync::Arc;

    use shedlock::transactional;
    use sqlx::{SqlitePool, SqliteTransaction};

    /// Whether somebody else can write while a transaction has done nothing yet.
    async fn can_write(other: &SqlitePool) -> bool {
        let update = sqlx::query("UPDATE account SET balance = 2");
        update.execute(other).await.is_ok()
    }

    #[transactional(pool = pool, isolation = "deferred")]
    async fn deferred(
        pool: Arc<SqlitePool>,
        other: SqlitePool,
        _: &mut SqliteTransaction<'_>,
    ) -> sqlx::Result<bool> {
        Ok(can_write(&other).await)
    }

    #[transactional(pool = pool, isolation = "immediate")]
    async fn immediate(
        pool: Arc<SqlitePool>,
        other: SqlitePool,
        _: &mut SqliteTransaction<'_>,
    ) -> sqlx::Result<bool> {
        Ok(can_write(&other).await)
    }

    #[tokio::test]
    async fn an_immediate_transaction_writes_alone_from_its_beginning() {
        let (pool, other, _, _files) = crate::open_sqlite().await;
        let create = "CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT)";
        sqlx::query(create).execute(&pool).await.unwrap();
        let pool = Arc::new(pool);
        assert!(deferred(Arc::clone(&pool), other.clone()).await.unwrap());
        assert!(!immediate(pool, other).await.unwrap());
    }
}
