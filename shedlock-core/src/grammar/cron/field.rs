use std::fmt;

/// A field of a cron pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CronField {
    /// 0-59; the first of 6 fields.
    Second,
    /// 0-59.
    Minute,
    /// 0-23.
    Hour,
    /// 1-31.
    DayOfMonth,
    /// 1-12.
    Month,
    /// 0-7, where 0 and 7 are Sunday.
    DayOfWeek,
}

impl fmt::Display for CronField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::DayOfMonth => "day of month",
            Self::Month => "month",
            Self::DayOfWeek => "day of week",
        })
    }
}

/// What a day of month begins with that is counted from the last one, as in `L-3`.
pub(super) const BEFORE_LAST: &str = "L-";
const MONTHS: &[&str] = &[
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
const WEEKDAYS: &[&str] = &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

impl CronField {
    /// The fields in the order of a pattern of 6.
    pub(super) const ALL: [Self; 6] = [
        Self::Second,
        Self::Minute,
        Self::Hour,
        Self::DayOfMonth,
        Self::Month,
        Self::DayOfWeek,
    ];

    pub(super) fn allowed(self) -> &'static str {
        match self {
            Self::Second | Self::Minute => "0-59, `*`, `1,2`, `1-5`, `*/5`, `0/5`",
            Self::Hour => "0-23, `*`, `1,2`, `1-5`, `*/5`, `0/5`",
            Self::DayOfMonth => {
                "1-31, `*`, `?`, `1,2`, `1-5`, `*/5`, `1/5`, `L`, `L-3`, `LW`, `15W`"
            }
            Self::Month => "1-12 or JAN-DEC, `*`, `1,2`, `1-5`, `*/5`, `1/5`",
            Self::DayOfWeek => {
                "0-7 (0 and 7 are Sunday) or SUN-SAT, `*`, `?`, `1,2`, `1-5`, `*/2`, `5L`, `5#2`"
            }
        }
    }

    /// The part of `text`, in capitals, that this field does not allow, and why.
    pub(super) fn check(self, text: &str) -> Result<(), (&str, String)> {
        let is_day = matches!(self, Self::DayOfMonth | Self::DayOfWeek);
        if text == "*" || (text == "?" && is_day) {
            return Ok(());
        }
        // croner forgets the `L` when there is an `LW` too.
        let has = |wanted: &str| text.split(',').any(|item| item == wanted);
        if has("L") && has("LW") {
            return Err((text, "has both `L` and `LW`".to_owned()));
        }
        for item in text.split(',') {
            self.check_item(item).map_err(|problem| match item {
                "" => (text, "has an empty item".to_owned()),
                "*" | "?" if is_day || item == "*" => (text, format!("has `{item}` beside others")),
                _ => (item, problem),
            })?;
        }
        Ok(())
    }

    fn check_item(self, item: &str) -> Result<(), String> {
        if let Some((range, step)) = item.split_once('/') {
            return match range {
                "" => Err(format!("has a step without a start; write `*/{step}`")),
                "*" => self.check_step(step),
                _ => self.check_range(range).and_then(|()| self.check_step(step)),
            };
        }
        match self {
            Self::DayOfMonth if matches!(item, "L" | "LW") => Ok(()),
            Self::DayOfMonth => match (item.strip_prefix(BEFORE_LAST), item.strip_suffix('W')) {
                (Some(before), _) => match number(before) {
                    Some(1..=30) => Ok(()),
                    _ => Err(
                        "counts back from the last day by something else than 1 to 30".to_owned(),
                    ),
                },
                (None, Some(day)) => self.value(day).map(drop),
                (None, None) => self.check_range(item),
            },
            Self::DayOfWeek if item == "L" => {
                Err("needs a day; write `5L` for the last Friday of the month".to_owned())
            }
            Self::DayOfWeek => match item.split_once('#') {
                Some((day, "1" | "2" | "3" | "4" | "5")) => self.value(day).map(drop),
                Some((_, nth)) => Err(format!(
                    "has `#{nth}`, but a month has weekdays `#1` to `#5`"
                )),
                None => match item.strip_suffix('L') {
                    Some(day) => self.value(day).map(drop),
                    None => self.check_range(item),
                },
            },
            _ => self.check_range(item),
        }
    }

    fn check_range(self, range: &str) -> Result<(), String> {
        let Some((start, end)) = range.split_once('-') else {
            return self.value(range).map(drop);
        };
        let first = self.value(start)?;
        let last = match (self, end) {
            (Self::DayOfWeek, "SUN") => 7,
            _ => self.value(end)?,
        };
        if first <= last {
            return Ok(());
        }
        // A week that runs over Sunday has it as 7 and goes on with Monday.
        let (min, max) = self.limits();
        let restart = if self == Self::DayOfWeek { 1 } else { min };
        let wrapped = match last {
            last if last < restart => format!("{first}-{max}"),
            last if last == restart => format!("{first}-{max},{last}"),
            last => format!("{first}-{max},{restart}-{last}"),
        };
        Err(format!("runs backwards; write `{wrapped}`"))
    }

    fn check_step(self, step: &str) -> Result<(), String> {
        let (_, max) = self.limits();
        match number(step) {
            Some(step) if (1..=max).contains(&step) => Ok(()),
            _ => Err(format!("has a step that is not 1 to {max}")),
        }
    }

    fn value(self, text: &str) -> Result<u32, String> {
        let (min, max) = self.limits();
        if let Some(position) = self.names().iter().position(|name| *name == text) {
            return Ok(min + u32::try_from(position).unwrap_or(0));
        }
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err("cannot be read".to_owned());
        }
        match number(text) {
            Some(value) if (min..=max).contains(&value) => Ok(value),
            _ => Err("is out of range".to_owned()),
        }
    }

    fn limits(self) -> (u32, u32) {
        match self {
            Self::Second | Self::Minute => (0, 59),
            Self::Hour => (0, 23),
            Self::DayOfMonth => (1, 31),
            Self::Month => (1, 12),
            Self::DayOfWeek => (0, 7),
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Month => MONTHS,
            Self::DayOfWeek => WEEKDAYS,
            _ => &[],
        }
    }
}

/// `text` as a number if it is nothing but a few digits.
fn number(text: &str) -> Option<u32> {
    let is_short = text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_short)
}
