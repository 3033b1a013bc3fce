//! How many tests passed, over all runs of `cargo test`.

use std::fmt;

/// The sum of the `test result:` lines of one or more test binaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Summary {
    pub(crate) fn of(output: &str) -> Self {
        let results = || {
            output
                .lines()
                .filter_map(|line| line.split_once("test result: "))
        };
        let sum = |what| {
            results()
                .filter_map(|(_, counts)| count(counts, what))
                .sum()
        };
        Self {
            passed: sum("passed"),
            failed: sum("failed"),
            skipped: sum("ignored"),
        }
    }

    /// Adds a run of tests that this summary counts as skipped.
    pub(crate) fn with_skipped_run(self, run: Self) -> Self {
        Self {
            passed: self.passed + run.passed,
            failed: self.failed + run.failed,
            skipped: self.skipped.saturating_sub(run.passed + run.failed),
        }
    }
}

/// The number before `what` in `ok. 3 passed; 0 failed; 1 ignored; 0 measured`.
fn count(counts: &str, what: &str) -> Option<usize> {
    let words: Vec<_> = counts.split([' ', ';']).collect();
    let position = words.iter().position(|word| *word == what)?;
    words.get(position.checked_sub(1)?)?.parse().ok()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 4 tests
test lock::a_test ... ok

test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

test result: FAILED. 10 passed; 2 failed; 5 ignored; 0 measured; 7 filtered out; finished in 1.50s
";

    #[test]
    fn the_results_of_all_binaries_are_summed() {
        let summary = Summary {
            passed: 13,
            failed: 2,
            skipped: 6,
        };
        assert_eq!(Summary::of(OUTPUT), summary);
        assert_eq!(summary.to_string(), "13 passed, 2 failed, 6 skipped");
    }

    #[test]
    fn output_without_results_counts_nothing() {
        let summary = Summary {
            passed: 0,
            failed: 0,
            skipped: 0,
        };
        assert_eq!(
            Summary::of("error: could not compile\ntest result: ok."),
            summary
        );
    }

    #[test]
    fn tests_that_ran_later_are_not_skipped() {
        let later = Summary {
            passed: 3,
            failed: 2,
            skipped: 0,
        };
        let all = Summary {
            passed: 16,
            failed: 4,
            skipped: 1,
        };
        assert_eq!(Summary::of(OUTPUT).with_skipped_run(later), all);
    }
}
