use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;

use super::{Deadline, Monotonic, Wake};

/// While it waits for a wall instant, the thread looks this often whether the clock was set.
const LOOK: Duration = Duration::from_secs(30);

/// Clocks drift apart by less than this between two looks, unless one is set.
const STEP: TimeDelta = TimeDelta::milliseconds(100);

/// A thread that sleeps, for systems without a kernel timer that can be awaited.
#[derive(Debug)]
pub(crate) struct Timer {
    shared: Arc<Shared>,
}

impl Timer {
    pub(crate) fn new() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = Arc::clone(&shared);
        thread::Builder::new()
            .name("shedlock-timer".to_owned())
            .spawn(move || thread.run())?;
        Ok(Self { shared })
    }

    /// Waits until an instant is reached or the clock is set; without an instant, for ever. A forward step of the clock
    /// is noticed within 30 seconds.
    ///
    /// # Cancellation
    /// May be dropped and called again at any time. A step of the clock in between is reported by the next call.
    pub(crate) async fn wait(&mut self, until: Deadline) -> Wake {
        self.shared.command(|state| {
            state.until = until;
            state.fired = None;
        });
        loop {
            if let Some(wake) = self.shared.state().fired.take() {
                return wake;
            }
            self.shared.fired.notified().await;
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.shared.command(|state| state.closed = true);
    }
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    commanded: Condvar,
    fired: Notify,
}

#[derive(Debug, Default)]
struct State {
    until: Deadline,
    fired: Option<Wake>,
    closed: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics under this lock")
    }

    fn command(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.commanded.notify_one();
    }

    fn run(&self) {
        let mut clocks = Clocks::now();
        let mut state = self.state();
        while !state.closed {
            let before = std::mem::replace(&mut clocks, Clocks::now());
            let sleep = match look(&state.until, before, clocks) {
                ControlFlow::Continue(sleep) => sleep,
                ControlFlow::Break(wake) => {
                    state.fired = Some(wake);
                    self.fired.notify_one();
                    None
                }
            };
            state = match sleep {
                None => self
                    .commanded
                    .wait(state)
                    .expect("nothing panics under this lock"),
                Some(sleep) => {
                    self.commanded
                        .wait_timeout(state, sleep)
                        .expect("nothing panics under this lock")
                        .0
                }
            };
        }
    }
}

/// Both clocks, read together.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    wall: DateTime<Utc>,
    monotonic: Monotonic,
}

impl Clocks {
    fn now() -> Self {
        Self {
            wall: Utc::now(),
            monotonic: Monotonic::now(),
        }
    }

    /// How far the wall clock has gone beyond the monotonic one since an earlier reading.
    fn stepped_since(self, earlier: Self) -> TimeDelta {
        let monotonic = self.monotonic.saturating_duration_since(earlier.monotonic);
        (self.wall - earlier.wall) - TimeDelta::from_std(monotonic).unwrap_or(TimeDelta::MAX)
    }
}

/// Whether the wait is over; if not, for how long to sleep: for ever without an instant.
fn look(until: &Deadline, before: Clocks, now: Clocks) -> ControlFlow<Wake, Option<Duration>> {
    if until.wall.is_some() && now.stepped_since(before).abs() > STEP {
        return ControlFlow::Break(Wake::ClockSet);
    }
    // A negative difference is no `Duration`: the instant has passed.
    let wall = until
        .wall
        .map(|due| (due - now.wall).to_std().unwrap_or_default());
    let monotonic = until
        .monotonic
        .map(|due| due.saturating_duration_since(now.monotonic));
    match wall.into_iter().chain(monotonic).min() {
        Some(Duration::ZERO) => ControlFlow::Break(Wake::Due),
        sleep => ControlFlow::Continue(if wall.is_some() {
            sleep.min(Some(LOOK))
        } else {
            sleep
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn after(clocks: Clocks, wall: TimeDelta, monotonic: Duration) -> Clocks {
        Clocks {
            wall: clocks.wall + wall,
            monotonic: clocks.monotonic + monotonic,
        }
    }

    fn an_hour_from(clocks: Clocks) -> Deadline {
        Deadline {
            wall: Some(clocks.wall + TimeDelta::hours(1)),
            monotonic: None,
        }
    }

    #[test]
    fn a_clock_set_forward_or_back_ends_the_wait() {
        let before = Clocks::now();
        for wall in [TimeDelta::minutes(10), TimeDelta::minutes(-10)] {
            let now = after(before, wall, SECOND);
            assert_eq!(
                look(&an_hour_from(before), before, now),
                ControlFlow::Break(Wake::ClockSet)
            );
        }
    }

    #[test]
    fn a_clock_that_drifts_does_not_end_the_wait() {
        let before = Clocks::now();
        let now = after(before, TimeDelta::milliseconds(1_015), SECOND);
        assert_eq!(
            look(&an_hour_from(before), before, now),
            ControlFlow::Continue(Some(LOOK))
        );
    }

    #[test]
    fn a_monotonic_wait_does_not_care_for_the_clock() {
        let before = Clocks::now();
        let now = after(before, TimeDelta::hours(-5), SECOND);
        let until = Deadline {
            wall: None,
            monotonic: Some(before.monotonic + SECOND * 3601),
        };
        assert_eq!(
            look(&until, before, now),
            ControlFlow::Continue(Some(SECOND * 3600))
        );
    }

    #[test]
    fn a_near_instant_is_slept_to_exactly() {
        let now = Clocks::now();
        let until = Deadline {
            wall: Some(now.wall + SECOND),
            monotonic: None,
        };
        assert_eq!(look(&until, now, now), ControlFlow::Continue(Some(SECOND)));
    }

    #[test]
    fn without_an_instant_it_sleeps_for_ever() {
        let now = Clocks::now();
        assert_eq!(
            look(&Deadline::default(), now, now),
            ControlFlow::Continue(None)
        );
    }

    #[tokio::test]
    async fn the_thread_ends_with_its_timer() {
        let timer = Timer::new().unwrap();
        let shared = Arc::downgrade(&timer.shared);
        drop(timer);
        let give_up = std::time::Instant::now() + Duration::from_secs(10);
        while shared.strong_count() > 0 {
            assert!(std::time::Instant::now() < give_up, "the thread still runs");
            thread::yield_now();
        }
    }
}
