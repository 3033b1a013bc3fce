use std::{future::Future, time::Duration};

use crate::{LockName, LockProvider};

/// How the suite reaches one kind of store.
///
/// Every test starts its own, so that tests run side by side.
pub trait Harness: Sized + Send + Sync + 'static {
    /// The provider under test.
    type Provider: LockProvider;

    /// Prepares an empty store that nothing else uses: a database, a table, a key prefix.
    fn start() -> impl Future<Output = Self> + Send;

    /// A provider on this store as another process would make it: with its own connections.
    fn provider(&self) -> impl Future<Output = Self::Provider> + Send;

    /// Whether the store shows the lock as held now. It looks by itself, not through a provider.
    fn is_locked(&self, name: &LockName) -> impl Future<Output = bool> + Send;

    /// Removes what [`start`](Self::start) made; called also after a test that failed.
    fn stop(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// A lock's record, as the store shows it. Instants are counted from any fixed instant of the
/// store's clock, for example 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a harness makes it; these are the columns of the wire format"
)]
pub struct LockRecord {
    /// Who took the lock.
    pub locked_by: String,
    /// When it was taken.
    pub locked_at: Duration,
    /// When it ends.
    pub lock_until: Duration,
}

/// A store whose records can be looked at and changed by hand.
pub trait RecordHarness: Harness {
    /// The record of this lock, held or ended.
    fn record(&self, name: &LockName) -> impl Future<Output = Option<LockRecord>> + Send;

    /// The store's own now, counted as in [`LockRecord`].
    fn now(&self) -> impl Future<Output = Duration> + Send;

    /// Writes a record as a hand would, whatever is there.
    fn write(&self, name: &LockName, record: LockRecord) -> impl Future<Output = ()> + Send;

    /// Deletes a record as a hand would.
    fn delete(&self, name: &LockName) -> impl Future<Output = ()> + Send;
}

/// A store in a database that the application uses too, through a pool.
pub trait SqlHarness: RecordHarness {
    /// The application's pool.
    type Pool: Send + Sync;
    /// A transaction of the application; dropping it rolls it back.
    type Transaction: Send + 'static;

    /// A pool of this many connections.
    fn pool(&self, connections: u32) -> impl Future<Output = Self::Pool> + Send;

    /// A provider made from the application's pool.
    fn provider_on(&self, pool: &Self::Pool) -> impl Future<Output = Self::Provider> + Send;

    /// Takes a connection from the pool, begins a transaction and reads in it, so that its
    /// snapshot and its `now` are fixed.
    fn begin(&self, pool: &Self::Pool) -> impl Future<Output = Self::Transaction> + Send;

    /// Rolls the transaction back.
    fn rollback(&self, transaction: Self::Transaction) -> impl Future<Output = ()> + Send;
}

/// A store on a server that writes an error log.
pub trait LogHarness: Harness {
    /// The lines that the server's error log has about this store.
    fn complaints(&self) -> impl Future<Output = Vec<String>> + Send;
}

/// A store whose clock can differ from the client's.
pub trait ClockHarness: RecordHarness {
    /// As [`start`](Harness::start), with a clock that is ahead of the client's.
    fn start_ahead(by: Duration) -> impl Future<Output = Self> + Send;
}
