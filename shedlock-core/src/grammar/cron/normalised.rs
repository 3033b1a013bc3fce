use std::ops::Range;

use super::{CronError, CronField};

/// The macros and the patterns that they stand for.
const MACROS: [(&str, &str); 7] = [
    ("@yearly", "0 0 0 1 1 *"),
    ("@annually", "0 0 0 1 1 *"),
    ("@monthly", "0 0 0 1 * *"),
    ("@weekly", "0 0 0 * * 0"),
    ("@daily", "0 0 0 * * *"),
    ("@midnight", "0 0 0 * * *"),
    ("@hourly", "0 0 * * * *"),
];

/// A pattern whose fields were checked, in the one form that equal patterns share.
pub(super) struct Normalised {
    /// 6 fields in capitals, one blank between them.
    pub(super) text: String,
    /// The bytes of the given text from day of month to month.
    pub(super) days: Range<usize>,
}

impl Normalised {
    pub(super) fn read(text: &str) -> Result<Self, CronError> {
        let pattern = text.trim();
        let all = span_in(text, pattern);
        if pattern.starts_with('@') {
            return Self::from_macro(pattern, all);
        }
        let words: Vec<&str> = pattern.split_whitespace().collect();
        let (second, fields) = match words.len() {
            0 => return Err(CronError::Empty),
            5 => ("0 ", &CronField::ALL[1..]),
            6 => ("", &CronField::ALL[..]),
            count => {
                let surplus = words.get(6).map(|word| span_in(text, word).start..all.end);
                return Err(CronError::FieldCount {
                    count,
                    span: surplus.unwrap_or(all),
                });
            }
        };
        let checked: Vec<String> = (1..)
            .zip(fields.iter().zip(&words))
            .map(|(number, (field, word))| checked(text, number, *field, word))
            .collect::<Result<_, _>>()?;
        let (day, month) = (words[words.len() - 3], words[words.len() - 2]);
        Ok(Self {
            text: format!("{second}{}", checked.join(" ")),
            days: span_in(text, day).start..span_in(text, month).end,
        })
    }

    fn from_macro(found: &str, span: Range<usize>) -> Result<Self, CronError> {
        let known = |name: &str| MACROS.iter().find(|(known, _)| *known == name);
        match known(&found.to_ascii_lowercase()) {
            Some((_, pattern)) => Ok(Self {
                text: (*pattern).to_owned(),
                days: span,
            }),
            None => Err(CronError::Macro {
                found: found.escape_debug().to_string(),
                hint: macro_hint(&found.to_ascii_lowercase()),
                span,
            }),
        }
    }

    /// Whether second, minute and hour are numbers or lists of them.
    pub(super) fn has_fixed_times(&self) -> bool {
        let mut times = self.text.split(' ').take(3);
        times.all(|field| !field.contains(['*', '-', '/']))
    }
}

/// The field `word` of `text` in capitals, if `field` allows it.
fn checked(text: &str, number: usize, field: CronField, word: &str) -> Result<String, CronError> {
    let upper = word.to_ascii_uppercase();
    match field.check(&upper) {
        Ok(()) if upper == "?" => Ok("*".to_owned()),
        Ok(()) => Ok(upper),
        Err((found, problem)) => {
            let start = span_in(text, word).start + span_in(&upper, found).start;
            let span = start..start + found.len();
            Err(CronError::Field {
                field,
                number,
                found: text[span.clone()].escape_debug().to_string(),
                problem,
                span,
            })
        }
    }
}

fn macro_hint(found: &str) -> String {
    if found.starts_with("@every") {
        return "write an interval as a fixed rate or a fixed delay instead".to_owned();
    }
    let names = MACROS.map(|(name, _)| name);
    let is_near = |name: &str| strsim::damerau_levenshtein(name, found) <= 2;
    names.iter().find(|name| is_near(name)).map_or_else(
        || format!("write one of `{}`", names.join("`, `")),
        |name| format!("did you mean `{name}`?"),
    )
}

/// Where `part`, a slice of `text`, lies in it.
fn span_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}
