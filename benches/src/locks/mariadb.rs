use std::time::Duration;

use shedlock::{LockError, LockRequest, MySqlLockProvider};
use sqlx::{MySqlConnection, MySqlPool, SqlStr};

use super::store::Store;

pub(crate) struct MariaDb;

impl Store for MariaDb {
    type Database = sqlx::MySql;
    type Provider = MySqlLockProvider;

    fn provider(pool: MySqlPool) -> MySqlLockProvider {
        MySqlLockProvider::new(pool)
    }

    async fn migrate(provider: &MySqlLockProvider) -> Result<(), LockError> {
        provider.migrate().await
    }

    async fn acquire(
        connection: &mut MySqlConnection,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        let owner = request.owner().as_str();
        let done = sqlx::query(statement.clone())
            .bind(owner)
            .bind(owner)
            .bind(owner)
            .bind(owner)
            .bind(microseconds(request.lock_at_most_for()))
            .bind(request.name().as_str())
            .bind(owner)
            .execute(connection)
            .await?;
        Ok(done.last_insert_id() == 1)
    }

    async fn release(
        connection: &mut MySqlConnection,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        let done = sqlx::query(statement.clone())
            .bind(microseconds(request.lock_at_least_for()))
            .bind(request.name().as_str())
            .bind(request.owner().as_str())
            .execute(connection)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn select_1(connection: &mut MySqlConnection) -> sqlx::Result<()> {
        sqlx::query("SELECT 1").execute(connection).await.map(drop)
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).expect("a lock of some hours")
}
