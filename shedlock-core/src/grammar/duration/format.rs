use std::fmt;
use std::time::Duration;

/// Shows a duration as `1h 30m`, exactly, in a form that [`parse_duration`](crate::parse_duration)
/// reads back.
///
/// ```
/// use std::time::Duration;
/// use shedlock_core::format_duration;
///
/// assert_eq!(format_duration(Duration::from_millis(5_400_500)).to_string(), "1h 30m 500ms");
/// assert_eq!(format_duration(Duration::ZERO).to_string(), "0s");
/// ```
#[must_use]
pub fn format_duration(duration: Duration) -> impl fmt::Display + fmt::Debug + Copy {
    Formatted(duration)
}

#[derive(Debug, Clone, Copy)]
struct Formatted(Duration);

impl fmt::Display for Formatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secs, nanos) = (self.0.as_secs(), u64::from(self.0.subsec_nanos()));
        let units = [
            (secs / 86_400, "d"),
            (secs / 3600 % 24, "h"),
            (secs / 60 % 60, "m"),
            (secs % 60, "s"),
            (nanos / 1_000_000, "ms"),
            (nanos / 1000 % 1000, "us"),
            (nanos % 1000, "ns"),
        ];
        let shown: Vec<_> = units
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, unit)| format!("{count}{unit}"))
            .collect();
        if shown.is_empty() {
            f.pad("0s")
        } else {
            f.pad(&shown.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parse_duration;

    #[test]
    fn only_units_that_count_are_shown() {
        let shown = format_duration(Duration::from_mins(24 * 60 + 1)).to_string();
        assert_eq!(shown, "1d 1m");
    }

    #[test]
    fn the_longest_duration_of_std_is_shown() {
        assert!(
            format_duration(Duration::MAX)
                .to_string()
                .ends_with("999ns")
        );
    }

    proptest! {
        #[test]
        fn a_shown_duration_reads_back(nanos in 0..=i64::MAX as u64) {
            let duration = Duration::from_nanos(nanos);
            prop_assert_eq!(parse_duration(&format_duration(duration).to_string()), Ok(duration));
        }
    }
}
