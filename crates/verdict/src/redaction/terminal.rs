//! Text that cannot drive the terminal it is printed on.

use std::fmt::Write;

/// `text` with control characters, bidirectional overrides and invisible characters made visible, so that a terminal cannot be
/// driven by it and a reader sees what is there. Line breaks and tabs stay.
///
/// Source: Unicode 16 §23 (format characters), UTR 36 §3.5; ECMA-48 for control functions.
pub fn for_terminal(text: &str) -> String {
    visible(text, true)
}

/// [`for_terminal`] for a place that has one line: line breaks and tabs are made visible too.
pub fn for_terminal_line(text: &str) -> String {
    visible(text, false)
}

fn visible(text: &str, keeps_lines: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' if keeps_lines => shown.push(character),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            _ if is_unsafe(character) => {
                // Writing to a string does not fail.
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    shown
}

fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}
