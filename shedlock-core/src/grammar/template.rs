use std::ops::Range;

/// The text of a lock's name: `${NAME:default}` placeholders, which the configuration fills in,
/// and `{argument}`, which the call of a function fills in. `{{` and `}}` are single braces.
///
/// ```
/// use shedlock_core::NameTemplate;
///
/// let template = NameTemplate::parse("report-${REGION:asia}-{tenant}")?;
/// assert_eq!(template.arguments().collect::<Vec<_>>(), ["tenant"]);
/// # Ok::<(), shedlock_core::NameTemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameTemplate<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    /// Text that may hold placeholders.
    Text(&'a str),
    Brace(&'a str),
    Argument(&'a str),
}

impl<'a> NameTemplate<'a> {
    /// Reads `text`.
    ///
    /// # Errors
    /// [`NameTemplateError`] for a brace without its other one, and for braces around anything but
    /// a name.
    pub fn parse(text: &'a str) -> Result<Self, NameTemplateError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (part, length) = match first {
                '{' | '}' if rest[1..].starts_with(first) => (Part::Brace(&rest[..1]), 2),
                '{' => {
                    let argument = argument(rest)?;
                    (Part::Argument(argument), argument.len() + 2)
                }
                '}' => {
                    return Err(NameTemplateError::Unopened {
                        text: text.to_owned(),
                    });
                }
                _ => {
                    let length = text_length(rest);
                    (Part::Text(&rest[..length]), length)
                }
            };
            parts.push(part);
            rest = &rest[length..];
        }
        Ok(Self { parts })
    }

    /// The names in braces, in their order.
    pub fn arguments(&self) -> impl Iterator<Item = &'a str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Argument(name) => Some(*name),
            Part::Text(_) | Part::Brace(_) => None,
        })
    }

    /// The name, with what `text` makes of the text around the arguments. What an argument says is
    /// taken as it is, also when it looks like a placeholder.
    ///
    /// # Errors
    /// Those of `text` and of `argument`.
    pub fn fill<E>(
        &self,
        text: impl Fn(&str) -> Result<String, E>,
        argument: impl Fn(&str) -> Result<String, E>,
    ) -> Result<String, E> {
        let filled = self.parts.iter().map(|part| match part {
            Part::Text(part) => text(part),
            Part::Brace(brace) => Ok((*brace).to_owned()),
            Part::Argument(name) => argument(name),
        });
        filled.collect()
    }
}

/// Why a text is not a [`NameTemplate`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameTemplateError {
    /// A `{` without its `}`.
    #[error(
        "`{rest}` has no closing brace; write `{{tenant}}` for an argument, `{{{{` for a brace"
    )]
    Unclosed {
        /// The text from the brace on.
        rest: String,
    },
    /// A `}` without its `{`.
    #[error("`{text}` closes a brace that is not open; write `}}}}` for a brace")]
    Unopened {
        /// The whole text.
        text: String,
    },
    /// Something in braces that is no name.
    #[error("`{{{found}}}` names no argument; write the name alone, as in `{{tenant}}`")]
    NoName {
        /// What is in the braces.
        found: String,
    },
}

/// The name in the braces at the start of `rest`.
fn argument(rest: &str) -> Result<&str, NameTemplateError> {
    let end = rest.find('}').ok_or_else(|| NameTemplateError::Unclosed {
        rest: rest.to_owned(),
    })?;
    let name = &rest[1..end];
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name {
        Ok(name)
    } else {
        Err(NameTemplateError::NoName {
            found: name.to_owned(),
        })
    }
}

/// How much of `rest` is text: up to a brace that is not a placeholder's.
fn text_length(rest: &str) -> usize {
    let mut start = 0;
    loop {
        let Some(brace) = rest[start..].find(['{', '}']).map(|found| start + found) else {
            return rest.len();
        };
        if !rest[..brace].ends_with('$') || rest[brace..].starts_with('}') {
            return brace;
        }
        start = placeholder(rest, brace).end;
    }
}

/// The placeholder whose brace this is. One that does not end is the whole rest, and a mistake for
/// the placeholders' own grammar.
fn placeholder(text: &str, brace: usize) -> Range<usize> {
    let mut depth = 0_usize;
    let mut before = '$';
    for (position, character) in text[brace..].char_indices() {
        match character {
            '{' if before == '$' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return brace..brace + position + 1;
        }
        before = character;
    }
    brace..text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grammar::mutated::mutated;

    /// Text in `[]`, arguments in `<>`.
    fn filled(text: &str) -> Result<String, String> {
        let template = NameTemplate::parse(text).map_err(|error| error.to_string())?;
        template.fill(
            |text| Ok(format!("[{text}]")),
            |name| Ok(format!("<{name}>")),
        )
    }

    #[track_caller]
    fn reads(text: &str, expected: &str) {
        assert_eq!(filled(text).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        assert_eq!(filled(text).unwrap_err(), expected);
    }

    #[test]
    fn text_without_braces_is_text() {
        reads("settlement-payout $5", "[settlement-payout $5]");
    }

    #[test]
    fn an_argument_stands_between_texts() {
        reads("report-{tenant}-{day_2}", "[report-]<tenant>[-]<day_2>");
    }

    #[test]
    fn doubled_braces_are_braces() {
        reads("a{{b}}{{{c}}}", "[a]{[b]}{<c>}");
    }

    #[test]
    fn a_placeholder_is_text_whatever_its_default_holds() {
        reads("${A}-{b}", "[${A}-]<b>");
        reads("${A:${B:{x}}-{b}", "[${A:${B:{x}}-]<b>");
        reads("${A:x}{b}", "[${A:x}]<b>");
    }

    #[test]
    fn a_placeholder_that_does_not_end_is_left_to_its_own_grammar() {
        reads("${A-{b", "[${A-{b]");
    }

    #[test]
    fn a_brace_that_is_not_closed_is_refused() {
        refuses(
            "report-{tenant",
            "`{tenant` has no closing brace; write `{tenant}` for an argument, `{{` for a brace",
        );
    }

    #[test]
    fn a_brace_that_is_not_opened_is_refused() {
        refuses(
            "tenant}",
            "`tenant}` closes a brace that is not open; write `}}` for a brace",
        );
    }

    #[test]
    fn braces_around_anything_but_a_name_are_refused() {
        for found in ["", "0", "tenant:?", "tenant.id", " tenant "] {
            refuses(
                &format!("report-{{{found}}}"),
                &format!(
                    "`{{{found}}}` names no argument; write the name alone, as in `{{tenant}}`"
                ),
            );
        }
    }

    proptest! {
        #[test]
        fn every_text_is_a_template_or_an_error(text in mutated(&["a-${B:{c}}-{d}{{e}}", "${A:${B:x}}정{산}"])) {
            let _ = filled(&text);
        }
    }
}
