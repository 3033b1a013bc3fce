use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    task::Poll,
};

use super::given::{
    MINUTE, configuration, is_refused, job, request, request_at_least, request_of, take, unlock,
};
use crate::{LockProvider, LockingExecutor, test_util::Harness};

const ROUNDS: usize = 20;

/// The future's output, unless it is dropped after this many polls.
async fn polled<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|cx| {
        left -= 1;
        match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Drops an attempt after each number of polls, abandons it, and takes the lock. Several times,
/// because the store may act on an attempt before or after it acts on what follows.
async fn drop_everywhere<H: Harness>(harness: &H, name: impl Fn() -> String) {
    for _round in 0..ROUNDS {
        let (one, other) = (harness.provider().await, harness.provider().await);
        let mut polls = 1;
        loop {
            let name = name();
            let attempt = request_of(&name);
            let answer = polled(one.try_lock(&attempt), polls).await;
            one.abandon(&attempt).await.expect("the store answers");
            unlock(take(&other, &request_of(&name)).await).await;
            if answer.is_some() {
                break;
            }
            polls += 1;
        }
    }
}

pub async fn an_attempt_dropped_at_any_await_and_abandoned_leaves_a_new_name_free<H: Harness>(
    harness: &H,
) {
    let names = AtomicUsize::new(0);
    drop_everywhere(harness, || format!("job-{}", names.fetch_add(1, Relaxed))).await;
}

pub async fn an_attempt_dropped_at_any_await_and_abandoned_leaves_a_known_name_free<H: Harness>(
    harness: &H,
) {
    unlock(take(&harness.provider().await, &request()).await).await;
    drop_everywhere(harness, || "job".to_owned()).await;
}

pub async fn an_attempt_that_arrives_after_it_was_abandoned_is_refused<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let late = request();
    provider.abandon(&late).await.expect("the store answers");
    assert!(is_refused(&provider, &late).await);
    assert!(!harness.is_locked(&job()).await);
}

pub async fn an_abandoned_lock_is_free_at_once_in_spite_of_at_least<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let abandoned = request_at_least(MINUTE);
    take(&provider, &abandoned).await;
    provider
        .abandon(&abandoned)
        .await
        .expect("the store answers");
    assert!(!harness.is_locked(&job()).await);
}

pub async fn abandoning_a_refused_attempt_leaves_the_holder_alone<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request()).await;
    provider
        .abandon(&request())
        .await
        .expect("the store answers");
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
}

pub async fn abandoning_what_was_never_asked_for_is_no_error<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    provider
        .abandon(&request())
        .await
        .expect("the store answers");
    take(&provider, &request()).await;
}

pub async fn an_execution_dropped_at_any_await_releases_its_lock<H: Harness>(harness: &H) {
    let other = harness.provider().await;
    for polls in 1.. {
        let executor = LockingExecutor::new(harness.provider().await);
        let job = tokio::task::yield_now();
        let ended = polled(executor.execute(&configuration("job", MINUTE), job), polls).await;
        executor.released().await;
        unlock(take(&other, &request()).await).await;
        if ended.is_some() {
            break;
        }
    }
}
