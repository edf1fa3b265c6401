//! Splitting of unquoted values into words.

use sekisho_command_model::{Cause, Partial};

use super::chunk::Chunk;
use super::pattern;

/// The characters that separate words; `None`: not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Separators(pub(crate) Option<String>);

/// Bash's own.
pub(crate) const DEFAULT: &str = " \t\n";

/// Adds `text`, split at `separators`, its pattern characters active unless `noglob`.
pub(crate) fn split(text: &str, separators: &Separators, noglob: bool, chunks: &mut Vec<Chunk>) {
    let Some(separators) = &separators.0 else {
        chunks.push(Chunk::Unknown { partial: Partial::unknown(Cause::Variable("IFS".to_owned())), quoted: false });
        return;
    };
    let mut current = String::new();
    let mut after_hard = false;
    for character in text.chars() {
        if !separators.contains(character) {
            current.push(character);
            after_hard = false;
            continue;
        }
        push_text(std::mem::take(&mut current), noglob, chunks);
        if !matches!(character, ' ' | '\t' | '\n') {
            // Every separator that is not white space ends a word, an empty one included.
            if after_hard {
                chunks.push(Chunk::tracked("", true));
            }
            after_hard = true;
        }
        chunks.push(Chunk::Break);
    }
    push_text(current, noglob, chunks);
}

fn push_text(text: String, noglob: bool, chunks: &mut Vec<Chunk>) {
    if text.is_empty() {
        return;
    }
    if noglob || !pattern::has_glob(&text) {
        chunks.push(Chunk::tracked(text, false));
    } else {
        chunks.push(Chunk::Glob(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expansion::chunk::fields;
    use sekisho_shell_syntax::span::Span;

    fn words(text: &str, separators: &str) -> Vec<String> {
        let mut chunks = Vec::new();
        split(text, &Separators(Some(separators.to_owned())), false, &mut chunks);
        fields(chunks, Span::default(), false).into_iter().map(|word| word.argument.value.display()).collect()
    }

    #[test]
    fn values_split_as_bash_splits_them() {
        for (text, separators, wanted) in [
            ("  a  b ", DEFAULT, vec!["a", "b"]),
            ("", DEFAULT, vec![]),
            ("a:b::c", ":", vec!["a", "b", "", "c"]),
            ("rm:-rf:/", ":", vec!["rm", "-rf", "/"]),
            ("a b", "", vec!["a b"]),
        ] {
            assert_eq!(words(text, separators), wanted, "{text:?} on {separators:?}");
        }
    }
}
