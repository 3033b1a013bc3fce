//! How a transaction is begun, in the words of each database.

use sqlx::{Database, Pool, Transaction};

/// The statement that begins a transaction, the database's own unless given.
#[derive(Debug, Clone, Copy)]
pub struct Begin(Option<&'static str>);

impl Begin {
    pub(super) async fn on<DB: Database>(
        self,
        pool: &Pool<DB>,
    ) -> sqlx::Result<Transaction<'static, DB>> {
        match self.0 {
            Some(statement) => pool.begin_with(statement).await,
            None => pool.begin().await,
        }
    }
}

/// An isolation that this database has.
#[diagnostic::on_unimplemented(
    message = "`{DB}` has no transactions of this isolation",
    label = "PostgreSQL and MySQL have `read uncommitted`, `read committed`, `repeatable read` and `serializable`; SQLite has `deferred`, `immediate` and `exclusive`"
)]
pub trait Isolation<DB> {
    /// How it is begun.
    const BEGIN: Begin;
}

/// What the database does unless told otherwise.
#[derive(Debug)]
pub struct Default;

impl<DB> Isolation<DB> for Default {
    const BEGIN: Begin = Begin(None);
}

macro_rules! levels {
    ($($name:ident $words:literal;)*) => { $(
        #[doc = concat!("`", $words, "`")]
        #[derive(Debug)]
        pub struct $name;

        #[cfg(feature = "postgres")]
        impl Isolation<sqlx::Postgres> for $name {
            const BEGIN: Begin = Begin(Some(concat!("BEGIN ISOLATION LEVEL ", $words)));
        }

        #[cfg(feature = "mysql")]
        impl Isolation<sqlx::MySql> for $name {
            const BEGIN: Begin =
                Begin(Some(concat!("SET TRANSACTION ISOLATION LEVEL ", $words, "; BEGIN")));
        }
    )* };
}

levels! {
    ReadUncommitted "READ UNCOMMITTED";
    ReadCommitted "READ COMMITTED";
    RepeatableRead "REPEATABLE READ";
    Serializable "SERIALIZABLE";
}

macro_rules! sqlite {
    ($($name:ident $words:literal;)*) => { $(
        #[doc = concat!("`", $words, "` of SQLite")]
        #[derive(Debug)]
        pub struct $name;

        #[cfg(feature = "sqlite")]
        impl Isolation<sqlx::Sqlite> for $name {
            const BEGIN: Begin = Begin(Some(concat!("BEGIN ", $words)));
        }
    )* };
}

sqlite! {
    Deferred "DEFERRED";
    Immediate "IMMEDIATE";
    Exclusive "EXCLUSIVE";
}
