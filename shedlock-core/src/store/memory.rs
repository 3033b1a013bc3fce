use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::time::Instant;

use crate::{LockError, LockName, LockRequest, LockStore, Owner};

/// Locks in this process's memory: for tests, and for jobs that must not overlap within one
/// process.
///
/// Its clock is tokio's, so a test that pauses it decides when a lock ends. Clones share the
/// locks.
///
/// ```
/// use shedlock_core::{LockingExecutor, MemoryLockProvider};
///
/// let locks = MemoryLockProvider::new();
/// let one_node = LockingExecutor::new(locks.clone());
/// let another_node = LockingExecutor::new(locks);
/// # let _ = (one_node, another_node);
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryLockProvider {
    records: Arc<Mutex<HashMap<LockName, Record>>>,
}

#[derive(Debug)]
struct Record {
    lock_until: Instant,
    locked_at: Instant,
    locked_by: Owner,
}

impl MemoryLockProvider {
    /// A provider without any lock.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether somebody holds the lock now.
    #[must_use]
    pub fn is_locked(&self, name: &LockName) -> bool {
        self.records()
            .get(name)
            .is_some_and(|record| record.lock_until > Instant::now())
    }

    fn records(&self) -> MutexGuard<'_, HashMap<LockName, Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the record if it is still this request's and has not ended.
    fn change(
        &self,
        request: &LockRequest,
        lock_until: impl FnOnce(Instant, &Record) -> Instant,
    ) -> bool {
        let now = Instant::now();
        let mut records = self.records();
        match records.get_mut(request.name()) {
            Some(record) if record.locked_by == *request.owner() && record.lock_until > now => {
                record.lock_until = lock_until(now, record);
                true
            }
            _ => false,
        }
    }
}

impl LockStore for MemoryLockProvider {
    async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        let now = Instant::now();
        let mut records = self.records();
        let free = records.get(request.name()).is_none_or(|record| {
            (record.lock_until > now) == (record.locked_by == *request.owner())
        });
        if free {
            let record = Record {
                lock_until: now + request.lock_at_most_for(),
                locked_at: now,
                locked_by: request.owner().clone(),
            };
            records.insert(request.name().clone(), record);
        }
        Ok(free)
    }

    async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        Ok(self.change(request, |now, _| now + request.lock_at_most_for()))
    }

    async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        Ok(self.change(request, |now, record| {
            now.max(record.locked_at + request.lock_at_least_for())
        }))
    }

    async fn check(&self) -> Result<(), LockError> {
        Ok(())
    }

    async fn last_holder(&self, name: &LockName) -> Result<Option<String>, LockError> {
        let records = self.records();
        Ok(records.get(name).map(|record| record.locked_by.to_string()))
    }
}
