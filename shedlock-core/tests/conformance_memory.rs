//! `MemoryLockProvider` keeps the promises of every lock provider.
#![cfg(feature = "test-util")]

use std::time::Duration;

use shedlock_core::{
    HeldLock, LockConfiguration, LockName, LockProvider, LockRequest, MemoryLockProvider,
    test_util::Harness,
};
use tokio::time::advance;

struct Memory(MemoryLockProvider);

impl Harness for Memory {
    type Provider = MemoryLockProvider;

    async fn start() -> Self {
        Self(MemoryLockProvider::new())
    }

    async fn provider(&self) -> MemoryLockProvider {
        self.0.clone()
    }

    async fn is_locked(&self, name: &LockName) -> bool {
        self.0.is_locked(name)
    }
}

mod memory {
    shedlock_core::lock_provider_conformance!(super::Memory);
}

const SECOND: Duration = Duration::from_secs(1);

fn request() -> LockRequest {
    LockRequest::new(&LockConfiguration::new("job", SECOND).unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_lock_is_held_until_just_before_its_end() {
    let locks = MemoryLockProvider::new();
    let held = locks.try_lock(&request()).await.unwrap().unwrap();
    advance(Duration::from_millis(999)).await;
    assert!(locks.try_lock(&request()).await.unwrap().is_none());
    held.unlock().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_lock_can_be_taken_at_the_instant_of_its_end() {
    let locks = MemoryLockProvider::new();
    let _held = locks.try_lock(&request()).await.unwrap().unwrap();
    advance(SECOND).await;
    assert!(locks.try_lock(&request()).await.unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_lock_is_lost_at_the_instant_of_its_end() {
    let locks = MemoryLockProvider::new();
    let held = locks.try_lock(&request()).await.unwrap().unwrap();
    advance(SECOND).await;
    let refused = held.extend(SECOND, Duration::ZERO).await.unwrap_err();
    refused.lock.unlock().await.unwrap_err();
}
