mod check;

use std::time::Duration;

use sqlx::{
    SqlStr, Sqlite, SqliteConnection, SqlitePool, error::DatabaseError,
    sqlite::SqliteConnectOptions,
};

use super::sql::{Failure, LockTable, SqlStore, Statements, in_units_of};
use crate::{LockError, LockName, LockRequest, LockStore};

/// How long a statement waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Locks in a SQLite table, for the processes of one machine that share the file.
///
/// Taking, extending and releasing a lock is one prepared statement each, which is a transaction
/// of its own and decides on SQLite's clock once it may write. Times are integers: milliseconds
/// since 1970. A lock is rounded up to the next millisecond and one more, so that it is never
/// shorter than asked for.
///
/// The statements run on one connection of the provider's own, opened when it is needed with the
/// options and hooks of the application's pool, and wait up to five seconds for another writer. So
/// the application's transactions must be shorter than that, and code that runs in one must not
/// wait for a lock. An in-memory database works if its cache is shared, as that of the URL
/// `sqlite::memory:` is.
///
/// ```no_run
/// use shedlock_core::{LockingExecutor, LockProvider, SqliteLockProvider};
/// use sqlx::SqlitePool;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let pool = SqlitePool::connect("sqlite:settlement.db?mode=rwc").await?;
/// let provider = SqliteLockProvider::new(pool);
/// provider.migrate().await?;
/// provider.check().await?;
/// let executor = LockingExecutor::new(provider);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct SqliteLockProvider {
    store: SqlStore<SqliteStatements>,
}

impl SqliteLockProvider {
    /// Locks in the table `shedlock`. Nothing is opened yet.
    #[must_use]
    pub fn new(pool: SqlitePool) -> Self {
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

    /// Puts the database in WAL mode and creates the table if it is missing. Any number of
    /// processes may start at once.
    ///
    /// The same statement stands in `docs/sql/sqlite.sql` for those who migrate otherwise.
    ///
    /// # Errors
    /// [`LockError::Setup`] when the file can't be opened or written.
    pub async fn migrate(&self) -> Result<(), LockError> {
        check::migrate(&self.store).await
    }
}

impl LockStore for SqliteLockProvider {
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

/// The same instant wherever it stands in one statement.
const CLOCK: &str = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";

const ACQUIRE: &str = "\
    INSERT INTO {table} ({name}, {lock_until}, {locked_at}, {locked_by}) \
    VALUES ($1, {clock} + $3, {clock}, $2) \
    ON CONFLICT ({name}) DO UPDATE \
    SET {lock_until} = excluded.{lock_until}, {locked_at} = excluded.{locked_at}, \
        {locked_by} = excluded.{locked_by} \
    WHERE ({lock_until} > excluded.{locked_at}) = ({locked_by} = excluded.{locked_by})";

const EXTEND: &str = "\
    UPDATE {table} SET {lock_until} = {clock} + $3 \
    WHERE {name} = $1 AND {locked_by} = $2 AND {lock_until} > {clock}";

const RELEASE: &str = "\
    UPDATE {table} SET {lock_until} = max({clock}, {locked_at} + $3) \
    WHERE {name} = $1 AND {locked_by} = $2 AND {lock_until} > {clock}";

const LAST_HOLDER: &str = "SELECT {locked_by} FROM {table} WHERE {name} = $1";

#[derive(Debug)]
struct SqliteStatements {
    acquire: SqlStr,
    extend: SqlStr,
    release: SqlStr,
    last_holder: SqlStr,
}

impl Statements for SqliteStatements {
    type Database = Sqlite;

    const STORE: &'static str = "sqlite";
    const UNREACHABLE: &'static str = "create the file (`?mode=rwc` in the URL does), or correct the URL that the pool was made with";
    /// SQLite lets one connection write at a time, and the others wait by polling.
    const MAX_CONNECTIONS: u32 = 1;

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
        connection: &mut SqliteConnection,
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
        connection: &mut SqliteConnection,
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
        connection: &mut SqliteConnection,
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
        connection: &mut SqliteConnection,
        name: &LockName,
    ) -> sqlx::Result<Option<String>> {
        sqlx::query_scalar(self.last_holder.clone())
            .bind(name.as_str())
            .fetch_optional(connection)
            .await
    }

    fn adapt(options: SqliteConnectOptions) -> SqliteConnectOptions {
        options.busy_timeout(BUSY_TIMEOUT)
    }

    fn server(options: &SqliteConnectOptions) -> String {
        format!("the SQLite database `{}`", options.get_filename().display())
    }

    fn failure(error: &dyn DatabaseError) -> Failure {
        match error.code().as_deref() {
            // A table of a shared in-memory database is locked, which is not waited for.
            Some("6" | "262") => Failure::Contended,
            _ => Failure::Refused,
        }
    }
}

async fn run(
    statement: &SqlStr,
    connection: &mut SqliteConnection,
    request: &LockRequest,
    duration: Duration,
) -> sqlx::Result<bool> {
    let done = sqlx::query(statement.clone())
        .bind(request.name().as_str())
        .bind(request.owner().as_str())
        .bind(in_units_of(Duration::from_millis(1), duration))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
