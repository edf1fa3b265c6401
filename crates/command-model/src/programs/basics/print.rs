//! echo, printf, seq, yes.

use super::{TEXT_BYTES, line};
use crate::argument::{Argument, Cause, Partial, Value};
use crate::description::read::Reading;
use crate::effect::{Effect, EffectKind, Family};
use crate::stream::Stream;

/// The word is the value of a variable whose name says that it is a secret.
pub fn discloses(argument: &Argument) -> Option<Effect> {
    let Value::Dynamic(Partial { cause: Cause::Variable(name), .. }) = &argument.value else { return None };
    is_secret_variable(name).then(|| Effect::new(EffectKind::Disclose("variable".to_owned()), Family::General, argument.span))
}

/// A variable called so holds a secret.
pub fn is_secret_variable(name: &str) -> bool {
    const WORDS: &[&str] = &["TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "PRIVATE"];
    let name = name.to_ascii_uppercase();
    WORDS.iter().any(|word| name.contains(word)) || name.ends_with("KEY")
}

/// Source: bash 5.2, echo builtin. Options are only what consists of `n`, `e` and `E`; anything else is printed.
pub fn echo(arguments: &[Argument]) -> Stream {
    let (mut newline, mut escapes) = (true, false);
    let mut words = arguments;
    while let Some((first, rest)) = words.split_first() {
        let Some(letters) = first.known().and_then(|text| text.strip_prefix('-')) else {
            break;
        };
        if letters.is_empty() || !letters.chars().all(|letter| matches!(letter, 'n' | 'e' | 'E')) {
            break;
        }
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        words = rest;
    }
    let Some(text) = joined(words) else {
        return Stream::Words(words.iter().map(|word| word.value.clone()).collect());
    };
    let text = if escapes {
        let mut bytes = Vec::new();
        let all = unescape(&text, true, &mut bytes);
        let Ok(text) = String::from_utf8(bytes) else {
            return Stream::Unknown;
        };
        newline &= all;
        text
    } else {
        text
    };
    Stream::Known(if newline { format!("{text}\n") } else { text })
}

fn joined(words: &[Argument]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(Argument::known).collect::<Option<_>>()?;
    Some(texts.join(" "))
}

/// Source: bash 5.2, printf builtin; POSIX.1-2017 printf(1).
pub fn printf(arguments: &[Argument]) -> Stream {
    let arguments = match arguments.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        // `printf -v name` assigns and prints nothing; the shell's state is the analysis' business.
        Some((first, _)) if first.known() == Some("-v") => return Stream::Nothing,
        _ => arguments,
    };
    let Some((format, values)) = arguments.split_first() else {
        return Stream::Nothing;
    };
    let Some(format) = format.known() else {
        return Stream::Unknown;
    };
    let texts: Option<Vec<&str>> = values.iter().map(Argument::known).collect();
    match texts {
        Some(texts) => formatted(format, &texts).map_or(Stream::Unknown, Stream::Known),
        None if matches!(format, "%s" | "%s\\n" | "%s " | "%s\\0" | "%s\n") => {
            Stream::Words(values.iter().map(|word| word.value.clone()).collect())
        }
        None => Stream::Unknown,
    }
}

/// The text, or `None` where a conversion is not modelled.
fn formatted(format: &str, values: &[&str]) -> Option<String> {
    let mut bytes = Vec::new();
    let mut values = values.iter().copied();
    let mut remaining = values.len();
    loop {
        let before = remaining;
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            if !unescape(rest.get(..at)?, false, &mut bytes) {
                return String::from_utf8(bytes).ok();
            }
            let mut letters = rest.get(at + 1..)?.chars();
            let conversion = letters.next()?;
            rest = letters.as_str();
            if conversion == '%' {
                bytes.push(b'%');
                continue;
            }
            let value = values.next().unwrap_or_default();
            remaining = remaining.saturating_sub(1);
            match conversion {
                's' => bytes.extend(value.bytes()),
                'd' | 'i' | 'u' => {
                    let number: i64 = if value.is_empty() { 0 } else { value.trim().parse().ok()? };
                    bytes.extend(number.to_string().bytes());
                }
                'c' => bytes.extend(value.chars().next().map(String::from).unwrap_or_default().bytes()),
                'b' => {
                    if !unescape(value, true, &mut bytes) {
                        return String::from_utf8(bytes).ok();
                    }
                }
                'q' if value.chars().all(|character| character.is_ascii_alphanumeric() || "/._-".contains(character)) => {
                    bytes.extend(value.bytes());
                }
                _ => return None,
            }
            if bytes.len() > TEXT_BYTES {
                return None;
            }
        }
        if !unescape(rest, false, &mut bytes) || remaining == 0 || remaining == before || bytes.len() > TEXT_BYTES {
            // A format without conversions ignores its values.
            return if bytes.len() > TEXT_BYTES { None } else { String::from_utf8(bytes).ok() };
        }
    }
}

/// Adds `text` with its backslash escapes read; false where `\c` ends all output. `zero`: octal is written `\0nnn` (echo, `%b`),
/// otherwise `\nnn`.
fn unescape(text: &str, zero: bool, bytes: &mut Vec<u8>) -> bool {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let Some(escape) = letters.next() else {
            bytes.push(b'\\');
            break;
        };
        let plain = match escape {
            'n' => Some(b'\n'),
            't' => Some(b'\t'),
            'r' => Some(b'\r'),
            'a' => Some(7),
            'b' => Some(8),
            'v' => Some(11),
            'f' => Some(12),
            'e' | 'E' => Some(27),
            '\\' => Some(b'\\'),
            _ => None,
        };
        let mut digits = |radix: u32, most: usize, first: Option<u32>| {
            let mut value = first;
            let mut count = usize::from(first.is_some());
            while count < most
                && let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(radix))
            {
                value = Some(value.unwrap_or(0).wrapping_mul(radix).wrapping_add(digit));
                letters.next();
                count += 1;
            }
            value
        };
        match (plain, escape) {
            (Some(byte), _) => bytes.push(byte),
            (None, 'c') => return false,
            (None, 'x') => match digits(16, 2, None) {
                Some(value) => bytes.push((value & 0xff) as u8),
                None => bytes.extend(*b"\\x"),
            },
            (None, 'u' | 'U') => {
                let most = if escape == 'u' { 4 } else { 8 };
                if let Some(character) = digits(16, most, None).and_then(char::from_u32) {
                    bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
                }
            }
            (None, '0') => bytes.push((digits(8, if zero { 4 } else { 3 }, Some(0)).unwrap_or(0) & 0xff) as u8),
            (None, '1'..='7') => bytes.push((digits(8, 3, escape.to_digit(8)).unwrap_or(0) & 0xff) as u8),
            (None, other) => {
                bytes.push(b'\\');
                bytes.extend(other.encode_utf8(&mut [0; 4]).bytes());
            }
        }
    }
    true
}

/// Source: GNU coreutils 9.5, seq(1). Whole numbers, a thousand of them at most.
pub fn seq(reading: &Reading<'_>) -> Stream {
    const NUMBERS: usize = 1000;
    if reading.parsed.options.iter().any(|found| found.id.is_some()) {
        return Stream::Unknown;
    }
    let numbers: Option<Vec<i64>> =
        reading.parsed.operands(reading.arguments).map(|word| word.known().and_then(|text| text.parse().ok())).collect();
    let (first, step, last) = match numbers.as_deref() {
        Some([last]) => (1, 1, *last),
        Some([first, last]) => (*first, 1, *last),
        Some([first, step, last]) if *step != 0 => (*first, *step, *last),
        _ => return Stream::Unknown,
    };
    let mut text = String::new();
    let mut number = first;
    let mut count = 0;
    while if step > 0 { number <= last } else { number >= last } {
        count += 1;
        let Some(next) = number.checked_add(step).filter(|_| count <= NUMBERS) else {
            return Stream::Unknown;
        };
        text.push_str(&format!("{number}\n"));
        number = next;
    }
    Stream::Known(text)
}

/// The line it repeats, once: what reads it runs it at least once.
pub fn yes(reading: &Reading<'_>) -> Stream {
    if reading.arguments.is_empty() {
        return line("y");
    }
    match joined(reading.arguments) {
        Some(text) => line(&text),
        None => Stream::Words(reading.arguments.iter().map(|word| word.value.clone()).collect::<Vec<Value>>()),
    }
}
