use std::time::Duration;

use super::given::{
    MINUTE, configuration, is_refused, job, lost, millis, name, request, request_at_least,
    request_for, request_of, take, unlock,
};
use crate::{
    HeldLock, LockName, LockProvider, LockRequest,
    test_util::{LockRecord, RecordHarness},
};

const DAY: Duration = Duration::from_hours(24);
/// The resolution of the coarsest store, twice: once for its now, once for a duration.
const RESOLUTION: Duration = millis(2);
/// A duration that no store holds exactly.
const UNEVEN: Duration = Duration::from_nanos(20_000_001);

/// The record of a lock that was taken before.
async fn record(harness: &impl RecordHarness, name: &LockName) -> LockRecord {
    let record = harness.record(name).await;
    record.unwrap_or_else(|| panic!("lock `{name}` has no record"))
}

/// Whether a lock lasts as long as asked for in the store: never shorter, at most rounded up.
fn lasts(record: &LockRecord, asked: Duration) -> bool {
    let end = record.locked_at + asked;
    (end..=end + RESOLUTION).contains(&record.lock_until)
}

/// Whether an instant is between two others, as exactly as the coarsest store can show them.
fn is_between(before: Duration, instant: Duration, after: Duration) -> bool {
    before <= instant + RESOLUTION && instant <= after + RESOLUTION
}

/// A record made by hand.
fn by_hand(now: Duration, lock_until: Duration) -> LockRecord {
    LockRecord {
        locked_by: "me".to_owned(),
        locked_at: now.saturating_sub(2 * DAY),
        lock_until,
    }
}

pub async fn the_record_names_the_acquisition<H: RecordHarness>(harness: &H) {
    let request = request();
    let _held = take(&harness.provider().await, &request).await;
    let locked_by = record(harness, &job()).await.locked_by;
    assert_eq!(locked_by, request.owner().as_str());
}

pub async fn the_last_holder_is_who_holds_the_lock_or_held_it<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    let last_holder = async || {
        provider
            .last_holder(&job())
            .await
            .expect("the store answers")
    };
    assert_eq!(last_holder().await, None);
    let request = request();
    let held = take(&provider, &request).await;
    let owner = request.owner().as_str();
    assert_eq!(last_holder().await.as_deref(), Some(owner));
    unlock(held).await;
    // A store that deletes the record has forgotten it.
    assert!(last_holder().await.is_none_or(|holder| holder == owner));
}

pub async fn the_longest_owner_is_stored_whole<H: RecordHarness>(harness: &H) {
    let service = "정산".repeat(100);
    let request = LockRequest::of_service(&configuration("job", MINUTE), Some(&service));
    let held = take(&harness.provider().await, &request).await;
    let locked_by = record(harness, &job()).await.locked_by;
    assert_eq!(locked_by, request.owner().as_str());
    unlock(held).await;
}

pub async fn locked_at_is_the_stores_now<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    let before = harness.now().await;
    let _held = take(&provider, &request()).await;
    let after = harness.now().await;
    let locked_at = record(harness, &job()).await.locked_at;
    assert!(
        is_between(before, locked_at, after),
        "taken between {before:?} and {after:?}, but locked at {locked_at:?}"
    );
}

pub async fn lock_until_is_lock_at_most_for_after_locked_at<H: RecordHarness>(harness: &H) {
    let _held = take(&harness.provider().await, &request()).await;
    let record = record(harness, &job()).await;
    assert!(lasts(&record, MINUTE), "{record:?}");
}

pub async fn lock_at_most_for_is_never_shorter_in_the_store<H: RecordHarness>(harness: &H) {
    let _held = take(&harness.provider().await, &request_for(UNEVEN)).await;
    let record = record(harness, &job()).await;
    assert!(lasts(&record, UNEVEN), "{record:?}");
}

pub async fn lock_at_least_for_is_never_shorter_in_the_store<H: RecordHarness>(harness: &H) {
    let at_least = MINUTE / 2 + UNEVEN;
    unlock(take(&harness.provider().await, &request_at_least(at_least)).await).await;
    let record = record(harness, &job()).await;
    assert!(lasts(&record, at_least), "{record:?}");
}

pub async fn unlock_ends_the_record_at_the_stores_now<H: RecordHarness>(harness: &H) {
    let held = take(&harness.provider().await, &request()).await;
    let before = harness.now().await;
    unlock(held).await;
    let after = harness.now().await;
    // A store that deletes the record has ended it too.
    if let Some(LockRecord { lock_until, .. }) = harness.record(&job()).await {
        assert!(
            is_between(before, lock_until, after),
            "released between {before:?} and {after:?}, but locked until {lock_until:?}"
        );
    }
}

pub async fn an_extension_counts_from_the_stores_now<H: RecordHarness>(harness: &H) {
    let lease = 2 * MINUTE + UNEVEN;
    let held = take(&harness.provider().await, &request()).await;
    let before = harness.now().await;
    let _held = held
        .extend(lease, millis(0))
        .await
        .expect("the lock is held");
    let after = harness.now().await;
    let lock_until = record(harness, &job()).await.lock_until;
    assert!(
        is_between(before + lease, lock_until, after + lease),
        "extended between {before:?} and {after:?}, but locked until {lock_until:?}"
    );
}

pub async fn an_extension_keeps_locked_at_and_locked_by<H: RecordHarness>(harness: &H) {
    let held = take(&harness.provider().await, &request()).await;
    let taken = record(harness, &job()).await;
    let _held = held
        .extend(2 * MINUTE, millis(0))
        .await
        .expect("the lock is held");
    let extended = record(harness, &job()).await;
    assert_eq!(
        (extended.locked_at, extended.locked_by),
        (taken.locked_at, taken.locked_by)
    );
}

pub async fn a_refused_attempt_changes_nothing<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    let _held = take(&provider, &request()).await;
    let before = record(harness, &job()).await;
    assert!(is_refused(&provider, &request_for(2 * MINUTE)).await);
    assert_eq!(record(harness, &job()).await, before);
}

pub async fn a_late_unlock_and_a_late_extend_change_nothing<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    let late = take(&provider, &request()).await;
    let now = harness.now().await;
    harness.write(&job(), by_hand(now, now + MINUTE)).await;
    let late = lost(late.extend(2 * MINUTE, millis(0)).await);
    lost(late.unlock().await);
    assert_eq!(record(harness, &job()).await, by_hand(now, now + MINUTE));
}

pub async fn taking_and_releasing_one_lock_leaves_others_untouched<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    let _other = take(&provider, &request_of("other")).await;
    let before = record(harness, &name("other")).await;
    let held = take(&provider, &request()).await;
    let held = held
        .extend(MINUTE, millis(0))
        .await
        .expect("the lock is held");
    unlock(held).await;
    assert_eq!(record(harness, &name("other")).await, before);
}

pub async fn taking_a_lock_over_leaves_others_untouched<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    let _other = take(&provider, &request_of("other")).await;
    let before = record(harness, &name("other")).await;
    let now = harness.now().await;
    harness
        .write(&job(), by_hand(now, now.saturating_sub(DAY)))
        .await;
    let _held = take(&provider, &request()).await;
    assert_eq!(record(harness, &name("other")).await, before);
}

pub async fn an_ended_record_made_by_hand_is_taken_over<H: RecordHarness>(harness: &H) {
    let now = harness.now().await;
    harness
        .write(&job(), by_hand(now, now.saturating_sub(DAY)))
        .await;
    let held = take(&harness.provider().await, &request()).await;
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_lock_taken_over_is_recorded_like_a_new_one<H: RecordHarness>(harness: &H) {
    let before = harness.now().await;
    harness
        .write(&job(), by_hand(before, before.saturating_sub(DAY)))
        .await;
    let request = request_for(UNEVEN);
    let _held = take(&harness.provider().await, &request).await;
    let record = record(harness, &job()).await;
    assert_eq!(record.locked_by, request.owner().as_str());
    assert!(lasts(&record, UNEVEN), "{record:?}");
    let after = harness.now().await;
    assert!(is_between(before, record.locked_at, after), "{record:?}");
}

pub async fn a_lock_held_by_hand_is_respected<H: RecordHarness>(harness: &H) {
    let now = harness.now().await;
    harness.write(&job(), by_hand(now, now + MINUTE)).await;
    assert!(is_refused(&harness.provider().await, &request()).await);
}

pub async fn a_record_deleted_by_hand_is_written_again<H: RecordHarness>(harness: &H) {
    let provider = harness.provider().await;
    unlock(take(&provider, &request()).await).await;
    harness.delete(&job()).await;
    let held = take(&provider, &request()).await;
    assert!(harness.is_locked(&job()).await);
    unlock(held).await;
}

pub async fn a_lock_whose_record_was_deleted_is_lost<H: RecordHarness>(harness: &H) {
    let held = take(&harness.provider().await, &request()).await;
    harness.delete(&job()).await;
    let held = lost(held.extend(MINUTE, millis(0)).await);
    lost(held.unlock().await);
    assert!(!harness.is_locked(&job()).await);
}
