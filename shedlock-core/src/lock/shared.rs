use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use crate::{HeldLock, HeldLockError, LockError, LockName, LockProvider, LockRequest};

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Any [`LockProvider`], its type erased: what the executor and the scheduler hold.
///
/// Clones are the same provider.
#[derive(Clone)]
pub struct SharedLockProvider(Arc<dyn ErasedProvider>);

impl SharedLockProvider {
    /// Erases the type of `provider`.
    pub fn new(provider: impl LockProvider) -> Self {
        Self(Arc::new(provider))
    }

    /// Whether both are clones of one provider.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for SharedLockProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedLockProvider").finish_non_exhaustive()
    }
}

impl LockProvider for SharedLockProvider {
    type Held = SharedHeldLock;

    async fn try_lock(&self, request: &LockRequest) -> Result<Option<Self::Held>, LockError> {
        self.0.try_lock(request).await
    }

    async fn abandon(&self, request: &LockRequest) -> Result<(), LockError> {
        self.0.abandon(request).await
    }

    async fn check(&self) -> Result<(), LockError> {
        self.0.check().await
    }

    async fn last_holder(&self, name: &LockName) -> Result<Option<String>, LockError> {
        self.0.last_holder(name).await
    }
}

/// A held lock of a [`SharedLockProvider`].
pub struct SharedHeldLock(Box<dyn ErasedHeld>);

impl fmt::Debug for SharedHeldLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedHeldLock").finish_non_exhaustive()
    }
}

impl HeldLock for SharedHeldLock {
    async fn unlock(self) -> Result<(), HeldLockError<Self>> {
        self.0.unlock().await
    }

    async fn extend(
        self,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> Result<Self, HeldLockError<Self>> {
        self.0.extend(lock_at_most_for, lock_at_least_for).await
    }
}

trait ErasedProvider: Send + Sync {
    fn try_lock<'a>(
        &'a self,
        request: &'a LockRequest,
    ) -> BoxFuture<'a, Result<Option<SharedHeldLock>, LockError>>;
    fn abandon<'a>(&'a self, request: &'a LockRequest) -> BoxFuture<'a, Result<(), LockError>>;
    fn check(&self) -> BoxFuture<'_, Result<(), LockError>>;
    fn last_holder<'a>(
        &'a self,
        name: &'a LockName,
    ) -> BoxFuture<'a, Result<Option<String>, LockError>>;
}

impl<P: LockProvider> ErasedProvider for P {
    fn try_lock<'a>(
        &'a self,
        request: &'a LockRequest,
    ) -> BoxFuture<'a, Result<Option<SharedHeldLock>, LockError>> {
        Box::pin(async { Ok(LockProvider::try_lock(self, request).await?.map(erase)) })
    }

    fn abandon<'a>(&'a self, request: &'a LockRequest) -> BoxFuture<'a, Result<(), LockError>> {
        Box::pin(LockProvider::abandon(self, request))
    }

    fn check(&self) -> BoxFuture<'_, Result<(), LockError>> {
        Box::pin(LockProvider::check(self))
    }

    fn last_holder<'a>(
        &'a self,
        name: &'a LockName,
    ) -> BoxFuture<'a, Result<Option<String>, LockError>> {
        Box::pin(LockProvider::last_holder(self, name))
    }
}

trait ErasedHeld: Send {
    fn unlock(self: Box<Self>) -> BoxFuture<'static, Result<(), HeldLockError<SharedHeldLock>>>;
    fn extend(
        self: Box<Self>,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> BoxFuture<'static, Result<SharedHeldLock, HeldLockError<SharedHeldLock>>>;
}

impl<H: HeldLock> ErasedHeld for H {
    fn unlock(self: Box<Self>) -> BoxFuture<'static, Result<(), HeldLockError<SharedHeldLock>>> {
        Box::pin(async {
            HeldLock::unlock(*self)
                .await
                .map_err(|failed| failed.map(erase))
        })
    }

    fn extend(
        self: Box<Self>,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> BoxFuture<'static, Result<SharedHeldLock, HeldLockError<SharedHeldLock>>> {
        Box::pin(async move {
            let extended = HeldLock::extend(*self, lock_at_most_for, lock_at_least_for).await;
            extended.map(erase).map_err(|failed| failed.map(erase))
        })
    }
}

fn erase(held: impl HeldLock) -> SharedHeldLock {
    SharedHeldLock(Box::new(held))
}
