use std::time::Duration;

use super::{
    given::{MINUTE, job, lost, millis, request, request_at_least, request_for, take, unlock},
    span::Span,
};
use crate::{HeldLock, HeldLockError, LockError, test_util::Harness};

const SHORT: Duration = millis(600);

/// Extends a lock that is held.
async fn extend<H: HeldLock>(held: H, lock_at_most_for: Duration, at_least: Duration) -> H {
    let extended = held.extend(lock_at_most_for, at_least).await;
    extended.expect("the lock is held")
}

/// The lock that came back from an extension by durations that no lock can have.
async fn refused<H: HeldLock>(held: H) -> H {
    let HeldLockError { lock, error } = held
        .extend(MINUTE, 2 * MINUTE)
        .await
        .err()
        .expect("`lock_at_least_for` is longer than `lock_at_most_for`");
    assert!(matches!(error, LockError::Configuration(_)), "{error}");
    lock
}

pub async fn an_extended_lock_outlives_its_first_end<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_for(SHORT))).await;
    let _held = extend(held, MINUTE, millis(0)).await;
    (taken + SHORT).passed().await;
    assert!(harness.is_locked(&job()).await);
}

pub async fn an_extended_lock_ends_lock_at_most_for_after_the_extension<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request())).await;
    (taken + millis(50)).passed().await;
    let (extended, _held) = Span::of(extend(held, millis(100), millis(0))).await;
    let end = extended + millis(100);
    end.is_the_end_of(harness, &job()).await;
}

pub async fn an_extended_lock_is_free_after_its_unlock<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request_for(SHORT)).await;
    unlock(extend(held, MINUTE, millis(0)).await).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_lock_can_be_extended_three_times<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_for(SHORT))).await;
    let held = extend(held, 2 * SHORT, millis(0)).await;
    let held = extend(held, 3 * SHORT, millis(0)).await;
    let held = extend(held, MINUTE, millis(0)).await;
    (taken + SHORT).passed().await;
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn an_extension_may_ask_for_at_least<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request()).await;
    unlock(extend(held, MINUTE, MINUTE).await).await;
    assert!(harness.is_locked(&job()).await);
}

pub async fn at_least_counts_from_the_first_acquisition_also_after_an_extension<H: Harness>(
    harness: &H,
) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_at_least(millis(400)))).await;
    (taken + millis(100)).passed().await;
    unlock(extend(held, MINUTE, millis(400)).await).await;
    let end = taken + millis(400);
    end.is_the_end_of(harness, &job()).await;
}

pub async fn a_refused_extension_hands_the_lock_back<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request()).await;
    unlock(refused(held).await).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_refused_extension_does_not_move_the_end<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_for(SHORT))).await;
    let _held = refused(held).await;
    let end = taken + SHORT;
    end.is_the_end_of(harness, &job()).await;
}

pub async fn an_extension_of_a_lost_lock_hands_it_back<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let (taken, held) = Span::of(take(&provider, &request_for(millis(20)))).await;
    (taken + millis(20)).passed().await;
    let still_lost = lost(held.extend(MINUTE, millis(0)).await);
    lost(still_lost.unlock().await);
}
