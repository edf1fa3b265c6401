//! Bytes from an agent → one JSON object, within the bounds of [`sekisho_verdict::bounds`].

use sekisho_verdict::json::LIMIT_MARK;
use sekisho_verdict::{Json, bounds};

use crate::Event;

/// Said of an input that exceeds a bound; repeats nothing of it.
pub const TOO_LARGE: &str = "this tool call is larger or more deeply nested than sekisho reads";

/// Reads one JSON object. A byte order mark in front and a missing newline at the end are fine.
///
/// # Errors
/// The event to answer with: too large, not JSON, a duplicate key, not UTF-8, not an object.
pub fn read_object(bytes: &[u8]) -> Result<Json, Event> {
    if bytes.len() > bounds::STDIN_BYTES {
        return Err(too_large());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(malformed("the agent sent nothing on standard input"));
    }
    match serde_json::from_slice::<Json>(bytes) {
        Ok(object @ Json::Object(_)) => Ok(object),
        Ok(_) => Err(malformed("the event is not a JSON object")),
        Err(error) if error.to_string().contains(LIMIT_MARK) => Err(too_large()),
        // The parser's own message may quote the input, so only the position is repeated. Its nesting limit is above ours.
        Err(error) => Err(malformed(&format!(
            "the event is not the JSON that was announced (line {}, column {}): cut off, a duplicate key, or not UTF-8",
            error.line(),
            error.column()
        ))),
    }
}

/// An event that cannot be read, with the reason.
pub fn malformed(what: &str) -> Event {
    Event::Malformed { reason: format!("this tool call cannot be read: {what}"), limit: false }
}

/// An event beyond a bound.
pub fn too_large() -> Event {
    Event::Malformed { reason: TOO_LARGE.to_owned(), limit: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(bytes: &[u8]) -> &'static str {
        match read_object(bytes) {
            Ok(_) => "object",
            Err(Event::Malformed { limit: true, .. }) => "limit",
            Err(Event::Malformed { limit: false, .. }) => "malformed",
            Err(_) => "other",
        }
    }

    #[test]
    fn objects_are_read() {
        for text in ["{}", "\u{feff}{}", " {\"a\": [1, null]}\r\n", "{\"a\": \"\\ud83d\\ude00\"}"] {
            assert_eq!(kind(text.as_bytes()), "object", "{text}");
        }
    }

    #[test]
    fn other_input_is_malformed() {
        for text in [
            "",
            "\n",
            "[]",
            "null",
            "\"x\"",
            "{",
            "{\"a\":1,\"a\":1}",
            "{\"a\":{\"b\":1,\"b\":2}}",
            "{} {}",
            "{\"a\":\"\\ud800\"}",
            "hello",
        ] {
            assert_eq!(kind(text.as_bytes()), "malformed", "{text}");
        }
        assert_eq!(kind(b"{\"a\":\"\xff\"}"), "malformed");
    }

    #[test]
    fn a_bound_is_passed_exactly_and_not_exceeded() {
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        assert_eq!(kind(nested(bounds::DEPTH).as_bytes()), "object");
        assert_eq!(kind(nested(bounds::DEPTH + 1).as_bytes()), "limit");
        let values = |count: usize| format!("{{\"a\":[{}]}}", vec!["0"; count - 2].join(","));
        // Every index counts as a key, so the keys run out one value earlier than the values.
        assert_eq!(kind(values(bounds::VALUES).as_bytes()), "object");
        assert_eq!(kind(values(bounds::VALUES + 1).as_bytes()), "limit");
        let string = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes));
        assert_eq!(kind(string(bounds::STRING_BYTES).as_bytes()), "object");
        assert_eq!(kind(string(bounds::STRING_BYTES + 1).as_bytes()), "limit");
        let strings = |last: usize| {
            let whole = "x".repeat(bounds::STRING_BYTES);
            format!("{{\"a\":[\"{whole}\",\"{whole}\",\"{whole}\",\"{}\"]}}", "x".repeat(last))
        };
        assert_eq!(kind(strings(bounds::STRING_BYTES).as_bytes()), "object");
        assert_eq!(kind(format!("{{\"b\":\"y\",{}", strings(bounds::STRING_BYTES).trim_start_matches('{')).as_bytes()), "limit");
        assert_eq!(kind(&vec![b' '; bounds::STDIN_BYTES + 1]), "limit");
    }

    #[test]
    fn nothing_of_the_input_is_repeated() {
        for text in ["{\"token\":hunter2}", "{\"hunter2\":1,\"hunter2\":2}", "hunter2"] {
            let Err(Event::Malformed { reason, .. }) = read_object(text.as_bytes()) else { panic!("{text} was read") };
            assert!(!reason.contains("hunter2"), "{reason}");
        }
    }
}
