//! Brace expansion: one word as written to several.

use sekisho_shell_syntax::tree::{BraceSequence, PartKind, WordPart};

/// Most words one word may become.
pub(crate) const ALTERNATIVES: usize = 64;
/// Most characters they may hold together.
pub(crate) const CHARACTERS: usize = 16_384;

/// A piece of a word whose braces are expanded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// As written.
    Part(&'a WordPart),
    /// An element of a sequence: index into the owned texts of [`Braces`].
    Element(usize),
    /// Braces with more alternatives than are followed.
    TooMany,
}

/// A word with its braces expanded.
pub(crate) struct Braces<'a> {
    /// The words, as pieces.
    pub(crate) words: Vec<Vec<Piece<'a>>>,
    /// Texts made by sequences.
    pub(crate) elements: Vec<String>,
}

/// Expands the braces of `parts`.
pub(crate) fn expand(parts: &[WordPart]) -> Braces<'_> {
    let mut braces = Braces { words: Vec::new(), elements: Vec::new() };
    let mut characters = 0;
    match product(parts, &mut braces.elements, &mut characters) {
        Some(words) => braces.words = words,
        None => {
            let pieces = parts
                .iter()
                .map(|part| match part.kind {
                    PartKind::BraceAlternatives(_) | PartKind::BraceSequence(_) => Piece::TooMany,
                    _ => Piece::Part(part),
                })
                .collect();
            braces.words = vec![pieces];
        }
    }
    braces
}

fn product<'a>(parts: &'a [WordPart], elements: &mut Vec<String>, characters: &mut usize) -> Option<Vec<Vec<Piece<'a>>>> {
    let mut words: Vec<Vec<Piece<'a>>> = vec![Vec::new()];
    for part in parts {
        let choices: Vec<Vec<Piece<'a>>> = match &part.kind {
            // INVARIANT: nesting is bounded by the parser's budget.
            PartKind::BraceAlternatives(alternatives) => {
                let mut choices = Vec::new();
                for alternative in alternatives {
                    choices.extend(product(&alternative.parts, elements, characters)?);
                    if choices.len() > ALTERNATIVES {
                        return None;
                    }
                }
                choices
            }
            PartKind::BraceSequence(sequence) => sequence_elements(sequence)?
                .into_iter()
                .map(|text| {
                    elements.push(text);
                    vec![Piece::Element(elements.len() - 1)]
                })
                .collect(),
            _ => {
                for word in &mut words {
                    word.push(Piece::Part(part));
                }
                continue;
            }
        };
        if words.len().saturating_mul(choices.len()) > ALTERNATIVES {
            return None;
        }
        let mut next = Vec::with_capacity(words.len() * choices.len());
        for word in &words {
            for choice in &choices {
                let mut longer = word.clone();
                longer.extend(choice.iter().copied());
                *characters += longer.iter().map(|piece| length(*piece, elements)).sum::<usize>();
                next.push(longer);
            }
        }
        if *characters > CHARACTERS {
            return None;
        }
        words = next;
    }
    Some(words)
}

fn length(piece: Piece<'_>, elements: &[String]) -> usize {
    match piece {
        Piece::Part(WordPart { kind: PartKind::Literal(text), .. }) => text.len(),
        Piece::Element(index) => elements.get(index).map_or(0, String::len),
        _ => 1,
    }
}

/// The elements of `{1..9..2}` or `{a..f}`; `None` where there are too many or it is no sequence.
fn sequence_elements(sequence: &BraceSequence) -> Option<Vec<String>> {
    let step = match &sequence.step {
        Some(step) => step.parse::<i64>().ok()?,
        None => 1,
    };
    let step = step.checked_abs()?.max(1);
    let (start, end, letters) = match (sequence.start.parse::<i64>(), sequence.end.parse::<i64>()) {
        (Ok(start), Ok(end)) => (start, end, false),
        _ => (single_letter(&sequence.start)?, single_letter(&sequence.end)?, true),
    };
    let width = if !letters && (is_padded(&sequence.start) || is_padded(&sequence.end)) {
        sequence.start.len().max(sequence.end.len())
    } else {
        0
    };
    let mut elements = Vec::new();
    let mut value = start;
    loop {
        if if start <= end { value > end } else { value < end } {
            return Some(elements);
        }
        if elements.len() >= ALTERNATIVES {
            return None;
        }
        elements.push(if letters {
            char::from_u32(u32::try_from(value).ok()?)?.to_string()
        } else if value < 0 {
            format!("-{:0>width$}", value.unsigned_abs(), width = width.saturating_sub(1))
        } else {
            format!("{value:0>width$}")
        });
        value = if start <= end { value.checked_add(step)? } else { value.checked_sub(step)? };
    }
}

fn single_letter(text: &str) -> Option<i64> {
    let mut characters = text.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    characters.next().is_none().then_some(i64::from(u32::from(letter)))
}

fn is_padded(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences() {
        for (start, end, step, wanted) in [
            ("1", "4", None, Some(vec!["1", "2", "3", "4"])),
            ("4", "1", Some("2"), Some(vec!["4", "2"])),
            ("a", "c", None, Some(vec!["a", "b", "c"])),
            ("08", "10", None, Some(vec!["08", "09", "10"])),
            ("1", "1000", None, None),
            ("9223372036854775806", "9223372036854775807", None, None),
        ] {
            let sequence = BraceSequence { start: start.into(), end: end.into(), step: step.map(str::to_owned) };
            let elements = sequence_elements(&sequence);
            assert_eq!(elements.map(|list| list.join(" ")), wanted.map(|list| list.join(" ")), "{start}..{end}");
        }
    }
}
