//! What is special about the PostgreSQL store, on a real server.
#![cfg(feature = "postgres")]

use std::{
    env, fs,
    future::Future,
    pin::pin,
    sync::atomic::{AtomicU32, Ordering},
    task::{Context, Waker},
    time::{Duration, Instant},
};

use shedlock_core::{
    LockConfiguration, LockError, LockRequest, LockStore, LockTable, PostgresLockProvider,
};
use sqlx::{
    AssertSqlSafe, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

const MINUTE: Duration = Duration::from_mins(1);

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `cargo xtask test`"))
}

fn options() -> PgConnectOptions {
    variable("SHEDLOCK_TEST_POSTGRES_URL").parse().unwrap()
}

async fn pool_of(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(4)
        .connect_with(options)
        .await
        .unwrap()
}

/// A name that no other test and no other run uses.
fn unique(name: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{name}_{}_{count}", std::process::id())
}

struct Database {
    pool: PgPool,
    table: String,
}

impl Database {
    async fn new() -> Self {
        Self::with(options()).await
    }

    async fn with(options: PgConnectOptions) -> Self {
        Self {
            pool: pool_of(options).await,
            table: unique("shedlock"),
        }
    }

    /// With the table that `migrate` makes.
    async fn migrated() -> (Self, PostgresLockProvider) {
        let database = Self::new().await;
        let provider = database.provider();
        provider.migrate().await.unwrap();
        (database, provider)
    }

    fn provider(&self) -> PostgresLockProvider {
        self.provider_of(self.pool.clone())
    }

    fn provider_of(&self, pool: PgPool) -> PostgresLockProvider {
        PostgresLockProvider::new(pool).with_table(LockTable::new(&self.table).unwrap())
    }

    /// Runs SQL in which `{t}` is the table.
    async fn run(&self, sql: &str) {
        let sql = sql.replace("{t}", &self.table);
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&self.pool)
            .await
            .unwrap();
    }

    async fn ask<T>(&self, sql: &str) -> T
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        let sql = sql.replace("{t}", &self.table);
        sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    /// The problem and the fix that `check` reports.
    async fn refused(&self) -> (String, String) {
        setup_of(self.provider().check().await)
    }
}

fn setup_of(answer: Result<(), LockError>) -> (String, String) {
    match answer {
        Err(LockError::Setup { problem, fix, .. }) => (problem, fix),
        other => panic!("expected a setup error, not {other:?}"),
    }
}

fn request(name: &str, lock_at_most_for: Duration) -> LockRequest {
    LockRequest::new(&LockConfiguration::new(name, lock_at_most_for).unwrap())
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn refused_attempts_use_no_transaction_id() {
    let (database, provider) = Database::migrated().await;
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    let next_id = || database.ask::<i64>("SELECT txid_snapshot_xmax(txid_current_snapshot())");
    let deadline = Instant::now() + MINUTE;
    // Other tests use ids of the same server, so it takes a while in which they do not.
    loop {
        let before = next_id().await;
        for _ in 0..10_000 {
            assert!(!provider.acquire(&request("job", MINUTE)).await.unwrap());
        }
        let used = next_id().await - before;
        if used == 0 {
            break;
        }
        assert!(
            used < 10_000 && Instant::now() < deadline,
            "{used} ids used"
        );
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn the_lock_is_as_long_as_it_was_asked_for_and_no_shorter() {
    let (database, provider) = Database::migrated().await;
    let odd = Duration::from_nanos(1_500_001);
    assert!(provider.acquire(&request("job", odd)).await.unwrap());
    let micros: i64 = database
        .ask("SELECT (extract(epoch FROM lock_until - locked_at) * 1000000)::int8 FROM {t}")
        .await;
    assert_eq!(micros, 1_502);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn serializable_sessions_see_contention_as_held_elsewhere() {
    contend_at("serializable").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn repeatable_read_sessions_see_contention_as_held_elsewhere() {
    contend_at("repeatable read").await;
}

/// Eight clients count in turns, unprotected but for the lock.
async fn contend_at(isolation: &str) {
    static COUNTS: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];
    let count = &COUNTS[usize::from(isolation == "serializable")];
    let isolated = options().options([("default_transaction_isolation", isolation)]);
    let database = Database::with(isolated.clone()).await;
    database.provider().migrate().await.unwrap();
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let provider = database.provider();
            tokio::spawn(async move {
                for _ in 0..25 {
                    let request = request("job", MINUTE);
                    while !provider.acquire(&request).await.unwrap() {}
                    let seen = count.load(Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    count.store(seen + 1, Ordering::Relaxed);
                    while !provider.release(&request).await.unwrap_or(false) {}
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    assert_eq!(count.load(Ordering::Relaxed), 200);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn connections_that_died_while_idle_are_no_error() {
    let name = unique("idle");
    let database = Database::new().await;
    let provider = database.provider_of(pool_of(options().application_name(&name)).await);
    provider.migrate().await.unwrap();
    let held = request("job", MINUTE);
    let others = [request("a", MINUTE), request("b", MINUTE)];
    let (taken, a, b) = tokio::join!(
        provider.acquire(&held),
        provider.acquire(&others[0]),
        provider.acquire(&others[1])
    );
    assert!(taken.unwrap() && a.unwrap() && b.unwrap());

    let kill = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '{name}'"
    );
    assert!(database.ask::<i64>(&kill).await >= 3);

    assert!(provider.extend(&held).await.unwrap());
    assert!(!provider.acquire(&request("job", MINUTE)).await.unwrap());
    assert!(provider.release(&held).await.unwrap());
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_cancelled_attempt_leaves_no_stale_answer() {
    let (_database, provider) = Database::migrated().await;
    assert!(provider.acquire(&request("held", MINUTE)).await.unwrap());
    for polls in 0..60 {
        poll_times(polls % 6, provider.acquire(&request("cancelled", MINUTE))).await;
        assert!(!provider.acquire(&request("held", MINUTE)).await.unwrap());
        let free = request(&format!("free-{polls}"), MINUTE);
        assert!(provider.acquire(&free).await.unwrap());
    }
}

/// Polls a future a few times and drops it.
async fn poll_times(times: u32, future: impl Future) {
    let mut future = pin!(future);
    for _ in 0..times {
        let mut context = Context::from_waker(Waker::noop());
        if future.as_mut().poll(&mut context).is_ready() {
            return;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_lock_is_no_part_of_the_callers_transaction() {
    let database = Database::new().await;
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options())
        .await
        .unwrap();
    let provider = database.provider_of(pool.clone());
    provider.migrate().await.unwrap();

    let transaction = pool.begin().await.unwrap();
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    transaction.rollback().await.unwrap();

    assert!(!provider.acquire(&request("job", MINUTE)).await.unwrap());
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn the_pools_hooks_and_options_hold_for_lock_statements() {
    let database = Database::new().await;
    let schema = unique("infra");
    database.run(&format!("CREATE SCHEMA {schema}")).await;
    let search = format!("SET search_path = {schema}");
    let pool = PgPoolOptions::new()
        .after_connect(move |connection, _| {
            let search = search.clone();
            Box::pin(async move {
                sqlx::raw_sql(AssertSqlSafe(search))
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .connect_with(options())
        .await
        .unwrap();
    PostgresLockProvider::new(pool).migrate().await.unwrap();
    let found = format!("SELECT to_regclass('{schema}.shedlock') IS NOT NULL");
    assert!(database.ask::<bool>(&found).await);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_table_that_shedlock_made_works_in_any_session_zone() {
    let database = Database::with(options().options([("TimeZone", "Asia/Tokyo")])).await;
    database
        .run(
            "CREATE TABLE {t}(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP NOT NULL, \
             locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))",
        )
        .await;
    let provider = database.provider();
    provider.check().await.unwrap();
    let request = request("job", MINUTE);

    assert!(provider.acquire(&request).await.unwrap());
    let seconds =
        "SELECT extract(epoch FROM lock_until - timezone('utc', clock_timestamp()))::int8 FROM {t}";
    assert!((50..=60).contains(&database.ask::<i64>(seconds).await));
    assert!(provider.extend(&request).await.unwrap());
    assert!(provider.release(&request).await.unwrap());
    assert!((-10..=0).contains(&database.ask::<i64>(seconds).await));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn other_table_and_column_names_work() {
    let database = Database::new().await;
    let schema = unique("Infra");
    database.run(&format!("CREATE SCHEMA \"{schema}\"")).await;
    let table = LockTable::new(&format!("{schema}.Order"))
        .unwrap()
        .with_name_column("select")
        .unwrap()
        .with_lock_until_column("lockUntil")
        .unwrap()
        .with_locked_at_column("from")
        .unwrap()
        .with_locked_by_column("user")
        .unwrap();
    let provider = PostgresLockProvider::new(database.pool.clone()).with_table(table);
    provider.migrate().await.unwrap();
    provider.check().await.unwrap();
    let request = request("job", MINUTE);
    assert!(provider.acquire(&request).await.unwrap());
    assert!(provider.extend(&request).await.unwrap());
    assert!(provider.release(&request).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn twelve_nodes_that_migrate_at_once_leave_nothing_in_the_servers_log() {
    let database = Database::new().await;
    let mut nodes = Vec::new();
    for _ in 0..12 {
        let provider = database.provider_of(pool_of(options()).await);
        nodes.push(tokio::spawn(async move { provider.migrate().await }));
    }
    for node in nodes {
        node.await.unwrap().unwrap();
    }
    database.provider().check().await.unwrap();
    let log = fs::read_to_string(variable("SHEDLOCK_TEST_POSTGRES_LOG")).unwrap();
    assert!(!log.contains(&database.table), "{log}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_missing_table_is_reported_with_the_sql_that_makes_it() {
    let database = Database::new().await;
    let (problem, fix) = database.refused().await;
    assert!(problem.contains("there is no table"), "{problem}");
    let sql = fix.split_once("run: ").unwrap().1;
    database.run(sql).await;
    database.provider().check().await.unwrap();
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_missing_schema_is_reported() {
    let database = Database::new().await;
    let provider = PostgresLockProvider::new(database.pool.clone())
        .with_table(LockTable::new("nowhere.shedlock").unwrap());
    let (problem, fix) = setup_of(provider.migrate().await);
    assert!(problem.contains("no schema"), "{problem}");
    assert!(fix.contains("CREATE TABLE"), "{fix}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn times_with_a_zone_are_refused_with_the_alter_table_that_keeps_the_locks() {
    let database = Database::new().await;
    database
        .run(
            "CREATE TABLE {t}(name varchar(64) PRIMARY KEY, lock_until timestamptz NOT NULL, \
             locked_at timestamptz NOT NULL, locked_by varchar(255) NOT NULL); \
             INSERT INTO {t} VALUES ('job', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 'me')",
        )
        .await;
    let (problem, fix) = database.refused().await;
    assert!(problem.contains("timestamp with time zone"), "{problem}");
    assert!(
        fix.contains(r#"USING "lock_until" AT TIME ZONE 'UTC'"#),
        "{fix}"
    );
    database.run(fix.split_once("run: ").unwrap().1).await;
    database.provider().check().await.unwrap();
    let kept: bool = database
        .ask("SELECT lock_until = '2026-03-01 12:00:00' FROM {t}")
        .await;
    assert!(kept);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn every_fault_of_a_table_is_reported_at_once_with_one_alter_table() {
    let database = Database::new().await;
    database
        .run(
            "CREATE TABLE {t}(name varchar(32) NOT NULL, lock_until text NOT NULL, \
             locked_at timestamp(0) NOT NULL, team text NOT NULL)",
        )
        .await;
    let (problem, fix) = database.refused().await;
    for part in [
        "`name` is `character varying(32)`",
        "`lock_until` is `text`",
        "`locked_at` is `timestamp(0) without time zone`",
        "`locked_by` is missing",
        "`name` has no primary key or unique constraint",
        "`team` has no default",
    ] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
    database.run(fix.split_once("run: ").unwrap().1).await;
    let provider = database.provider();
    provider.check().await.unwrap();
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_missing_privilege_is_reported_with_the_grant() {
    let (database, _) = Database::migrated().await;
    let role = unique("reader");
    database
        .run(&format!(
            "CREATE ROLE {role}; GRANT SELECT ON {{t}} TO {role}"
        ))
        .await;
    let reader = database.provider_of(pool_of(options().options([("role", &role)])).await);
    let (problem, fix) = setup_of(reader.check().await);
    assert!(problem.contains("permission denied"), "{problem}");
    assert!(fix.contains("GRANT SELECT, INSERT, UPDATE"), "{fix}");
    database
        .run(&format!("GRANT SELECT, INSERT, UPDATE ON {{t}} TO {role}"))
        .await;
    reader.check().await.unwrap();
    database
        .run(&format!("DROP OWNED BY {role}; DROP ROLE {role}"))
        .await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_server_that_takes_no_writes_is_reported() {
    let (database, _) = Database::migrated().await;
    let standby = options().options([("default_transaction_read_only", "on")]);
    let provider = database.provider_of(pool_of(standby).await);
    let (problem, _) = setup_of(provider.check().await);
    assert!(problem.contains("takes no writes"), "{problem}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn an_unknown_database_is_reported_without_the_password() {
    let options = options().database("no_such_database").password("hunter2");
    let pool = PgPoolOptions::new().connect_lazy_with(options);
    let (problem, fix) = setup_of(PostgresLockProvider::new(pool).check().await);
    assert!(problem.contains("database `no_such_database`"), "{problem}");
    assert!(problem.contains("does not exist"), "{problem}");
    assert!(fix.contains("URL"), "{fix}");
    assert!(!problem.contains("hunter2"), "{problem}");
}

#[tokio::test]
async fn an_unreachable_server_is_reported_with_where_it_was_looked_for() {
    let url = "postgres://me:hunter2@127.0.0.1:1/app";
    let pool = PgPoolOptions::new()
        .acquire_timeout(Duration::from_millis(200))
        .connect_lazy(url)
        .unwrap();
    let (problem, fix) = setup_of(PostgresLockProvider::new(pool).check().await);
    assert!(
        problem.contains("127.0.0.1:1, database `app`, user `me`: ") && problem.contains("refused"),
        "{problem}"
    );
    assert!(fix.contains("start the server"), "{fix}");
    assert!(!problem.contains("hunter2"), "{problem}");
}
