/// Why a text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DurationError {
    /// The text is empty or blank.
    #[error("a duration is empty; {FORMS}")]
    Empty,
    /// The text is in none of the forms.
    #[error("`{text}` is not a duration: {problem}; {FORMS}")]
    Unreadable {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The text has months, years or ISO weeks.
    #[error("`{text}` has {unit}; {fix}")]
    CalendarUnit {
        /// The text as given.
        text: String,
        /// The unit and why it is refused.
        unit: &'static str,
        /// What to write instead.
        fix: String,
    },
    /// The text has a capital `M` beside other units, which may be minutes or months.
    #[error(
        "`{text}` has `{number}M`, which may be minutes or months; for minutes write `{number}m`"
    )]
    AmbiguousUnit {
        /// The text as given.
        text: String,
        /// The number before the `M`.
        number: String,
    },
    /// The duration is less than zero.
    #[error("`{text}` is negative; write {fix}")]
    Negative {
        /// The text as given.
        text: String,
        /// What to write instead.
        fix: String,
    },
    /// The duration is zero, where zero does nothing.
    #[error(
        "`{text}` is zero, which protects nothing and never waits; write a positive duration, such as `10s`"
    )]
    Zero {
        /// The text as given.
        text: String,
    },
    /// The duration is longer than 64 bits of nanoseconds.
    #[error("`{text}` is longer than 292 years; write a shorter duration")]
    TooLong {
        /// The text as given.
        text: String,
    },
}

const FORMS: &str = "write for example `PT1H30M`, `1h 30m`, `10s` or `500ms`";

impl DurationError {
    pub(super) fn unreadable(text: &str, problem: impl Into<String>) -> Self {
        Self::Unreadable {
            text: text.escape_debug().to_string(),
            problem: problem.into(),
        }
    }

    pub(super) fn month(text: &str, fix: String) -> Self {
        Self::CalendarUnit {
            text: text.to_owned(),
            unit: "a month, whose length varies",
            fix,
        }
    }

    pub(super) fn year(text: &str, fix: String) -> Self {
        Self::CalendarUnit {
            text: text.to_owned(),
            unit: "a year, whose length varies",
            fix,
        }
    }

    pub(super) fn iso_week(text: &str, fix: String) -> Self {
        Self::CalendarUnit {
            text: text.to_owned(),
            unit: "weeks, which ISO-8601 durations in Java do not have",
            fix,
        }
    }

    pub(super) fn negative(text: &str) -> Self {
        let positive = text.trim_start_matches('-');
        let fix = if text.matches('-').count() == 1 && positive != text {
            format!("`{positive}`")
        } else {
            format!(
                "a duration of zero or more, such as `{}`",
                text.replace('-', "")
            )
        };
        Self::Negative {
            text: text.to_owned(),
            fix,
        }
    }

    pub(super) fn zero(text: &str) -> Self {
        Self::Zero {
            text: text.to_owned(),
        }
    }

    pub(super) fn too_long(text: &str) -> Self {
        Self::TooLong {
            text: text.to_owned(),
        }
    }
}

/// `number` units of `days` days each, for the fix; one unit if `number` is none.
pub(super) fn in_days(number: &str, days: u64) -> u64 {
    let count = number.parse::<u64>().ok();
    count
        .and_then(|count| count.checked_mul(days))
        .unwrap_or(days)
}
