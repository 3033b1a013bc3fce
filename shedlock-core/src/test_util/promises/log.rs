use super::contending::race_for_new_names;
use crate::test_util::LogHarness;

pub async fn contention_writes_nothing_to_the_servers_log<H: LogHarness>(harness: &H) {
    race_for_new_names(harness).await;
    assert_eq!(harness.complaints().await, Vec::<String>::new());
}
