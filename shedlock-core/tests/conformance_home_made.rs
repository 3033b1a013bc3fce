//! A provider of one's own, and the whole conformance suite for it.
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use shedlock_core::{
    LockError, LockName, LockRequest, LockStore,
    test_util::{Harness, LockRecord, RecordHarness},
};

/// A store that is a map from names to records.
#[derive(Clone, Default)]
struct MapStore {
    records: Arc<Mutex<HashMap<String, LockRecord>>>,
}

/// The store's clock.
fn now() -> Duration {
    SystemTime::UNIX_EPOCH.elapsed().unwrap()
}

impl MapStore {
    /// Changes the record if it is still this request's and has not ended.
    fn change(
        &self,
        request: &LockRequest,
        change: impl FnOnce(Duration, &mut LockRecord),
    ) -> bool {
        let mut records = self.records.lock().unwrap();
        let now = now();
        match records.get_mut(request.name().as_str()) {
            Some(record)
                if record.locked_by == request.owner().as_str() && record.lock_until > now =>
            {
                change(now, record);
                true
            }
            _ => false,
        }
    }
}

impl LockStore for MapStore {
    async fn acquire(&self, request: &LockRequest) -> Result<bool, LockError> {
        let mut records = self.records.lock().unwrap();
        let now = now();
        let owner = request.owner().as_str();
        let free = match records.get(request.name().as_str()) {
            Some(record) => (record.lock_until > now) == (record.locked_by == owner),
            None => true,
        };
        if free {
            let record = LockRecord {
                locked_by: owner.to_owned(),
                locked_at: now,
                lock_until: now + request.lock_at_most_for(),
            };
            records.insert(request.name().to_string(), record);
        }
        Ok(free)
    }

    async fn extend(&self, request: &LockRequest) -> Result<bool, LockError> {
        Ok(self.change(request, |now, record| {
            record.lock_until = now + request.lock_at_most_for();
        }))
    }

    async fn release(&self, request: &LockRequest) -> Result<bool, LockError> {
        Ok(self.change(request, |now, record| {
            record.lock_until = now.max(record.locked_at + request.lock_at_least_for());
        }))
    }

    async fn check(&self) -> Result<(), LockError> {
        Ok(())
    }

    async fn last_holder(&self, name: &LockName) -> Result<Option<String>, LockError> {
        let records = self.records.lock().unwrap();
        Ok(records
            .get(name.as_str())
            .map(|record| record.locked_by.clone()))
    }
}

impl Harness for MapStore {
    type Provider = Self;

    async fn start() -> Self {
        Self::default()
    }

    async fn provider(&self) -> Self {
        self.clone()
    }

    async fn is_locked(&self, name: &LockName) -> bool {
        let record = self.record(name).await;
        record.is_some_and(|record| record.lock_until > now())
    }
}

impl RecordHarness for MapStore {
    async fn record(&self, name: &LockName) -> Option<LockRecord> {
        self.records.lock().unwrap().get(name.as_str()).cloned()
    }

    async fn now(&self) -> Duration {
        now()
    }

    async fn write(&self, name: &LockName, record: LockRecord) {
        self.records
            .lock()
            .unwrap()
            .insert(name.to_string(), record);
    }

    async fn delete(&self, name: &LockName) {
        self.records.lock().unwrap().remove(name.as_str());
    }
}

shedlock_core::lock_provider_conformance!(MapStore, records);
