//! Commands on another machine: ssh(1) of OpenSSH 9.8, autossh(1), mosh(1), sshpass(1), `vagrant ssh`.

use super::words::{asks_for_help, carry_text, described, flag, glued, inert, named, named_flag, span_of, value};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, Scope, ShellStart, What};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Target, WriteMode};
use crate::option_grammar::{Grammar, OptionSpec, Parsed, parse};
use crate::stream::Stream;

const SSH: &[OptionSpec] = &[
    named("use", &["-i", "-F"]),
    named("write", &["-E"]),
    named("option", &["-o"]),
    named_flag("query", &["-G", "-V"]),
    named("query", &["-O", "-Q"]),
    named_flag("no-command", &["-N"]),
    named("no-command", &["-W"]),
    flag(&["-4", "-6", "-A", "-a", "-C", "-f", "-g", "-K", "-k", "-M", "-n", "-q", "-s", "-T", "-t", "-v", "-X", "-x", "-Y", "-y"]),
    value(&["-B", "-b", "-c", "-D", "-e", "-I", "-J", "-L", "-l", "-m", "-p", "-P", "-R", "-S", "-w"]),
];

const AUTOSSH: &[OptionSpec] = &[value(&["-M"])];

fn remotely() -> Change {
    Change { scope: Some(Scope::Remote), unknown_directory: true, home_unknown: true, ..Change::default() }
}

/// `ssh [OPTION…] HOST [OPTION…] [WORD…]`: the words are joined and read by the user's shell there.
pub(super) fn ssh(arguments: &[Argument], input: &Stream) -> Understood {
    let grammar = Grammar { abbreviates: false, ..Grammar::leading(SSH) };
    let parsed = parse(&grammar, arguments);
    if parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    let mut no_command = parsed.has("no-command");
    let mut remote_text = options(&parsed, &mut understood);
    let Some(host) = parsed.operand(arguments, 0) else {
        return understood;
    };
    let upload = matches!(input, Stream::FileContent(_));
    let network = EffectKind::Network { host: Some(host.value.clone()), upload };
    understood.effects.push(Effect::new(network, Family::General, host.span));
    if host.known().is_none() && host.may_be_option() {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, host.span));
    }
    // Options are read after the host too, until the first word that is none.
    let rest = parsed.from_operand(arguments, 1);
    let later = parse(&grammar, rest);
    no_command |= later.has("no-command");
    remote_text = options(&later, &mut understood).or(remote_text);
    let words = later.from_operand(rest, 0);
    let carried = if !words.is_empty() {
        carry_text(words, "sh", ShellStart::Child)
    } else if let Some(text) = remote_text {
        carry_text(&[text], "sh", ShellStart::Child)
    } else if no_command || *input == Stream::Nothing {
        return understood;
    } else {
        Carried {
            what: What::StandardInput { start: ShellStart::Child, positional: Vec::new() },
            ..Carried::command(Vec::new(), span_of(arguments))
        }
    };
    understood.carried.push(Carried { change: remotely(), ..carried });
    understood
}

/// Effects of options; the text of `-o RemoteCommand=`, if there is one.
fn options(parsed: &Parsed, understood: &mut Understood) -> Option<Argument> {
    let mut remote = None;
    for option in &parsed.options {
        let Some(value) = &option.value else { continue };
        let target = Target::new(value.clone());
        match option.id {
            // `-F none` reads no file.
            Some("use") if value.known() != Some("none") => {
                understood.effects.push(Effect::new(EffectKind::Use(target), Family::General, option.span));
            }
            Some("write") => {
                let kind = EffectKind::Write(target, WriteMode::Append);
                understood.effects.push(Effect::new(kind, Family::General, option.span));
            }
            Some("option") => {
                let Some((keyword, rest)) = configuration(value) else {
                    continue;
                };
                let rest = Argument::with(rest, option.span);
                match keyword.as_str() {
                    "proxycommand" | "localcommand" | "knownhostscommand" if rest.known() != Some("none") => {
                        understood.carried.push(carry_text(&[rest], "sh", ShellStart::Child));
                    }
                    "remotecommand" if rest.known() != Some("none") => remote = Some(rest),
                    "identityfile" | "certificatefile" | "include" => {
                        let kind = EffectKind::Use(Target::new(rest.value));
                        understood.effects.push(Effect::new(kind, Family::General, option.span));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    remote
}

/// `Keyword=value` or `Keyword value`, the keyword in lower case.
fn configuration(value: &Value) -> Option<(String, Value)> {
    let text = match value {
        Value::Known { text, .. } => text,
        Value::Glob { pattern } => pattern,
        Value::Dynamic(partial) => &partial.prefix,
    };
    let end = text.find(|letter: char| letter == '=' || letter.is_whitespace())?;
    let keyword = text.get(..end)?;
    let after = text.get(end..)?;
    let skipped = after.len() - after.trim_start_matches(|letter: char| letter == '=' || letter.is_whitespace()).len();
    let rest = value.without_prefix(text.get(..end + skipped)?)?;
    Some((keyword.to_ascii_lowercase(), rest))
}

/// `autossh [-M PORT] SSH-OPTIONS …`.
pub(super) fn autossh(arguments: &[Argument], input: &Stream) -> Understood {
    // Its own options are only ever written first.
    let own = parse(&Grammar { abbreviates: false, ..Grammar::leading(AUTOSSH) }, arguments.get(..2).unwrap_or(arguments));
    let skipped = match own.options.first() {
        Some(option) if option.id.is_some() => arguments
            .iter()
            .take(2)
            .take_while(|word| word.known() != Some("--"))
            .count()
            .min(if arguments.first().and_then(Argument::known) == Some("-M") { 2 } else { 1 }),
        _ => 0,
    };
    ssh(arguments.get(skipped..).unwrap_or_default(), input)
}

const MOSH: &[OptionSpec] = &[
    named("local", &["--ssh", "--client"]),
    value(&["-p", "--port", "--predict", "--family", "--server", "--bind-server", "--experimental-remote-ip"]),
    flag(&["-a", "-n", "-4", "-6", "-o", "--predict-overwrite", "--no-init", "--no-ssh-pty", "--local"]),
    glued(&["--ssh-pty"]),
];

/// `mosh [OPTION…] HOST [--] COMMAND …`.
pub(super) fn mosh(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar::leading(MOSH), arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    for text in parsed.values("local") {
        let words = [Argument::with(text.clone(), span_of(arguments))];
        understood.carried.push(carry_text(&words, "sh", ShellStart::Child));
    }
    if let Some(host) = parsed.operand(arguments, 0) {
        let network = EffectKind::Network { host: Some(host.value.clone()), upload: false };
        understood.effects.push(Effect::new(network, Family::General, host.span));
    }
    let words = parsed.from_operand(arguments, 1);
    let words = if words.first().and_then(Argument::known) == Some("--") { words.get(1..).unwrap_or_default() } else { words };
    if !words.is_empty() {
        understood.carried.push(Carried { change: remotely(), ..Carried::command(words.to_vec(), span_of(words)) });
    }
    understood
}

const SSHPASS: &[OptionSpec] =
    &[named("use", &["-f"]), value(&["-d", "-p", "-P"]), flag(&["-e", "-v"]), named_flag("query", &["-h", "-V"])];

/// `sshpass -f FILE COMMAND …`.
pub(super) fn sshpass(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::leading(SSHPASS) }, arguments);
    if parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    options(&parsed, &mut understood);
    let words = parsed.from_operand(arguments, 0);
    if !words.is_empty() {
        understood.carried.push(Carried::command(words.to_vec(), span_of(words)));
    }
    understood
}

const VAGRANT_SSH: &[OptionSpec] =
    &[named("text", &["-c", "--command"]), flag(&["-p", "--plain", "-t", "--tty", "--no-tty", "--color", "--no-color"])];

/// `vagrant ssh [NAME] -c TEXT`; other sub-commands are operations on the machine.
pub(super) fn vagrant(arguments: &[Argument]) -> Understood {
    let Some(at) = arguments.iter().position(|word| word.known().is_none_or(|text| !text.starts_with('-'))) else {
        return inert();
    };
    let rest = arguments.get(at + 1..).unwrap_or_default();
    let mut understood = described();
    let Some(subcommand) = arguments.get(at).and_then(Argument::known) else {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, span_of(arguments)));
        return understood;
    };
    let parsed = parse(&Grammar::gnu(VAGRANT_SSH), rest);
    if asks_for_help(&parsed) {
        return inert();
    }
    if subcommand == "ssh" {
        if let Some(text) = parsed.value("text") {
            let words = [Argument::with(text.clone(), span_of(rest))];
            understood.carried.push(Carried { change: remotely(), ..carry_text(&words, "sh", ShellStart::Child) });
        }
        return understood;
    }
    let operation = match subcommand {
        "status" | "global-status" | "ssh-config" | "port" | "validate" | "version" | "list-commands" => "read",
        other => other,
    };
    let resource = parsed.operand(rest, 0).map(|word| word.value.display());
    let kind = EffectKind::Service { service: "vagrant".to_owned(), operation: operation.to_owned(), resource };
    understood.effects.push(Effect::new(kind, Family::General, span_of(arguments)));
    understood
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::{check, show_input};
    use crate::stream::Stream;

    #[test]
    fn remote_words_are_shell_source() {
        check(&[
            ("ssh host 'rm -rf /'", "network host; sh{rm -rf /} dir? home? @remote"),
            ("ssh host rm -rf /", "network host; sh{rm -rf /} dir? home? @remote"),
            ("ssh -i ~/.ssh/id -p 22 u@h uptime", "use ~/.ssh/id; network u@h; sh{uptime} dir? home? @remote"),
            ("ssh h -p 22 uptime", "network h; sh{uptime} dir? home? @remote"),
            ("ssh h \"rm -rf $X\"", "network h; sh{rm -rf ${1}}(sh ${X}) dir? home? @remote"),
            ("ssh h \"$X\"", "network h; sh{${X}} dir? home? @remote"),
            ("ssh -o ProxyCommand='rm a' h", "network h; sh{rm a}"),
            ("ssh -o 'proxycommand rm a' h", "network h; sh{rm a}"),
            ("ssh -oRemoteCommand='rm a' h", "network h; sh{rm a} dir? home? @remote"),
            ("ssh -N -L 1:2:3 h", "network h"),
            ("ssh -G h", "inert"),
            ("autossh -M 0 h rm a", "network h; sh{rm a} dir? home? @remote"),
            ("mosh --ssh='ssh -p 1' h -- rm a", "network h; sh{ssh -p 1}; run{rm a} dir? home? @remote"),
            ("sshpass -f p ssh h ls", "use p; run{ssh h ls}"),
            ("vagrant ssh box -c 'rm -rf /'", "sh{rm -rf /} dir? home? @remote"),
            ("vagrant destroy -f", "service vagrant destroy"),
        ]);
        let piped = show_input("ssh h", &Stream::Known("rm a\n".to_owned()));
        assert_eq!(piped, "network h; stdin dir? home? @remote");
    }
}
