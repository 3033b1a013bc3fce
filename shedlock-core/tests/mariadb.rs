//! What is special about the MySQL and MariaDB store, on a real MariaDB server.
#![cfg(feature = "mysql")]

use std::{
    env, fs,
    future::Future,
    pin::pin,
    sync::atomic::{AtomicU32, Ordering},
    task::{Context, Waker},
    time::Duration,
};

use shedlock_core::{
    LockConfiguration, LockError, LockRequest, LockStore, LockTable, MySqlLockProvider,
};
use sqlx::{
    AssertSqlSafe, MySql, MySqlPool,
    mysql::{MySqlConnectOptions, MySqlPoolOptions},
};

const MINUTE: Duration = Duration::from_mins(1);

/// Where the tests may come from: an anonymous user of `localhost` would win over `%`.
const HOSTS: [&str; 2] = ["%", "localhost"];

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `cargo xtask test`"))
}

fn options() -> MySqlConnectOptions {
    variable("SHEDLOCK_TEST_MARIADB_URL").parse().unwrap()
}

async fn pool_of(options: MySqlConnectOptions) -> MySqlPool {
    MySqlPoolOptions::new()
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
    pool: MySqlPool,
    table: String,
}

impl Database {
    async fn new() -> Self {
        Self::with(options()).await
    }

    async fn with(options: MySqlConnectOptions) -> Self {
        Self {
            pool: pool_of(options).await,
            table: unique("shedlock"),
        }
    }

    /// With the table that `migrate` makes.
    async fn migrated() -> (Self, MySqlLockProvider) {
        let database = Self::new().await;
        let provider = database.provider();
        provider.migrate().await.unwrap();
        (database, provider)
    }

    fn provider(&self) -> MySqlLockProvider {
        self.provider_of(self.pool.clone())
    }

    fn provider_of(&self, pool: MySqlPool) -> MySqlLockProvider {
        MySqlLockProvider::new(pool).with_table(LockTable::new(&self.table).unwrap())
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
        T: Send + Unpin + for<'r> sqlx::Decode<'r, MySql> + sqlx::Type<MySql>,
    {
        let sql = sql.replace("{t}", &self.table);
        sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    /// A user with the password `hunter2` and privileges on the table.
    async fn user_with(&self, privileges: &str) -> String {
        let user = unique("u");
        for host in HOSTS {
            self.run(&format!(
                "CREATE USER {user}@'{host}' IDENTIFIED BY 'hunter2'"
            ))
            .await;
        }
        self.grant(privileges, &user).await;
        user
    }

    async fn grant(&self, privileges: &str, user: &str) {
        for host in HOSTS {
            self.run(&format!("GRANT {privileges} ON {{t}} TO {user}@'{host}'"))
                .await;
        }
    }

    async fn drop_user(&self, user: &str) {
        for host in HOSTS {
            self.run(&format!("DROP USER {user}@'{host}'")).await;
        }
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
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_refused_attempt_changes_nothing() {
    let (database, provider) = Database::migrated().await;
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    let row = "SELECT CONCAT_WS(' ', name, lock_until, locked_at, locked_by) FROM {t}";
    let before: String = database.ask(row).await;
    for _ in 0..10 {
        assert!(!provider.acquire(&request("job", MINUTE)).await.unwrap());
    }
    assert_eq!(database.ask::<String>(row).await, before);
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_lock_that_was_released_is_taken_by_its_row() {
    let (database, provider) = Database::migrated().await;
    let first = request("job", MINUTE);
    assert!(provider.acquire(&first).await.unwrap());
    assert!(provider.release(&first).await.unwrap());
    let second = request("job", MINUTE);
    assert!(provider.acquire(&second).await.unwrap());
    let owner: String = database.ask("SELECT locked_by FROM {t}").await;
    assert_eq!(owner, second.owner().as_str());
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_row_that_was_deleted_by_hand_is_inserted_again() {
    let (database, provider) = Database::migrated().await;
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    database.run("DELETE FROM {t}").await;
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn asking_again_takes_the_lock_again_for_its_owner_alone() {
    let (_database, provider) = Database::migrated().await;
    let owner = request("job", MINUTE);
    assert!(provider.acquire(&owner).await.unwrap());
    assert!(provider.acquire(&owner).await.unwrap());
    assert!(!provider.acquire(&request("job", MINUTE)).await.unwrap());
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn the_lock_is_as_long_as_it_was_asked_for_and_no_shorter() {
    let (database, provider) = Database::migrated().await;
    let odd = Duration::from_micros(1_500);
    assert!(provider.acquire(&request("job", odd)).await.unwrap());
    let micros: i64 = database
        .ask("SELECT TIMESTAMPDIFF(MICROSECOND, locked_at, lock_until) FROM {t}")
        .await;
    assert_eq!(micros, 3_000);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn clients_that_contend_count_exactly_and_leave_no_deadlock_in_the_servers_log() {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (database, _) = Database::migrated().await;
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let provider = database.provider();
            tokio::spawn(async move {
                for _ in 0..25 {
                    let request = request("job", MINUTE);
                    while !provider.acquire(&request).await.unwrap() {}
                    let seen = COUNT.load(Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    COUNT.store(seen + 1, Ordering::Relaxed);
                    assert!(provider.release(&request).await.unwrap());
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    assert_eq!(COUNT.load(Ordering::Relaxed), 200);
    let log = fs::read_to_string(variable("SHEDLOCK_TEST_MARIADB_LOG")).unwrap();
    assert!(!log.contains(&database.table), "{log}");
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn connections_that_died_while_idle_are_no_error() {
    let (database, _) = Database::migrated().await;
    let user = database.user_with("ALL").await;
    let options = options().username(&user).password("hunter2");
    let provider = database.provider_of(MySqlPoolOptions::new().connect_lazy_with(options));
    let held = request("job", MINUTE);
    let others = [request("a", MINUTE), request("b", MINUTE)];
    let (taken, a, b) = tokio::join!(
        provider.acquire(&held),
        provider.acquire(&others[0]),
        provider.acquire(&others[1])
    );
    assert!(taken.unwrap() && a.unwrap() && b.unwrap());

    let ids = format!("SELECT id FROM information_schema.processlist WHERE user = '{user}'");
    let ids: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(ids))
        .fetch_all(&database.pool)
        .await
        .unwrap();
    assert!(ids.len() >= 3, "{ids:?}");
    for id in ids {
        database.run(&format!("KILL {id}")).await;
    }

    assert!(provider.extend(&held).await.unwrap());
    assert!(!provider.acquire(&request("job", MINUTE)).await.unwrap());
    assert!(provider.release(&held).await.unwrap());
    database.drop_user(&user).await;
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
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
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_lock_is_no_part_of_the_callers_transaction() {
    let database = Database::new().await;
    let pool = MySqlPoolOptions::new()
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
#[ignore = "needs MariaDB: cargo xtask test"]
async fn other_table_and_column_names_work() {
    let database = Database::new().await;
    let schema = unique("Infra");
    database.run(&format!("CREATE DATABASE `{schema}`")).await;
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
    let provider = MySqlLockProvider::new(database.pool.clone()).with_table(table);
    provider.migrate().await.unwrap();
    provider.check().await.unwrap();
    let request = request("job", MINUTE);
    assert!(provider.acquire(&request).await.unwrap());
    assert!(provider.extend(&request).await.unwrap());
    assert!(provider.release(&request).await.unwrap());
    database.run(&format!("DROP DATABASE `{schema}`")).await;
}

const SHEDLOCKS_OWN: &str = "CREATE TABLE {t}(name VARCHAR(64) NOT NULL, \
    lock_until TIMESTAMP(3) NOT NULL, \
    locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), \
    locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))";

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_table_that_shedlock_made_works_in_any_session_zone() {
    let database = Database::with(options().timezone("-05:00".to_owned())).await;
    database.run(SHEDLOCKS_OWN).await;
    let provider = database.provider();
    let (request, next) = (request("job", MINUTE), request("job", MINUTE));

    assert!(provider.acquire(&request).await.unwrap());
    let seconds = "SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(3), \
        CONVERT_TZ(lock_until, @@session.time_zone, '+00:00')) FROM {t}";
    assert!((50..=60).contains(&database.ask::<i64>(seconds).await));
    assert!(provider.extend(&request).await.unwrap());
    assert!(provider.release(&request).await.unwrap());
    assert!((-10..=0).contains(&database.ask::<i64>(seconds).await));
    assert!(provider.acquire(&next).await.unwrap());
}

/// The server's zone counts for each session that sets none, such as a ShedLock node's.
#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn times_that_follow_a_zone_are_accepted_in_utc_alone() {
    let database = Database::new().await;
    database.run(SHEDLOCKS_OWN).await;
    let zone: String = database.ask("SELECT @@global.time_zone").await;

    database.run("SET GLOBAL time_zone = '+00:00'").await;
    database.provider().check().await.unwrap();
    database.run("SET GLOBAL time_zone = '+09:00'").await;
    let (problem, fix) = database.refused().await;
    database
        .run(&format!("SET GLOBAL time_zone = '{zone}'"))
        .await;

    assert!(
        problem.contains("`lock_until` is `timestamp(3)`"),
        "{problem}"
    );
    assert!(problem.contains("+09:00"), "{problem}");
    database.run(fix.split_once("run: ").unwrap().1).await;
    database.provider().check().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn twelve_nodes_migrate_at_once() {
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
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn names_that_differ_in_case_are_two_locks() {
    let (_database, provider) = Database::migrated().await;
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    assert!(provider.acquire(&request("JOB", MINUTE)).await.unwrap());
    assert!(provider.acquire(&request("jób", MINUTE)).await.unwrap());
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_missing_table_is_reported_with_the_sql_that_makes_it() {
    let database = Database::new().await;
    let (problem, fix) = database.refused().await;
    assert!(problem.contains("there is no table"), "{problem}");
    database.run(fix.split_once("run: ").unwrap().1).await;
    database.provider().check().await.unwrap();
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_missing_database_of_the_table_is_reported() {
    let database = Database::new().await;
    let provider = MySqlLockProvider::new(database.pool.clone())
        .with_table(LockTable::new("nowhere.shedlock").unwrap());
    let (problem, fix) = setup_of(provider.migrate().await);
    assert!(problem.contains("there is no database"), "{problem}");
    assert!(fix.contains("CREATE TABLE"), "{fix}");
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn every_fault_of_a_table_is_reported_at_once_with_one_alter_table() {
    let database = Database::new().await;
    database
        .run(
            "CREATE TABLE {t}(name VARCHAR(32) NOT NULL, lock_until VARCHAR(30) NOT NULL, \
             locked_at DATETIME NOT NULL, team VARCHAR(9) NOT NULL)",
        )
        .await;
    let (problem, fix) = database.refused().await;
    for part in [
        "`name` is `varchar(32)`",
        "`lock_until` is `varchar(30)`",
        "`locked_at` is `datetime`",
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
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_missing_privilege_is_reported_with_the_grant() {
    let (database, _) = Database::migrated().await;
    let user = database.user_with("SELECT").await;
    let options = options().username(&user).password("hunter2");
    let reader = database.provider_of(pool_of(options).await);
    let (problem, fix) = setup_of(reader.check().await);
    assert!(problem.contains("denied"), "{problem}");
    assert!(fix.contains("GRANT SELECT, INSERT, UPDATE"), "{fix}");
    database.grant("SELECT, INSERT, UPDATE", &user).await;
    reader.check().await.unwrap();
    database.drop_user(&user).await;
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn an_unknown_database_is_reported_without_the_password() {
    let options = options().database("no_such_database");
    let pool = MySqlPoolOptions::new().connect_lazy_with(options);
    let (problem, fix) = setup_of(MySqlLockProvider::new(pool).check().await);
    assert!(problem.contains("Unknown database"), "{problem}");
    assert!(fix.contains("URL"), "{fix}");
}

#[tokio::test]
async fn an_unreachable_server_is_reported_with_where_it_was_looked_for() {
    let url = "mysql://me:hunter2@127.0.0.1:1/app";
    let pool = MySqlPoolOptions::new()
        .acquire_timeout(Duration::from_millis(200))
        .connect_lazy(url)
        .unwrap();
    let (problem, fix) = setup_of(MySqlLockProvider::new(pool).check().await);
    assert!(
        problem.contains("127.0.0.1:1, database `app`, user `me`: ") && problem.contains("refused"),
        "{problem}"
    );
    assert!(fix.contains("start the server"), "{fix}");
    assert!(!problem.contains("hunter2"), "{problem}");
}
