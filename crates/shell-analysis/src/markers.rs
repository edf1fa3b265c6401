//! Unknown parts inside text that is otherwise known.
//!
//! A here-document or `sh -c "rm $x/y"` is known but for a few places. Each such place is written into the text as a marker;
//! when the text is read as shell again, expansion turns the marker back into what is not known. Text from outside that
//! happens to look like a marker can only become less known by it.

use sekisho_command_model::{Argument, Cause, Partial, Provenance, Value};

const OPEN: char = '\u{f5e1}';
const CLOSE: char = '\u{f5e2}';

/// Unknown parts by number.
#[derive(Debug, Default)]
pub(crate) struct Markers {
    parts: Vec<Partial>,
}

/// A stretch of text, or an unknown part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stretch {
    /// Text.
    Text(String),
    /// Not known.
    Unknown(Partial),
}

impl Markers {
    /// The marker for `partial`.
    pub(crate) fn mark(&mut self, partial: &Partial) -> String {
        let number = self.parts.iter().position(|known| known == partial).unwrap_or_else(|| {
            self.parts.push(partial.clone());
            self.parts.len() - 1
        });
        format!("{OPEN}{number}{CLOSE}")
    }

    /// `value` as text with markers. A pattern is written as it stands.
    pub(crate) fn text_of(&mut self, value: &Value) -> String {
        match value {
            Value::Known { text, .. } => text.clone(),
            Value::Glob { pattern } => pattern.clone(),
            Value::Dynamic(partial) => {
                let core = Partial { prefix: String::new(), suffix: String::new(), ..partial.clone() };
                format!("{}{}{}", partial.prefix, self.mark(&core), partial.suffix)
            }
        }
    }

    /// `text` split at its markers.
    pub(crate) fn split(&self, text: &str) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            plain.push_str(before);
            let part =
                after.split_once(CLOSE).and_then(|(number, tail)| Some((self.parts.get(number.parse::<usize>().ok()?)?, tail)));
            match part {
                Some((partial, tail)) => {
                    if !plain.is_empty() {
                        stretches.push(Stretch::Text(std::mem::take(&mut plain)));
                    }
                    stretches.push(Stretch::Unknown(partial.clone()));
                    rest = tail;
                }
                None => {
                    plain.push(OPEN);
                    rest = after;
                }
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() || stretches.is_empty() {
            stretches.push(Stretch::Text(plain));
        }
        stretches
    }

    /// `text` as a value: known where it holds no marker.
    pub(crate) fn value_of(&self, text: String, provenance: Provenance) -> Value {
        if !has_marker(&text) {
            return Value::Known { text, provenance };
        }
        let stretches = self.split(&text);
        let mut combined: Option<Partial> = None;
        let mut prefix = String::new();
        for stretch in stretches {
            match (stretch, &mut combined) {
                (Stretch::Text(text), Some(partial)) => partial.suffix.push_str(&text),
                (Stretch::Text(text), None) => prefix.push_str(&text),
                (Stretch::Unknown(next), Some(partial)) => {
                    partial.suffix = next.suffix;
                    partial.may_be_empty &= next.may_be_empty;
                    if next.cause == Cause::Remote {
                        partial.cause = Cause::Remote;
                    }
                }
                (Stretch::Unknown(next), None) => {
                    let prefix = format!("{}{}", std::mem::take(&mut prefix), next.prefix);
                    combined = Some(Partial { prefix, ..next });
                }
            }
        }
        match combined {
            Some(partial) => Value::Dynamic(Partial { may_split: false, ..partial }),
            None => Value::Known { text: prefix, provenance },
        }
    }

    /// The argument with markers in its text turned back into unknown parts.
    pub(crate) fn decode(&self, argument: Argument) -> Argument {
        Argument { value: self.decode_value(argument.value), ..argument }
    }

    /// The value with markers in its text turned back into unknown parts.
    pub(crate) fn decode_value(&self, value: Value) -> Value {
        match value {
            Value::Known { text, provenance } if has_marker(&text) => self.value_of(text, provenance),
            other => other,
        }
    }
}

/// `text` may hold a marker.
pub(crate) fn has_marker(text: &str) -> bool {
    text.contains(OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parts_survive_text() {
        let mut markers = Markers::default();
        let unknown = Partial::unknown(Cause::Variable("x".into()));
        let text = format!("rm -rf {}/y", markers.mark(&unknown));
        assert_eq!(
            markers.split(&text),
            vec![Stretch::Text("rm -rf ".into()), Stretch::Unknown(unknown.clone()), Stretch::Text("/y".into())]
        );
        assert_eq!(markers.value_of(text, Provenance::Known).display(), "rm -rf ${x}/y");
        assert_eq!(markers.split("\u{f5e1}9\u{f5e2}"), vec![Stretch::Text("\u{f5e1}9\u{f5e2}".into())]);
    }
}
