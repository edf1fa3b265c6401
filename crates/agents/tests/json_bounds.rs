//! The bounds on JSON an agent sends, from both sides, and what no reader may take for something else.

use sekisho_agents::Event;
use sekisho_agents::payload::read_object;
use sekisho_verdict::{Json, bounds};

/// How a text is read.
#[derive(Debug, PartialEq)]
enum Read {
    Object,
    TooLarge,
    Malformed,
    /// As an event of some kind, which no bound or broken text makes.
    Event,
}

use Read::{Malformed, Object, TooLarge};

fn read(bytes: &[u8]) -> Read {
    match read_object(bytes) {
        Ok(_) => Object,
        Err(Event::Malformed { limit: true, .. }) => TooLarge,
        Err(Event::Malformed { limit: false, .. }) => Malformed,
        Err(_) => Read::Event,
    }
}

fn check(what: &str, text: &str, expected: Read) {
    assert_eq!(read(text.as_bytes()), expected, "{what}");
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

#[test]
fn depth() {
    for (what, open, close) in [("arrays", "[", "]"), ("objects", "{\"k\":", "}"), ("both", "[{\"k\":", "}]")] {
        let levels = open.matches(['[', '{']).count();
        // The root object is depth 1; the scalar at the end does not count.
        let text = |depth: usize| {
            let rounds = (depth - 1) / levels;
            let odd = (depth - 1) % levels;
            format!("{{\"a\":{}{}0{}{}}}", "[".repeat(odd), open.repeat(rounds), close.repeat(rounds), "]".repeat(odd))
        };
        check(&format!("{what}, 64 deep"), &text(bounds::DEPTH), Object);
        check(&format!("{what}, 65 deep"), &text(bounds::DEPTH + 1), TooLarge);
        // The reader of numbers and strings has a bound of its own; ours is met first.
        check(&format!("{what}, 1,000 deep"), &text(1_000), TooLarge);
    }
    check("never closed", &"[".repeat(100_000), TooLarge);
    check("never closed, below the bound", "{\"a\":[[[", Malformed);
}

#[test]
fn values_and_keys() {
    let values = |count: usize| format!("{{\"a\":[{}]}}", list(count - 2, |_| "null".to_owned()));
    check("10,000 values", &values(bounds::VALUES), Object);
    check("10,001 values", &values(bounds::VALUES + 1), TooLarge);
    // The root is a value without a key, so keys alone never reach their bound first.
    let keys = |count: usize| format!("{{{}}}", list(count, |key| format!("\"k{key}\":0")));
    check("9,999 keys", &keys(bounds::KEYS - 1), Object);
    check("10,000 keys", &keys(bounds::KEYS), TooLarge);
    let spread = |count: usize| format!("{{\"a\":[{}]}}", list((count - 2) / 2, |_| "{\"k\":1}".to_owned()));
    check("values and keys at every level", &spread(bounds::VALUES), Object);
    check("values and keys at every level, over", &spread(bounds::VALUES + 2), TooLarge);
}

#[test]
fn strings() {
    // Bytes of the string itself, whatever was written for it.
    for (character, written) in
        [("x", "x"), ("é", "é"), ("日", "日"), ("😀", "😀"), ("é", "\\u00e9"), ("😀", "\\ud83d\\ude00"), ("\n", "\\n")]
    {
        let of_bytes = |bytes: usize| {
            let rest = bytes % character.len();
            format!("{{\"a\":\"{}{}\"}}", written.repeat(bytes / character.len()), "x".repeat(rest))
        };
        check(&format!("1 MiB of {written}"), &of_bytes(bounds::STRING_BYTES), Object);
        check(&format!("1 MiB of {written} and a byte"), &of_bytes(bounds::STRING_BYTES + 1), TooLarge);
    }
    let whole = format!("\"{}\"", "é".repeat(bounds::STRING_BYTES / 2));
    let total = |more: &str| format!("{{\"a\":[{whole},{whole},{whole},{whole}{more}]}}");
    check("4 MiB", &total(""), Object);
    check("4 MiB and an empty string", &total(",\"\""), Object);
    check("4 MiB and a byte", &total(",\"x\""), TooLarge);
}

#[test]
fn whole_input() {
    let padded = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    check("8 MiB", &padded(bounds::STDIN_BYTES), Object);
    check("8 MiB and a byte", &padded(bounds::STDIN_BYTES + 1), TooLarge);
}

#[test]
fn ambiguous_texts() {
    for text in [
        r#"{"a": 1, "a": 1}"#,
        r#"{"a": 1, "\u0061": 2}"#,
        r#"{"b": {"a": 1, "a": null}}"#,
        r#"{"b": [{"a": 1, "c": 2, "a": 3}]}"#,
        r#"{"": 1, "": 2}"#,
        // Half a surrogate pair, in every place.
        r#"{"a": "\ud83d"}"#,
        r#"{"a": "\ude00"}"#,
        r#"{"a": "\ude00\ud83d"}"#,
        r#"{"a": "\ud83dx"}"#,
        r#"{"a": "\ud83d\ud83d\ude00"}"#,
        r#"{"\ud800": 1}"#,
        // Not JSON, though some readers take it.
        r#"{"a": 1,}"#,
        r#"{a: 1}"#,
        r#"{'a': 1}"#,
        "{\"a\": \"b\nc\"}",
        r#"{"a": NaN}"#,
        r#"{"a": 01}"#,
        r#"{"a": 1} x"#,
        r#"{"a": 1}{"a": 2}"#,
        r#"// note"#,
        "{\"a\": 1}\0",
    ] {
        check(text, text, Malformed);
    }
    for bytes in [&b"{\"a\": \"\xed\xa0\x80\"}"[..], b"{\"a\": \"\xc0\xaf\"}", b"{\"a\": \"\xf5\x80\x80\x80\"}", b"\xff\xfe{\0}\0"]
    {
        assert_eq!(read(bytes), Malformed, "{bytes:?}");
    }
    // Keys that only look alike are different keys.
    for text in [r#"{"a": 1, "A": 2}"#, r#"{"a": 1, "a ": 2}"#, r#"{"a": {"a": 1}}"#, "{\"\u{e9}\": 1, \"e\u{301}\": 2}"] {
        check(text, text, Object);
    }
}

#[test]
fn a_large_number_is_a_number() {
    for text in [r#"{"a": 1e400}"#, r#"{"a": 123456789012345678901234567890}"#, r#"{"a": -0.0}"#] {
        if let Ok(object) = read_object(text.as_bytes()) {
            assert!(matches!(object.get("a"), Some(Json::Number(_))), "{text}");
        }
    }
}
