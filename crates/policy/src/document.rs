//! A settings file as text: JSON that may hold comments and trailing commas, with the place of every value, and the list of what
//! is wrong with it.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// Bytes of a settings file. Source: the limits every policy file has.
pub(crate) const FILE_BYTES: usize = 256 * 1024;
/// Nesting of a settings file. The parser below calls itself once a level.
const DEPTH: usize = 16;

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The user's own.
    User,
    /// The project's, which may only tighten.
    Project,
    /// Variables of the process.
    Environment,
}

impl Scope {
    /// The word used on the screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Environment => "environment",
        }
    }
}

/// One thing that is wrong with the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whose settings.
    pub scope: Scope,
    /// The file, or the name of the variable.
    pub file: String,
    /// Line, from 1; absent where the file as a whole is meant.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// The field, as in `safety.level`. Unlike the other texts it may hold words from the file.
    pub field: Option<String>,
    /// What is wrong, and what is in force instead. Holds no text from the file.
    pub what: &'static str,
    /// How to put it right.
    pub fix: &'static str,
    /// The configuration counts as degraded because of it.
    pub degrades: bool,
}

impl Diagnostic {
    /// `file:line:column: what`, without words from the file.
    pub fn sentence(&self) -> String {
        let place = match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.file),
            _ => self.file.clone(),
        };
        format!("{place}: {}", self.what)
    }
}

/// A file being read.
pub(crate) struct Document<'a> {
    pub scope: Scope,
    pub file: &'a str,
    text: &'a str,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    pub fn new(scope: Scope, file: &'a str, text: &'a str) -> Self {
        Self { scope, file, text: text.strip_prefix('\u{feff}').unwrap_or(text), diagnostics: Vec::new() }
    }

    /// The object the file holds; what is wrong is noted otherwise.
    pub fn root(&mut self) -> Option<Object<'a>> {
        const FIX: &str = "Correct the file; `sekisho policy check` shows what is read.";
        if self.text.len() > FILE_BYTES {
            self.note(None, None, "the file is too large to be read", "Keep it below 256 KiB.");
            return None;
        }
        if is_too_deep(self.text) {
            self.note(None, None, "the file is nested too deeply to be read", FIX);
            return None;
        }
        let collect = CollectOptions { comments: jsonc_parser::CommentCollectionStrategy::Off, tokens: false };
        let options = ParseOptions { allow_comments: true, allow_loose_object_property_names: false, allow_trailing_commas: true };
        match parse_to_ast(self.text, &collect, &options) {
            Ok(parsed) => match parsed.value {
                Some(Value::Object(object)) => Some(object),
                _ => {
                    self.note(None, None, "the file does not hold an object", FIX);
                    None
                }
            },
            Err(error) => {
                let range = error.range();
                self.note(Some(range), None, "the file is not valid JSON", FIX);
                None
            }
        }
    }

    /// The line a value begins on, from 1.
    pub fn line_of(&self, range: Range) -> Option<usize> {
        Some(position(self.text, range.start).0)
    }

    /// Notes something that degrades the configuration.
    pub fn note(&mut self, range: Option<Range>, field: Option<&str>, what: &'static str, fix: &'static str) {
        self.add(range, field, what, fix, true);
    }

    /// Notes something that changes nothing that is in force.
    pub fn remark(&mut self, range: Option<Range>, field: Option<&str>, what: &'static str, fix: &'static str) {
        self.add(range, field, what, fix, false);
    }

    fn add(&mut self, range: Option<Range>, field: Option<&str>, what: &'static str, fix: &'static str, degrades: bool) {
        let place = range.map(|range| position(self.text, range.start));
        self.diagnostics.push(Diagnostic {
            scope: self.scope,
            file: self.file.to_owned(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            field: field.map(str::to_owned),
            what,
            fix,
            degrades,
        });
    }

    /// The properties of an object, each key once. `field` is the object's own path, empty for the root.
    pub fn properties<'v>(&mut self, object: &'v Object<'a>, field: &str) -> Vec<(&'v str, &'v Value<'a>, Range)> {
        let mut properties: Vec<(&str, &Value<'a>, Range)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for property in &object.properties {
            let name = property.name.as_str();
            if seen.insert(name) {
                properties.push((name, &property.value, property.range));
            } else {
                let path = below(field, name);
                self.note(
                    Some(property.range),
                    Some(&path),
                    "the same key stands there twice; the first counts",
                    "Remove one of them.",
                );
            }
        }
        properties
    }

    /// Notes a key that nobody knows.
    pub fn unknown_key(&mut self, range: Range, field: &str, name: &str) {
        let path = below(field, name);
        self.note(Some(range), Some(&path), "this key is not known and has no effect", "Check its spelling, or remove it.");
    }

    /// The strings of an array; others are noted and left out.
    pub fn strings(&mut self, value: &Value<'a>, field: &str) -> Vec<(String, Range)> {
        const FIX: &str = "Write a list of texts: [\"…\", \"…\"].";
        let Value::Array(array) = value else {
            self.note(Some(value.range()), Some(field), "a list of texts is expected; it has no effect", FIX);
            return Vec::new();
        };
        let mut strings = Vec::new();
        for element in &array.elements {
            match element {
                Value::StringLit(text) => strings.push((text.value.to_string(), text.range)),
                other => self.note(Some(other.range()), Some(field), "a text is expected; this entry has no effect", FIX),
            }
        }
        strings
    }

    pub fn boolean(&mut self, value: &Value<'a>, field: &str) -> Option<bool> {
        match value {
            Value::BooleanLit(literal) => Some(literal.value),
            other => {
                self.note(
                    Some(other.range()),
                    Some(field),
                    "true or false is expected; the default is in force",
                    "Write true or false.",
                );
                None
            }
        }
    }

    pub fn object<'v>(&mut self, value: &'v Value<'a>, field: &str) -> Option<&'v Object<'a>> {
        match value {
            Value::Object(object) => Some(object),
            other => {
                self.note(Some(other.range()), Some(field), "an object is expected; the defaults are in force", "Write { … }.");
                None
            }
        }
    }

    /// One of a few words.
    pub fn word<T: Copy>(&mut self, value: &Value<'a>, field: &str, words: &[(&str, T)], fix: &'static str) -> Option<T> {
        let found = match value {
            Value::StringLit(text) => words.iter().find(|(word, _)| *word == text.value).map(|(_, value)| *value),
            _ => None,
        };
        if found.is_none() {
            self.note(Some(value.range()), Some(field), "the value is not one of those allowed; it has no effect", fix);
        }
        found
    }
}

pub(crate) fn below(field: &str, name: &str) -> String {
    if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") }
}

/// Line and column of a byte, both from 1.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count();
    (before.bytes().filter(|byte| *byte == b'\n').count() + 1, column + 1)
}

/// Whether brackets outside texts and comments nest deeper than the parser may follow.
fn is_too_deep(text: &str) -> bool {
    let mut depth: usize = 0;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' | b'\'' => skip_text(&mut bytes, byte),
            b'/' if bytes.peek() == Some(&b'/') => while bytes.next_if(|byte| *byte != b'\n').is_some() {},
            b'/' if bytes.next_if_eq(&b'*').is_some() => {
                let mut last = 0;
                for byte in bytes.by_ref() {
                    if last == b'*' && byte == b'/' {
                        break;
                    }
                    last = byte;
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return true;
        }
    }
    false
}

fn skip_text(bytes: &mut impl Iterator<Item = u8>, quote: u8) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            // No text goes over a line end, and a broken one must not hide the brackets behind it.
            b'\n' => return,
            _ if byte == quote => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_before_anything_recurses() {
        assert!(!is_too_deep(&"[".repeat(DEPTH)));
        assert!(is_too_deep(&"[".repeat(DEPTH + 1)));
        assert!(!is_too_deep(&format!("\"{}\"", "[".repeat(99))));
        assert!(!is_too_deep(&format!("// {}\n/* {} */ 1", "[".repeat(99), "{".repeat(99))));
        assert!(is_too_deep(&format!("\"\n{}", "[".repeat(99))));
        assert!(is_too_deep(&format!("/* x */ \"a\\\"\" {}", "[".repeat(99))));
        assert!(!is_too_deep(&"[]".repeat(99)));
        let text = "[".repeat(200_000);
        assert!(Document::new(Scope::Project, "x", &text).root().is_none());
    }

    #[test]
    fn places_are_lines_and_columns() {
        assert_eq!(position("a\nbé c", 6), (2, 4));
        let mut document = Document::new(Scope::User, "p", "{\n  \"a\": 1,\n  \"a\": 2,\n}");
        let root = document.root().unwrap();
        assert_eq!(document.properties(&root, "").len(), 1);
        assert_eq!(document.diagnostics[0].sentence(), "p:3:3: the same key stands there twice; the first counts");
        for broken in ["", "[]", "{", "{a: 1}", "{\"a\": }", "{} {}"] {
            let mut document = Document::new(Scope::User, "p", broken);
            assert!(document.root().is_none(), "{broken}");
            assert_eq!(document.diagnostics.len(), 1, "{broken}");
        }
    }
}
