mod memory;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use memory::MemoryLockProvider;
#[cfg(feature = "mysql")]
pub use mysql::MySqlLockProvider;
#[cfg(feature = "postgres")]
pub use postgres::PostgresLockProvider;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub use sql::{LockTable, LockTableError};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteLockProvider;
