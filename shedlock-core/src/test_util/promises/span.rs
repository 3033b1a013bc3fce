use std::{
    future::Future,
    ops::Add,
    time::{Duration, Instant},
};

use tokio::time::sleep;

use crate::{LockName, test_util::Harness};

/// The resolution of the coarsest store, for each of its now when a lock is taken, the duration,
/// and its now when a lock is looked at, and one for the difference of the client's clocks.
const RESOLUTION: Duration = Duration::from_millis(4);
const BETWEEN_LOOKS: Duration = Duration::from_millis(3);

/// When something happened in the store, as exactly as the client can know it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    from: Instant,
    to: Instant,
}

impl Span {
    /// When the store did what `call` asks for.
    pub(super) async fn of<T>(call: impl Future<Output = T>) -> (Self, T) {
        let from = Instant::now();
        let answer = call.await;
        let to = Instant::now();
        (Self { from, to }, answer)
    }

    /// Waits until it is over.
    pub(super) async fn passed(self) {
        while Instant::now() <= self.to + RESOLUTION {
            sleep(BETWEEN_LOOKS).await;
        }
    }

    /// Watches a held lock until it is free, and asserts that it ended within this span.
    pub(super) async fn is_the_end_of(self, harness: &impl Harness, name: &LockName) {
        loop {
            let asked = Instant::now();
            let locked = harness.is_locked(name).await;
            let answered = Instant::now();
            if !locked {
                let early = self.from.saturating_duration_since(answered);
                assert!(early <= RESOLUTION, "lock `{name}` ended {early:?} early");
                return;
            }
            let late = asked.saturating_duration_since(self.to);
            assert!(
                late <= RESOLUTION,
                "lock `{name}` is held {late:?} too long"
            );
            sleep(BETWEEN_LOOKS).await;
        }
    }
}

impl Add<Duration> for Span {
    type Output = Self;

    fn add(self, later: Duration) -> Self {
        Self {
            from: self.from + later,
            to: self.to + later,
        }
    }
}
