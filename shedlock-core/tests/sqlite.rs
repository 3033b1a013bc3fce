//! What is special about the SQLite store, on files.
#![cfg(feature = "sqlite")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    time::Duration,
};

use shedlock_core::{
    LockConfiguration, LockError, LockRequest, LockStore, LockTable, SqliteLockProvider,
};
use sqlx::{
    AssertSqlSafe, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_mins(1);

struct Database {
    directory: TempDir,
    pool: SqlitePool,
}

impl Database {
    async fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let pool = pool_of(&directory.path().join("jobs.db")).await;
        Self { directory, pool }
    }

    async fn migrated() -> (Self, SqliteLockProvider) {
        let database = Self::new().await;
        let provider = SqliteLockProvider::new(database.pool.clone());
        provider.migrate().await.unwrap();
        (database, provider)
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("jobs.db")
    }

    async fn run(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&self.pool)
            .await
            .unwrap();
    }

    async fn ask(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    async fn refused(&self) -> (String, String) {
        setup_of(SqliteLockProvider::new(self.pool.clone()).check().await)
    }
}

async fn pool_of(file: &Path) -> SqlitePool {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true);
    SqlitePool::connect_with(options).await.unwrap()
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

const PROCESSES: u32 = 4;
const ROUNDS: u32 = 50;

/// Each process reads a number from a file and writes the next one, unprotected but for the lock.
#[test]
fn processes_that_share_a_file_exclude_each_other() {
    let directory = TempDir::new().unwrap();
    let counter = directory.path().join("counter");
    fs::write(&counter, "0").unwrap();

    let processes: Vec<Child> = (0..PROCESSES)
        .map(|_| {
            Command::new(env::current_exe().unwrap())
                .args(["--exact", "one_of_the_processes", "--ignored"])
                .env("SHEDLOCK_TEST_DIRECTORY", directory.path())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }

    let reached = fs::read_to_string(&counter).unwrap();
    assert_eq!(reached, (PROCESSES * ROUNDS).to_string());
}

#[tokio::test]
#[ignore = "run by `processes_that_share_a_file_exclude_each_other`"]
async fn one_of_the_processes() {
    // Without the variable somebody runs all ignored tests.
    let Some(directory) = env::var_os("SHEDLOCK_TEST_DIRECTORY").map(PathBuf::from) else {
        return;
    };
    let counter = directory.join("counter");
    let provider = SqliteLockProvider::new(pool_of(&directory.join("jobs.db")).await);
    provider.migrate().await.unwrap();
    provider.check().await.unwrap();
    for _ in 0..ROUNDS {
        let request = request("counter", MINUTE);
        while !provider.acquire(&request).await.unwrap() {}
        let seen: u32 = fs::read_to_string(&counter).unwrap().parse().unwrap();
        fs::write(&counter, (seen + 1).to_string()).unwrap();
        assert!(provider.release(&request).await.unwrap());
    }
}

#[tokio::test]
async fn the_lock_is_as_long_as_it_was_asked_for_and_no_shorter() {
    let (database, provider) = Database::migrated().await;
    let odd = Duration::from_micros(1_500);
    assert!(provider.acquire(&request("job", odd)).await.unwrap());
    let milliseconds = database
        .ask("SELECT lock_until - locked_at FROM shedlock")
        .await;
    assert_eq!(milliseconds, 3);
}

#[tokio::test]
async fn times_are_milliseconds_since_1970() {
    let (database, provider) = Database::migrated().await;
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    let ago = database
        .ask("SELECT unixepoch() - locked_at / 1000 FROM shedlock")
        .await;
    assert!((0..=5).contains(&ago), "{ago}");
}

#[tokio::test]
async fn migrate_puts_the_file_in_wal_mode() {
    let (database, _) = Database::migrated().await;
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode")
        .fetch_one(&database.pool)
        .await
        .unwrap();
    assert_eq!(mode, "wal");
}

#[tokio::test(flavor = "multi_thread")]
async fn twelve_nodes_migrate_at_once() {
    let directory = TempDir::new().unwrap();
    let mut nodes = Vec::new();
    for _ in 0..12 {
        let file = directory.path().join("jobs.db");
        nodes.push(tokio::spawn(async move {
            let provider = SqliteLockProvider::new(pool_of(&file).await);
            provider.migrate().await.unwrap();
            provider.check().await.unwrap();
        }));
    }
    for node in nodes {
        node.await.unwrap();
    }
}

#[tokio::test]
async fn a_lock_waits_until_another_transaction_has_written() {
    let (database, provider) = Database::migrated().await;
    let mut transaction = database.pool.begin_with("BEGIN IMMEDIATE").await.unwrap();
    sqlx::query("CREATE TABLE payouts (id INTEGER)")
        .execute(&mut *transaction)
        .await
        .unwrap();
    let job = request("job", MINUTE);
    let (taken, ()) = tokio::join!(provider.acquire(&job), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        transaction.rollback().await.unwrap();
    });
    assert!(taken.unwrap());
}

#[tokio::test]
async fn an_in_memory_database_with_a_shared_cache_works() {
    let pool = SqlitePoolOptions::new()
        .min_connections(1)
        .connect("sqlite::memory:")
        .await
        .unwrap();
    let provider = SqliteLockProvider::new(pool.clone());
    provider.migrate().await.unwrap();
    provider.check().await.unwrap();
    assert!(provider.acquire(&request("job", MINUTE)).await.unwrap());
    let locks: i64 = sqlx::query_scalar("SELECT count(*) FROM shedlock")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(locks, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_of_one_in_memory_database_exclude_each_other() {
    let pool = SqlitePool::connect("sqlite::memory:").await.unwrap();
    SqliteLockProvider::new(pool.clone())
        .migrate()
        .await
        .unwrap();
    let mut attempts = Vec::new();
    for _ in 0..8 {
        let provider = SqliteLockProvider::new(pool.clone());
        attempts.push(tokio::spawn(async move {
            let mut taken = 0;
            for _ in 0..100 {
                let attempt = provider.acquire(&request("job", MINUTE)).await;
                taken += u32::from(attempt.unwrap());
            }
            taken
        }));
    }
    let mut taken = 0;
    for attempt in attempts {
        taken += attempt.await.unwrap();
    }
    assert_eq!(taken, 1);
}

#[tokio::test]
async fn an_in_memory_database_of_one_connection_is_refused() {
    let options = SqliteConnectOptions::new().in_memory(true);
    let pool = SqlitePool::connect_with(options).await.unwrap();
    let provider = SqliteLockProvider::new(pool);
    let (problem, fix) = setup_of(provider.migrate().await);
    assert!(problem.contains("one connection"), "{problem}");
    assert!(fix.contains("sqlite::memory:"), "{fix}");
}

#[tokio::test]
async fn other_table_and_column_names_work() {
    let database = Database::new().await;
    let table = LockTable::new("main.Order")
        .unwrap()
        .with_name_column("select")
        .unwrap()
        .with_lock_until_column("lockUntil")
        .unwrap()
        .with_locked_at_column("from")
        .unwrap()
        .with_locked_by_column("user")
        .unwrap();
    let provider = SqliteLockProvider::new(database.pool.clone()).with_table(table);
    provider.migrate().await.unwrap();
    provider.check().await.unwrap();
    let request = request("job", MINUTE);
    assert!(provider.acquire(&request).await.unwrap());
    assert!(provider.extend(&request).await.unwrap());
    assert!(provider.release(&request).await.unwrap());
}

#[tokio::test]
async fn a_missing_table_is_reported_with_the_sql_that_makes_it() {
    let database = Database::new().await;
    let (problem, fix) = database.refused().await;
    assert!(problem.contains("there is no table"), "{problem}");
    database.run(fix.split_once("run: ").unwrap().1).await;
    SqliteLockProvider::new(database.pool.clone())
        .check()
        .await
        .unwrap();
}

#[tokio::test]
async fn every_fault_of_a_table_is_reported_at_once_with_the_sql_that_makes_it_anew() {
    let database = Database::new().await;
    database
        .run("CREATE TABLE shedlock (name TEXT COLLATE NOCASE PRIMARY KEY, lock_until TIMESTAMP, locked_at INTEGER)")
        .await;
    let (problem, fix) = database.refused().await;
    for part in [
        "`lock_until` is `TIMESTAMP`, which is not an integer",
        "`locked_by` is missing",
        "`name` has no primary key or unique constraint that tells letters of different case apart",
    ] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
    database.run(fix.split_once("run: ").unwrap().1).await;
    SqliteLockProvider::new(database.pool.clone())
        .check()
        .await
        .unwrap();
}

#[tokio::test]
async fn a_file_that_takes_no_writes_is_reported() {
    let (database, _) = Database::migrated().await;
    let options = SqliteConnectOptions::new()
        .filename(database.file())
        .read_only(true);
    let pool = SqlitePool::connect_with(options).await.unwrap();
    let (problem, _) = setup_of(SqliteLockProvider::new(pool).check().await);
    assert!(problem.contains("takes no writes"), "{problem}");
}

#[tokio::test]
async fn a_missing_file_is_reported() {
    let directory = TempDir::new().unwrap();
    let options = SqliteConnectOptions::new().filename(directory.path().join("absent.db"));
    let pool = SqlitePoolOptions::new().connect_lazy_with(options);
    let (problem, fix) = setup_of(SqliteLockProvider::new(pool).check().await);
    assert!(problem.contains("absent.db"), "{problem}");
    assert!(fix.contains("mode=rwc"), "{fix}");
}
