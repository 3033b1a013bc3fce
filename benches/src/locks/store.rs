//! What differs between the stores.

use shedlock::{LockError, LockProvider, LockRequest};
use sqlx::{Connection, Database, Pool, SqlStr};

pub(crate) type ConnectionOf<S> = <<S as Store>::Database as Database>::Connection;
pub(crate) type OptionsOf<S> = <ConnectionOf<S> as Connection>::Options;

/// An SQL store: how its provider is made, and how its driver runs a statement of it.
pub(crate) trait Store {
    type Database: Database;
    type Provider: LockProvider + Clone;

    fn provider(pool: Pool<Self::Database>) -> Self::Provider;

    fn migrate(provider: &Self::Provider) -> impl Future<Output = Result<(), LockError>> + Send;

    /// Runs the provider's statement, and says whether the lock was taken.
    fn acquire(
        connection: &mut ConnectionOf<Self>,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// Runs the provider's statement, and says whether the lock was released.
    fn release(
        connection: &mut ConnectionOf<Self>,
        statement: &SqlStr,
        request: &LockRequest,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// The least that a round trip costs.
    fn select_1(
        connection: &mut ConnectionOf<Self>,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;

    /// How many transaction ids the server has given out, if it counts them.
    fn transaction_ids(
        connection: &mut ConnectionOf<Self>,
    ) -> impl Future<Output = sqlx::Result<Option<u64>>> + Send {
        let _ = connection;
        async { Ok(None) }
    }
}
