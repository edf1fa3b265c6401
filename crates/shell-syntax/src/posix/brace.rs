//! Brace expansions.
//!
//! bash expands braces before anything else, on the text of the word. While a word is read its unquoted `{`, `,`, `..` and `}` are
//! kept as parts of their own with a [`Mark`]; at the end of the word [`fold`] pairs them and turns those that make an expansion
//! into one part. All others become text again.
//!
//! The rules are those of `brace_gobbler` in bash 5.2 `braces.c`: a `}` ends the outermost open brace only when that holds a comma
//! or `..`, while inside it braces are simply counted. So `a{b}c,d}` is `ab}c ad`, and `{a,{b,c}` is `{a,b {a,c`.

use crate::span::Span;
use crate::tree::{BraceSequence, PartKind, Quote, Word, WordPart};

/// What an unquoted byte may mean for brace expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// `{`
    Open,
    /// `,`
    Comma,
    /// `..`
    Dots,
    /// `}`
    Close,
}

/// The marks of a word that is being read.
#[derive(Default)]
pub(super) struct Marks {
    /// Index of the part and its meaning, in order.
    marks: Vec<(usize, Mark)>,
    /// Braces that are open.
    pub(super) open: usize,
}

impl Marks {
    /// Records that part `index` is `mark`.
    pub(super) fn add(&mut self, index: usize, mark: Mark) {
        self.marks.push((index, mark));
        match mark {
            Mark::Open => self.open += 1,
            // The outermost one stays: it may close later.
            Mark::Close if self.open > 1 => self.open -= 1,
            _ => {}
        }
    }

    /// No braces in the word.
    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Whether a `~` as part `index` would stand at the start of an expanded word: nothing but braces and the commas between
    /// alternatives comes before it.
    pub(super) fn may_begin_word(&self, index: usize) -> bool {
        let begins = self.marks.first() == Some(&(0, Mark::Open));
        let follows = self.marks.last().is_some_and(|(last, mark)| *last + 1 == index && *mark != Mark::Dots);
        begins && follows
    }
}

/// A brace that is open, with what was read after it.
struct Frame {
    open: WordPart,
    /// Finished alternatives, each with the comma after it.
    alternatives: Vec<(Vec<WordPart>, WordPart)>,
    current: Vec<WordPart>,
    has_dots: bool,
}

impl Frame {
    fn has_separator(&self) -> bool {
        self.has_dots || !self.alternatives.is_empty()
    }

    /// Everything after the brace as it was written.
    fn literalize(self, into: &mut Vec<WordPart>) {
        append(into, self.open);
        for (parts, comma) in self.alternatives {
            for part in parts {
                append(into, without_tilde(part));
            }
            append(into, comma);
        }
        for part in self.current {
            append(into, without_tilde(part));
        }
    }
}

/// Turns `parts` with their `marks` into parts with brace expansions.
pub(super) fn fold(parts: Vec<WordPart>, marks: &Marks) -> Vec<WordPart> {
    let mut root: Vec<WordPart> = Vec::with_capacity(parts.len());
    let mut frames: Vec<Frame> = Vec::new();
    let mut marks = marks.marks.iter().peekable();
    for (index, part) in parts.into_iter().enumerate() {
        let mark = marks.next_if(|(at, _)| *at == index).map(|(_, mark)| *mark);
        match mark {
            Some(Mark::Open) => {
                frames.push(Frame { open: part, alternatives: Vec::new(), current: Vec::new(), has_dots: false });
            }
            Some(Mark::Comma) => match frames.last_mut() {
                Some(frame) => {
                    let finished = std::mem::take(&mut frame.current);
                    frame.alternatives.push((finished, part));
                }
                None => append(&mut root, part),
            },
            Some(Mark::Close) => close(&mut frames, &mut root, part),
            Some(Mark::Dots) | None => {
                if mark.is_some()
                    && let Some(frame) = frames.last_mut()
                {
                    frame.has_dots = true;
                }
                append(innermost(&mut frames, &mut root), part);
            }
        }
    }
    for frame in frames {
        frame.literalize(&mut root);
    }
    root
}

fn innermost<'a>(frames: &'a mut [Frame], root: &'a mut Vec<WordPart>) -> &'a mut Vec<WordPart> {
    match frames.last_mut() {
        Some(frame) => &mut frame.current,
        None => root,
    }
}

/// A `}`.
fn close(frames: &mut Vec<Frame>, root: &mut Vec<WordPart>, part: WordPart) {
    let outermost = frames.len() == 1;
    let Some(frame) = frames.pop_if(|frame| !outermost || frame.has_separator()) else {
        append(innermost(frames, root), part);
        return;
    };
    let span = frame.open.span.to(part.span);
    let into = innermost(frames, root);
    if !frame.alternatives.is_empty() || (frame.has_dots && holds_alternatives(&frame.current)) {
        into.push(WordPart { kind: alternatives(frame, part.span), quote: Quote::None, span });
    } else if let Some(sequence) = sequence(&frame) {
        into.push(WordPart { kind: PartKind::BraceSequence(Box::new(sequence)), quote: Quote::None, span });
    } else {
        frame.literalize(into);
        append(into, part);
    }
}

/// bash looks for a comma anywhere between the braces: `{a..{b,c}}` has one alternative and is `a..b a..c`.
fn holds_alternatives(parts: &[WordPart]) -> bool {
    parts.iter().any(|part| matches!(part.kind, PartKind::BraceAlternatives(_)))
}

fn alternatives(frame: Frame, close: Span) -> PartKind {
    let mut words = Vec::with_capacity(frame.alternatives.len() + 1);
    let mut start = frame.open.span.end;
    for (parts, comma) in frame.alternatives {
        words.push(Word { parts, span: Span::new(start, comma.span.start) });
        start = comma.span.end;
    }
    words.push(Word { parts: frame.current, span: Span::new(start, close.start) });
    PartKind::BraceAlternatives(words)
}

/// `{1..9..2}` or `{a..f}`: integers or single letters, both ends alike (`braces.c`, `expand_seqterm`).
fn sequence(frame: &Frame) -> Option<BraceSequence> {
    let [WordPart { kind: PartKind::Literal(text), quote: Quote::None, .. }] = frame.current.as_slice() else {
        return None;
    };
    let mut terms = text.split("..");
    let (start, end, step) = (terms.next()?, terms.next()?, terms.next());
    let is_letter = |term: &str| term.len() == 1 && term.bytes().all(|byte| byte.is_ascii_alphabetic());
    let alike = (is_integer(start) && is_integer(end)) || (is_letter(start) && is_letter(end));
    if !alike || terms.next().is_some() || step.is_some_and(|step| !is_integer(step)) {
        return None;
    }
    Some(BraceSequence { start: start.to_owned(), end: end.to_owned(), step: step.map(str::to_owned) })
}

fn is_integer(term: &str) -> bool {
    term.parse::<i64>().is_ok()
}

/// Adds `part`, joining it with unquoted text that ends where it begins.
fn append(into: &mut Vec<WordPart>, part: WordPart) {
    if let Some(WordPart { kind: PartKind::Literal(before), quote: Quote::None, span }) = into.last_mut()
        && let PartKind::Literal(text) = &part.kind
        && part.quote == Quote::None
    {
        before.push_str(text);
        span.end = part.span.end;
        return;
    }
    into.push(part);
}

/// A tilde after a brace that turned out to be text is text as well.
fn without_tilde(part: WordPart) -> WordPart {
    match part.kind {
        PartKind::Tilde(name) => WordPart { kind: PartKind::Literal(format!("~{name}")), ..part },
        _ => part,
    }
}
