use std::future::Future;

use sqlx::{Database, Transaction};

/// A database that `#[transactional]` works with.
#[diagnostic::on_unimplemented(
    message = "`#[transactional]` does not work with `{Self}`",
    label = "use PostgreSQL, MySQL or SQLite, and enable its feature of `shedlock`: `postgres`, `mysql` or `sqlite`"
)]
pub trait TransactionalDatabase: Database {
    /// Says whether a commit would commit.
    fn check(
        transaction: &mut Transaction<'static, Self>,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;
}

#[cfg(feature = "postgres")]
impl TransactionalDatabase for sqlx::Postgres {
    // After a statement that failed, PostgreSQL answers a COMMIT with a rollback, and no error. It
    // refuses every other statement.
    async fn check(transaction: &mut Transaction<'static, Self>) -> sqlx::Result<()> {
        sqlx::query("SELECT")
            .execute(&mut **transaction)
            .await
            .map(drop)
    }
}

#[cfg(feature = "mysql")]
impl TransactionalDatabase for sqlx::MySql {
    async fn check(_: &mut Transaction<'static, Self>) -> sqlx::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "sqlite")]
impl TransactionalDatabase for sqlx::Sqlite {
    async fn check(_: &mut Transaction<'static, Self>) -> sqlx::Result<()> {
        Ok(())
    }
}
