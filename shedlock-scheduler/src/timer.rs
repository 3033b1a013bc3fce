//! One precise timer: sleeps until an instant of the wall clock, an instant of the monotonic clock, or a step of the
//! wall clock, whichever comes first.

mod clock;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod thread;

use chrono::{DateTime, Utc};

pub(crate) use clock::Monotonic;
#[cfg(target_os = "linux")]
pub(crate) use linux::Timer;
#[cfg(not(target_os = "linux"))]
pub(crate) use thread::Timer;

/// Up to when to wait: the earlier of the two, for ever without both.
///
/// Steps of the wall clock are noticed only while `wall` is given; a monotonic instant does not depend on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deadline {
    pub(crate) wall: Option<DateTime<Utc>>,
    pub(crate) monotonic: Option<Monotonic>,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// An instant has been reached.
    Due,
    /// Somebody set the wall clock: instants that were computed from it are to be computed again.
    ClockSet,
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    use super::*;

    fn wall(instant: DateTime<Utc>) -> Deadline {
        Deadline {
            wall: Some(instant),
            monotonic: None,
        }
    }

    fn monotonic(instant: Monotonic) -> Deadline {
        Deadline {
            wall: None,
            monotonic: Some(instant),
        }
    }

    /// Lets a future start, then drops it.
    async fn start_and_drop<T>(future: impl Future<Output = T>) {
        let mut future = pin!(future);
        std::future::poll_fn(|cx| {
            assert!(future.as_mut().poll(cx).is_pending());
            Poll::Ready(())
        })
        .await;
    }

    #[derive(Default)]
    struct CountWakes(AtomicUsize);

    impl std::task::Wake for CountWakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    const SOON: Duration = Duration::from_millis(20);
    const HOUR: Duration = Duration::from_hours(1);

    macro_rules! keeps_the_promises_of_a_timer {
        ($implementation:ident) => {
            mod $implementation {
                use super::*;
                use crate::timer::$implementation::Timer;

                #[tokio::test]
                async fn a_wall_instant_is_never_early() {
                    let mut timer = Timer::new().unwrap();
                    for _ in 0..10 {
                        let due = Utc::now() + SOON;
                        assert_eq!(timer.wait(wall(due)).await, Wake::Due);
                        assert!(Utc::now() >= due);
                    }
                }

                #[tokio::test]
                async fn a_monotonic_instant_is_never_early() {
                    let mut timer = Timer::new().unwrap();
                    for _ in 0..10 {
                        let due = Monotonic::now() + SOON;
                        assert_eq!(timer.wait(monotonic(due)).await, Wake::Due);
                        assert!(Monotonic::now() >= due);
                    }
                }

                #[tokio::test]
                async fn the_earlier_of_two_clocks_ends_the_wait() {
                    let mut timer = Timer::new().unwrap();
                    let (near, far) = (Utc::now() + SOON, Monotonic::now() + HOUR);
                    let until = Deadline {
                        wall: Some(near),
                        monotonic: Some(far),
                    };
                    assert_eq!(timer.wait(until).await, Wake::Due);

                    let (near, far) = (Monotonic::now() + SOON, Utc::now() + HOUR);
                    let until = Deadline {
                        wall: Some(far),
                        monotonic: Some(near),
                    };
                    assert_eq!(timer.wait(until).await, Wake::Due);
                }

                #[tokio::test]
                async fn an_instant_in_the_past_is_due_at_once() {
                    let mut timer = Timer::new().unwrap();
                    assert_eq!(timer.wait(wall(Utc::now() - HOUR)).await, Wake::Due);
                    assert_eq!(timer.wait(wall(DateTime::UNIX_EPOCH)).await, Wake::Due);
                    assert_eq!(timer.wait(wall(DateTime::<Utc>::MIN_UTC)).await, Wake::Due);
                    assert_eq!(timer.wait(monotonic(Monotonic::ZERO)).await, Wake::Due);
                }

                #[tokio::test]
                async fn an_earlier_instant_replaces_the_one_waited_for() {
                    let mut timer = Timer::new().unwrap();
                    start_and_drop(timer.wait(wall(Utc::now() + HOUR))).await;
                    assert_eq!(timer.wait(wall(Utc::now() + SOON)).await, Wake::Due);
                }

                #[tokio::test]
                async fn a_dropped_wait_does_not_end_the_next_one() {
                    let mut timer = Timer::new().unwrap();
                    start_and_drop(timer.wait(wall(Utc::now() + SOON / 4))).await;
                    start_and_drop(timer.wait(monotonic(Monotonic::now() + SOON / 4))).await;
                    let mut clock = Timer::new().unwrap();
                    clock.wait(monotonic(Monotonic::now() + SOON / 2)).await;
                    let due = Monotonic::now() + SOON;
                    assert_eq!(timer.wait(monotonic(due)).await, Wake::Due);
                    assert!(Monotonic::now() >= due);
                }

                #[tokio::test]
                async fn without_an_instant_nothing_wakes() {
                    let mut idle = Timer::new().unwrap();
                    start_and_drop(idle.wait(wall(Utc::now() + SOON / 4))).await;
                    let wakes = Arc::new(CountWakes::default());
                    let waker = Waker::from(Arc::clone(&wakes));
                    let mut wait = pin!(idle.wait(Deadline::default()));
                    assert!(
                        wait.as_mut()
                            .poll(&mut Context::from_waker(&waker))
                            .is_pending()
                    );

                    let mut clock = Timer::new().unwrap();
                    clock.wait(monotonic(Monotonic::now() + SOON * 2)).await;
                    assert_eq!(wakes.0.load(Ordering::SeqCst), 0);
                }
            }
        };
    }

    #[cfg(target_os = "linux")]
    keeps_the_promises_of_a_timer!(linux);
    keeps_the_promises_of_a_timer!(thread);
}
