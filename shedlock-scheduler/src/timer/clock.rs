use std::ops::Add;
use std::time::Duration;

/// An instant of a clock that nobody sets.
///
/// On Linux it goes on while the machine is suspended (`CLOCK_BOOTTIME`), which `std::time::Instant` does not, so that
/// "every hour" means an hour of the outside world. Elsewhere it is `std::time::Instant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Monotonic(Duration);

impl Monotonic {
    /// Where the clock starts: before any reading.
    #[cfg(test)]
    pub(crate) const ZERO: Self = Self(Duration::ZERO);

    #[cfg(target_os = "linux")]
    pub(crate) fn now() -> Self {
        use rustix::time::{ClockId, clock_gettime};

        let now = clock_gettime(ClockId::Boottime);
        Self(
            now.try_into()
                .expect("the time since the start of the machine is not negative"),
        )
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn now() -> Self {
        use std::sync::LazyLock;
        use std::time::Instant;

        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self(START.elapsed())
    }

    /// Time since an earlier instant; zero since a later one.
    pub(crate) fn saturating_duration_since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    #[cfg(target_os = "linux")]
    pub(super) fn since_zero(self) -> Duration {
        self.0
    }
}

impl Add<Duration> for Monotonic {
    type Output = Self;

    /// Saturates: a delay of `Duration::MAX` is never due.
    fn add(self, delay: Duration) -> Self {
        Self(self.0.saturating_add(delay))
    }
}
