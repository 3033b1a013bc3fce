/// Replaces each `${NAME}` and `${NAME:default}` in `text` by what `lookup` knows of `NAME`.
///
/// The default is everything after the first colon up to the closing brace, and may hold
/// placeholders itself: `${A:${B:10s}}`. A value from `lookup` is taken as it is, also when it is
/// empty or looks like a placeholder. Text around placeholders is kept; a `$` without `{` is a `$`.
///
/// ```
/// use shedlock_core::resolve_placeholders;
///
/// let lookup = |name: &str| (name == "ZONE").then(|| "Asia/Seoul".to_owned());
/// assert_eq!(resolve_placeholders("${ZONE:UTC}", &lookup)?, "Asia/Seoul");
/// assert_eq!(resolve_placeholders("${DELAY:2s}", &lookup)?, "2s");
/// # Ok::<(), shedlock_core::PlaceholderError>(())
/// ```
///
/// # Errors
///
/// [`PlaceholderError`] if `text` is malformed, also in a default that is not needed, or if a
/// placeholder has neither a value nor a default.
pub fn resolve_placeholders(
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<String, PlaceholderError> {
    let mut rest = text;
    let parts = parse(&mut rest, 0)?;
    let mut resolved = String::with_capacity(text.len());
    fill(&parts, lookup, &mut resolved)?;
    Ok(resolved)
}

/// `text` with the default of every placeholder, or `None` if one has no default.
///
/// This is the part of a text with placeholders that can be checked before any value is known.
///
/// ```
/// use shedlock_core::placeholder_default;
///
/// assert_eq!(placeholder_default("${DELAY:2s}")?.as_deref(), Some("2s"));
/// assert_eq!(placeholder_default("${DELAY}")?, None);
/// assert_eq!(placeholder_default("2s")?.as_deref(), Some("2s"));
/// # Ok::<(), shedlock_core::PlaceholderError>(())
/// ```
///
/// # Errors
///
/// [`PlaceholderError`] if `text` is malformed.
pub fn placeholder_default(text: &str) -> Result<Option<String>, PlaceholderError> {
    match resolve_placeholders(text, &|_| None) {
        Ok(text) => Ok(Some(text)),
        Err(PlaceholderError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Why the placeholders of a text could not be replaced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceholderError {
    /// No value is known for the name, and the text gives no default.
    #[error("`${{{name}}}` has no value; set `{name}`, or give a default: `${{{name}:default}}`")]
    Missing {
        /// The name without a value.
        name: String,
    },
    /// A `${` without its `}`.
    #[error("`{rest}` has no closing brace; write `${{NAME}}` or `${{NAME:default}}`")]
    Unterminated {
        /// The text from the `${` on.
        rest: String,
    },
    /// A name that is empty, or holds blanks, braces, `$` or control characters.
    #[error(
        "`${{{name}` is not a placeholder name; write `${{NAME}}` or `${{NAME:default}}`, with a name of letters, digits, `_`, `.` and `-`",
        name = name.escape_debug()
    )]
    Name {
        /// The text where the name should be.
        name: String,
    },
    /// Defaults within defaults, too many to be meant.
    #[error("placeholders are nested more than {MAX_DEPTH} deep; write fewer")]
    TooDeep,
}

/// Bounds the recursion, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 16;

enum Part<'a> {
    Text(&'a str),
    Placeholder {
        name: &'a str,
        default: Option<Vec<Part<'a>>>,
    },
}

/// Reads text and placeholders up to the end or, within a default, to the closing brace.
fn parse<'a>(rest: &mut &'a str, depth: usize) -> Result<Vec<Part<'a>>, PlaceholderError> {
    if depth > MAX_DEPTH {
        return Err(PlaceholderError::TooDeep);
    }
    let mut parts = Vec::new();
    loop {
        let opening = rest.find("${");
        let closing = rest.find('}').filter(|_| depth > 0);
        let end = [opening, closing].into_iter().flatten().min();
        let literal = take(rest, end.unwrap_or(rest.len()));
        if !literal.is_empty() {
            parts.push(Part::Text(literal));
        }
        if end.is_none() || end == closing {
            return Ok(parts);
        }
        parts.push(parse_placeholder(rest, depth)?);
    }
}

/// Reads one placeholder; `rest` starts with its `${`.
fn parse_placeholder<'a>(rest: &mut &'a str, depth: usize) -> Result<Part<'a>, PlaceholderError> {
    let start = *rest;
    let unterminated = || PlaceholderError::Unterminated {
        rest: start.to_owned(),
    };
    take(rest, "${".len());
    let end = rest.find([':', '}']).ok_or_else(unterminated)?;
    let name = take(rest, end);
    if name.is_empty() || !name.chars().all(is_name_character) {
        return Err(PlaceholderError::Name {
            name: name.to_owned(),
        });
    }
    let default = match take(rest, 1) {
        ":" => {
            let default = parse(rest, depth + 1)?;
            if rest.is_empty() {
                return Err(unterminated());
            }
            take(rest, "}".len());
            Some(default)
        }
        _ => None,
    };
    Ok(Part::Placeholder { name, default })
}

/// Cuts the first `length` bytes off `rest`.
fn take<'a>(rest: &mut &'a str, length: usize) -> &'a str {
    let (taken, tail) = rest.split_at(length);
    *rest = tail;
    taken
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn fill(
    parts: &[Part<'_>],
    lookup: &dyn Fn(&str) -> Option<String>,
    resolved: &mut String,
) -> Result<(), PlaceholderError> {
    for part in parts {
        match part {
            Part::Text(text) => resolved.push_str(text),
            Part::Placeholder { name, default } => match (lookup(name), default) {
                (Some(value), _) => resolved.push_str(&value),
                (None, Some(default)) => fill(default, lookup, resolved)?,
                (None, None) => {
                    return Err(PlaceholderError::Missing {
                        name: (*name).to_owned(),
                    });
                }
            },
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grammar::mutated::mutated;

    fn resolve(text: &str) -> Result<String, String> {
        let lookup = |name: &str| match name {
            "SET" => Some("value".to_owned()),
            "EMPTY" => Some(String::new()),
            "LIKE_ONE" => Some("${SET}".to_owned()),
            _ => None,
        };
        resolve_placeholders(text, &lookup).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn resolves(text: &str, expected: &str) {
        assert_eq!(resolve(text).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        assert_eq!(resolve(text).unwrap_err(), expected);
    }

    #[test]
    fn a_value_wins_over_the_default() {
        resolves("${SET:other}", "value");
    }

    #[test]
    fn text_around_placeholders_is_kept() {
        resolves("a-${SET}-b-${NONE:x}-c", "a-value-b-x-c");
    }

    #[test]
    fn an_empty_value_is_a_value() {
        resolves("[${EMPTY:x}]", "[]");
    }

    #[test]
    fn an_empty_default_is_a_default() {
        resolves("[${NONE:}]", "[]");
    }

    #[test]
    fn a_default_keeps_further_colons() {
        resolves("${NONE:redis://host:6379}", "redis://host:6379");
    }

    #[test]
    fn a_default_may_hold_placeholders() {
        resolves("${NONE:${ALSO_NONE:x}y}", "xy");
        resolves("${NONE:${SET:x}}", "value");
    }

    #[test]
    fn a_value_is_not_read_again() {
        resolves("${LIKE_ONE}", "${SET}");
    }

    #[test]
    fn a_dollar_without_a_brace_is_a_dollar() {
        resolves("$5 $SET $", "$5 $SET $");
    }

    #[test]
    fn a_closing_brace_outside_is_text() {
        resolves("a}b", "a}b");
    }

    #[test]
    fn a_missing_value_names_the_variable_and_the_fix() {
        refuses(
            "${DELAY}",
            "`${DELAY}` has no value; set `DELAY`, or give a default: `${DELAY:default}`",
        );
    }

    #[test]
    fn a_missing_closing_brace_is_refused() {
        let fix = "has no closing brace; write `${NAME}` or `${NAME:default}`";
        refuses("in ${DELAY", &format!("`${{DELAY` {fix}"));
        refuses("${A:${B:x}", &format!("`${{A:${{B:x}}` {fix}"));
        refuses("${A:${B:x", &format!("`${{B:x` {fix}"));
    }

    #[test]
    fn a_wrong_name_is_refused() {
        for text in ["${}", "${:x}", "${A B}", "${A${B}}"] {
            assert!(
                resolve(text)
                    .unwrap_err()
                    .contains("is not a placeholder name")
            );
        }
    }

    #[test]
    fn a_malformed_default_is_refused_even_when_it_is_not_needed() {
        assert!(resolve("${SET:${}}").is_err());
    }

    #[test]
    fn endless_nesting_is_refused() {
        let text = "${A:".repeat(100_000);
        assert_eq!(placeholder_default(&text), Err(PlaceholderError::TooDeep));
    }

    #[test]
    fn one_placeholder_without_default_leaves_nothing_to_check() {
        assert_eq!(placeholder_default("${A:x}-${B}"), Ok(None));
    }

    proptest! {
        #[test]
        fn a_mutated_placeholder_is_resolved_or_an_error(text in mutated(&["a-${A:${B:x}y}-${SET}", "${DELAY:2s}"])) {
            if let Err(error) = resolve_placeholders(&text, &|_| Some("value".to_owned())) {
                prop_assert!(!error.to_string().is_empty());
            }
        }

        #[test]
        fn every_text_resolves_or_is_an_error(text in "(\\$\\{|[}:$]|[A-Z]|\\PC){0,40}") {
            if let Ok(resolved) = resolve(&text) {
                let had_one = text.contains("${");
                prop_assert!(had_one || resolved == text);
            }
        }
    }
}
