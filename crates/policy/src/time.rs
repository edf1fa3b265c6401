//! Moments as policy files write them.

/// Seconds since 1970 of an RFC 3339 date and time, or of a date alone, which means its end (UTC). Source: RFC 3339 §5.6.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| {
        let digits = text.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i64>().ok())?
    };
    let is = |at: usize, allowed: &[u8]| text.as_bytes().get(at).is_some_and(|byte| allowed.contains(byte));
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if !is(4, b"-") || !is(7, b"-") || !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    let days = days_since_1970(year, month, day);
    if text.len() == 10 {
        return Some((days + 1) * 86_400);
    }
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !is(10, b"Tt ") || !is(13, b":") || !is(16, b":") || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let rest = text.get(19..)?;
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
            (zone.len() < fraction.len()).then_some(zone)?
        }
        None => rest,
    };
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second - offset(rest)?)
}

/// Seconds east of UTC.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let part = |text: &str, most: i64| {
        (text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse().ok())?
            .filter(|value: &i64| *value <= most)
    };
    Some(sign * (part(hours, 23)? * 3_600 + part(minutes, 59)? * 60))
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2024-02-29T12:30:15Z", Some(1_709_209_815)),
            ("2024-02-29T12:30:15.250+02:00", Some(1_709_202_615)),
            ("2024-02-29t12:30:15-00:30", Some(1_709_211_615)),
            ("1970-01-01", Some(86_400)),
            ("2000-03-01T00:00:00Z", Some(951_868_800)),
            ("1969-12-31T23:59:59Z", Some(-1)),
            ("2023-02-29", None),
            ("2023-13-01", None),
            ("2023-01-01T24:00:00Z", None),
            ("2023-01-01T00:00:00", None),
            ("2023-01-01T00:00:00.Z", None),
            ("2023-01-01T00:00:00+2:00", None),
            ("+023-01-01", None),
            ("soon", None),
            ("", None),
            ("2023-0é-01", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
