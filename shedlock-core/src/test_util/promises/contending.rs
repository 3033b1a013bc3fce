use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    sync::Barrier,
    task::{JoinSet, yield_now},
    time::sleep,
};

use super::given::{configuration, millis, request_of, take, unlock};
use crate::{HeldLock, LockConfiguration, LockProvider, LockRequest, test_util::Harness};

const CLIENTS: usize = 12;
const FIVE_MINUTES: Duration = Duration::from_mins(5);

pub async fn eight_tasks_on_two_locks_count_exactly<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    count_with_eight_tasks(provider, [(); 8]).await;
}

pub async fn twelve_clients_racing_for_400_new_names_win_each_once<H: Harness>(harness: &H) {
    assert_eq!(race_for(harness, &names(400)).await, 400);
}

pub async fn twelve_clients_racing_for_100_released_locks_win_each_once<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    for name in names(100) {
        unlock(take(&provider, &request_of(&name)).await).await;
    }
    assert_eq!(race_for(harness, &names(100)).await, 100);
}

/// Eight tasks take two locks in turn and count under them with a counter that only a lock
/// protects. Each task keeps what is `beside` it until it ends.
pub(super) async fn count_with_eight_tasks<T: Send + 'static>(
    provider: impl LockProvider,
    beside: [T; 8],
) {
    let provider = Arc::new(provider);
    let counters = [Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0))];
    let mut tasks = JoinSet::new();
    for (task, beside) in beside.into_iter().enumerate() {
        let (provider, counter) = (provider.clone(), counters[task % 2].clone());
        let configuration = configuration(["even", "odd"][task % 2], FIVE_MINUTES)
            .with_lock_at_least_for(millis(5))
            .expect("the durations are valid");
        let rounds = if task == 0 { 10 } else { 100 };
        tasks.spawn(async move {
            for _round in 0..rounds {
                count_under_the_lock(&*provider, &configuration, &counter).await;
            }
            drop(beside);
        });
    }
    tasks.join_all().await;
    assert_eq!(counters.map(|counter| counter.load(Relaxed)), [310, 400]);
}

async fn count_under_the_lock(
    provider: &impl LockProvider,
    configuration: &LockConfiguration,
    counter: &AtomicU32,
) {
    let held = loop {
        let attempt = provider.try_lock(&LockRequest::new(configuration)).await;
        match attempt.expect("contention is no error") {
            Some(held) => break held,
            None => yield_now().await,
        }
    };
    let seen = counter.load(Relaxed);
    sleep(millis(1)).await;
    counter.store(seen + 1, Relaxed);
    held.unlock().await.expect("the lock is held");
}

/// How many attempts are granted when all clients ask for the same locks at once.
pub(super) async fn race_for(harness: &impl Harness, names: &[String]) -> usize {
    let start = Arc::new(Barrier::new(CLIENTS));
    let mut clients = JoinSet::new();
    for _client in 0..CLIENTS {
        let (provider, start) = (harness.provider().await, start.clone());
        let requests: Vec<_> = names.iter().map(|name| request_of(name)).collect();
        clients.spawn(async move {
            let mut won = 0;
            start.wait().await;
            for request in requests {
                let attempt = provider.try_lock(&request).await;
                won += usize::from(attempt.expect("contention is no error").is_some());
            }
            won
        });
    }
    clients.join_all().await.into_iter().sum()
}

pub(super) fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("job-{number}")).collect()
}
