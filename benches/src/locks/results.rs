//! What the rounds of one store came to.

use std::{fmt, time::Duration};

use crate::{
    stats::{Summary, median, micros},
    table::{Cell, Figure, Table},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A free lock is taken and released.
    Pair,
    /// An attempt to take a lock that somebody holds.
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Through {
    Provider,
    Executor,
    /// The provider's statements on a connection of sqlx.
    Driver,
    /// The provider's statements in pgbench.
    Pgbench,
    /// `SELECT 1` on a connection of sqlx.
    Nothing,
}

/// What has to be reached.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// A pair beside one of pgbench.
    pub(crate) pair: Option<f64>,
    /// A refused attempt beside `SELECT 1`.
    pub(crate) refused: Option<f64>,
}

#[derive(Debug, Default)]
pub(crate) struct Results {
    series: Vec<(Operation, Through, Vec<Vec<Duration>>)>,
    /// Used by 10 000 refused attempts.
    pub(crate) transaction_ids: Option<u64>,
}

impl Results {
    /// A round without durations counts for nothing.
    pub(crate) fn add(&mut self, operation: Operation, through: Through, round: Vec<Duration>) {
        if round.is_empty() {
            return;
        }
        let series = self
            .series
            .iter_mut()
            .find(|(of, by, _)| (*of, *by) == (operation, through));
        match series {
            Some((_, _, rounds)) => rounds.push(round),
            None => self.series.push((operation, through, vec![round])),
        }
    }

    pub(crate) fn report(&self, store: &str, limits: Limits, table: &mut Table) {
        for (operation, through, rounds) in &self.series {
            let all = Summary::of(rounds.concat());
            table.push([
                Cell::text_of(store),
                Cell::text_of(operation.to_string()),
                Cell::text_of(through.to_string()),
                Cell::Number(micros(all.p50), 1),
                Cell::Number(micros(all.p99), 1),
                Cell::Number(all.mean.as_secs_f64().recip(), 0),
                Cell::Figures(self.figures(*operation, *through, limits)),
            ]);
        }
    }

    fn figures(&self, operation: Operation, through: Through, limits: Limits) -> Vec<Figure> {
        use Through::{Driver, Executor, Nothing, Pgbench, Provider};

        let ratio = |other| self.ratio(operation, through, other);
        let figures = match (operation, through) {
            (Operation::Pair, Provider) => vec![
                ratio(Pgbench).map(|figure| figure.with_limit(limits.pair)),
                ratio(Driver),
            ],
            (Operation::Refused, Provider) => vec![
                ratio(Nothing).map(|figure| figure.with_limit(limits.refused)),
                self.transaction_ids
                    .map(|ids| Figure::count("transaction ids of 10 000", ids).at_most(0.0)),
                ratio(Driver),
            ],
            (Operation::Pair, Executor | Driver) => vec![ratio(Pgbench)],
            (Operation::Refused, Executor | Driver) => vec![ratio(Nothing)],
            (_, Pgbench | Nothing) => Vec::new(),
        };
        figures.into_iter().flatten().collect()
    }

    /// The median of the rounds' ratios: what slows down a whole round cancels out.
    fn ratio(&self, operation: Operation, through: Through, other: Through) -> Option<Figure> {
        let (ours, theirs) = (
            self.rounds(operation, through)?,
            self.rounds(operation, other)?,
        );
        let p50 = |round: &Vec<Duration>| Summary::of(round.clone()).p50;
        let ratios = ours
            .iter()
            .zip(theirs)
            .map(|(ours, theirs)| p50(ours).div_duration_f64(p50(theirs)));
        Some(Figure::new(format!("p50 / {other}"), median(ratios)))
    }

    fn rounds(&self, operation: Operation, through: Through) -> Option<&[Vec<Duration>]> {
        let series = self
            .series
            .iter()
            .find(|(of, by, _)| (*of, *by) == (operation, through));
        series.map(|(_, _, rounds)| rounds.as_slice())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pair => "pair",
            Self::Refused => "refused",
        })
    }
}

impl fmt::Display for Through {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Provider => "provider",
            Self::Executor => "executor",
            Self::Driver => "bare sqlx",
            Self::Pgbench => "pgbench",
            Self::Nothing => "SELECT 1",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(milliseconds: u64) -> Vec<Duration> {
        vec![Duration::from_millis(milliseconds)]
    }

    #[test]
    fn a_ratio_compares_within_a_round() {
        let mut results = Results::default();
        for (provider, driver) in [(2, 1), (20, 10), (300, 100)] {
            results.add(Operation::Pair, Through::Provider, round(provider));
            results.add(Operation::Pair, Through::Driver, round(driver));
        }
        let ratio = results.ratio(Operation::Pair, Through::Provider, Through::Driver);
        assert_eq!(ratio, Some(Figure::new("p50 / bare sqlx", 2.0)));
    }

    #[test]
    fn there_is_no_ratio_to_what_was_not_measured() {
        let mut results = Results::default();
        results.add(Operation::Pair, Through::Provider, round(1));
        assert_eq!(
            results.ratio(Operation::Pair, Through::Provider, Through::Pgbench),
            None
        );
    }
}
