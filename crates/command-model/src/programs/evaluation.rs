//! eval, trap, source and the dot command: text and files read by the same shell (bash 5.3, POSIX.1-2017).

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::{Carried, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target};
use crate::programs::text_carriers::words::{carry_text, described, inert, join, parametrized, span_of};

/// The programs this file answers for.
pub const NAMES: &[&str] = &["eval", "trap", "source", "."];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    match invocation.program {
        "eval" => eval(invocation.arguments),
        "trap" => trap(invocation.arguments),
        _ => source(invocation.arguments),
    }
}

/// The words after a leading `--`.
fn operands(arguments: &[Argument]) -> &[Argument] {
    match arguments.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        _ => arguments,
    }
}

fn execute(origin: Origin, what: &str, span: Span) -> Effect {
    Effect::new(EffectKind::Execute { origin, what: what.to_owned() }, Family::General, span)
}

fn cause(argument: &Argument) -> Option<&Cause> {
    match &argument.value {
        Value::Dynamic(partial) => Some(&partial.cause),
        _ => None,
    }
}

/// `eval WORD…`: the words are joined by blanks and read as code by this shell.
fn eval(arguments: &[Argument]) -> Understood {
    let mut understood = described();
    let words = operands(arguments);
    let span = span_of(words);
    if words.is_empty() {
        return understood;
    }
    let unknown: Vec<_> = words.iter().filter_map(cause).collect();
    if unknown.is_empty() {
        let what = What::Shell { source: join(words, " "), positional: Vec::new(), start: ShellStart::Same };
        understood.carried.push(Carried { what, ..Carried::command(Vec::new(), span) });
        return understood;
    }
    let alone = match words {
        [Argument { value: Value::Dynamic(partial), quoted: true, .. }] => {
            partial.prefix.is_empty() && partial.suffix.is_empty() && partial.cause == Cause::Substitution
        }
        _ => false,
    };
    let origin = if unknown.contains(&&Cause::Remote) {
        Origin::Fetched
    } else if alone {
        Origin::Generator
    } else {
        Origin::Unknown
    };
    understood.effects.push(execute(origin, "eval", span));
    // What is known of the code is worth reading all the same (`eval "rm -rf / $X"`). A new shell reads it, because the
    // parameters that stand for its unknown parts must not replace this shell's own.
    if parametrized(words, "sh").is_some() {
        understood.carried.push(Carried { certain: false, ..carry_text(words, "sh", ShellStart::Child) });
    }
    understood
}

/// `trap [ACTION] SIGNAL…`: the action is code that runs when a signal or the end comes.
fn trap(arguments: &[Argument]) -> Understood {
    let listing = |word: &Argument| matches!(word.known(), Some("-l" | "-p" | "-P" | "-lp" | "-pl"));
    if arguments.first().is_some_and(listing) {
        return inert();
    }
    let words = operands(arguments);
    let [action, signals @ ..] = words else {
        return inert();
    };
    match action.known() {
        // A lone operand is a signal to be reset, and so is a number in the action's place.
        _ if signals.is_empty() && action.known().is_some() => inert(),
        Some("-" | "") => inert(),
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => inert(),
        Some(_) => Understood {
            carried: vec![Carried {
                what: What::Shell { source: action.value.clone(), positional: Vec::new(), start: ShellStart::Later },
                ..Carried::command(Vec::new(), action.span)
            }],
            ..described()
        },
        None => {
            let mut understood = described();
            if parametrized(std::slice::from_ref(action), "sh").is_some() {
                understood.carried.push(carry_text(std::slice::from_ref(action), "sh", ShellStart::Later));
            } else {
                let origin = if cause(action) == Some(&Cause::Remote) { Origin::Fetched } else { Origin::Unknown };
                understood.effects.push(execute(origin, "trap", action.span));
            }
            understood
        }
    }
}

/// Variables that name directories of the user's own tools: a file below one of them is local code.
const TOOL_DIRECTORIES: &[&str] = &["NVM_DIR", "HOME", "VIRTUAL_ENV"];

/// `source [-p PATH] FILE [ARGUMENT…]`.
fn source(arguments: &[Argument]) -> Understood {
    let mut words = operands(arguments);
    if words.first().and_then(Argument::known) == Some("-p") {
        words = operands(words.get(2..).unwrap_or_default());
    }
    let [file, rest @ ..] = words else {
        return inert();
    };
    if matches!(file.known(), Some("--help")) {
        return inert();
    }
    let mut understood = described();
    let what = match &file.value {
        Value::Known { text, .. } if reads_standard_input(text) => {
            What::StandardInput { start: ShellStart::Same, positional: rest.to_vec() }
        }
        // Whatever was opened under that number.
        Value::Known { text, .. } if reads_descriptor(text) => {
            understood.effects.push(execute(Origin::Unknown, "source", file.span));
            return understood;
        }
        Value::Known { .. } => What::Script { path: file.value.clone(), arguments: rest.to_vec(), start: ShellStart::Same },
        Value::Glob { .. } => {
            understood.effects.push(execute(Origin::Unknown, "source", file.span));
            return understood;
        }
        Value::Dynamic(partial) => {
            understood.effects.push(execute(source_origin(partial, file.quoted), "source", file.span));
            return understood;
        }
    };
    if let What::Script { path, .. } = &what {
        understood.effects.push(Effect::new(EffectKind::Read(Target::new(path.clone())), Family::General, file.span));
    }
    understood.carried.push(Carried { what, ..Carried::command(Vec::new(), span_of(words)) });
    understood
}

/// A path that is the command's own standard input.
pub(super) fn reads_standard_input(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// A path that is another open file of the command.
pub(super) fn reads_descriptor(path: &str) -> bool {
    let number = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"].iter().find_map(|place| path.strip_prefix(place));
    number.is_some_and(|number| number != "0" && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Where code comes from whose file is not known.
fn source_origin(partial: &Partial, quoted: bool) -> Origin {
    let below = partial.prefix.is_empty() && partial.suffix.starts_with('/') && !partial.suffix.contains("/../");
    match &partial.cause {
        Cause::Remote => Origin::Fetched,
        Cause::Variable(name) if below && TOOL_DIRECTORIES.contains(&name.as_str()) => Origin::Local,
        // `"$(dirname "$0")/lib.sh"`: a name below a place that a command gives.
        Cause::Substitution if below => Origin::Local,
        // `<(command)` is one word without quotes; `$(command)` is quoted or may split.
        Cause::Substitution if !quoted && !partial.may_split && partial.prefix.is_empty() && partial.suffix.is_empty() => {
            Origin::Generator
        }
        _ => Origin::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::check;

    #[test]
    fn eval_trap_and_source() {
        check(&[
            ("eval rm -rf /", "sh:same{rm -rf /}"),
            ("eval 'rm -rf' '/'", "sh:same{rm -rf /}"),
            ("eval -- ls", "sh:same{ls}"),
            ("eval \"$(tool init)\"", "execute:Generator eval"),
            ("eval $(tool init)", "execute:Unknown eval"),
            ("eval \"$X\"", "execute:Unknown eval"),
            ("eval \"rm -rf $X\"", "execute:Unknown eval; sh{rm -rf ${1}}(sh ${X})?"),
            ("eval a \"$(tool)\"", "execute:Unknown eval; sh{a ${1}}(sh $(…))?"),
            ("trap 'rm -rf /' EXIT", "sh:later{rm -rf /}"),
            ("trap \"rm -f $TMPFILE\" EXIT", "sh:later{rm -f ${1}}(sh ${TMPFILE})"),
            ("trap \"$X\" EXIT", "execute:Unknown trap"),
            ("trap - EXIT", "inert"),
            ("trap '' INT", "inert"),
            ("trap -p", "inert"),
            ("trap EXIT", "inert"),
            ("trap -- 'rm a' 0", "sh:later{rm a}"),
            ("source a.sh x", "read a.sh; script:same{a.sh}(x)"),
            (". -p /x a.sh", "read a.sh; script:same{a.sh}"),
            ("source /dev/stdin", "stdin:same"),
            ("source \"$NVM_DIR/nvm.sh\"", "execute:Local source"),
            ("source \"$(dirname x)/lib.sh\"", "execute:Local source"),
            ("source \"$OTHER/lib.sh\"", "execute:Unknown source"),
            ("source /dev/fd/3", "execute:Unknown source"),
            ("source \"$(tool)\"", "execute:Unknown source"),
        ]);
    }
}
