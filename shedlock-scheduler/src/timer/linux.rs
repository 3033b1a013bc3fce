use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::{Deadline, Wake};

/// A kernel timer on each clock. The kernel does the waiting: nothing runs in between.
#[derive(Debug)]
pub(crate) struct Timer {
    wall: Alarm,
    monotonic: Alarm,
}

impl Timer {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            wall: Alarm::new(
                TimerfdClockId::Realtime,
                TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET,
            )?,
            monotonic: Alarm::new(TimerfdClockId::Boottime, TimerfdTimerFlags::ABSTIME)?,
        })
    }

    /// Waits until an instant is reached or the clock is set; without an instant, for ever.
    ///
    /// # Cancellation
    /// May be dropped and called again at any time. A step of the clock in between is reported by the next call.
    pub(crate) async fn wait(&mut self, until: Deadline) -> Wake {
        let wall = until.wall.map(|wall| {
            SystemTime::from(wall)
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default()
        });
        self.monotonic
            .arm(until.monotonic.map(super::Monotonic::since_zero));
        if self.wall.arm(wall) == Armed::AfterClockSet {
            return Wake::ClockSet;
        }
        poll_fn(|cx| {
            let wall = self.wall.poll_fired(cx);
            if wall.is_ready() {
                wall
            } else {
                self.monotonic.poll_fired(cx)
            }
        })
        .await
    }
}

#[derive(Debug)]
struct Alarm {
    fd: AsyncFd<OwnedFd>,
    flags: TimerfdTimerFlags,
    armed: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Armed {
    Cleanly,
    /// Armed, but the clock was set since it was armed before.
    AfterClockSet,
}

impl Alarm {
    fn new(clock: TimerfdClockId, flags: TimerfdTimerFlags) -> io::Result<Self> {
        let fd = timerfd_create(clock, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        #[expect(
            deprecated,
            reason = "the replacement is an unsafe fn; an owned descriptor keeps its contract"
        )]
        let fd = AsyncFd::with_interest(fd, Interest::READABLE)?;
        Ok(Self {
            fd,
            flags,
            armed: false,
        })
    }

    /// Replaces what it was armed for, and forgets an alarm that has rung meanwhile.
    fn arm(&mut self, at: Option<Duration>) -> Armed {
        if at.is_none() && !self.armed {
            return Armed::Cleanly;
        }
        self.armed = at.is_some();
        armed(timerfd_settime(&self.fd, self.flags, &once(at)).map(drop))
    }

    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<Wake> {
        loop {
            // The runtime is going away, and this future with it.
            let Ok(mut readable) = ready!(self.fd.poll_read_ready(cx)) else {
                return Poll::Pending;
            };
            let read = readable.try_io(|fd| fired(rustix::io::read(fd, &mut [0; 8])));
            if let Ok(wake) = read {
                return Poll::Ready(wake.expect("a timer can be read"));
            }
        }
    }
}

/// The kernel takes a time of zero for "disarm", so the epoch itself becomes the nanosecond after it.
fn once(at: Option<Duration>) -> Itimerspec {
    const ZERO: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    const NEVER: Timespec = Timespec {
        tv_sec: i64::MAX,
        tv_nsec: 0,
    };
    let it_value = match at {
        None => ZERO,
        Some(at) => at.max(Duration::from_nanos(1)).try_into().unwrap_or(NEVER),
    };
    Itimerspec {
        it_interval: ZERO,
        it_value,
    }
}

/// `ECANCELED`: the clock was set before this call; the timer has been armed all the same.
fn armed(settime: Result<(), Errno>) -> Armed {
    match settime {
        Err(Errno::CANCELED) => Armed::AfterClockSet,
        settime => {
            settime.expect("a timer takes every instant that is not negative");
            Armed::Cleanly
        }
    }
}

/// `ECANCELED`: the clock was set while the timer was armed.
fn fired(read: Result<usize, Errno>) -> io::Result<Wake> {
    match read {
        Ok(_) => Ok(Wake::Due),
        Err(Errno::CANCELED) => Ok(Wake::ClockSet),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_during_the_wait_ends_it() {
        assert_eq!(fired(Err(Errno::CANCELED)).unwrap(), Wake::ClockSet);
        assert_eq!(fired(Ok(8)).unwrap(), Wake::Due);
        assert_eq!(
            fired(Err(Errno::AGAIN)).unwrap_err().kind(),
            io::ErrorKind::WouldBlock
        );
    }

    #[test]
    fn a_clock_that_is_set_between_two_waits_ends_the_next_one() {
        assert_eq!(armed(Err(Errno::CANCELED)), Armed::AfterClockSet);
        assert_eq!(armed(Ok(())), Armed::Cleanly);
    }

    #[tokio::test]
    async fn the_kernel_takes_the_latest_instant() {
        let mut alarm = Alarm::new(TimerfdClockId::Boottime, TimerfdTimerFlags::ABSTIME).unwrap();
        assert_eq!(alarm.arm(Some(Duration::MAX)), Armed::Cleanly);
        let never = poll_fn(|cx| Poll::Ready(alarm.poll_fired(cx))).await;
        assert!(never.is_pending());
    }
}
