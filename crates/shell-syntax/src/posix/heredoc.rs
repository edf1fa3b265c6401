//! Here-documents.
//!
//! A body begins after the line that holds the operator, so it is read when that line ends and put into the tree when the
//! program is complete. The terminator is compared byte for byte: `EOF\r` does not end a document.
//!
//! Source: bash(1) 5.2, Here Documents; `make_cmd.c` `make_here_document`.

use super::cursor::Parser;
use super::parts::Parts;
use super::quoted::Body;
use crate::span::Span;
use crate::tree::{HereDocument, IssueCode, List, PartKind, Quote, Word, WordPart};
use crate::walk;

/// A here-document whose operator was read and whose body was not.
pub(super) struct PendingHere {
    pub(super) number: usize,
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
    /// Where the operator stands.
    pub(super) start: usize,
}

/// A body that was read.
pub(super) struct HereBody {
    body: Word,
    span: Span,
    terminated: bool,
}

/// Where a body ends.
struct Extent {
    /// One past the last byte of the body.
    end: usize,
    /// Where reading goes on.
    after: usize,
    terminated: bool,
    /// The line only begins with the delimiter.
    loose: bool,
}

impl Parser<'_> {
    /// Reads the bodies of all documents whose operators stand on the line that just ended.
    pub(super) fn read_here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.read_here_document(&pending);
            if self.limited {
                return;
            }
        }
    }

    /// Documents whose line never ended have no body.
    pub(super) fn finish_here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.issue(IssueCode::UnterminatedHereDocument, pending.start);
            let span = self.span(self.position);
            self.store(pending.number, HereBody { body: Word { parts: Vec::new(), span }, span, terminated: false });
        }
    }

    fn read_here_document(&mut self, pending: &PendingHere) {
        let start = self.position;
        let extent = self.here_extent(pending);
        self.position = extent.end;
        let span = self.span(start);
        let body = if pending.quoted {
            let kind = PartKind::Literal(self.quoted_body(pending, start, extent.end));
            Word { parts: vec![WordPart { kind, quote: Quote::Single, span }], span }
        } else {
            let mut parts = Parts::new();
            self.position = start;
            let end = self.narrow_end(extent.end);
            let outer = std::mem::take(&mut self.pending);
            self.scan(&mut parts, Body::HereDocument { strip_tabs: pending.strip_tabs }, Quote::Double);
            self.pending = outer;
            self.restore_end(end);
            Word { parts: parts.into_parts(), span }
        };
        self.store(pending.number, HereBody { body, span, terminated: extent.terminated });
        if self.limited {
            return;
        }
        self.position = extent.after;
        if !extent.terminated || extent.loose {
            let position = std::mem::replace(&mut self.position, pending.start);
            self.issue(IssueCode::UnterminatedHereDocument, pending.start);
            self.position = position;
        }
    }

    fn store(&mut self, number: usize, body: HereBody) {
        if let Some(place) = self.bodies.get_mut(number) {
            *place = Some(body);
        }
    }

    /// Looks for the terminator line.
    fn here_extent(&self, pending: &PendingHere) -> Extent {
        let delimiter = pending.delimiter.as_bytes();
        let mut line = self.position;
        while line < self.end {
            let mut content = line;
            if pending.strip_tabs {
                while self.byte(content) == Some(b'\t') {
                    content += 1;
                }
            }
            let (matched, line_end) = self.here_line(content, delimiter, pending.quoted);
            let after = (line_end + 1).min(self.end);
            match matched {
                Some(offset) if offset == line_end => {
                    return Extent { end: line, after, terminated: true, loose: false };
                }
                // Inside `$(…)` bash 5.2 lets the delimiter end the document when a `)` follows it on its line.
                Some(offset) if self.substitutions > 0 && self.text(offset, line_end).contains(')') => {
                    let loose = self.byte(offset) != Some(b')');
                    return Extent { end: line, after: offset, terminated: true, loose };
                }
                _ => line = line_end + 1,
            }
        }
        Extent { end: self.end, after: self.end, terminated: false, loose: false }
    }

    /// Compares the line at `line` with the delimiter: the offset after the match, and the end of the line. In an unquoted
    /// document joined lines are one line.
    fn here_line(&self, line: usize, delimiter: &[u8], quoted: bool) -> (Option<usize>, usize) {
        let mut matched = 0_usize;
        let mut differs = false;
        let mut match_end = delimiter.is_empty().then_some(line);
        let mut offset = line;
        while let Some(byte) = self.byte(offset) {
            if byte == b'\n' {
                break;
            }
            let mut length = 1;
            if byte == b'\\' && !quoted {
                match self.byte(offset + 1) {
                    Some(b'\n') => {
                        offset += 2;
                        // `EOF\` and an empty line are the terminator, too.
                        if matched == delimiter.len() && !differs && match_end == Some(offset - 2) {
                            match_end = Some(offset);
                        }
                        continue;
                    }
                    // A backslash before a backslash does not join.
                    Some(b'\\') => length = 2,
                    _ => {}
                }
            }
            for step in 0..length {
                if !differs && matched < delimiter.len() {
                    if delimiter.get(matched) == self.byte(offset + step).as_ref() {
                        matched += 1;
                        if matched == delimiter.len() {
                            match_end = Some(offset + step + 1);
                        }
                    } else {
                        differs = true;
                    }
                }
            }
            offset += length;
        }
        (match_end, offset)
    }

    /// A body without expansions.
    fn quoted_body(&self, pending: &PendingHere, start: usize, end: usize) -> String {
        let text = self.text(start, end);
        if pending.strip_tabs {
            text.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
        } else {
            text.to_owned()
        }
    }
}

/// Puts the bodies into the tree.
pub(super) fn fill(list: &mut List, bodies: &mut [Option<HereBody>]) {
    walk::here_documents_mut(list, &mut |document: &mut HereDocument| {
        let number = document.body_span.start as usize;
        match bodies.get_mut(number).and_then(Option::take) {
            Some(read) => {
                document.body = read.body;
                document.body_span = read.span;
                document.terminated = read.terminated;
            }
            None => document.body_span = Span::new(0, 0),
        }
    });
}
