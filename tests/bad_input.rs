//! What a person gets wrong is said when the application starts, with the fix.

use std::{env, error::Error, time::Duration};

use shedlock::{
    Data, LockConfiguration, LockTable, MemoryLockProvider, PostgresLockProvider, Scheduler, Task,
    Trigger, scheduled, scheduler_lock,
};
use sqlx::{AssertSqlSafe, Executor as _, PgPool, postgres::PgPoolOptions};

const MINUTE: Duration = Duration::from_mins(1);

#[scheduled(cron = "0 0 4 * * *", zone = "${BAD_INPUT_ZONE:Asia/Seoul}")]
#[scheduler_lock(name = "bad-input-${BAD_INPUT_SUFFIX:payout}", lock_at_most_for = "1h")]
async fn execute_payouts(_rate: Data<u128>) {}

fn every_minute(name: &str) -> Task {
    Task::new(name, Trigger::FixedRate(MINUTE), async || {})
}

/// An error and its causes, as a person sees them.
fn report(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |&error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[test]
fn every_problem_of_a_configuration_is_said_at_once() {
    let refused = Scheduler::builder()
        .lock_provider(MemoryLockProvider::new())
        .task(every_minute("twice"))
        .task(every_minute("twice"))
        .placeholders(|name| match name {
            "BAD_INPUT_ZONE" => Some("Asia/Soul".to_owned()),
            "BAD_INPUT_SUFFIX" => Some("x".repeat(55)),
            _ => None,
        })
        .discover()
        .build()
        .unwrap_err()
        .to_string();
    for problem in [
        "twice",
        "did you mean `Asia/Seoul`?",
        "65",
        "64",
        "u128",
        "tests/bad_input.rs",
    ] {
        assert!(
            refused.contains(problem),
            "`{problem}` is missing in:\n{refused}"
        );
    }
}

/// What a scheduler with one locked job says when it starts on this pool and table.
async fn start(pool: PgPool, table: &str) -> String {
    let locks = PostgresLockProvider::new(pool).with_table(LockTable::new(table).unwrap());
    let scheduler = Scheduler::builder()
        .lock_provider(locks)
        .task(every_minute("job").lock(LockConfiguration::new("job", MINUTE).unwrap()))
        .build()
        .unwrap();
    report(
        &scheduler
            .run_until(std::future::pending())
            .await
            .unwrap_err(),
    )
}

#[tokio::test]
async fn a_wrong_database_url_says_what_was_tried() {
    let pool = PgPoolOptions::new()
        .acquire_timeout(Duration::from_secs(1))
        .connect_lazy("postgres://settlement:secret@127.0.0.1:1/settlement")
        .unwrap();
    let said = start(pool, "shedlock").await;
    for part in ["127.0.0.1:1", "`settlement`"] {
        assert!(said.contains(part), "`{part}` is missing in: {said}");
    }
    assert!(!said.contains("secret"), "{said}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_missing_table_says_how_to_make_it() {
    let pool = PgPool::connect(&env::var("SHEDLOCK_TEST_POSTGRES_URL").unwrap())
        .await
        .unwrap();
    let said = start(pool, "bad_input_missing").await;
    assert!(
        said.contains("bad_input_missing") && said.contains("migrate()"),
        "{said}"
    );
}

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_table_with_wrong_columns_says_the_statement_that_mends_it() {
    let pool = PgPool::connect(&env::var("SHEDLOCK_TEST_POSTGRES_URL").unwrap())
        .await
        .unwrap();
    let table = "bad_input_columns";
    let create = format!(
        "drop table if exists {table}; create table {table} (name varchar(64) primary key, lock_until timestamptz not null, locked_at timestamptz not null, locked_by varchar(255) not null)"
    );
    pool.execute(sqlx::raw_sql(AssertSqlSafe(create)))
        .await
        .unwrap();
    let said = start(pool, table).await;
    assert!(
        said.contains("ALTER TABLE") && said.contains("AT TIME ZONE 'UTC'"),
        "{said}"
    );
}
