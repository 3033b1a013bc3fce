use std::ops::Range;

use super::CronField;

/// Why a text is not a [`CronSchedule`](crate::CronSchedule).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CronError {
    /// The text is empty or blank.
    #[error("a cron pattern is empty; {FORMS}")]
    Empty,
    /// The text has not 5 or 6 fields.
    #[error("a cron pattern has 5 or 6 fields, not {count}{}; {FORMS}", year_hint(*count))]
    FieldCount {
        /// How many fields there are.
        count: usize,
        /// Where the text has too many fields, those; else all of them.
        span: Range<usize>,
    },
    /// A field has something that it does not allow.
    #[error("`{found}` in the {field} field (number {number}) {problem}; allowed: {}", field.allowed())]
    Field {
        /// The field.
        field: CronField,
        /// Its number in the pattern, counted from 1.
        number: usize,
        /// The wrong part of the field.
        found: String,
        /// What is wrong with it.
        problem: String,
        /// The bytes of the text that hold the wrong part.
        span: Range<usize>,
    },
    /// The text starts with `@` and is no macro.
    #[error("unknown cron macro `{found}`; {hint}")]
    Macro {
        /// The text.
        found: String,
        /// What to write instead.
        hint: String,
        /// The bytes of the text that hold it.
        span: Range<usize>,
    },
    /// Day of month and day of week are both restricted, and nothing says how they go together.
    #[error(
        "`{found}` restricts the day of month and the day of week: cron fires on days that either names, Spring on days that both name; write `day_match = \"any\"` for either or `day_match = \"all\"` for both (in code: `CronSchedule::parse_with`)"
    )]
    AmbiguousDays {
        /// Day of month, month and day of week.
        found: String,
        /// The bytes of the text that hold them.
        span: Range<usize>,
    },
    /// No month that the pattern allows has a day that it allows.
    #[error(
        "`{found}` never fires: none of its months has such a day; change the day or the month"
    )]
    NeverFires {
        /// The day of month and month, and the day of week if both must match.
        found: String,
        /// The bytes of the text that hold them.
        span: Range<usize>,
    },
    /// The pattern is refused for another reason.
    #[error("`{text}` is not a cron pattern: {reason}")]
    Rejected {
        /// The text.
        text: String,
        /// The reason.
        reason: String,
    },
}

const FORMS: &str = "write `minute hour day-of-month month day-of-week`, such as `0 4 * * *`, or the same with the second first, such as `0 0 4 * * *`";

impl CronError {
    /// The bytes of the text that are wrong, if it is not the text as a whole.
    ///
    /// ```
    /// use shedlock_core::CronSchedule;
    ///
    /// let text = "0 0 25 * * *";
    /// let error = CronSchedule::parse(text).unwrap_err();
    /// assert_eq!(&text[error.span().unwrap()], "25");
    /// ```
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::FieldCount { span, .. }
            | Self::Field { span, .. }
            | Self::Macro { span, .. }
            | Self::AmbiguousDays { span, .. }
            | Self::NeverFires { span, .. } => Some(span.clone()),
            Self::Empty | Self::Rejected { .. } => None,
        }
    }
}

fn year_hint(count: usize) -> &'static str {
    if count == 7 {
        " (there is no year field)"
    } else {
        ""
    }
}
