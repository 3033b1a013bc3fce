use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The name of a lock: 1 to 64 characters, no control characters, no blanks at either end.
///
/// 64 characters is what the `name` column of a lock table holds. A clone shares the text.
///
/// ```
/// use shedlock_core::LockName;
///
/// let name = LockName::new("settlement-outbox-publisher")?;
/// assert_eq!(name.as_str(), "settlement-outbox-publisher");
/// # Ok::<(), shedlock_core::LockNameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockName(Arc<str>);

impl LockName {
    /// The longest name, in characters.
    pub const MAX_LENGTH: usize = 64;

    /// Checks `name` and keeps it.
    ///
    /// # Errors
    ///
    /// [`LockNameError`] names the rule that `name` breaks.
    pub fn new(name: impl Into<Arc<str>>) -> Result<Self, LockNameError> {
        let name = name.into();
        let length = name.chars().count();
        if length == 0 {
            Err(LockNameError::Empty)
        } else if length > Self::MAX_LENGTH {
            Err(LockNameError::TooLong { name, length })
        } else if let Some((position, character)) = control_character(&name) {
            Err(LockNameError::ControlCharacter {
                name,
                character,
                position,
            })
        } else if name.trim() != &*name {
            Err(LockNameError::SurroundingBlanks { name, length })
        } else {
            Ok(Self(name))
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for LockName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for LockName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl FromStr for LockName {
    type Err = LockNameError;

    fn from_str(name: &str) -> Result<Self, LockNameError> {
        Self::new(name)
    }
}

impl TryFrom<&str> for LockName {
    type Error = LockNameError;

    fn try_from(name: &str) -> Result<Self, LockNameError> {
        Self::new(name)
    }
}

impl TryFrom<String> for LockName {
    type Error = LockNameError;

    fn try_from(name: String) -> Result<Self, LockNameError> {
        Self::new(name)
    }
}

/// Why a text is not a [`LockName`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockNameError {
    /// The name has no character.
    #[error("a lock name is empty; write 1 to {} characters", LockName::MAX_LENGTH)]
    Empty,
    /// The name does not fit the `name` column of a lock table.
    #[error(
        "lock name {name:?} is {length} characters long; at most {} fit a lock table, so shorten it by {}",
        LockName::MAX_LENGTH,
        length - LockName::MAX_LENGTH
    )]
    TooLong {
        /// The name as given.
        name: Arc<str>,
        /// Its length in characters.
        length: usize,
    },
    /// The name holds a line break, a tab, a NUL or another control character.
    #[error(
        "lock name {name:?} has the control character {character:?} as character {position}; remove it"
    )]
    ControlCharacter {
        /// The name as given.
        name: Arc<str>,
        /// The first control character.
        character: char,
        /// Its position in characters, counted from 1.
        position: usize,
    },
    /// The name begins or ends with a blank, which some databases ignore when they compare.
    #[error(
        "lock name {name:?} ({length} characters) begins or ends with a blank; write {:?}",
        name.trim()
    )]
    SurroundingBlanks {
        /// The name as given.
        name: Arc<str>,
        /// Its length in characters.
        length: usize,
    },
}

fn control_character(name: &str) -> Option<(usize, char)> {
    (1..).zip(name.chars()).find(|(_, c)| c.is_control())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grammar::mutated::mutated;

    fn refusal(name: &str) -> String {
        LockName::new(name).unwrap_err().to_string()
    }

    #[test]
    fn a_name_of_64_characters_is_accepted_whatever_its_bytes() {
        assert!(LockName::new("정".repeat(64)).is_ok());
    }

    #[test]
    fn a_name_of_65_characters_is_refused() {
        assert_eq!(
            refusal(&"x".repeat(65)),
            format!(
                "lock name \"{}\" is 65 characters long; at most 64 fit a lock table, so shorten it by 1",
                "x".repeat(65)
            )
        );
    }

    #[test]
    fn an_empty_name_is_refused() {
        assert_eq!(
            refusal(""),
            "a lock name is empty; write 1 to 64 characters"
        );
    }

    #[test]
    fn a_control_character_is_refused_and_shown() {
        assert_eq!(
            refusal("daily\tjob"),
            r#"lock name "daily\tjob" has the control character '\t' as character 6; remove it"#
        );
    }

    #[test]
    fn blanks_inside_are_accepted() {
        assert!(LockName::new("daily job").is_ok());
    }

    #[test]
    fn blanks_around_are_refused_with_the_name_without_them() {
        assert_eq!(
            refusal("job "),
            r#"lock name "job " (4 characters) begins or ends with a blank; write "job""#
        );
        assert!(LockName::new("\u{a0}job").is_err());
    }

    #[test]
    fn a_clone_shares_the_text() {
        let name = LockName::new("job").unwrap();
        assert!(Arc::ptr_eq(&name.0, &name.clone().0));
    }

    proptest! {
        #[test]
        fn a_mutated_name_is_a_name_or_an_error(text in mutated(&["settlement-outbox-publisher", "정산"])) {
            if let Err(error) = LockName::new(text) {
                prop_assert!(!error.to_string().is_empty());
            }
        }

        #[test]
        fn every_text_is_a_name_or_an_error(text in any::<String>()) {
            if let Ok(name) = LockName::new(text.as_str()) {
                prop_assert_eq!(name.to_string(), text);
            }
        }
    }
}
