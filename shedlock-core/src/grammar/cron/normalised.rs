use std::ops::Range;

use super::{CronError, CronField, DayMatch, field::BEFORE_LAST};

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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Normalised {
    /// 6 fields in capitals, one blank between them.
    text: Box<str>,
    /// `None` unless both days are restricted.
    day_match: Option<DayMatch>,
}

impl Normalised {
    /// Reads a pattern; the bytes of `text` are those that say on which days it fires.
    pub(super) fn read(
        text: &str,
        day_match: Option<DayMatch>,
    ) -> Result<(Self, Range<usize>), CronError> {
        let pattern = text.trim();
        let all = span_in(text, pattern);
        if pattern.starts_with('@') {
            return Ok((Self::from_macro(pattern, &all)?, all));
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
        let days = span_in(text, words[words.len() - 3]).start;
        let [month, weekday] = [2, 1].map(|last| span_in(text, words[words.len() - last]).end);
        let [day_of_month, day_of_week] = [3, 1].map(|last| &*checked[words.len() - last]);
        let is_restricted = day_of_month != "*" && day_of_week != "*";
        if is_restricted && day_match.is_none() {
            return Err(CronError::AmbiguousDays {
                found: text[days..weekday].to_owned(),
                span: days..weekday,
            });
        }
        let day_match = day_match.filter(|_| is_restricted);
        let normalised = Self {
            text: format!("{second}{}", checked.join(" ")).into(),
            day_match,
        };
        let end = match day_match {
            Some(DayMatch::All) => weekday,
            _ => month,
        };
        Ok((normalised, days..end))
    }

    fn from_macro(found: &str, span: &Range<usize>) -> Result<Self, CronError> {
        let known = |name: &str| MACROS.iter().find(|(known, _)| *known == name);
        match known(&found.to_ascii_lowercase()) {
            Some((_, pattern)) => Ok(Self {
                text: (*pattern).into(),
                day_match: None,
            }),
            None => Err(CronError::Macro {
                found: found.escape_debug().to_string(),
                hint: macro_hint(&found.to_ascii_lowercase()),
                span: span.clone(),
            }),
        }
    }

    pub(super) fn day_match(&self) -> Option<DayMatch> {
        self.day_match
    }

    /// Whether second, minute and hour are numbers or lists of them.
    pub(super) fn has_fixed_times(&self) -> bool {
        let mut times = self.text.split(' ').take(3);
        times.all(|field| !field.contains(['*', '-', '/']))
    }

    /// Patterns without `L-3`, which together fire when this one does; each with the number of days
    /// that a day must be before the last of its month.
    pub(super) fn parts(&self) -> Vec<(String, Option<u32>)> {
        let fields: Vec<&str> = self.text.split(' ').collect();
        let with_days = |day_of_month: &str, day_of_week: &str| {
            let (times, month) = (fields[..3].join(" "), fields[4]);
            format!("{times} {day_of_month} {month} {day_of_week}")
        };
        let (day_of_month, day_of_week) = (fields[3], fields[5]);
        let (from_the_end, others): (Vec<&str>, Vec<&str>) = day_of_month
            .split(',')
            .partition(|day| day.starts_with(BEFORE_LAST));
        let mut parts: Vec<_> = from_the_end
            .iter()
            .filter_map(|day| day.strip_prefix(BEFORE_LAST)?.parse().ok())
            .map(|before: u32| {
                let first = 28_u32.saturating_sub(before).max(1);
                let possible = format!("{first}-{}", 31_u32.saturating_sub(before));
                let day_of_week = match self.day_match {
                    Some(DayMatch::All) => day_of_week,
                    _ => "*",
                };
                (with_days(&possible, day_of_week), Some(before))
            })
            .collect();
        if !others.is_empty() {
            parts.push((with_days(&others.join(","), day_of_week), None));
        } else if self.day_match == Some(DayMatch::Any) {
            parts.push((with_days("*", day_of_week), None));
        }
        parts
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
