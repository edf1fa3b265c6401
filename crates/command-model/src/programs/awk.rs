//! awk, gawk, mawk, nawk.
//!
//! Sources: POSIX.1-2024 awk, the GNU awk 5.3 manual §2.2, mawk(1).

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::carried::{Carried, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::inline;
use crate::option_grammar::{Found, Grammar, OptionSpec, ValueArity, parse};
use crate::stream::Stream;

/// The programs this file answers for.
pub const NAMES: &[&str] = &["awk", "gawk", "mawk", "nawk", "original-awk", "bwk", "goawk"];

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { id: "separator", names: &["-F", "--field-separator"], value: ValueArity::Required },
    OptionSpec { id: "variable", names: &["-v", "--assign"], value: ValueArity::Required },
    OptionSpec { id: "file", names: &["-f", "--file", "-E", "--exec"], value: ValueArity::Required },
    OptionSpec { id: "source", names: &["-e", "--source"], value: ValueArity::Required },
    OptionSpec { id: "include", names: &["-i", "--include"], value: ValueArity::Required },
    OptionSpec { id: "library", names: &["-l", "--load"], value: ValueArity::Required },
    OptionSpec { id: "mawk", names: &["-W"], value: ValueArity::Required },
    OptionSpec { id: "inert", names: &["--version", "-V", "--help", "-h", "--copyright", "-C"], value: ValueArity::None },
    OptionSpec { id: "sandbox", names: &["-S", "--sandbox"], value: ValueArity::None },
    OptionSpec {
        id: "output",
        names: &["-o", "--pretty-print", "-p", "--profile", "-d", "--dump-variables"],
        value: ValueArity::Optional,
    },
    OptionSpec { id: "debug", names: &["-D", "--debug", "-L", "--lint"], value: ValueArity::Optional },
    OptionSpec {
        id: "other",
        names: &[
            "-b",
            "--characters-as-bytes",
            "-c",
            "--traditional",
            "-g",
            "--gen-pot",
            "-I",
            "--trace",
            "-k",
            "--csv",
            "-M",
            "--bignum",
            "-n",
            "--non-decimal-data",
            "-N",
            "--use-lc-numeric",
            "-O",
            "--optimize",
            "-P",
            "--posix",
            "-r",
            "--re-interval",
            "-s",
            "--no-optimize",
            "-t",
            "--lint-old",
        ],
        value: ValueArity::None,
    },
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let parsed = parse(&Grammar::leading(OPTIONS), arguments);
    let mut understood = Understood { described: true, output: Stream::Unknown, ..Understood::default() };
    if parsed.has("inert") {
        understood.inert = true;
        return understood;
    }
    let program_given = parsed.has("file") || parsed.has("source");
    let operands: Vec<&Argument> = parsed.operands(arguments).collect();
    let (program, operands) = match operands.split_first() {
        Some((first, rest)) if !program_given => (Some(*first), rest),
        _ => (None, operands.as_slice()),
    };
    let mut variables: Vec<(String, Value)> = parsed.values("variable").filter_map(assignment).collect();
    variables.extend(operands.iter().filter_map(|argument| assignment(&argument.value)));
    let mut push = |kind: EffectKind, span: Span| understood.effects.push(Effect::new(kind, Family::General, span));
    for found in &parsed.options {
        option(found, &mut push);
    }
    if parsed.uncertain && program.is_none_or(|program| program.known().is_some()) {
        push(EffectKind::DynamicStructure, Span::default());
    }
    let in_place = parsed.values("include").any(|value| matches!(value.known(), Some("inplace" | "inplace.awk")));
    for argument in operands {
        if assignment(&argument.value).is_some() || argument.known() == Some("-") {
            continue;
        }
        let target = Target::new(argument.value.clone());
        push(if in_place { EffectKind::Write(target, WriteMode::InPlace) } else { EffectKind::Read(target) }, argument.span);
    }
    let texts = program.map(|argument| (&argument.value, argument.span)).into_iter().chain(
        parsed
            .options
            .iter()
            .filter(|found| found.id == Some("source"))
            .filter_map(|found| found.value.as_ref().map(|value| (value, found.span))),
    );
    let sandboxed = parsed.has("sandbox");
    for (value, span) in texts {
        match value {
            // A sandboxed program neither runs nor redirects anything.
            _ if sandboxed => {}
            Value::Known { text, .. } | Value::Glob { pattern: text } => {
                let code = inline::awk::read(text, &variables, span);
                understood.effects.extend(code.effects);
                understood.carried.extend(code.carried);
            }
            Value::Dynamic(_) => understood.carried.push(Carried {
                what: What::Code { language: "awk", source: Some(value.clone()) },
                ..Carried::command(Vec::new(), span)
            }),
        }
    }
    understood
}

/// Effects of options.
fn option(found: &Found, push: &mut impl FnMut(EffectKind, Span)) {
    let Some(value) = &found.value else { return };
    let span = found.span;
    match found.id {
        // The program is a file: what it runs is not known.
        Some("file") => {
            push(EffectKind::Use(Target::new(value.clone())), span);
            push(EffectKind::Execute { origin: Origin::Local, what: format!("awk program {}", value.display()) }, span);
        }
        Some("include" | "library") if !matches!(value.known(), Some("inplace" | "inplace.awk")) => {
            push(EffectKind::Execute { origin: Origin::Local, what: format!("awk library {}", value.display()) }, span);
        }
        Some("output") => push(EffectKind::Write(Target::new(value.clone()), WriteMode::Truncate), span),
        _ => {}
    }
}

/// `name=value`, as options and operands assign.
fn assignment(value: &Value) -> Option<(String, Value)> {
    let beginning = match value {
        Value::Known { text, .. } => text,
        Value::Glob { pattern } => pattern,
        Value::Dynamic(partial) => &partial.prefix,
    };
    let (name, _) = beginning.split_once('=')?;
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        return None;
    }
    Some((name.to_owned(), value.without_prefix(&format!("{name}="))?))
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::check;

    #[test]
    fn programs_and_operands() {
        check(&[
            ("awk '{print $1}' a b", "read a; read b"),
            ("awk 'NR>=3 && NR<=9' f", "read f"),
            ("awk -F: '{print $1}' /etc/passwd", "read /etc/passwd"),
            ("awk -F : -v x=1 '{print x}' n=2 f -", "read f"),
            ("awk 'BEGIN { system(\"rm -rf /\") }'", "sh{rm -rf /}?"),
            (
                "awk 'BEGIN { cmd=\"rm -rf /\"; system(cmd) }'",
                "execute:AwkDynamic an awk program's command <Interpreter>; sh{rm -rf /}?",
            ),
            (
                "awk -v c='rm -rf /' 'BEGIN { system(c) }'",
                "execute:AwkDynamic an awk program's command <Interpreter>; sh{rm -rf /}?",
            ),
            ("awk '{ system($1) }' f", "read f; execute:AwkDynamic an awk program's command <Interpreter>"),
            ("awk '{ print > \"out\" }' f", "read f; write:Truncate out <Interpreter>"),
            ("gawk -i inplace '{ print }' f", "write:InPlace f"),
            ("awk -f p.awk f", "use p.awk; execute:Local awk program p.awk; read f"),
            ("gawk -e '{ print }' f", "read f"),
            ("awk \"$PROGRAM\" f", "read f; awk{${PROGRAM}}"),
            ("awk --version", "inert"),
            ("gawk --sandbox '{ system($1) }' f", "read f"),
            ("awk '/rm -rf/ { print \"system(x)\" }' f", "read f"),
        ]);
    }
}
