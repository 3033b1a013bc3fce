use std::{future::Future, time::Duration};

use super::configuration::MIN_LOCK_AT_MOST_FOR;
use crate::{HeldLock, HeldLockError, LockError, LockName, LockProvider, LockRequest};

/// A store that keeps one record per lock name: until when, since when, by whom.
///
/// Three conditional writes are all that a provider of such a store needs; [`LockProvider`] comes
/// from them. Each is one round trip, decides on the store's own clock, and answers whether the
/// record was changed.
pub trait LockStore: Clone + Send + Sync + 'static {
    /// Writes the record for `request` if there is none, or if it is another request's and has
    /// ended, or this request's own and has not ended. An acquisition that has ended never begins
    /// again, however late its statement arrives.
    ///
    /// # Errors
    /// When the store failed. A holder is not an error: `Ok(false)`.
    fn acquire(
        &self,
        request: &LockRequest,
    ) -> impl Future<Output = Result<bool, LockError>> + Send;

    /// Sets the end to `lock_at_most_for` from now if the record is still this request's and has
    /// not ended.
    ///
    /// # Errors
    /// When the store failed. A lock that was lost is not an error: `Ok(false)`.
    fn extend(&self, request: &LockRequest)
    -> impl Future<Output = Result<bool, LockError>> + Send;

    /// Sets the end to the later of now and `lock_at_least_for` after the acquisition, if the
    /// record is still this request's and has not ended.
    ///
    /// # Errors
    /// When the store failed. A lock that was lost is not an error: `Ok(false)`.
    fn release(
        &self,
        request: &LockRequest,
    ) -> impl Future<Output = Result<bool, LockError>> + Send;

    /// Says at start-up what would fail later.
    ///
    /// # Errors
    /// [`LockError::Setup`] with the fix, or [`LockError::Store`].
    fn check(&self) -> impl Future<Output = Result<(), LockError>> + Send;

    /// The `locked_by` of the lock's record, whether it has ended or not; `None` without a record.
    ///
    /// Without an implementation a lock that another service uses too is not noticed.
    ///
    /// # Errors
    /// When the store failed.
    fn last_holder(
        &self,
        name: &LockName,
    ) -> impl Future<Output = Result<Option<String>, LockError>> + Send {
        let _ = name;
        async { Ok(None) }
    }
}

impl<S: LockStore> LockProvider for S {
    type Held = Lease<S>;

    async fn try_lock(&self, request: &LockRequest) -> Result<Option<Lease<S>>, LockError> {
        let acquired = self.acquire(request).await?;
        Ok(acquired.then(|| Lease {
            store: self.clone(),
            request: request.clone(),
        }))
    }

    // The attempt's statement may still be on its way. An acquisition that has ended in the store
    // can't begin any more, so this one begins and ends here if it hasn't begun.
    async fn abandon(&self, request: &LockRequest) -> Result<(), LockError> {
        let at_once = request.with_durations(MIN_LOCK_AT_MOST_FOR, Duration::ZERO)?;
        self.acquire(&at_once).await?;
        self.release(&at_once).await.map(drop)
    }

    async fn check(&self) -> Result<(), LockError> {
        LockStore::check(self).await
    }

    async fn last_holder(&self, name: &LockName) -> Result<Option<String>, LockError> {
        LockStore::last_holder(self, name).await
    }
}

/// A lock that is held as a record of a [`LockStore`].
#[derive(Debug)]
pub struct Lease<S> {
    store: S,
    request: LockRequest,
}

impl<S: LockStore> Lease<S> {
    fn answer(self, changed: Result<bool, LockError>) -> Result<Self, HeldLockError<Self>> {
        match changed {
            Ok(true) => Ok(self),
            Ok(false) => {
                let error = LockError::Lost {
                    name: self.request.name().clone(),
                };
                Err(HeldLockError::new(self, error))
            }
            Err(error) => Err(HeldLockError::new(self, error)),
        }
    }
}

impl<S: LockStore> HeldLock for Lease<S> {
    async fn unlock(self) -> Result<(), HeldLockError<Self>> {
        let changed = self.store.release(&self.request).await;
        self.answer(changed).map(drop)
    }

    async fn extend(
        mut self,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> Result<Self, HeldLockError<Self>> {
        let extended = match self
            .request
            .with_durations(lock_at_most_for, lock_at_least_for)
        {
            Ok(extended) => extended,
            Err(error) => return Err(HeldLockError::new(self, error.into())),
        };
        let changed = self.store.extend(&extended).await;
        if matches!(changed, Ok(true)) {
            self.request = extended;
        }
        self.answer(changed)
    }
}
