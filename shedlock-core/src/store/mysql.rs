mod check;

use std::time::Duration;

use sqlx::{
    MySql, MySqlConnection, MySqlPool, SqlStr,
    error::DatabaseError,
    mysql::{MySqlConnectOptions, MySqlDatabaseError},
};

use super::sql::{Failure, LockTable, SqlStore, Statements, in_units_of};
use crate::{LockError, LockName, LockRequest, LockStore};

/// Locks in a MySQL or MariaDB table, which ShedLock nodes may share.
///
/// Taking, extending and releasing a lock is one prepared statement and one round trip each,
/// decided on the server's clock, in UTC and milliseconds; the very first attempt for a name adds
/// a second one. A lock is rounded up to the next millisecond and one more, so that it is never
/// shorter than asked for. A refused attempt writes nothing. A deadlock or a lock wait that
/// timed out is tried again and then counts as held elsewhere.
///
/// The statements run on up to four connections of the provider's own, opened when they are
/// needed with the options and hooks of the application's pool, in the time zone UTC: a lock never
/// joins the caller's transaction and waits for no job's connection. A connection that died while
/// it was idle is replaced without an error.
///
/// ```no_run
/// use shedlock_core::{LockingExecutor, LockProvider, MySqlLockProvider};
/// use sqlx::MySqlPool;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let pool = MySqlPool::connect("mysql://settlement@localhost/settlement").await?;
/// let provider = MySqlLockProvider::new(pool);
/// provider.migrate().await?;
/// provider.check().await?;
/// let executor = LockingExecutor::new(provider);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct MySqlLockProvider {
    store: SqlStore<MySqlStatements>,
}

impl MySqlLockProvider {
    /// Locks in the table `shedlock`. Nothing is connected yet.
    #[must_use]
    pub fn new(pool: MySqlPool) -> Self {
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
    /// The same statement stands in `docs/sql/mysql.sql` for those who migrate otherwise.
    ///
    /// # Errors
    /// [`LockError::Setup`] when there is no connection, no such database or no privilege.
    pub async fn migrate(&self) -> Result<(), LockError> {
        check::migrate(&self.store).await
    }
}

impl LockStore for MySqlLockProvider {
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

/// The same instant wherever it stands in one statement. Milliseconds, because servers differ in
/// whether a column of milliseconds cuts or rounds what is finer.
const CLOCK: &str = "UTC_TIMESTAMP(3)";

const FREE: &str = "{lock_until} <= {clock} OR {locked_by} = ?";

/// Changes the row of the name if it is free, and writes it back as it is otherwise, which changes
/// nothing. So the row count says whether there is a row, and the "last insert id", which is set
/// as the owner is, whether the lock was taken.
///
/// Each assignment sees those before it: `{locked_by}` is the owner then if and only if the row
/// was free, so the condition stays the same until `{lock_until}` changes last. For the same
/// reason an owner's ended acquisition is left out at the end, not in the condition.
const ACQUIRE: &str = "\
    UPDATE {table} SET \
        {locked_at} = IF({free}, {clock}, {locked_at}), \
        {locked_by} = IF({free}, ELT(LAST_INSERT_ID(1), ?), {locked_by}), \
        {lock_until} = IF({free}, {clock} + INTERVAL ? MICROSECOND, {lock_until}) \
    WHERE {name} = ? AND NOT ({locked_by} = ? AND {lock_until} <= {clock})";

/// For a name without a row only: to insert first would deadlock, and to fail on a row that
/// another node has just inserted would be an error.
const INSERT: &str = "\
    INSERT IGNORE INTO {table} ({name}, {lock_until}, {locked_at}, {locked_by}) \
    VALUES (?, {clock} + INTERVAL ? MICROSECOND, {clock}, ?)";

const EXTEND: &str = "\
    UPDATE {table} SET {lock_until} = {clock} + INTERVAL ? MICROSECOND \
    WHERE {name} = ? AND {locked_by} = ? AND {lock_until} > {clock}";

const RELEASE: &str = "\
    UPDATE {table} SET {lock_until} = GREATEST({clock}, {locked_at} + INTERVAL ? MICROSECOND) \
    WHERE {name} = ? AND {locked_by} = ? AND {lock_until} > {clock}";

const LAST_HOLDER: &str = "SELECT {locked_by} FROM {table} WHERE {name} = ?";

#[derive(Debug)]
struct MySqlStatements {
    acquire: SqlStr,
    insert: SqlStr,
    extend: SqlStr,
    release: SqlStr,
    last_holder: SqlStr,
}

impl Statements for MySqlStatements {
    type Database = MySql;

    const STORE: &'static str = "mysql";
    const MAX_CONNECTIONS: u32 = 4;

    fn new(table: &LockTable) -> Self {
        let statement = |template: &str| {
            let statement = template.replace("{free}", FREE).replace("{clock}", CLOCK);
            table.statement(&statement, '`')
        };
        Self {
            acquire: statement(ACQUIRE),
            insert: statement(INSERT),
            extend: statement(EXTEND),
            release: statement(RELEASE),
            last_holder: statement(LAST_HOLDER),
        }
    }

    async fn acquire(
        &self,
        connection: &mut MySqlConnection,
        request: &LockRequest,
    ) -> sqlx::Result<bool> {
        let (name, owner) = (request.name().as_str(), request.owner().as_str());
        let duration = microseconds(request.lock_at_most_for());
        let updated = sqlx::query(self.acquire.clone())
            .bind(owner)
            .bind(owner)
            .bind(owner)
            .bind(owner)
            .bind(duration)
            .bind(name)
            .bind(owner)
            .execute(&mut *connection)
            .await?;
        if updated.rows_affected() == 1 {
            return Ok(updated.last_insert_id() == 1);
        }
        let inserted = sqlx::query(self.insert.clone())
            .bind(name)
            .bind(duration)
            .bind(owner)
            .execute(connection)
            .await?;
        Ok(inserted.rows_affected() == 1)
    }

    async fn extend(
        &self,
        connection: &mut MySqlConnection,
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
        connection: &mut MySqlConnection,
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
        connection: &mut MySqlConnection,
        name: &LockName,
    ) -> sqlx::Result<Option<String>> {
        sqlx::query_scalar(self.last_holder.clone())
            .bind(name.as_str())
            .fetch_optional(connection)
            .await
    }

    fn adapt(options: MySqlConnectOptions) -> MySqlConnectOptions {
        // A `TIMESTAMP` column keeps UTC if, and only if, the session's zone is UTC.
        options.timezone("+00:00".to_owned())
    }

    fn server(options: &MySqlConnectOptions) -> String {
        let host = options.get_socket().map_or_else(
            || options.get_host().into(),
            |socket| socket.to_string_lossy(),
        );
        let (port, user) = (options.get_port(), options.get_username());
        let database = options.get_database().unwrap_or_default();
        format!("MySQL or MariaDB at {host}:{port}, database `{database}`, user `{user}`")
    }

    fn failure(error: &dyn DatabaseError) -> Failure {
        match error
            .try_downcast_ref::<MySqlDatabaseError>()
            .map(MySqlDatabaseError::number)
        {
            // Deadlock, lock wait timeout, record changed since it was read
            Some(1213 | 1205 | 1020) => Failure::Contended,
            // Shutdown, connection killed, idle for too long
            Some(1053 | 1927 | 4031) => Failure::Disconnected,
            _ => Failure::Refused,
        }
    }
}

async fn run(
    statement: &SqlStr,
    connection: &mut MySqlConnection,
    request: &LockRequest,
    duration: Duration,
) -> sqlx::Result<bool> {
    // The driver asks for the rows that were found, changed or not.
    let done = sqlx::query(statement.clone())
        .bind(microseconds(duration))
        .bind(request.name().as_str())
        .bind(request.owner().as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Whole milliseconds, as the clock has them, in the unit of the statements.
fn microseconds(duration: Duration) -> i64 {
    1_000 * in_units_of(Duration::from_millis(1), duration)
}
