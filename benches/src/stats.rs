//! What remains of many durations.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The durations of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) mean: Duration,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    pub(crate) max: Duration,
}

impl Summary {
    /// Zero throughout if there are no durations.
    pub(crate) fn of(mut durations: Vec<Duration>) -> Self {
        durations.sort_unstable();
        let count = u32::try_from(durations.len()).expect("fewer than 2^32 durations");
        let total: Duration = durations.iter().sum();
        Self {
            mean: total.checked_div(count).unwrap_or_default(),
            p50: percentile(&durations, 50),
            p99: percentile(&durations, 99),
            max: percentile(&durations, 100),
        }
    }
}

/// The least duration that this many of a hundred do not exceed.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    let index = rank.saturating_sub(1);
    sorted.get(index).copied().unwrap_or_default()
}

/// The middle of an odd number of values, the mean of the two middle ones of an even number.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => f64::midpoint(values[count / 2 - 1], values[count / 2]),
    }
}

pub(crate) fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

pub(crate) fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(values: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        values.into_iter().map(Duration::from_millis).collect()
    }

    #[test]
    fn a_percentile_is_one_of_the_durations() {
        let summary = Summary::of(milliseconds((1..=200).rev()));
        assert_eq!(summary.p50, Duration::from_millis(100));
        assert_eq!(summary.p99, Duration::from_millis(198));
        assert_eq!(summary.max, Duration::from_millis(200));
    }

    #[test]
    fn of_few_durations_the_99th_percentile_is_the_longest() {
        let summary = Summary::of(milliseconds([3, 1, 2]));
        assert_eq!(summary.p50, Duration::from_millis(2));
        assert_eq!(summary.p99, Duration::from_millis(3));
        assert_eq!(summary.mean, Duration::from_millis(2));
    }

    #[test]
    fn nothing_takes_no_time() {
        assert_eq!(Summary::of(Vec::new()).p99, Duration::ZERO);
    }

    #[test]
    fn one_outlier_does_not_move_the_median() {
        assert_eq!(median([1.0, 1000.0, 2.0]).to_bits(), 2.0_f64.to_bits());
        assert_eq!(median([4.0, 1.0, 2.0, 1000.0]).to_bits(), 3.0_f64.to_bits());
    }
}
