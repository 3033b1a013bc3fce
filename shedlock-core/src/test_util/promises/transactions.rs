use std::{future::Future, time::Duration};

use tokio::time::{sleep, timeout};

use super::{
    contending::count_with_eight_tasks,
    given::{is_refused, job, millis, request, request_of, take, unlock},
};
use crate::test_util::SqlHarness;

/// What a call that needs a connection of the application would wait for, it waits for ever.
async fn at_once<T>(call: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(4), call)
        .await
        .expect("the call needs a connection that the application holds")
}

pub async fn a_lock_survives_the_rollback_of_the_transaction_around_it<H: SqlHarness>(harness: &H) {
    let pool = harness.pool(2).await;
    let provider = harness.provider_on(&pool).await;
    let transaction = harness.begin(&pool).await;
    let _held = take(&provider, &request()).await;
    harness.rollback(transaction).await;
    assert!(harness.is_locked(&job()).await);
}

pub async fn a_lock_is_seen_before_the_transaction_around_it_commits<H: SqlHarness>(harness: &H) {
    let pool = harness.pool(2).await;
    let provider = harness.provider_on(&pool).await;
    let _transaction = harness.begin(&pool).await;
    let _held = take(&provider, &request()).await;
    assert!(is_refused(&harness.provider().await, &request()).await);
}

pub async fn an_unlock_is_seen_before_the_transaction_around_it_commits<H: SqlHarness>(
    harness: &H,
) {
    let pool = harness.pool(2).await;
    let provider = harness.provider_on(&pool).await;
    let held = take(&provider, &request()).await;
    let _transaction = harness.begin(&pool).await;
    unlock(held).await;
    take(&harness.provider().await, &request()).await;
}

pub async fn a_lock_taken_in_an_old_transaction_counts_from_now<H: SqlHarness>(harness: &H) {
    let pool = harness.pool(2).await;
    let provider = harness.provider_on(&pool).await;
    let begun = harness.now().await;
    let _transaction = harness.begin(&pool).await;
    while harness.now().await < begun + millis(100) {
        sleep(millis(10)).await;
    }
    let _held = take(&provider, &request()).await;
    let record = harness.record(&job()).await.expect("the lock was taken");
    assert!(
        record.locked_at >= begun + millis(99),
        "{record:?}, begun at {begun:?}"
    );
}

pub async fn a_lock_is_taken_though_the_application_holds_every_connection<H: SqlHarness>(
    harness: &H,
) {
    let pool = harness.pool(1).await;
    let provider = harness.provider_on(&pool).await;
    let _transaction = harness.begin(&pool).await;
    at_once(take(&provider, &request())).await;
}

pub async fn a_job_that_holds_every_connection_can_release_its_lock<H: SqlHarness>(harness: &H) {
    let pool = harness.pool(1).await;
    let provider = harness.provider_on(&pool).await;
    let held = take(&provider, &request()).await;
    let _transaction = harness.begin(&pool).await;
    at_once(unlock(held)).await;
    assert!(!harness.is_locked(&job()).await);
}

pub async fn a_held_lock_holds_no_connection<H: SqlHarness>(harness: &H) {
    let pool = harness.pool(1).await;
    let provider = harness.provider_on(&pool).await;
    let mut held = Vec::new();
    for lock in 0..20 {
        held.push(at_once(take(&provider, &request_of(&format!("job-{lock}")))).await);
    }
    at_once(harness.begin(&pool)).await;
}

pub async fn eight_tasks_in_transactions_of_their_own_count_exactly<H: SqlHarness>(harness: &H) {
    let pool = harness.pool(8).await;
    let provider = harness.provider_on(&pool).await;
    let mut transactions = Vec::new();
    for _task in 0..8 {
        transactions.push(harness.begin(&pool).await);
    }
    let Ok(transactions) = transactions.try_into() else {
        unreachable!("eight were begun")
    };
    count_with_eight_tasks::<H::Transaction>(provider, transactions).await;
}
