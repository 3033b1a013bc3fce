use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, FixedOffset, Offset as _, TimeZone as _, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};

/// A time zone of the IANA database, such as `Asia/Seoul`; [`Zone::UTC`] by default.
///
/// The database is compiled in, so that a container without zone files behaves like any other
/// machine. Its changes of the clock end with the year 2099.
///
/// ```
/// use shedlock_core::Zone;
///
/// let zone: Zone = "Asia/Seoul".parse()?;
/// assert_eq!(zone.name(), "Asia/Seoul");
/// assert_eq!(
///     "Asia/Soul".parse::<Zone>().unwrap_err().to_string(),
///     "unknown zone `Asia/Soul`; did you mean `Asia/Seoul`?",
/// );
/// # Ok::<(), shedlock_core::ZoneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone(Tz);

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(Tz::UTC);

    /// The name in the IANA database.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// `instant` as the clocks in this zone show it.
    ///
    /// ```
    /// use shedlock_core::Zone;
    ///
    /// let zone: Zone = "Asia/Seoul".parse()?;
    /// let instant = "2026-03-01T19:00:00Z".parse()?;
    /// assert_eq!(zone.local(instant).to_rfc3339(), "2026-03-02T04:00:00+09:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn local(self, instant: DateTime<Utc>) -> DateTime<FixedOffset> {
        let offset = self.0.offset_from_utc_datetime(&instant.naive_utc()).fix();
        instant.with_timezone(&offset)
    }

    pub(super) fn tz(self) -> Tz {
        self.0
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self::UTC
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Zone {
    type Err = ZoneError;

    fn from_str(name: &str) -> Result<Self, ZoneError> {
        name.parse().map(Self).map_err(|_| ZoneError::Unknown {
            name: name.to_owned(),
            suggestion: nearest(name),
        })
    }
}

/// Why a text is not a [`Zone`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZoneError {
    /// The IANA database has no zone of this name. Names are case-sensitive.
    #[error("unknown zone `{}`; {}", name.escape_debug(), hint(*suggestion))]
    Unknown {
        /// The name as given.
        name: String,
        /// The zone whose name is nearest, if one is near.
        suggestion: Option<&'static str>,
    },
}

fn hint(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(
        || "write a name of the IANA database, such as `UTC` or `Asia/Seoul`".to_owned(),
        |zone| format!("did you mean `{zone}`?"),
    )
}

/// The zone whose name, or whose city alone, is nearest to `name`; none if all are far.
fn nearest(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let wanted = name.trim().replace(' ', "_").to_lowercase();
    let nearness = |zone: &str| {
        let zone = zone.to_lowercase();
        let city = zone.rsplit('/').next().unwrap_or(&zone);
        strsim::normalized_damerau_levenshtein(&wanted, &zone)
            .max(0.99 * strsim::normalized_damerau_levenshtein(&wanted, city))
    };
    TZ_VARIANTS
        .iter()
        // `Etc/GMT+9` is nine hours behind UTC, which is not what `GMT+9` means to people.
        .filter(|zone| !zone.name().contains(['+', '-']) || !zone.name().contains("GMT"))
        .map(|zone| (nearness(zone.name()), zone.name()))
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .filter(|(nearness, _)| *nearness >= 0.7)
        .map(|(_, zone)| zone)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grammar::mutated::mutated;

    fn refusal(name: &str) -> String {
        name.parse::<Zone>().unwrap_err().to_string()
    }

    #[test]
    fn every_zone_reads_back_from_its_name() {
        for tz in TZ_VARIANTS {
            assert_eq!(tz.name().parse(), Ok(Zone(tz)));
        }
    }

    #[test]
    fn the_default_is_utc() {
        assert_eq!(Zone::default().to_string(), "UTC");
    }

    #[test]
    fn a_wrong_case_is_corrected() {
        assert_eq!(
            refusal("asia/seoul"),
            "unknown zone `asia/seoul`; did you mean `Asia/Seoul`?"
        );
    }

    #[test]
    fn a_city_alone_is_completed() {
        assert_eq!(
            refusal("New York"),
            "unknown zone `New York`; did you mean `America/New_York`?"
        );
    }

    #[test]
    fn an_offset_is_not_taken_for_a_zone_with_the_opposite_sign() {
        assert!(refusal("GMT+9").contains("write a name of the IANA database"));
    }

    #[test]
    fn a_text_that_is_near_to_none_gets_an_example() {
        assert_eq!(
            refusal("+09:00"),
            "unknown zone `+09:00`; write a name of the IANA database, such as `UTC` or `Asia/Seoul`"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_mutated_zone_is_a_zone_or_an_error(text in mutated(&["Asia/Seoul", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+9"])) {
            if let Err(error) = text.parse::<Zone>() {
                prop_assert!(!error.to_string().is_empty());
            }
        }

        #[test]
        fn every_text_is_a_zone_or_an_error(text in "\\PC{0,20}|[A-Z][a-z]{2,6}/[A-Z][a-z_]{2,9}") {
            if let Err(error) = text.parse::<Zone>() {
                prop_assert!(error.to_string().starts_with("unknown zone"));
            }
        }
    }
}
