//! Takes secrets out of text before anyone sees it, and takes the reins from text that would drive a terminal.
//!
//! Everything that leaves a decision for a person, an agent or a log passes [`redact`] first and is cut to length only afterwards.
//! A secret is known by its own shape (a table of token prefixes, key blocks, JSON web tokens) or by what stands before it (a name,
//! an option, a header, an address). Too much is taken out rather than too little, and the name beside the secret stays, so that the
//! text can still be understood: `PGPASSWORD=<redacted> psql`.
//!
//! The work is linear in the text: every scanner either moves on by what it took out or looks ahead a fixed distance.

mod assignments;
mod blocks;
mod names;
mod options;
mod terminal;
mod tokens;
mod urls;
mod values;

pub use terminal::{for_terminal, for_terminal_line};

/// What stands in the place of a secret.
pub const REPLACEMENT: &str = "<redacted>";

/// A piece of the text that must go: first byte, one past the last.
type Span = std::ops::Range<usize>;

/// `text` with everything that looks like a secret replaced by `<redacted>`.
pub fn redact(text: &str) -> String {
    let mut spans: Vec<Span> = Vec::new();
    blocks::find(text, &mut spans);
    tokens::find(text, &mut spans);
    urls::find(text, &mut spans);
    assignments::find(text, &mut spans);
    options::find(text, &mut spans);
    replace(text, spans)
}

fn replace(text: &str, mut spans: Vec<Span>) -> String {
    if spans.is_empty() {
        return text.to_owned();
    }
    spans.sort_by_key(|span| (span.start, span.end));
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    let mut current: Option<Span> = None;
    for span in spans {
        match &mut current {
            // Touching pieces are one secret.
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => {
                close(text, &mut redacted, &mut at, current.replace(span));
            }
        }
    }
    close(text, &mut redacted, &mut at, current);
    redacted.push_str(text.get(at..).unwrap_or_default());
    redacted
}

fn close(text: &str, redacted: &mut String, at: &mut usize, span: Option<Span>) {
    let Some(span) = span else { return };
    // INVARIANT: scanners end pieces at ASCII bytes or at the end. A piece that does not is widened.
    let start = (0..=span.start).rev().find(|start| text.is_char_boundary(*start)).unwrap_or(0);
    let end = (span.end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
    redacted.push_str(text.get(*at..start).unwrap_or_default());
    redacted.push_str(REPLACEMENT);
    *at = end;
}

#[cfg(test)]
mod tests;
