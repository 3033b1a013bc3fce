use std::time::Duration;

use tokio::time::timeout;

use super::{
    given::{
        MINUTE, configuration, is_refused, job, millis, request, request_at_least, request_for,
        request_of, take, unlock,
    },
    span::Span,
};
use crate::{LockProvider, LockRequest, MAX_LOCK_AT_MOST_FOR, test_util::Harness};

pub async fn check_accepts_a_store_that_is_set_up<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    provider.check().await.expect("the store is set up");
}

pub async fn a_lock_is_held_until_it_is_unlocked<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request()).await;
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_second_holder_is_refused<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let _held = take(&provider, &request()).await;
    assert!(is_refused(&provider, &request()).await);
}

pub async fn another_node_is_refused<H: Harness>(harness: &H) {
    let (one, other) = (harness.provider().await, harness.provider().await);
    let _held = take(&one, &request()).await;
    assert!(is_refused(&other, &request()).await);
}

pub async fn a_refused_attempt_does_not_disturb_the_holder<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request()).await;
    assert!(is_refused(&provider, &request()).await);
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
}

pub async fn an_attempt_never_waits_for_the_holder<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let _held = take(&provider, &request_for(10 * MINUTE)).await;
    let waited = timeout(Duration::from_secs(10), is_refused(&provider, &request())).await;
    assert_eq!(waited, Ok(true));
}

pub async fn locks_of_different_names_are_independent<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let one = take(&provider, &request_of("one")).await;
    let other = take(&provider, &request_of("other")).await;
    unlock(one).await;
    assert!(is_refused(&provider, &request_of("other")).await);
    unlock(other).await;
}

pub async fn an_unlocked_lock_can_be_taken_again_at_once<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let configuration = configuration("job", MINUTE);
    for _round in 0..10 {
        let held = take(&provider, &LockRequest::new(&configuration)).await;
        assert!(is_refused(&provider, &LockRequest::new(&configuration)).await);
        unlock(held).await;
    }
}

pub async fn a_held_lock_outlives_its_provider<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    drop(take(&provider, &request()).await);
    drop(provider);
    assert!(is_refused(&harness.provider().await, &request()).await);
}

pub async fn an_unlocked_lock_can_be_taken_by_another_node<H: Harness>(harness: &H) {
    let (one, other) = (harness.provider().await, harness.provider().await);
    unlock(take(&one, &request()).await).await;
    take(&other, &request()).await;
}

pub async fn a_lock_ends_by_itself_after_lock_at_most_for<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, _held) = Span::of(take(&provider, &request_for(millis(50)))).await;
    let end = taken + millis(50);
    end.is_the_end_of(harness, &job()).await;
}

pub async fn a_lock_that_ended_can_be_taken_over<H: Harness>(harness: &H) {
    let (one, other) = (harness.provider().await, harness.provider().await);
    let (taken, _held) = Span::of(take(&one, &request_for(millis(50)))).await;
    (taken + millis(50)).passed().await;
    take(&other, &request()).await;
}

pub async fn unlock_keeps_the_lock_until_at_least<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_at_least(millis(300)))).await;
    unlock(held).await;
    let end = taken + millis(300);
    end.is_the_end_of(harness, &job()).await;
}

pub async fn a_lock_kept_for_at_least_refuses_others<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    unlock(take(&provider, &request_at_least(MINUTE)).await).await;
    assert!(is_refused(&provider, &request()).await);
}

pub async fn a_lock_held_longer_than_at_least_is_free_at_once<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_at_least(millis(50)))).await;
    (taken + millis(50)).passed().await;
    unlock(held).await;
    take(&provider, &request()).await;
}

pub async fn the_longest_lock_is_held<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request_for(MAX_LOCK_AT_MOST_FOR)).await;
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
    assert!(!harness.is_locked(&job()).await);
}
