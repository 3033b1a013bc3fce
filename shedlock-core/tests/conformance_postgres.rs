//! `PostgresLockProvider` keeps the promises of every lock provider, on a real server.
#![cfg(all(feature = "test-util", feature = "postgres"))]

use std::{
    env, fs, process,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use shedlock_core::{
    LockName, LockTable, PostgresLockProvider,
    test_util::{ClockHarness, Harness, LockRecord, LogHarness, RecordHarness, SqlHarness},
};
use sqlx::{
    AssertSqlSafe, PgPool, PgTransaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `cargo xtask test`"))
}

fn options() -> PgConnectOptions {
    variable("SHEDLOCK_TEST_POSTGRES_URL").parse().unwrap()
}

/// A name that no other test and no other run uses.
fn unique_name() -> String {
    static NAMES: AtomicU32 = AtomicU32::new(0);
    let name = NAMES.fetch_add(1, Relaxed);
    format!("conformance_{}_{name}", process::id())
}

/// A lock table, and how an application connects to its database.
struct Postgres {
    options: PgConnectOptions,
    table: String,
    /// What the tests themselves look through.
    eye: PgPool,
}

impl Postgres {
    async fn with(settings: &[(&str, &str)]) -> Self {
        let options = options().options(settings.iter().copied());
        let postgres = Self {
            eye: pool(&options, 2).await,
            options,
            table: unique_name(),
        };
        postgres.provider().await.migrate().await.unwrap();
        postgres
    }

    /// Runs SQL in which `{t}` is the table.
    async fn run(&self, sql: &str) -> sqlx::Result<()> {
        let sql = AssertSqlSafe(sql.replace("{t}", &self.table));
        sqlx::raw_sql(sql).execute(&self.eye).await.map(drop)
    }
}

async fn pool(options: &PgConnectOptions, connections: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(connections)
        .connect_with(options.clone())
        .await
        .unwrap()
}

fn instant(micros: i64) -> Duration {
    Duration::from_micros(micros.try_into().unwrap())
}

fn micros(instant: Duration) -> i64 {
    instant.as_micros().try_into().unwrap()
}

impl Harness for Postgres {
    type Provider = PostgresLockProvider;

    async fn start() -> Self {
        Self::with(&[]).await
    }

    async fn provider(&self) -> PostgresLockProvider {
        self.provider_on(&pool(&self.options, 4).await).await
    }

    async fn is_locked(&self, name: &LockName) -> bool {
        let held = format!(
            "SELECT EXISTS (SELECT 1 FROM {} WHERE name = $1 \
                AND lock_until > timezone('utc', clock_timestamp()))",
            self.table
        );
        sqlx::query_scalar(AssertSqlSafe(held))
            .bind(name.as_str())
            .fetch_one(&self.eye)
            .await
            .unwrap()
    }

    async fn stop(&self) {
        self.run("DROP TABLE {t}").await.unwrap();
    }
}

impl RecordHarness for Postgres {
    async fn record(&self, name: &LockName) -> Option<LockRecord> {
        let columns = format!(
            "SELECT locked_by, (extract(epoch FROM locked_at) * 1000000)::bigint, \
                (extract(epoch FROM lock_until) * 1000000)::bigint FROM {} WHERE name = $1",
            self.table
        );
        let row: Option<(String, i64, i64)> = sqlx::query_as(AssertSqlSafe(columns))
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
        let now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
        instant(sqlx::query_scalar(now).fetch_one(&self.eye).await.unwrap())
    }

    async fn write(&self, name: &LockName, record: LockRecord) {
        self.delete(name).await;
        let insert = format!(
            "INSERT INTO {} (name, locked_by, locked_at, lock_until) VALUES ($1, $2, \
                timestamp 'epoch' + $3 * interval '1 microsecond', \
                timestamp 'epoch' + $4 * interval '1 microsecond')",
            self.table
        );
        sqlx::query(AssertSqlSafe(insert))
            .bind(name.as_str())
            .bind(record.locked_by)
            .bind(micros(record.locked_at))
            .bind(micros(record.lock_until))
            .execute(&self.eye)
            .await
            .unwrap();
    }

    async fn delete(&self, name: &LockName) {
        let delete = format!("DELETE FROM {} WHERE name = $1", self.table);
        sqlx::query(AssertSqlSafe(delete))
            .bind(name.as_str())
            .execute(&self.eye)
            .await
            .unwrap();
    }
}

impl SqlHarness for Postgres {
    type Pool = PgPool;
    type Transaction = PgTransaction<'static>;

    async fn pool(&self, connections: u32) -> PgPool {
        pool(&self.options, connections).await
    }

    async fn provider_on(&self, pool: &PgPool) -> PostgresLockProvider {
        PostgresLockProvider::new(pool.clone()).with_table(LockTable::new(&self.table).unwrap())
    }

    async fn begin(&self, pool: &PgPool) -> PgTransaction<'static> {
        let mut transaction = pool.begin().await.unwrap();
        let read = format!("SELECT now(), count(*) FROM {}", self.table);
        sqlx::query(AssertSqlSafe(read))
            .execute(&mut *transaction)
            .await
            .unwrap();
        transaction
    }

    async fn rollback(&self, transaction: PgTransaction<'static>) {
        transaction.rollback().await.unwrap();
    }
}

impl LogHarness for Postgres {
    async fn complaints(&self) -> Vec<String> {
        let log = fs::read_to_string(variable("SHEDLOCK_TEST_POSTGRES_LOG")).unwrap();
        let ours = log.lines().filter(|line| line.contains(&self.table));
        ours.map(str::to_owned).collect()
    }
}

impl ClockHarness for Postgres {
    /// A function that is found before PostgreSQL's own.
    async fn start_ahead(by: Duration) -> Self {
        let schema = format!("{}_ahead", unique_name());
        let seconds = by.as_secs();
        let clock = format!(
            "CREATE SCHEMA {schema}; \
            CREATE FUNCTION {schema}.clock_timestamp() RETURNS timestamptz LANGUAGE sql \
                AS $$ SELECT pg_catalog.clock_timestamp() + interval '{seconds} seconds' $$"
        );
        let eye = pool(&options(), 1).await;
        sqlx::raw_sql(AssertSqlSafe(clock))
            .execute(&eye)
            .await
            .unwrap();
        Self::with(&[("search_path", &format!("{schema},pg_catalog"))]).await
    }
}

mod postgres {
    shedlock_core::lock_provider_conformance!(
        #[ignore = "needs PostgreSQL: cargo xtask test"]
        super::Postgres,
        records,
        sql,
        log,
        clock
    );
}

/// An application whose sessions are `SERIALIZABLE`: there, a statement that meets a concurrent
/// one fails, and the server logs that.
struct Serializable(Postgres);

impl Harness for Serializable {
    type Provider = PostgresLockProvider;

    async fn start() -> Self {
        Self(Postgres::with(&[("default_transaction_isolation", "serializable")]).await)
    }

    async fn provider(&self) -> PostgresLockProvider {
        self.0.provider().await
    }

    async fn is_locked(&self, name: &LockName) -> bool {
        self.0.is_locked(name).await
    }

    async fn stop(&self) {
        self.0.stop().await;
    }
}

mod serializable {
    shedlock_core::lock_provider_conformance!(
        #[ignore = "needs PostgreSQL: cargo xtask test"]
        super::Serializable
    );
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_refused_insert_would_be_seen_in_the_log() {
    let postgres = Postgres::start().await;
    let twice = "INSERT INTO {t} VALUES ('job', 'now', 'now', 'me'); \
        INSERT INTO {t} VALUES ('job', 'now', 'now', 'me')";
    postgres.run(twice).await.unwrap_err();
    let complaints = postgres.complaints().await;
    postgres.stop().await;
    assert!(
        complaints.iter().any(|line| line.contains("duplicate key")),
        "{complaints:?}"
    );
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_clock_that_is_ahead_is_ahead() {
    let (here, ahead) = (
        Postgres::start().await,
        Postgres::start_ahead(Duration::from_hours(1)).await,
    );
    let difference = ahead.now().await.saturating_sub(here.now().await);
    here.stop().await;
    ahead.stop().await;
    assert!(difference > Duration::from_mins(59), "{difference:?}");
}
