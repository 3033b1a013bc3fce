mod check;

use std::time::Duration;

use sqlx::{
    PgConnection, PgPool, Postgres, SqlStr,
    error::DatabaseError,
    postgres::{PgConnectOptions, types::PgInterval},
};

use super::sql::{Failure, LockTable, SqlStore, Statements, in_units_of};
use crate::{LockError, LockName, LockRequest, LockStore};

/// Locks in a PostgreSQL table, which ShedLock nodes may share.
///
/// Taking, extending and releasing a lock is one prepared statement and one round trip each,
/// decided on the server's clock, in UTC and microseconds, whatever the session's time zone is. A
/// lock is rounded up to the next microsecond and one more, so that it is never shorter than asked
/// for.
/// A refused attempt writes nothing: no row version, no WAL, no transaction id. A serialization
/// failure (pools whose sessions are `REPEATABLE READ` or `SERIALIZABLE`) is tried again and then
/// counts as held elsewhere.
///
/// The statements run on up to four connections of the provider's own, opened when they are
/// needed with the options and hooks of the application's pool: a lock never joins the caller's
/// transaction and waits for no job's connection. A connection that died while it was idle is
/// replaced without an error.
///
/// ```no_run
/// use shedlock_core::{LockingExecutor, LockProvider, PostgresLockProvider};
/// use sqlx::PgPool;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let pool = PgPool::connect("postgres://settlement@localhost/settlement").await?;
/// let provider = PostgresLockProvider::new(pool);
/// provider.migrate().await?;
/// provider.check().await?;
/// let executor = LockingExecutor::new(provider);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct PostgresLockProvider {
    store: SqlStore<PostgresStatements>,
}

impl PostgresLockProvider {
    /// Locks in the table `shedlock`. Nothing is connected yet.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self {
            store: SqlStore::new(pool),
        }
    }

    /// Locks in another table.
    #[must_use]
    pub fn with_table(self, table: LockTable) -> Self {
        Self {
            store: self.store.with_table(table),
        }
    }

    /// Creates the table if it is missing. Any number of nodes may start at once.
    ///
    /// The same statement stands in `docs/sql/postgres.sql` for those who migrate otherwise.
    ///
    /// # Errors
    /// [`LockError::Setup`] when there is no connection, no such schema or no privilege.
    pub async fn migrate(&self) -> Result<(), LockError> {
        check::migrate(&self.store).await
    }
}

impl LockStore for PostgresLockProvider {
    async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.store.acquire(request).await
    }

    async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.store.extend(request).await
    }

    async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        self.store.release(request).await
    }

    async fn check(&self) -> Result<(), LockError> {
        check::check(&self.store).await
    }

    async fn last_holder(&self, name: &LockName) -> Result<Option<String>, LockError> {
        self.store.last_holder(name).await
    }
}

/// The server's own now. That of `now()` would stand still in a transaction.
const CLOCK: &str = "timezone('utc', clock_timestamp())";

/// An upsert that refuses would lock the row all the same, which takes a transaction id and is
/// written to the WAL. So a row that is held keeps it from beginning; its own condition decides
/// between those who have found the row free at once.
const ACQUIRE: &str = "\
    INSERT INTO {table} AS held ({name}, {lock_until}, {locked_at}, {locked_by}) \
    SELECT $1, clock.now + $3, clock.now, $2 FROM (SELECT {clock} AS now) AS clock \
    WHERE NOT EXISTS (\
        SELECT 1 FROM {table} \
        WHERE {name} = $1 AND ({lock_until} > {clock}) <> ({locked_by} = $2)) \
    ON CONFLICT ({name}) DO UPDATE \
    SET {lock_until} = excluded.{lock_until}, {locked_at} = excluded.{locked_at}, \
        {locked_by} = excluded.{locked_by} \
    WHERE (held.{lock_until} > excluded.{locked_at}) = (held.{locked_by} = excluded.{locked_by})";

const EXTEND: &str = "\
    UPDATE {table} SET {lock_until} = {clock} + $3 \
    WHERE {name} = $1 AND {locked_by} = $2 AND {lock_until} > {clock}";

const RELEASE: &str = "\
    UPDATE {table} SET {lock_until} = greatest({clock}, {locked_at} + $3) \
    WHERE {name} = $1 AND {locked_by} = $2 AND {lock_until} > {clock}";

const LAST_HOLDER: &str = "SELECT {locked_by} FROM {table} WHERE {name} = $1";

#[derive(Debug)]
struct PostgresStatements {
    acquire: SqlStr,
    extend: SqlStr,
    release: SqlStr,
    last_holder: SqlStr,
}

impl Statements for PostgresStatements {
    type Database = Postgres;

    const STORE: &'static str = "postgres";
    const MAX_CONNECTIONS: u32 = 4;

    fn new(table: &LockTable) -> Self {
        let statement = |template: &str| table.statement(&template.replace("{clock}", CLOCK), '"');
        Self {
            acquire: statement(ACQUIRE),
            extend: statement(EXTEND),
            release: statement(RELEASE),
            last_holder: statement(LAST_HOLDER),
        }
    }

    async fn acquire(
        &self,
        connection: &mut PgConnection,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(
            &self.acquire,
            connection,
            request,
            request.lock_at_most_for(),
        )
        .await
    }

    async fn extend(
        &self,
        connection: &mut PgConnection,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(
            &self.extend,
            connection,
            request,
            request.lock_at_most_for(),
        )
        .await
    }

    async fn release(
        &self,
        connection: &mut PgConnection,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        run(
            &self.release,
            connection,
            request,
            request.lock_at_least_for(),
        )
        .await
    }

    async fn last_holder(
        &self,
        connection: &mut PgConnection,
        name: &LockName,
    ) -> sqlx::Result<Option<String>> {
        sqlx::query_scalar(self.last_holder.clone())
            .bind(name.as_str())
            .fetch_optional(connection)
            .await
    }

    fn adapt(options: PgConnectOptions) -> PgConnectOptions {
        options
    }

    fn server(options: &PgConnectOptions) -> String {
        let host = options.get_socket().map_or_else(
            || options.get_host().into(),
            |socket| socket.to_string_lossy(),
        );
        let (port, user) = (options.get_port(), options.get_username());
        let database = options.get_database().unwrap_or(user);
        format!("PostgreSQL at {host}:{port}, database `{database}`, user `{user}`")
    }

    fn failure(error: &dyn DatabaseError) -> Failure {
        match error.code().as_deref() {
            // serialization_failure, deadlock_detected
            Some("40001" | "40P01") => Failure::Contended,
            // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
            Some("57P01" | "57P02" | "57P03" | "57P05") => Failure::Disconnected,
            _ => Failure::Refused,
        }
    }
}

async fn run(
    statement: &SqlStr,
    connection: &mut PgConnection,
    request: &LockRequest,
    duration: Duration,
) -> sqlx::Result<bool> {
    let duration = PgInterval {
        months: 0,
        days: 0,
        microseconds: in_units_of(Duration::from_micros(1), duration),
    };
    let done = sqlx::query(statement.clone())
        .bind(request.name().as_str())
        .bind(request.owner().as_str())
        .bind(duration)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
