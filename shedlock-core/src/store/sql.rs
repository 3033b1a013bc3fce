//! What the SQL stores share: names, connections, and what happens to a statement that fails.

mod connections;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod faults;
mod table;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use sqlx::{Connection, Database, Pool, error::DatabaseError};

use self::connections::Connections;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) use self::faults::Faults;
pub use self::table::{LockTable, LockTableError};
pub(super) use self::{connections::Taken, table::Column};
use crate::{LockError, LockName, LockRequest};

/// How often a statement is tried again that lost against another transaction.
const CONTENTION_RETRIES: u32 = 10;

/// The statements of one database, their texts made once.
pub(super) trait Statements: fmt::Debug + Send + Sync + 'static {
    type Database: Database;

    /// The store's short name, for errors.
    const STORE: &'static str;
    /// What to do about a server that can't be reached.
    const UNREACHABLE: &'static str =
        "start the server, or correct the URL that the pool was made with";
    /// How many connections lock statements use at most.
    const MAX_CONNECTIONS: u32;

    fn new(table: &LockTable) -> Self;

    fn acquire(
        &self,
        connection: &mut ConnectionOf<Self>,
        request: &LockRequest,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send;

    fn extend(
        &self,
        connection: &mut ConnectionOf<Self>,
        request: &LockRequest,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send;

    fn release(
        &self,
        connection: &mut ConnectionOf<Self>,
        request: &LockRequest,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send;

    fn last_holder(
        &self,
        connection: &mut ConnectionOf<Self>,
        name: &LockName,
    ) -> impl Future<Output = sqlx::Result<Option<String>>> + Send;

    /// The application's options, with what the statements rely on.
    fn adapt(options: OptionsOf<Self>) -> OptionsOf<Self>;

    /// Where the options lead to, without the password.
    fn server(options: &OptionsOf<Self>) -> String;

    /// What the database's own error is a case of.
    fn failure(error: &dyn DatabaseError) -> Failure;
}

pub(super) type ConnectionOf<S> = <<S as Statements>::Database as Database>::Connection;
pub(super) type OptionsOf<S> = <ConnectionOf<S> as Connection>::Options;

/// What is done about a statement that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// The connection is gone: once more on a new one.
    Disconnected,
    /// Another transaction was first: a few times more.
    Contended,
    /// Nothing.
    Refused,
}

impl Failure {
    fn of<S: Statements>(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => S::failure(&**error),
            sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => {
                Self::Disconnected
            }
            _ => Self::Refused,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Operation {
    Acquire,
    Extend,
    Release,
}

/// A table of locks, reached through connections of its own. Clones share them.
pub(super) struct SqlStore<S: Statements> {
    connections: Arc<Connections<S::Database>>,
    statements: Arc<S>,
    table: Arc<LockTable>,
}

impl<S: Statements> SqlStore<S> {
    pub(super) fn new(application: Pool<S::Database>) -> Self {
        let table = LockTable::default();
        Self {
            connections: Arc::new(Connections::new(application, S::MAX_CONNECTIONS, S::adapt)),
            statements: Arc::new(S::new(&table)),
            table: Arc::new(table),
        }
    }

    pub(super) fn with_table(self, table: LockTable) -> Self {
        Self {
            statements: Arc::new(S::new(&table)),
            table: Arc::new(table),
            ..self
        }
    }

    pub(super) fn table(&self) -> &LockTable {
        &self.table
    }

    /// The options of the connections that lock statements use.
    pub(super) fn options(&self) -> OptionsOf<S> {
        self.connections.options()
    }

    pub(super) fn server(&self) -> String {
        S::server(&self.options())
    }

    #[cfg(any(feature = "mysql", feature = "postgres"))]
    pub(super) fn statements(&self) -> &S {
        &self.statements
    }

    pub(super) async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        match self.run(Operation::Acquire, request).await {
            Err(error) if Failure::of::<S>(&error) == Failure::Contended => Ok(false),
            answer => answer.map_err(store_error::<S>),
        }
    }

    pub(super) async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        let answer = self.run(Operation::Extend, request).await;
        answer.map_err(store_error::<S>)
    }

    pub(super) async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        let answer = self.run(Operation::Release, request).await;
        answer.map_err(store_error::<S>)
    }

    pub(super) async fn last_holder(&self, name: &LockName) -> Result<Option<String>, LockError> {
        let holder = async {
            let mut taken = self.connections.take().await?;
            let holder = self
                .statements
                .last_holder(&mut taken.connection, name)
                .await?;
            taken.keep();
            Ok(holder)
        };
        holder.await.map_err(store_error::<S>)
    }

    /// A connection for `migrate` and `check`, which say what is wrong with it.
    pub(super) async fn connect(&self) -> Result<Taken<'_, S::Database>, LockError> {
        self.connections.take().await.map_err(|error| {
            setup::<S>(
                format!("no connection to {}: {error}", self.server()),
                S::UNREACHABLE,
            )
        })
    }

    /// Each statement names its owner, so it may run again when nothing is known of its outcome:
    /// a connection that died while it was idle is no error.
    async fn run(&self, operation: Operation, request: &LockRequest) -> sqlx::Result<bool> {
        let mut contentions = 0;
        let mut reconnected = false;
        loop {
            let mut taken = self.connections.take().await?;
            let connection = &mut taken.connection;
            let answer = match operation {
                Operation::Acquire => self.statements.acquire(connection, request).await,
                Operation::Extend => self.statements.extend(connection, request).await,
                Operation::Release => self.statements.release(connection, request).await,
            };
            match answer {
                Ok(changed) => {
                    taken.keep();
                    return Ok(changed);
                }
                Err(error) => match Failure::of::<S>(&error) {
                    Failure::Disconnected if !reconnected => {
                        reconnected = true;
                        self.connections.forget_idle();
                    }
                    Failure::Contended if contentions < CONTENTION_RETRIES => {
                        contentions += 1;
                        taken.keep();
                    }
                    _ => return Err(error),
                },
            }
        }
    }
}

impl<S: Statements> Clone for SqlStore<S> {
    fn clone(&self) -> Self {
        Self {
            connections: self.connections.clone(),
            statements: self.statements.clone(),
            table: self.table.clone(),
        }
    }
}

impl<S: Statements> fmt::Debug for SqlStore<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlStore")
            .field("server", &self.server())
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

/// The store does not do what it is asked, whatever the reason.
pub(super) fn store_error<S: Statements>(error: sqlx::Error) -> LockError {
    LockError::store(S::STORE, error)
}

/// The store must be set up otherwise.
pub(super) fn setup<S: Statements>(problem: String, fix: impl Into<String>) -> LockError {
    LockError::Setup {
        provider: S::STORE,
        problem,
        fix: fix.into(),
    }
}

/// A duration in the units of the store's clock. It is rounded up and one more, because that clock
/// may be one behind: a lock is never shorter in the store than its holder believes. Nothing stays
/// nothing.
pub(super) fn in_units_of(unit: Duration, duration: Duration) -> i64 {
    let units = duration.as_nanos().div_ceil(unit.as_nanos());
    let units = if units == 0 { 0 } else { units + 1 };
    i64::try_from(units).expect("a lock is at most ten years long")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_never_shorter_in_the_store() {
        let unit = Duration::from_millis(1);
        assert_eq!(in_units_of(unit, Duration::from_micros(1_500)), 3);
        assert_eq!(in_units_of(unit, Duration::from_millis(2)), 3);
    }

    #[test]
    fn a_lock_without_a_least_time_is_released_at_once() {
        assert_eq!(in_units_of(Duration::from_millis(1), Duration::ZERO), 0);
    }
}
