//! xargs: a command whose last words, or placeholders, come from the input (findutils 4.10; `-J`, `-R`, `-S` of BSD).

mod code;
mod input;

use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::Carried;
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target};
use crate::option_grammar::{Grammar, OptionSpec, Parsed, parse};
use crate::programs::text_carriers::words::{
    MADE_BYTES, asks_for_help, described, flag, inert, named, named_flag, named_glued, span_of, value, weight, word,
};
use crate::stream::Stream;
use input::{Items, Separation};

pub(super) use code::input_becomes_code;

/// The programs this file answers for.
pub const NAMES: &[&str] = &["xargs", "gxargs"];

const OPTIONS: &[OptionSpec] = &[
    named_flag("null", &["-0", "--null"]),
    named("file", &["-a", "--arg-file"]),
    named("delimiter", &["-d", "--delimiter"]),
    named("end", &["-E"]),
    named_glued("end", &["-e", "--eof"]),
    named("replace", &["-I"]),
    named_glued("replace", &["-i", "--replace"]),
    named("insert", &["-J"]),
    named("lines", &["-L"]),
    named_glued("lines", &["-l", "--max-lines"]),
    named("count", &["-n", "--max-args"]),
    named_flag("not-empty", &["-r", "--no-run-if-empty"]),
    value(&["-P", "--max-procs", "-s", "--max-chars", "-R", "-S", "--process-slot-var"]),
    flag(&["-o", "--open-tty", "-p", "--interactive", "-t", "--verbose", "-x", "--exit", "--show-limits"]),
];

/// How many commands are followed one by one; the rest stand for any input.
const COMMANDS: usize = 64;

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let parsed = parse(&Grammar::leading(OPTIONS), arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    for option in parsed.unknown() {
        let kind = EffectKind::Unknown(format!("xargs {}", option.written));
        understood.effects.push(Effect::new(kind, Family::Xargs, option.span));
    }
    let file = parsed.value("file").filter(|file| file.known() != Some("-"));
    if let Some(file) = file {
        let kind = EffectKind::Read(Target::new(file.clone()));
        understood.effects.push(Effect::new(kind, Family::Xargs, span_of(arguments)));
    }
    let unread = Stream::Unknown;
    let stream = if file.is_some() { &unread } else { invocation.input };
    let mut words = parsed.from_operand(arguments, 0).to_vec();
    if words.is_empty() {
        words.push(word("echo", span_of(arguments)));
    }
    let form = Form::of(&parsed);
    let items = input::items(stream, &form.separation(&parsed));
    for (child, certain) in children(&words, &form, &items) {
        if input_becomes_code(&child, invocation) {
            let kind = EffectKind::Execute { origin: Origin::Input, what: "xargs".to_owned() };
            let effect = Effect::new(kind, Family::Xargs, span_of(&words));
            if !understood.effects.contains(&effect) {
                understood.effects.push(effect);
            }
        }
        let carried = Carried::command(child, span_of(&words));
        // The child's own input is `/dev/null` (or, with `-a`, the command's).
        let input = file.is_none().then_some(Stream::Nothing);
        understood.carried.push(Carried { certain, input, family: Some(Family::Xargs), ..carried });
    }
    understood
}

/// How values reach the command.
enum Form {
    /// Behind the words, this many at a time; `None`: as many as fit.
    Appended(Option<usize>),
    /// Behind the words, the values of this many lines at a time.
    AppendedLines(usize),
    /// In place of this text wherever it stands in a word, one line at a time.
    Replaced(String),
    /// In place of the first word that is this text, all at once.
    Inserted(String),
}

impl Form {
    /// The last of the options that exclude each other wins.
    fn of(parsed: &Parsed) -> Self {
        let Some(option) = parsed.last_of(&["replace", "insert", "lines", "count"]) else {
            return Self::Appended(None);
        };
        let text = option.value.as_ref().and_then(Value::known);
        let number = text.and_then(|text| text.parse().ok()).filter(|count| *count > 0);
        match option.id {
            Some("replace") => Self::Replaced(text.filter(|text| !text.is_empty()).unwrap_or("{}").to_owned()),
            Some("insert") => Self::Inserted(text.unwrap_or("%").to_owned()),
            Some("lines") => Self::AppendedLines(number.unwrap_or(1)),
            _ => Self::Appended(number),
        }
    }

    fn separation(&self, parsed: &Parsed) -> Separation {
        let end = parsed.value("end").and_then(Value::known).filter(|end| !end.is_empty()).map(str::to_owned);
        let delimiter =
            parsed.last_of(&["null", "delimiter"]).map(|option| match (option.id, option.value.as_ref().map(Value::known)) {
                (Some("null"), _) => Some('\0'),
                (_, Some(Some(text))) => input::delimiter(text),
                _ => None,
            });
        match (delimiter, self) {
            (Some(Some(delimiter)), _) => Separation::Delimiter(delimiter),
            // The delimiter is not known, and neither are the values.
            (Some(None), _) => Separation::Unknown,
            (None, Self::Replaced(_)) => Separation::Lines { end },
            (None, _) => Separation::Blanks { end },
        }
    }
}

/// The commands that run, and whether each does for certain.
fn children(words: &[Argument], form: &Form, items: &Items) -> Vec<(Vec<Argument>, bool)> {
    let values = match items {
        Items::Known(values) => values,
        Items::Open(value) => {
            let value = std::slice::from_ref(value);
            let any = [Value::Dynamic(Partial::unknown(Cause::Input))];
            let value = if size(words, form, value) > MADE_BYTES { &any } else { value };
            return vec![(child(words, form, value), false)];
        }
    };
    // Without values the command still runs once, unless it is told not to or takes them by placeholder.
    if values.is_empty() {
        return match form {
            Form::Replaced(_) => Vec::new(),
            _ => vec![(child(words, form, &[]), false)],
        };
    }
    let mut batches: Vec<Vec<Value>> = Vec::new();
    for item in values {
        let joins = match form {
            Form::Appended(None) | Form::Inserted(_) => true,
            Form::Appended(Some(count)) => batches.last().is_some_and(|batch| batch.len() < *count),
            Form::AppendedLines(lines) => item.line % lines != 0 || item.continues,
            Form::Replaced(_) => false,
        };
        match batches.last_mut() {
            Some(batch) if joins => batch.push(item.value.clone()),
            _ => batches.push(vec![item.value.clone()]),
        }
    }
    let mut children = Vec::new();
    let mut made = 0;
    for batch in batches.iter().take(COMMANDS) {
        made += size(words, form, batch);
        if made > MADE_BYTES {
            break;
        }
        children.push((child(words, form, batch), true));
    }
    if children.len() < batches.len() {
        let any = Value::Dynamic(Partial::unknown(Cause::Input));
        children.push((child(words, form, &[any]), false));
    }
    children
}

/// How many bytes a command has.
fn size(words: &[Argument], form: &Form, values: &[Value]) -> usize {
    let taken: usize = values.iter().map(weight).sum();
    let own: usize = words.iter().map(|word| weight(&word.value)).sum();
    let times = match form {
        Form::Replaced(placeholder) => {
            words.iter().filter_map(Argument::known).map(|text| text.matches(placeholder.as_str()).count()).sum()
        }
        Form::Inserted(placeholder) => words.iter().filter(|word| word.known() == Some(placeholder)).count(),
        Form::Appended(_) | Form::AppendedLines(_) => 1,
    };
    own + taken.saturating_mul(times)
}

fn child(words: &[Argument], form: &Form, values: &[Value]) -> Vec<Argument> {
    let span = span_of(words);
    let mut arguments = values.iter().map(|value| Argument { value: value.clone(), quoted: true, span });
    match form {
        Form::Appended(_) | Form::AppendedLines(_) => words.iter().cloned().chain(arguments).collect(),
        Form::Replaced(placeholder) => match values {
            [value, ..] => words.iter().map(|word| replaced(word, placeholder, value)).collect(),
            [] => words.to_vec(),
        },
        Form::Inserted(placeholder) => {
            let mut child = Vec::new();
            for word in words {
                if word.known() == Some(placeholder) {
                    child.extend(arguments.by_ref());
                } else {
                    child.push(word.clone());
                }
            }
            child.extend(arguments);
            child
        }
    }
}

/// The word with every `placeholder` in it replaced.
pub(super) fn replaced(word: &Argument, placeholder: &str, value: &Value) -> Argument {
    let text = match &word.value {
        Value::Known { text, .. } => text,
        Value::Glob { .. } | Value::Dynamic(_) => return word.clone(),
    };
    let Some((before, rest)) = text.split_once(placeholder) else {
        return word.clone();
    };
    let value = match value {
        Value::Known { text: known, provenance } => {
            Value::Known { text: text.replace(placeholder, known), provenance: *provenance }
        }
        // What a pattern matched, with text around it that is no pattern.
        Value::Glob { pattern } if !format!("{before}{rest}").contains(['*', '?', '[', '\\']) => {
            Value::Glob { pattern: text.replace(placeholder, pattern) }
        }
        Value::Glob { pattern } => Value::literal(text.replace(placeholder, pattern)),
        Value::Dynamic(partial) => Value::Dynamic(match rest.rsplit_once(placeholder) {
            None => Partial {
                prefix: format!("{before}{}", partial.prefix),
                suffix: format!("{}{rest}", partial.suffix),
                may_be_empty: partial.may_be_empty && before.is_empty() && rest.is_empty(),
                ..partial.clone()
            },
            // What stands between two placeholders is lost, so nothing more is promised.
            Some((_, after)) => Partial {
                prefix: format!("{before}{}", partial.prefix),
                suffix: format!("{}{after}", partial.suffix),
                ..Partial::unknown(Cause::Unknown)
            },
        }),
    };
    Argument { value, quoted: true, span: word.span }
}

#[cfg(test)]
mod tests {
    use crate::argument::{Cause, Partial, Value};
    use crate::effect::Selection;
    use crate::programs::text_carriers::testing::show_input;
    use crate::stream::Stream;

    fn check(input: &Stream, cases: &[(&str, &str)]) {
        for (line, expected) in cases {
            assert_eq!(show_input(line, input), *expected, "{line}");
        }
    }

    #[test]
    fn known_input() {
        check(
            &Stream::Known("/ 'a b'\nc\n".to_owned()),
            &[
                ("xargs rm -rf", "run{rm -rf / a b c} <Xargs>"),
                ("xargs -n 1 rm", "run{rm /} <Xargs>; run{rm a b} <Xargs>; run{rm c} <Xargs>"),
                ("xargs -n2 rm", "run{rm / a b} <Xargs>; run{rm c} <Xargs>"),
                ("xargs -L 1 rm", "run{rm / a b} <Xargs>; run{rm c} <Xargs>"),
                ("xargs -I% rm x% %", "run{rm x/ a b / a b} <Xargs>; run{rm xc c} <Xargs>"),
                ("xargs -d '\\n' rm", "run{rm / 'a b' c} <Xargs>"),
                ("xargs -J % mv % d", "run{mv / a b c d} <Xargs>"),
                ("xargs", "run{echo / a b c} <Xargs>"),
                ("xargs sh -c 'rm -rf $0'", "run{sh -c rm -rf $0 / a b c} <Xargs>"),
                ("xargs -E c rm", "run{rm / a b} <Xargs>"),
                ("xargs --help", "inert"),
            ],
        );
        check(&Stream::Known("a\0b\0".to_owned()), &[("xargs -0 rm", "run{rm a b} <Xargs>")]);
        check(&Stream::Known(String::new()), &[("xargs -I{} rm {}", ""), ("xargs rm", "run{rm}? <Xargs>")]);
        let many: String = (0..100).map(|number| format!("{number}\n")).collect();
        assert_eq!(show_input("xargs -n1 rm", &Stream::Known(many)).matches("run").count(), 65);
    }

    #[test]
    fn other_input() {
        let paths = Stream::Paths {
            roots: vec![Value::literal("build")],
            selection: Selection { names: vec!["*.o".to_owned()], ..Selection::default() },
        };
        check(
            &paths,
            &[
                ("xargs rm -f", "run{rm -f <build[*.o]>}? <Xargs>"),
                ("xargs -I{} mv {} {}.bak", "run{mv <build[*.o]> <build[*.o]>.bak}? <Xargs>"),
                ("xargs sh", "run{sh <build[*.o]>}? <Xargs>"),
            ],
        );
        let variable = Value::Dynamic(Partial::unknown(Cause::Variable("X".to_owned())));
        check(
            &Stream::Words(vec![Value::literal("a"), variable]),
            &[("xargs rm", "run{rm a ${X}} <Xargs>"), ("xargs -I{} rm {}", "run{rm a ${X}} <Xargs>")],
        );
        check(
            &Stream::Unknown,
            &[
                ("xargs rm -rf", "run{rm -rf {}}? <Xargs>"),
                ("xargs -a list rm", "read list <Xargs>; run{rm {}}? <Xargs>"),
                ("xargs -0 -I X rm X/y", "run{rm {}/y}? <Xargs>"),
            ],
        );
    }

    #[test]
    fn input_that_becomes_code() {
        let code = |line: &str| show_input(line, &Stream::Unknown).starts_with("execute:Input xargs");
        for line in [
            "xargs sh -c",
            "xargs -I{} sh -c 'echo {}'",
            "xargs sh",
            "xargs -I{} {}",
            "xargs env",
            "xargs sudo",
            "xargs sudo -u x bash -c",
            "xargs eval",
            "xargs awk",
            "xargs awk -f",
            "xargs python",
            "xargs python -c",
            "xargs -I{} node -e '{}'",
            "xargs perl -ne",
            "xargs git",
            "xargs -I{} ssh h {}",
            "xargs timeout 5",
        ] {
            assert!(code(line), "{line}");
        }
        for line in [
            "xargs rm",
            "xargs sh -c 'rm \"$0\"'",
            "xargs -I{} sh -c 'rm \"$1\"' _ {}",
            "xargs sh x.sh",
            "xargs bash -n",
            "xargs python x.py",
            "xargs awk '{print}'",
            "xargs git add",
            "xargs env A=1 ls",
        ] {
            assert!(!code(line), "{line}");
        }
    }
}
