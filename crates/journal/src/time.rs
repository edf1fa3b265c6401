//! UTC dates and times as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day(pub i64);

impl Day {
    /// The day a moment lies in. Moments before 1970 count as 1970-01-01.
    pub fn of(moment: SystemTime) -> Self {
        let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_secs() / 86_400).unwrap_or(i64::MAX / 1_000_000))
    }

    /// The day written as `YYYY-MM-DD`, if the text is one.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |range: std::ops::Range<usize>| {
            let digits = text.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i64>().ok())?
        };
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let found = Self(days(year, month, day));
        // A day that does not exist comes back as another.
        (text.len() == 10 && found.date() == text).then_some(found)
    }

    /// `YYYY-MM-DD`
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.0);
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `YYYY-MM`
    pub fn month(self) -> String {
        let (year, month, _) = civil(self.0);
        format!("{year:04}-{month:02}")
    }
}

/// `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339).
pub(crate) fn timestamp(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since.as_secs() % 86_400;
    let date = Day::of(moment).date();
    let (hour, minute, second, milliseconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60, since.subsec_millis());
    format!("{date}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// Year, month and day of a day in the Gregorian calendar, years counted from March so that the leap day comes last.
fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day_of_year - (153 * shifted_month + 2) / 5 + 1)
}

/// The inverse of [`civil`].
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (day, date) in
            [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (19_782, "2024-02-29"), (20_787, "2026-11-30")]
        {
            assert_eq!(Day(day).date(), date);
            assert_eq!(Day::parse(date), Some(Day(day)));
        }
        for day in -1_000..60_000 {
            assert_eq!(Day::parse(&Day(day).date()), Some(Day(day)));
        }
        for text in ["2023-02-29", "2023-13-01", "2023-1-01", "2023-01-01x", "", "+023-01-01", "202é-01-01"] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }

    #[test]
    fn times() {
        let moment = UNIX_EPOCH + Duration::from_millis(1_709_209_815_250);
        assert_eq!(timestamp(moment), "2024-02-29T12:30:15.250Z");
        assert_eq!(timestamp(UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00.000Z");
    }
}
