use super::contending::{names, race_for};
use crate::test_util::LogHarness;

pub async fn contention_writes_nothing_to_the_servers_log<H: LogHarness>(harness: &H) {
    race_for(harness, &names(400)).await;
    assert_eq!(harness.complaints().await, Vec::<String>::new());
}
