use super::given::{is_refused, name, request_of, take, unlock};
use crate::test_util::Harness;

/// 64 characters, of one to four bytes in UTF-8.
fn longest(last: char) -> String {
    let mut name: String = "정산-ä🔒".chars().cycle().take(63).collect();
    name.push(last);
    name
}

pub async fn a_name_of_64_characters_beyond_ascii_is_locked_and_unlocked<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let held = take(&provider, &request_of(&longest('한'))).await;
    assert!(harness.is_locked(&name(&longest('한'))).await);
    unlock(held).await;
    assert!(!harness.is_locked(&name(&longest('한'))).await);
}

pub async fn long_names_differ_in_their_last_character<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let _held = take(&provider, &request_of(&longest('a'))).await;
    take(&provider, &request_of(&longest('b'))).await;
}

pub async fn names_that_differ_in_case_are_different_locks<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let _held = take(&provider, &request_of("job")).await;
    take(&provider, &request_of("JOB")).await;
}

pub async fn names_that_differ_in_accents_are_different_locks<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let _held = take(&provider, &request_of("resume")).await;
    take(&provider, &request_of("résumé")).await;
}

pub async fn a_name_is_text_whatever_its_characters_mean_elsewhere<H: Harness>(harness: &H) {
    let provider = harness.provider().await;
    let text = r#"a'b"c`d\e%f_g;--/*$1?:x"#;
    let held = take(&provider, &request_of(text)).await;
    assert!(harness.is_locked(&name(text)).await);
    assert!(is_refused(&provider, &request_of(text)).await);
    unlock(held).await;
    assert!(!harness.is_locked(&name(text)).await);
}
