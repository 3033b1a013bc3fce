use std::fmt;
use std::str::FromStr;

/// How day of month and day of week go together where a cron pattern restricts both.
///
/// ```
/// use shedlock_core::DayMatch;
///
/// assert_eq!("any".parse(), Ok(DayMatch::Any));
/// assert_eq!(DayMatch::All.to_string(), "all");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DayMatch {
    /// A day that either field names, as in cron: `0 0 13 * FRI` is each 13th and each Friday.
    Any,
    /// A day that both fields name, as in Spring: `0 0 13 * FRI` is each Friday the 13th.
    All,
}

impl fmt::Display for DayMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Any => "any",
            Self::All => "all",
        })
    }
}

impl FromStr for DayMatch {
    type Err = DayMatchError;

    fn from_str(text: &str) -> Result<Self, DayMatchError> {
        match text {
            "any" => Ok(Self::Any),
            "all" => Ok(Self::All),
            _ => Err(DayMatchError::Unknown {
                found: text.to_owned(),
            }),
        }
    }
}

/// Why a text is not a [`DayMatch`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DayMatchError {
    /// There are two texts, and this is none of them.
    #[error(
        "`{}` is not a way to match days; write `any` for days that the day of month or the day of week names, `all` for days that both name",
        found.escape_debug()
    )]
    Unknown {
        /// The text as given.
        found: String,
    },
}
