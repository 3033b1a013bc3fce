use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

use tokio::{runtime::Builder, time::timeout};

use super::Harness;

/// A test that takes longer hangs.
const LIMIT: Duration = Duration::from_mins(5);

/// Runs one promise on a fresh store, and cleans up also when it is broken.
///
/// # Panics
/// When the promise is broken.
pub fn run<H: Harness>(promise: impl AsyncFnOnce(&H)) {
    let runtime = Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .expect("a test may start threads");
    let harness = runtime.block_on(H::start());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime
            .block_on(async { timeout(LIMIT, promise(&harness)).await })
            .expect("this test hangs: it did not end within five minutes");
    }));
    runtime.block_on(harness.stop());
    outcome.unwrap_or_else(|broken| resume_unwind(broken));
}
