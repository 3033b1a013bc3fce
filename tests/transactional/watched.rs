//! A lock provider that looks at the database whenever a lock is about to be released.

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use shedlock::{HeldLock, HeldLockError, LockError, LockProvider, LockRequest};
use tokio::sync::mpsc;

/// What others see of the account.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) balance: i64,
    /// Nobody holds a row lock on it.
    pub(crate) is_free: bool,
}

/// Looks through a connection that is nobody else's.
pub(crate) type Eye = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Seen> + Send>> + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Watched<P> {
    provider: P,
    eye: Eye,
    tell: mpsc::UnboundedSender<Seen>,
}

impl<P: LockProvider> Watched<P> {
    /// The provider, and what is seen when the lock `pay` is about to be released.
    pub(crate) fn new(provider: P, eye: Eye) -> (Self, mpsc::UnboundedReceiver<Seen>) {
        let (tell, told) = mpsc::unbounded_channel();
        let watched = Self {
            provider,
            eye,
            tell,
        };
        (watched, told)
    }
}

impl<P: LockProvider> LockProvider for Watched<P> {
    type Held = WatchedLock<P::Held>;

    async fn try_lock(&self, request: &LockRequest) -> Result<Option<Self::Held>, LockError> {
        let held = self.provider.try_lock(request).await?;
        Ok(held.map(|held| WatchedLock {
            held,
            eye: (request.name().as_str() == "pay").then(|| self.eye.clone()),
            tell: self.tell.clone(),
        }))
    }

    async fn abandon(&self, request: &LockRequest) -> Result<(), LockError> {
        self.provider.abandon(request).await
    }

    async fn check(&self) -> Result<(), LockError> {
        self.provider.check().await
    }
}

pub(crate) struct WatchedLock<H> {
    held: H,
    eye: Option<Eye>,
    tell: mpsc::UnboundedSender<Seen>,
}

impl<H: HeldLock> HeldLock for WatchedLock<H> {
    async fn unlock(self) -> Result<(), HeldLockError<Self>> {
        let Self { held, eye, tell } = self;
        if let Some(eye) = &eye {
            let _ = tell.send(eye().await);
        }
        let unlocked = held.unlock().await;
        unlocked.map_err(|failed| {
            let held = failed.lock;
            HeldLockError::new(Self { held, eye, tell }, failed.error)
        })
    }

    async fn extend(
        self,
        lock_at_most_for: Duration,
        lock_at_least_for: Duration,
    ) -> Result<Self, HeldLockError<Self>> {
        let Self { held, eye, tell } = self;
        match held.extend(lock_at_most_for, lock_at_least_for).await {
            Ok(held) => Ok(Self { held, eye, tell }),
            Err(failed) => {
                let held = failed.lock;
                Err(HeldLockError::new(Self { held, eye, tell }, failed.error))
            }
        }
    }
}
