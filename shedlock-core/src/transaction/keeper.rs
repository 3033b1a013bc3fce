use sqlx::{Database, Pool, Transaction};
use tokio::sync::oneshot;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::{TransactionalDatabase, isolation::Begin};
use crate::lock::events;

/// A task of its own that begins one transaction and ends it, so that it ends in the database
/// whatever happens to the future that works with it: it ends, it panics, it is dropped at any
/// `.await`.
pub(super) struct Keeper {
    /// Sending makes the task commit, dropping makes it roll back, once the transaction is back.
    commit: oneshot::Sender<()>,
    ended: oneshot::Receiver<sqlx::Result<()>>,
}

/// A transaction that goes back to its keeper when it is dropped.
#[derive(Debug)]
pub struct Begun<DB: Database>(Option<Lent<DB>>);

#[derive(Debug)]
struct Lent<DB: Database> {
    transaction: Transaction<'static, DB>,
    home: oneshot::Sender<Transaction<'static, DB>>,
}

impl Keeper {
    /// Begins a transaction. `locks` are held until it has ended.
    pub(super) async fn begin<DB: TransactionalDatabase>(
        pool: Pool<DB>,
        how: Begin<DB>,
        locks: Vec<TaskTrackerToken>,
    ) -> sqlx::Result<(Begun<DB>, Self)> {
        let (answer, answered) = oneshot::channel();
        let (commit, decision) = oneshot::channel();
        let (done, ended) = oneshot::channel();
        tokio::spawn(async move {
            let (home, back) = oneshot::channel();
            // Nobody may wait for it any more: then it is back at once.
            let _ = answer.send(
                how.on(&pool)
                    .await
                    .map(|transaction| Begun(Some(Lent { transaction, home }))),
            );
            if let Ok(transaction) = back.await {
                let ended = match decision.await {
                    Ok(()) => commit_checked(transaction).await,
                    Err(_) => transaction.rollback().await,
                };
                if let Err(Err(error)) = done.send(ended) {
                    events::not_ended(&error);
                }
            }
            drop(locks);
        });
        let begun = answered.await.map_err(|_| sqlx::Error::WorkerCrashed)??;
        Ok((begun, Self { commit, ended }))
    }

    /// Commits, and waits until the database has answered.
    pub(super) async fn commit(self) -> sqlx::Result<()> {
        let _ = self.commit.send(());
        self.ended.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// Rolls back, and waits until the database has answered.
    pub(super) async fn roll_back(self) {
        drop(self.commit);
        if let Ok(Err(error)) = self.ended.await {
            events::not_ended(&error);
        }
    }
}

async fn commit_checked<DB: TransactionalDatabase>(
    mut transaction: Transaction<'static, DB>,
) -> sqlx::Result<()> {
    if let Err(error) = DB::check(&mut transaction).await {
        transaction.rollback().await?;
        return Err(error);
    }
    transaction.commit().await
}

impl<DB: Database> Begun<DB> {
    pub(super) fn transaction(&mut self) -> &mut Transaction<'static, DB> {
        let lent = self.0.as_mut().expect("it is taken when it is dropped");
        &mut lent.transaction
    }
}

impl<DB: Database> Drop for Begun<DB> {
    fn drop(&mut self) {
        if let Some(Lent { transaction, home }) = self.0.take() {
            // Without a keeper, in a runtime that shuts down, `sqlx` rolls it back.
            let _ = home.send(transaction);
        }
    }
}
