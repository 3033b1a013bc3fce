//! How a transaction is begun, in the words of each database.

use std::marker::PhantomData;

use sqlx::{Database, Pool, Transaction};

/// How a transaction of this database is begun.
#[derive(Debug)]
pub struct Begin<DB> {
    statement: Option<&'static str>,
    database: PhantomData<fn() -> DB>,
}

/// How a transaction of this isolation is begun.
#[must_use]
pub fn begin<DB, I: Isolation<DB>>(_: I) -> Begin<DB> {
    Begin {
        statement: I::BEGIN,
        database: PhantomData,
    }
}

impl<DB: Database> Begin<DB> {
    pub(super) async fn on(self, pool: &Pool<DB>) -> sqlx::Result<Transaction<'static, DB>> {
        match self.statement {
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
    /// The statement that begins it, the database's own unless given.
    const BEGIN: Option<&'static str>;
}

/// What the database does unless told otherwise.
#[derive(Debug)]
pub struct Default;

#[diagnostic::do_not_recommend]
impl<DB> Isolation<DB> for Default {
    const BEGIN: Option<&'static str> = None;
}

/// A database that has every isolation: while another is not known, the compiler must not take the
/// only one that has it.
#[derive(Debug)]
pub enum Unknown {}

macro_rules! levels {
    ($($name:ident $words:literal;)*) => { $(
        #[doc = concat!("`", $words, "`")]
        #[derive(Debug)]
        pub struct $name;

        #[diagnostic::do_not_recommend]
        impl Isolation<Unknown> for $name {
            const BEGIN: Option<&'static str> = None;
        }

        #[cfg(feature = "postgres")]
        #[diagnostic::do_not_recommend]
        impl Isolation<sqlx::Postgres> for $name {
            const BEGIN: Option<&'static str> = Some(concat!("BEGIN ISOLATION LEVEL ", $words));
        }

        #[cfg(feature = "mysql")]
        #[diagnostic::do_not_recommend]
        impl Isolation<sqlx::MySql> for $name {
            const BEGIN: Option<&'static str> =
                Some(concat!("SET TRANSACTION ISOLATION LEVEL ", $words, "; BEGIN"));
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

        #[diagnostic::do_not_recommend]
        impl Isolation<Unknown> for $name {
            const BEGIN: Option<&'static str> = None;
        }

        #[cfg(feature = "sqlite")]
        #[diagnostic::do_not_recommend]
        impl Isolation<sqlx::Sqlite> for $name {
            const BEGIN: Option<&'static str> = Some(concat!("BEGIN ", $words));
        }
    )* };
}

sqlite! {
    Deferred "DEFERRED";
    Immediate "IMMEDIATE";
    Exclusive "EXCLUSIVE";
}
