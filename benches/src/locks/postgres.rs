use std::time::Duration;

use shedlock::{LockError, LockRequest, PostgresLockProvider};
use sqlx::{PgConnection, PgPool, SqlStr, postgres::types::PgInterval};

use super::store::Store;

pub(crate) struct Postgres;

impl Store for Postgres {
    type Database = sqlx::Postgres;
    type Provider = PostgresLockProvider;

    fn provider(pool: PgPool) -> PostgresLockProvider {
        PostgresLockProvider::new(pool)
    }

    async fn migrate(provider: &PostgresLockProvider) -> Result<(), LockError> {
        provider.migrate().await
    }

    async fn acquire(
        connection: &mut PgConnection,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(connection, statement, request, request.lock_at_most_for()).await
    }

    async fn release(
        connection: &mut PgConnection,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(connection, statement, request, request.lock_at_least_for()).await
    }

    async fn select_1(connection: &mut PgConnection) -> sqlx::Result<()> {
        sqlx::query("SELECT 1").execute(connection).await.map(drop)
    }

    async fn transaction_ids(connection: &mut PgConnection) -> sqlx::Result<Option<u64>> {
        let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
        let next: i64 = sqlx::query_scalar(next).fetch_one(connection).await?;
        Ok(u64::try_from(next).ok())
    }
}

async fn run(
    connection: &mut PgConnection,
    statement: &SqlStr,
    request: &LockRequest,
    duration: Duration,
) -> sqlx::Result<bool> {
    let microseconds = i64::try_from(duration.as_micros()).expect("a lock of some hours");
    let done = sqlx::query(statement.clone())
        .bind(request.name().as_str())
        .bind(request.owner().as_str())
        .bind(PgInterval {
            months: 0,
            days: 0,
            microseconds,
        })
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
