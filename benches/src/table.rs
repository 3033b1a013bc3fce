//! Results, for people as a table and for machines as JSON.

use std::{fmt, iter};

use serde_json::{Map, Value, json};

/// Rows of cells under named columns.
#[derive(Debug)]
pub(crate) struct Table {
    columns: &'static [&'static str],
    rows: Vec<Vec<Cell>>,
}

/// What one row says of one column.
#[derive(Debug)]
pub(crate) enum Cell {
    Text(String),
    Count(u64),
    /// A number and how many of its decimals a reader needs.
    Number(f64, usize),
    Figures(Vec<Figure>),
}

/// A number that compares a row with another one, and the most that it should be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) value: f64,
    pub(crate) at_most: Option<f64>,
}

impl Table {
    pub(crate) fn new(columns: &'static [&'static str]) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn push<const COLUMNS: usize>(&mut self, row: [Cell; COLUMNS]) {
        assert_eq!(COLUMNS, self.columns.len(), "one cell per column");
        self.rows.push(row.into());
    }

    pub(crate) fn print(&self, as_json: bool) {
        if as_json {
            println!("{:#}", self.json());
        } else {
            print!("{self}");
        }
    }

    fn is_numeric(&self, column: usize) -> bool {
        let row = self.rows.first();
        row.is_some_and(|row| matches!(row[column], Cell::Count(_) | Cell::Number(..)))
    }

    fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| -> Map<String, Value> {
            let keys = self.columns.iter().map(|column| column.replace(' ', "_"));
            keys.zip(row.iter().map(Cell::json)).collect()
        };
        self.rows.iter().map(row).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(Cell::text).collect());
        let lines: Vec<Vec<String>> = iter::once(header).chain(rows).collect();
        let width = |column: usize| {
            let words = lines.iter().map(|line| &line[column]);
            words.map(|word| word.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        for line in &lines {
            let words = line.iter().enumerate().map(|(column, word)| {
                let width = widths[column];
                if self.is_numeric(column) {
                    format!("{word:>width$}")
                } else {
                    format!("{word:<width$}")
                }
            });
            let words: Vec<String> = words.collect();
            writeln!(f, "{}", words.join("  ").trim_end())?;
        }
        Ok(())
    }
}

impl Cell {
    pub(crate) fn text_of(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(value, decimals) => format!("{value:.decimals$}"),
            Self::Figures(figures) => {
                let figures: Vec<String> = figures.iter().map(ToString::to_string).collect();
                figures.join("; ")
            }
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::Count(count) => json!(count),
            Self::Number(value, _) => json!(value),
            Self::Figures(figures) => figures.iter().map(Figure::json).collect(),
        }
    }
}

impl Figure {
    pub(crate) fn new(what: impl Into<String>, value: f64) -> Self {
        Self {
            what: what.into(),
            value,
            at_most: None,
        }
    }

    pub(crate) fn count(what: impl Into<String>, count: u64) -> Self {
        // A count of nothing must stay nothing; the exact number of many does not matter.
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Self::new(what, count.into())
    }

    pub(crate) fn at_most(self, limit: f64) -> Self {
        Self {
            at_most: Some(limit),
            ..self
        }
    }

    pub(crate) fn with_limit(self, at_most: Option<f64>) -> Self {
        Self { at_most, ..self }
    }

    /// Whether the figure is reached, if there is one to reach.
    fn is_met(&self) -> Option<bool> {
        self.at_most.map(|limit| self.value <= limit)
    }

    fn json(&self) -> Value {
        json!({
            "what": self.what,
            "value": self.value,
            "at_most": self.at_most,
            "met": self.is_met(),
        })
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:.2}", self.what, self.value)?;
        match (self.at_most, self.is_met()) {
            (Some(limit), Some(true)) => write!(f, " (<= {limit}: met)"),
            (Some(limit), _) => write!(f, " (<= {limit}: MISSED)"),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_engines() -> Table {
        let mut table = Table::new(&["engine", "p50 ms", "figures"]);
        let ratio = Figure::new("p50 / bare thread", 1.5);
        table.push([
            Cell::text_of("bare thread"),
            Cell::Number(0.25, 2),
            Cell::Figures(Vec::new()),
        ]);
        table.push([
            Cell::text_of("built-in"),
            Cell::Number(10.375, 2),
            Cell::Figures(vec![ratio.clone().at_most(2.0), ratio.at_most(1.0)]),
        ]);
        table
    }

    #[test]
    fn numbers_stand_under_each_other() {
        let text = two_engines().to_string();
        let expected = "\
engine       p50 ms  figures
bare thread    0.25
built-in      10.38  p50 / bare thread 1.50 (<= 2: met); p50 / bare thread 1.50 (<= 1: MISSED)
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_machine_reads_numbers_with_all_their_digits_and_whether_a_figure_is_met() {
        let rows = two_engines().json();
        assert_eq!(rows[1]["p50_ms"], 10.375);
        assert_eq!(rows[1]["figures"][0]["met"], true);
        assert_eq!(rows[1]["figures"][1]["met"], false);
    }

    #[test]
    fn a_number_that_is_none_meets_nothing() {
        let unknown = Figure::new("p50", f64::NAN).at_most(1.0);
        assert_eq!(unknown.is_met(), Some(false));
    }
}
