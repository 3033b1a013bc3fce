use super::{
    given::{MINUTE, is_refused, job, lost, millis, request, request_for, take, unlock},
    span::Span,
};
use crate::{HeldLock, LockProvider, test_util::Harness};

/// A lock that has ended, still in the hands of its holder.
async fn ended<H: Harness>(provider: &H::Provider) -> <H::Provider as LockProvider>::Held {
    let (taken, held) = Span::of(take(provider, &request_for(millis(20)))).await;
    (taken + millis(20)).passed().await;
    held
}

pub async fn unlock_after_the_end_is_lost<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = ended::<H>(&provider).await;
    lost(held.unlock().await);
}

pub async fn extend_after_the_end_is_lost_though_nobody_took_the_lock<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = ended::<H>(&provider).await;
    lost(held.extend(MINUTE, millis(0)).await);
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_late_unlock_leaves_the_next_holder_alone<H: Harness>(harness: &H) {
    let (one, other) = (harness.provider().await, harness.provider().await);
    let late = ended::<H>(&one).await;
    let held = take(&other, &request()).await;
    lost(late.unlock().await);
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
}

pub async fn a_late_extend_leaves_the_next_holder_alone<H: Harness>(harness: &H) {
    let (one, other) = (harness.provider().await, harness.provider().await);
    let late = ended::<H>(&one).await;
    let held = take(&other, &request()).await;
    lost(late.extend(2 * MINUTE, millis(0)).await);
    unlock(held).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_lock_of_the_same_provider_is_another_owners_too<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let late = ended::<H>(&provider).await;
    let held = take(&provider, &request()).await;
    let late = lost(late.extend(2 * MINUTE, millis(0)).await);
    lost(late.unlock().await);
    unlock(held).await;
}

pub async fn asking_again_with_the_same_request_is_the_same_acquisition<H: Harness>(harness: &H) {
    let (one, other) = (harness.provider().await, harness.provider().await);
    let request = request();
    let _first_answer = take(&one, &request).await;
    let second_answer = take(&other, &request).await;
    unlock(second_answer).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn asking_again_after_the_end_is_refused_though_nobody_took_the_lock<H: Harness>(
    harness: &H,
) {
    let provider = harness.provider().await;
    let ended = request();
    unlock(take(&provider, &ended).await).await;
    assert!(is_refused(&provider, &ended).await);
    take(&provider, &request()).await;
}

pub async fn asking_again_does_not_free_the_lock_for_others<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let first = request();
    take(&provider, &first).await;
    take(&provider, &first).await;
    assert!(is_refused(&provider, &request()).await);
}
