//! What the code that `#[transactional]` writes calls.

mod database;
pub mod isolation;
mod keeper;
mod returned;

use std::{future::Future, panic::resume_unwind};

use sqlx::{Database, Pool, Transaction};

use self::keeper::Keeper;
pub use self::{
    database::TransactionalDatabase,
    isolation::{Begin, Isolation, begin},
    keeper::Begun,
    returned::TransactionalReturn,
};
use crate::{ActiveLock, DataMap, lock::caught};

/// Runs the body of a function with `#[transactional]` in a transaction: commits it if the body
/// says that all went well, else rolls it back.
///
/// # Cancellation
/// When the future is dropped, the body is dropped, and a task of the runtime rolls the transaction
/// back, before the locks are released that the current task holds. A commit that has begun goes
/// on.
// An `async fn` would report a wrong `R` twice: at the call and at its `.await`.
#[expect(clippy::manual_async_fn, reason = "says a wrong `R` once")]
pub fn transactional<DB, R, Body>(
    pool: Option<Pool<DB>>,
    how: Begin<DB>,
    body: impl FnOnce(Begun<DB>) -> Body,
) -> impl Future<Output = R>
where
    DB: TransactionalDatabase,
    R: TransactionalReturn,
    Body: Future<Output = R>,
{
    async move {
        let Some(pool) = pool else {
            return R::failed(sqlx::Error::Configuration(Box::new(NoPool(DB::NAME))));
        };
        let (begun, keeper) = match Keeper::begin(pool, how, ActiveLock::hold_all()).await {
            Ok(begun) => begun,
            Err(error) => return R::failed(error),
        };
        match caught(async { body(begun).await }).await {
            Ok(result) if result.is_ok() => match keeper.commit().await {
                Ok(()) => result,
                Err(error) => R::failed(error),
            },
            Ok(result) => {
                keeper.roll_back().await;
                result
            }
            Err(panic) => {
                keeper.roll_back().await;
                resume_unwind(panic)
            }
        }
    }
}

/// The pool that the application registered as data.
#[must_use]
pub fn registered_pool<DB: Database>() -> Option<Pool<DB>> {
    DataMap::current()?.get()
}

/// The pool that `#[transactional(pool = ..)]` names.
#[must_use]
pub fn pool<DB: Database>(pool: &Pool<DB>) -> Option<Pool<DB>> {
    Some(pool.clone())
}

/// The pool of a transaction that is taken as this parameter.
pub type PoolOf<P> = Pool<<P as TransactionParameter<'static>>::Database>;

/// The parameter of a function with `#[transactional]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transaction",
    label = "use `&mut PgTransaction<'_>`, `&mut MySqlTransaction<'_>` or `&mut SqliteTransaction<'_>` of `sqlx`"
)]
pub trait TransactionParameter<'t> {
    /// What the transaction is of.
    type Database: Database;

    /// The transaction.
    fn open(transaction: &'t mut Transaction<'static, Self::Database>) -> Self;
}

impl<'t, DB: Database> TransactionParameter<'t> for &'t mut Transaction<'static, DB> {
    type Database = DB;

    fn open(transaction: &'t mut Transaction<'static, DB>) -> Self {
        transaction
    }
}

/// The transaction as the function takes it.
pub fn open<'t, P: TransactionParameter<'t>>(begun: &'t mut Begun<P::Database>) -> P {
    P::open(begun.transaction())
}

#[derive(Debug, thiserror::Error)]
#[error(
    "no pool of {0} connections is registered: call `.data(pool)` on the scheduler's builder, or write `#[transactional(pool = ..)]`"
)]
struct NoPool(&'static str);
