use std::time::Duration;

use shedlock::{HeldLock, HeldLockError, LockError, LockProvider, LockRequest};

/// What a service without a shared lock does: everybody gets every lock.
pub(crate) struct Unlocked;

impl LockProvider for Unlocked {
    type Held = Self;

    async fn try_lock(&self, _: &LockRequest) -> Result<Option<Self>, LockError> {
        Ok(Some(Self))
    }
}

impl HeldLock for Unlocked {
    async fn unlock(self) -> Result<(), HeldLockError<Self>> {
        Ok(())
    }

    async fn extend(self, _: Duration, _: Duration) -> Result<Self, HeldLockError<Self>> {
        Ok(self)
    }
}
