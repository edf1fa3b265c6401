//! Words outside of quotes.
//!
//! A word ends at an unquoted metacharacter. Where it stands decides what else counts in it: braces are not expanded in
//! assignment values, patterns not in here-document delimiters. [`Mode`] says which.
//!
//! Source: bash(1) 5.2, QUOTING, EXPANSION; POSIX XCU 2.3.

use super::brace::{self, Mark, Marks};
use super::cursor::Parser;
use super::parts::Parts;
use super::reserved::{is_meta, is_name, is_name_start};
use crate::budget;
use crate::tree::{IssueCode, PartKind, Quote, Word};

/// What counts in a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mode {
    braces: bool,
    globs: bool,
    tildes: Tildes,
    /// The right side of `=~`: parentheses group and `|` separates inside the word.
    regex: bool,
    /// The first word of a command, which may be the name of a function: `f*()`.
    command: bool,
    /// `name=(…)` is an array.
    arrays: bool,
}

/// Where a `~` may stand for a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tildes {
    Nowhere,
    /// At the start, and in what looks like an assignment as in a value.
    Start,
    /// At the start and after each `:`.
    Value,
}

impl Mode {
    /// The first word of a simple command.
    pub(super) const COMMAND: Self = Self { command: true, ..Self::ARGUMENT };
    /// A further word, a word of `for`, a redirection target.
    pub(super) const ARGUMENT: Self =
        Self { braces: true, globs: true, tildes: Tildes::Start, regex: false, command: false, arrays: false };
    /// A further word of a simple command.
    pub(super) const OPERAND: Self = Self { arrays: true, ..Self::ARGUMENT };
    /// The value of an assignment.
    pub(super) const VALUE: Self = Self { braces: false, tildes: Tildes::Value, ..Self::ARGUMENT };
    /// The subject and patterns of `case`, operands of `[[`, the text of a here-string.
    pub(super) const UNSPLIT: Self = Self { braces: false, ..Self::ARGUMENT };
    /// The right side of `=~`.
    pub(super) const REGEX: Self = Self { globs: false, regex: true, ..Self::UNSPLIT };
    /// A here-document delimiter or a name: only quoting counts.
    pub(super) const PLAIN: Self = Self { globs: false, tildes: Tildes::Nowhere, ..Self::UNSPLIT };

    /// Whether it is the right side of `=~`.
    pub(super) fn is_regex(self) -> bool {
        self.regex
    }
}

/// A byte that is text whatever comes around it.
const PLAIN: u8 = 1;
/// A byte that is text unless a brace is open.
const BRACE: u8 = 2;
/// `]`: text unless a bracket is open.
const BRACKET: u8 = 4;

/// The class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [PLAIN; 256];
    let mut rest: &mut [u8] = &mut classes;
    let mut byte = 0_u8;
    // Constant evaluation has no iterators, and indexing is denied everywhere.
    while let Some((class, others)) = rest.split_first_mut() {
        *class = class_of(byte);
        byte = byte.wrapping_add(1);
        rest = others;
    }
    classes
};

const fn class_of(byte: u8) -> u8 {
    match byte {
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => 0,
        b'\\' | b'\'' | b'"' | b'$' | b'`' | b'*' | b'?' | b'[' | b'{' | b'~' => 0,
        b',' | b'.' | b'}' => BRACE,
        b']' => BRACKET,
        _ => PLAIN,
    }
}

/// What is open inside a word.
#[derive(Default)]
struct Open {
    marks: Marks,
    /// The part that is a `[` whose `]` was not found at once.
    bracket: Option<usize>,
    /// Extended globs.
    groups: usize,
    /// Parentheses of a regular expression.
    parentheses: usize,
    /// Whether the word begins like an assignment, once that was asked.
    assignment: Option<bool>,
}

impl Parser<'_> {
    /// The word at the cursor.
    pub(super) fn word(&mut self, mode: Mode) -> Word {
        self.word_after(Parts::new(), self.position, mode)
    }

    /// The rest of a word that began at `start` with `parts`.
    pub(super) fn word_after(&mut self, mut parts: Parts, start: usize, mode: Mode) -> Word {
        if !self.count_word() {
            return parts.into_word(start, self.position);
        }
        self.uncounted_word(&mut parts, start, mode);
        parts.into_word(start, self.position)
    }

    /// The rest of a word that began at `start`, into `parts`.
    pub(super) fn uncounted_word(&mut self, parts: &mut Parts, start: usize, mode: Mode) {
        let mut open = Open::default();
        loop {
            let text = PLAIN | if open.marks.open == 0 { BRACE } else { 0 } | if open.bracket.is_none() { BRACKET } else { 0 };
            let run = self.position;
            while self.peek().is_some_and(|byte| CLASSES.get(usize::from(byte)).is_some_and(|class| class & text != 0)) {
                self.position += 1;
            }
            if self.position > run {
                parts.text(self.text(run, self.position), run, self.position, Quote::None);
            }
            let Some(byte) = self.peek() else { break };
            match byte {
                b'\\' => self.bare_escape(parts),
                b'\'' => self.single_quoted(parts),
                b'"' => self.double_quoted(parts, self.position, Quote::Double),
                b'$' => self.dollar(parts, Quote::None, None),
                b'`' => self.backticks(parts, Quote::None, None),
                b'*' | b'?' => self.star(parts, mode, &mut open),
                b'[' if mode.globs => self.open_bracket(parts, &mut open),
                b']' => {
                    if let Some(part) = open.bracket.take().and_then(|index| parts.part_mut(index)) {
                        part.kind = PartKind::Glob("[".to_owned());
                    }
                    self.literal_byte(parts, Quote::None);
                }
                b'{' | b'}' | b',' | b'.' if mode.braces => {
                    if !self.brace_mark(parts, &mut open, byte, start) {
                        break;
                    }
                }
                b'~' => self.tilde_in_word(parts, mode, &mut open, start),
                b'<' | b'>' if self.second().0 == Some(b'(') => self.process_substitution(parts),
                b'(' => {
                    if !self.parenthesis(parts, mode, &mut open) {
                        break;
                    }
                }
                b')' if open.parentheses > 0 => {
                    open.parentheses -= 1;
                    self.literal_byte(parts, Quote::None);
                }
                b')' if open.groups > 0 => {
                    open.groups -= 1;
                    self.leave();
                    self.glob_byte(parts);
                }
                b'|' if open.groups > 0 => self.glob_byte(parts),
                b'|' if mode.regex => self.literal_byte(parts, Quote::None),
                _ if is_meta(byte) && open.groups == 0 && open.parentheses == 0 => break,
                _ => self.literal_byte(parts, Quote::None),
            }
        }
        if open.groups > 0 || open.parentheses > 0 {
            self.issue(IssueCode::UnclosedSubstitution, start);
            for _ in 0..open.groups {
                self.leave();
            }
        }
        if !open.marks.is_empty() {
            let read = std::mem::replace(parts, Parts::new());
            parts.extend(brace::fold(read.into_parts(), &open.marks));
        }
    }

    /// `*` or `?`.
    fn star(&mut self, parts: &mut Parts, mode: Mode, open: &mut Open) {
        if !mode.globs {
            self.literal_byte(parts, Quote::None);
            return;
        }
        let (next, at) = self.second();
        if next == Some(b'(') && !(mode.command && self.is_empty_parentheses(at)) {
            self.extended_glob(parts, self.position, at, &mut open.groups);
        } else {
            self.glob_byte(parts);
        }
    }

    /// `[`.
    fn open_bracket(&mut self, parts: &mut Parts, open: &mut Open) {
        match self.simple_bracket() {
            // A comma between braces separates alternatives even inside brackets.
            Ok(end) if open.marks.open == 0 || !self.text(self.position, end).contains([',', '.']) => {
                self.glob_to(parts, end);
            }
            Err(end) if self.byte(end).is_none_or(is_meta) => self.literal_byte(parts, Quote::None),
            _ => {
                let start = self.position;
                self.position += 1;
                parts.push(PartKind::Literal("[".to_owned()), Quote::None, start, self.position);
                open.bracket.get_or_insert(parts.len() - 1);
            }
        }
    }

    /// `{`, `}`, `,` or `.` where braces may be expanded. `false` at the nesting limit.
    fn brace_mark(&mut self, parts: &mut Parts, open: &mut Open, byte: u8, start: usize) -> bool {
        let (mark, length) = match byte {
            // `{}` at the start of a word is text.
            b'{' if self.position == start && self.second().0 == Some(b'}') => {
                self.literal_byte(parts, Quote::None);
                self.position = self.joined(self.position);
                self.literal_byte(parts, Quote::None);
                return true;
            }
            b'{' => (Mark::Open, 1),
            b'}' => (Mark::Close, 1),
            b',' => (Mark::Comma, 1),
            _ => {
                let dots = self.byte(self.position + 1) == Some(b'.') && self.byte(self.position + 2) != Some(b'}');
                if !dots {
                    self.literal_byte(parts, Quote::None);
                    return true;
                }
                (Mark::Dots, 2)
            }
        };
        if mark == Mark::Open && self.depth + open.marks.open >= budget::NESTING {
            self.limit(IssueCode::TooDeep);
            return false;
        }
        let at = self.position;
        self.position += length;
        parts.push(PartKind::Literal(self.text(at, self.position).to_owned()), Quote::None, at, self.position);
        open.marks.add(parts.len() - 1, mark);
        true
    }

    /// `(`. `false` where it ends the word.
    fn parenthesis(&mut self, parts: &mut Parts, mode: Mode, open: &mut Open) -> bool {
        if mode.regex || open.parentheses > 0 {
            open.parentheses += 1;
            self.literal_byte(parts, Quote::None);
            return true;
        }
        if mode.globs
            && matches!(parts.last_bare_byte(), Some(b'@' | b'+' | b'!'))
            && !(mode.command && self.is_empty_parentheses(self.position))
        {
            parts.pop_bare_byte();
            let operator = self.operator_before(self.position);
            self.extended_glob(parts, operator, self.position, &mut open.groups);
            return true;
        }
        if open.groups > 0 {
            if self.enter() {
                open.groups += 1;
                self.glob_byte(parts);
            }
            return true;
        }
        if mode.arrays && parts.only_bare_text().is_some_and(is_array_head) {
            self.array_argument(parts);
            return true;
        }
        false
    }

    /// The offset of the one-byte operator before `open`, over joined lines.
    fn operator_before(&self, open: usize) -> usize {
        let mut offset = open;
        while offset >= 2 && self.byte(offset - 1) == Some(b'\n') && self.byte(offset - 2) == Some(b'\\') {
            offset -= 2;
        }
        offset.saturating_sub(1)
    }

    /// Whether `(` at `open` and `)` stand together, as after the name of a function.
    pub(super) fn is_empty_parentheses(&self, open: usize) -> bool {
        let mut offset = self.joined(open + 1);
        while matches!(self.byte(offset), Some(b' ' | b'\t')) {
            offset = self.joined(offset + 1);
        }
        self.byte(offset) == Some(b')')
    }

    /// A `~` in a word.
    fn tilde_in_word(&mut self, parts: &mut Parts, mode: Mode, open: &mut Open, start: usize) {
        let begins = self.position == start || open.marks.may_begin_word(parts.len());
        let in_value = match mode.tildes {
            Tildes::Nowhere => {
                self.literal_byte(parts, Quote::None);
                return;
            }
            Tildes::Value => parts.last_bare_byte() == Some(b':'),
            Tildes::Start => {
                matches!(parts.last_bare_byte(), Some(b':' | b'='))
                    && *open.assignment.get_or_insert_with(|| looks_like_assignment(self.text(start, self.position)))
            }
        };
        if !begins && !in_value {
            self.literal_byte(parts, Quote::None);
            return;
        }
        let stops: &[u8] = match (in_value || mode.tildes == Tildes::Value, open.marks.open > 0) {
            (false, false) => b"/",
            (true, false) => b"/:",
            (false, true) => b"/,}",
            (true, true) => b"/:,}",
        };
        self.tilde(parts, stops);
    }

    /// The `~` at the cursor: an expansion if its name ends at one of `stops` or where the word ends, else text.
    pub(super) fn tilde(&mut self, parts: &mut Parts, stops: &[u8]) {
        let start = self.position;
        let mut end = self.joined(start + 1);
        while self
            .byte(end)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'.' | b'_' | b'+' | b'-'))
        {
            end = self.joined(end + 1);
        }
        let ends = self.byte(end).is_none_or(|byte| is_meta(byte) || stops.contains(&byte));
        if !ends {
            self.literal_byte(parts, Quote::None);
            return;
        }
        self.position = end;
        let name = self.text(start + 1, end).replace("\\\n", "");
        parts.push(PartKind::Tilde(name), Quote::None, start, end);
    }
}

/// Whether `text` is `name=` or `name+=`.
fn is_array_head(text: &str) -> bool {
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name)
}

/// Whether `text` begins with `name=`. An argument that does has its tildes expanded like an assignment.
fn looks_like_assignment(text: &str) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    name.len() < text.len() && name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name)
}
