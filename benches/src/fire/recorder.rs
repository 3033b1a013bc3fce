//! What the jobs of one engine leave behind.

use std::{
    iter::repeat_with,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Result, ensure};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::stats::Summary;

/// How long an engine may take until each of its jobs has run once.
const WARM_UP: Duration = Duration::from_mins(1);
/// How late a job may be before it counts as lost.
const LATEST: Duration = Duration::from_millis(750);
const NOT_FIRED: u64 = u64::MAX;

/// How one engine did in its window.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Lateness {
    pub(crate) fires: u64,
    pub(crate) lost: u64,
    pub(crate) twice: u64,
    /// Started before they were due.
    pub(crate) early: u64,
    pub(crate) summary: Summary,
    /// User and system time of the process.
    pub(crate) cpu: Duration,
}

/// Takes down when jobs start, without locks, allocations or system calls.
pub(crate) struct Recorder {
    jobs: usize,
    seconds: usize,
    /// The second since 1970 with which the window begins; 0 before there is one.
    window: AtomicU64,
    /// Nanoseconds, for each second and job.
    lateness: Vec<AtomicU64>,
    has_run: Vec<AtomicBool>,
    have_run: AtomicUsize,
    twice: AtomicU64,
    early: AtomicU64,
}

impl Recorder {
    pub(crate) fn new(jobs: usize, seconds: usize) -> Self {
        let not_fired = repeat_with(|| AtomicU64::new(NOT_FIRED));
        Self {
            jobs,
            seconds,
            window: AtomicU64::new(0),
            lateness: not_fired.take(jobs * seconds).collect(),
            has_run: repeat_with(AtomicBool::default).take(jobs).collect(),
            have_run: AtomicUsize::new(0),
            twice: AtomicU64::new(0),
            early: AtomicU64::new(0),
        }
    }

    pub(crate) fn jobs(&self) -> usize {
        self.jobs
    }

    /// A job starts now that was due at this second since 1970.
    pub(crate) fn started(&self, job: usize, due: u64) {
        self.started_at(now(), job, due);
    }

    /// A job starts now, of an engine that does not say when it was due: at the last full second.
    pub(crate) fn started_in_this_second(&self, job: usize) {
        let now = now();
        self.started_at(now, job, now.as_secs());
    }

    fn started_at(&self, now: Duration, job: usize, due: u64) {
        if !self.has_run[job].swap(true, Relaxed) {
            self.have_run.fetch_add(1, Relaxed);
        }
        let window = self.window.load(Relaxed);
        let second = match due.checked_sub(window).map(usize::try_from) {
            Some(Ok(second)) if window > 0 && second < self.seconds => second,
            _ => return,
        };
        let lateness = now.checked_sub(Duration::from_secs(due));
        if lateness.is_none() {
            self.early.fetch_add(1, Relaxed);
        }
        let lateness = u64::try_from(lateness.unwrap_or_default().as_nanos()).unwrap_or(NOT_FIRED);
        let slot = &self.lateness[second * self.jobs + job];
        if slot.swap(lateness, Relaxed) != NOT_FIRED {
            self.twice.fetch_add(1, Relaxed);
        }
    }

    /// Waits until each job has run once, opens the window, and waits for its end.
    pub(crate) fn measure(&self) -> Result<Lateness> {
        let deadline = Instant::now() + WARM_UP;
        while self.have_run.load(Relaxed) < self.jobs {
            let have_run = self.have_run.load(Relaxed);
            ensure!(
                Instant::now() < deadline,
                "{have_run} of {} jobs ran",
                self.jobs
            );
            thread::sleep(Duration::from_millis(10));
        }
        let before = now().as_secs() + 1;
        self.window.store(before + 1, Relaxed);
        let begin = Duration::from_secs(before) + LATEST;
        sleep_until(begin);
        let cpu = cpu_time();
        sleep_until(begin + Duration::from_secs(self.seconds as u64));
        Ok(self.lateness(cpu_time().saturating_sub(cpu)))
    }

    fn lateness(&self, cpu: Duration) -> Lateness {
        let fired: Vec<Duration> = self
            .lateness
            .iter()
            .map(|lateness| lateness.load(Relaxed))
            .filter(|&lateness| lateness != NOT_FIRED)
            .map(Duration::from_nanos)
            .collect();
        Lateness {
            fires: fired.len() as u64,
            lost: (self.lateness.len() - fired.len()) as u64,
            twice: self.twice.load(Relaxed),
            early: self.early.load(Relaxed),
            summary: Summary::of(fired),
            cpu,
        }
    }
}

/// The time since 1970.
pub(crate) fn now() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("the clock is set to a time after 1970")
}

fn sleep_until(instant: Duration) {
    thread::sleep(instant.saturating_sub(now()));
}

fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime))
        .expect("a process has not used less than no time")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUE: u64 = 1_800_000_000;

    fn two_jobs_for_two_seconds() -> Recorder {
        let recorder = Recorder::new(2, 2);
        recorder.window.store(DUE, Relaxed);
        recorder
    }

    fn milliseconds_after_the_first_second(milliseconds: u64) -> Duration {
        Duration::from_secs(DUE) + Duration::from_millis(milliseconds)
    }

    #[test]
    fn what_did_not_start_is_lost() {
        let recorder = two_jobs_for_two_seconds();
        recorder.started_at(milliseconds_after_the_first_second(3), 0, DUE);
        recorder.started_at(milliseconds_after_the_first_second(5), 1, DUE);
        recorder.started_at(milliseconds_after_the_first_second(1_001), 1, DUE + 1);
        let lateness = recorder.lateness(Duration::ZERO);
        assert_eq!((lateness.fires, lateness.lost), (3, 1));
        assert_eq!(lateness.summary.p50, Duration::from_millis(3));
        assert_eq!(lateness.summary.max, Duration::from_millis(5));
    }

    #[test]
    fn a_second_run_of_one_instant_does_not_hide_a_lost_one() {
        let recorder = two_jobs_for_two_seconds();
        recorder.started_at(milliseconds_after_the_first_second(3), 0, DUE);
        recorder.started_at(milliseconds_after_the_first_second(4), 0, DUE);
        let lateness = recorder.lateness(Duration::ZERO);
        assert_eq!((lateness.fires, lateness.twice, lateness.lost), (1, 1, 3));
    }

    #[test]
    fn a_start_before_its_instant_is_early() {
        let recorder = two_jobs_for_two_seconds();
        recorder.started_at(milliseconds_after_the_first_second(999), 0, DUE + 1);
        assert_eq!(recorder.lateness(Duration::ZERO).early, 1);
    }

    #[test]
    fn what_starts_outside_of_the_window_does_not_count() {
        let recorder = two_jobs_for_two_seconds();
        recorder.started_at(milliseconds_after_the_first_second(0), 0, DUE - 1);
        recorder.started_at(milliseconds_after_the_first_second(2_000), 0, DUE + 2);
        assert_eq!(recorder.lateness(Duration::ZERO).fires, 0);
        assert_eq!(recorder.have_run.load(Relaxed), 1);
    }
}
