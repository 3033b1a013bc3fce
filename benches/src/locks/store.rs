//! What differs between the stores.

use std::time::Duration;

use shedlock::{LockError, LockProvider, LockRequest};
use sqlx::{Connection, Database, Pool, SqlStr};

pub(crate) type ConnectionOf<S> = <<S as Store>::Database as Database>::Connection;
pub(crate) type OptionsOf<S> = <ConnectionOf<S> as Connection>::Options;

/// An SQL store: how its provider is made, and how its driver runs a statement.
pub(crate) trait Store {
    type Database: Database;
    type Provider: LockProvider + Clone;

    fn provider(pool: Pool<Self::Database>) -> Self::Provider;

    fn migrate(provider: &Self::Provider) -> impl Future<Output = Result<(), LockError>> + Send;

    /// Runs a statement of the provider with its parameters, and says how many rows it changed or
    /// returned.
    fn execute(
        connection: &mut ConnectionOf<Self>,
        statement: &SqlStr,
        request: &LockRequest,
        duration: Duration,
    ) -> impl Future<Output = sqlx::Result<u64>> + Send;

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
