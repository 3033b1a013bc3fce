use std::time::Duration;

use super::records;
use crate::test_util::ClockHarness;

const HOUR: Duration = Duration::from_hours(1);

pub async fn a_lock_counts_from_a_store_clock_that_is_an_hour_ahead<H: ClockHarness>(_: &H) {
    let ahead = H::start_ahead(HOUR).await;
    records::locked_at_is_the_stores_now(&ahead).await;
    ahead.stop().await;
}

pub async fn an_extension_counts_from_a_store_clock_that_is_an_hour_ahead<H: ClockHarness>(_: &H) {
    let ahead = H::start_ahead(HOUR).await;
    records::an_extension_counts_from_the_stores_now(&ahead).await;
    ahead.stop().await;
}

pub async fn an_unlock_ends_at_a_store_clock_that_is_an_hour_ahead<H: ClockHarness>(_: &H) {
    let ahead = H::start_ahead(HOUR).await;
    records::unlock_ends_the_record_at_the_stores_now(&ahead).await;
    ahead.stop().await;
}

pub async fn a_lock_ends_by_a_store_clock_that_is_an_hour_ahead<H: ClockHarness>(_: &H) {
    let ahead = H::start_ahead(HOUR).await;
    records::an_ended_record_made_by_hand_is_taken_over(&ahead).await;
    ahead.stop().await;
}
