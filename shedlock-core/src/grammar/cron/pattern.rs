use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use chrono::{NaiveDate, NaiveDateTime};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

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

/// A parsed pattern, shared by all schedules with the same normalised text.
pub(super) struct Pattern {
    text: Box<str>,
    cron: Cron,
    fixed_times: bool,
}

/// The patterns in use. The parsed form takes more than 5 KB, most of it a table of years.
static PATTERNS: LazyLock<Mutex<HashMap<Box<str>, Weak<Pattern>>>> = LazyLock::new(Mutex::default);

impl Pattern {
    /// The pattern of `text`, parsed unless an equal one is in use.
    pub(super) fn interned(text: &str) -> Result<Arc<Self>, CronError> {
        let fields = Fields::read(text)?;
        let mut patterns = PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pattern) = patterns.get(&*fields.normalised).and_then(Weak::upgrade) {
            return Ok(pattern);
        }
        let pattern = Arc::new(Self::parse(text, fields)?);
        if patterns.len() == patterns.capacity() {
            patterns.retain(|_, pattern| pattern.strong_count() > 0);
        }
        patterns.insert(pattern.text.clone(), Arc::downgrade(&pattern));
        Ok(pattern)
    }

    fn parse(text: &str, fields: Fields) -> Result<Self, CronError> {
        // `dom_and_dow(false)` is cron's rule for two restricted days: either one is enough.
        let cron = CronParser::builder()
            .seconds(Seconds::Required)
            .year(Year::Disallowed)
            .sloppy_ranges(true)
            .dom_and_dow(false)
            .build()
            .parse(&fields.normalised)
            .map_err(|error| CronError::Rejected {
                text: text.to_owned(),
                reason: error.to_string(),
            })?;
        let pattern = Self {
            fixed_times: fields.are_fixed_times(),
            text: fields.normalised.into(),
            cron,
        };
        let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
        match pattern.next_match(start.into()) {
            Some(_) => Ok(pattern),
            None => Err(CronError::NeverFires {
                found: text[fields.days.clone()].to_owned(),
                span: fields.days,
            }),
        }
    }

    /// The normalised text: 6 fields in capitals, one blank between them.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether second, minute and hour are numbers or lists of them.
    pub(super) fn has_fixed_times(&self) -> bool {
        self.fixed_times
    }

    /// The first time of a wall clock after `local` that matches, whatever a zone makes of it.
    pub(super) fn next_match(&self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        self.cron.find_next_occurrence(&local, false).ok()
    }
}

/// A text whose fields were checked.
struct Fields {
    normalised: String,
    /// The bytes of the text from day of month to month.
    days: Range<usize>,
}

impl Fields {
    fn read(text: &str) -> Result<Self, CronError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (first, last) = match (words.first(), words.last()) {
            (Some(first), Some(last)) => (span_in(text, first), span_in(text, last)),
            _ => return Err(CronError::Empty),
        };
        let all = first.start..last.end;
        if text[all.clone()].starts_with('@') {
            return Self::from_macro(&text[all.clone()], all);
        }
        let fields = match words.len() {
            5 => &CronField::ALL[1..],
            6 => &CronField::ALL[..],
            count => {
                let surplus = words.get(6).map(|word| span_in(text, word).start..last.end);
                return Err(CronError::FieldCount {
                    count,
                    span: surplus.unwrap_or(all),
                });
            }
        };
        let mut normalised = String::from(if words.len() == 5 { "0" } else { "" });
        for (index, (field, word)) in fields.iter().zip(&words).enumerate() {
            let upper = word.to_ascii_uppercase();
            field.check(&upper).map_err(|(found, problem)| {
                let start = span_in(text, word).start + span_in(&upper, found).start;
                let span = start..start + found.len();
                CronError::Field {
                    field: *field,
                    number: index + 1,
                    found: text[span.clone()].escape_debug().to_string(),
                    problem,
                    span,
                }
            })?;
            if !normalised.is_empty() {
                normalised.push(' ');
            }
            normalised.push_str(if upper == "?" { "*" } else { &upper });
        }
        let (day, month) = (words[words.len() - 3], words[words.len() - 2]);
        Ok(Self {
            normalised,
            days: span_in(text, day).start..span_in(text, month).end,
        })
    }

    fn from_macro(found: &str, span: Range<usize>) -> Result<Self, CronError> {
        let known = |name: &str| MACROS.iter().find(|(known, _)| *known == name);
        match known(&found.to_ascii_lowercase()) {
            Some((_, pattern)) => Ok(Self {
                normalised: (*pattern).to_owned(),
                days: span,
            }),
            None => Err(CronError::Macro {
                found: found.escape_debug().to_string(),
                hint: macro_hint(&found.to_ascii_lowercase()),
                span,
            }),
        }
    }

    fn are_fixed_times(&self) -> bool {
        let times = self.normalised.split(' ').take(3);
        times
            .into_iter()
            .all(|field| !field.contains(['*', '-', '/']))
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
