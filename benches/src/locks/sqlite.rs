use std::time::Duration;

use shedlock::{LockError, LockRequest, SqliteLockProvider};
use sqlx::{SqlStr, SqliteConnection, SqlitePool};

use super::store::Store;

pub(crate) struct Sqlite;

impl Store for Sqlite {
    type Database = sqlx::Sqlite;
    type Provider = SqliteLockProvider;

    fn provider(pool: SqlitePool) -> SqliteLockProvider {
        SqliteLockProvider::new(pool)
    }

    async fn migrate(provider: &SqliteLockProvider) -> Result<(), LockError> {
        provider.migrate().await
    }

    async fn acquire(
        connection: &mut SqliteConnection,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(connection, statement, request, request.lock_at_most_for()).await
    }

    async fn release(
        connection: &mut SqliteConnection,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(connection, statement, request, request.lock_at_least_for()).await
    }

    async fn select_1(connection: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query("SELECT 1").execute(connection).await.map(drop)
    }
}

async fn run(
    connection: &mut SqliteConnection,
    statement: &SqlStr,
    request: &LockRequest,
    duration: Duration,
) -> sqlx::Result<bool> {
    let milliseconds = i64::try_from(duration.as_millis()).expect("a lock of some hours");
    let done = sqlx::query(statement.clone())
        .bind(request.name().as_str())
        .bind(request.owner().as_str())
        .bind(milliseconds)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
