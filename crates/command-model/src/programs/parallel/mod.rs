//! GNU parallel (20240722): a template of a shell command, filled with values of lists or of the input.

mod sources;
mod template;

use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::{Carried, Change, Scope, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::option_grammar::{Grammar, OptionSpec, Parsed, parse};
use crate::programs::text_carriers::words::{
    asks_for_help, carry_text, described, flag, glued, inert, named, named_flag, named_glued, quote, span_of, value, word,
};
use crate::programs::xargs::input_becomes_code;
use crate::stream::Stream;
use sources::{Jobs, Source};
use template::{Filled, Template};

/// The programs this file answers for.
pub const NAMES: &[&str] = &["parallel", "env_parallel", "sem"];

/// The name of the effect that says a budget was exceeded.
pub const LIMIT: &str = "parallel-limit";

/// How many commands one call may start before it is not followed any more.
const CHILDREN: usize = 1024;
/// How many words its commands may have together.
const TOKENS: usize = 16_384;
/// How many bytes its commands may have together.
const BYTES: usize = 1 << 20;
/// How many placeholders may be filled.
const SUBSTITUTIONS: usize = 16_384;

const OPTIONS: &[OptionSpec] = &[
    named_flag(
        "query",
        &["--citation", "--bibtex", "--number-of-cpus", "--number-of-cores", "--number-of-sockets", "--number-of-threads"],
    ),
    named_flag("query", &["--max-line-length-allowed", "--minversion", "-h", "-V"]),
    named_flag("dry-run", &["--dry-run", "--dryrun", "--dr"]),
    named_flag("shellquote", &["--shellquote", "--shell-quote"]),
    named_flag("pipe", &["--pipe", "--spreadstdin", "--tee"]),
    named("pipe", &["--pipe-part", "--pipepart"]),
    named_flag("quote", &["-q", "--quote"]),
    named_flag("all-at-once", &["-X", "-m", "--xargs"]),
    named_flag("null", &["-0", "--null"]),
    named_flag("plus", &["--plus"]),
    named_flag("no-sources", &["--nonall"]),
    named_flag("link", &["--link", "--xapply"]),
    named("file", &["-a", "--arg-file"]),
    named("delimiter", &["-d", "--delimiter"]),
    named("columns", &["-C", "--colsep", "--header"]),
    named("count", &["-n", "--max-args", "-N", "--max-replace-args"]),
    named_glued("replace-default", &["-i", "--replace"]),
    named("replace", &["-I"]),
    named("rewritten", &["-U", "--rpl", "--extensionreplace", "--er", "--basenamereplace", "--bnr", "--dirnamereplace", "--dnr"]),
    named("rewritten", &["--basenameextensionreplace", "--bner", "--seqreplace", "--slotreplace", "--parens"]),
    named("separator", &["--arg-sep", "--argsep"]),
    named("file-separator", &["--arg-file-sep", "--argfilesep"]),
    named("remote", &["-S", "--sshlogin"]),
    named("remote-file", &["--slf", "--sshloginfile"]),
    named("text", &["--ssh"]),
    named("directory", &["--wd", "--workdir"]),
    named("write", &["--joblog", "--results", "--res"]),
    named("limit-text", &["--limit", "--filter-hosts-command"]),
    value(&[
        "-j",
        "--jobs",
        "-P",
        "--max-procs",
        "-L",
        "-s",
        "--max-chars",
        "--sshdelay",
        "--env",
        "--tf",
        "--transferfile",
        "--return",
    ]),
    value(&["--trc", "--bf", "--basefile", "--block", "--block-size", "--recstart", "--recend", "-E", "--retries", "--tmpdir"]),
    value(&["--tempdir", "--timeout", "--delay", "--halt", "--halt-on-error", "--nice", "--load", "--memfree", "--memsuspend"]),
    value(&["--tagstring", "--ctagstring", "--id", "--semaphorename", "--semaphoretimeout", "--st", "-J", "--profile", "--parset"]),
    value(&[
        "--sqlmaster",
        "--sqlworker",
        "--sql",
        "--sqlandworker",
        "--rsync-opts",
        "--termseq",
        "--compress-program",
        "--shard",
        "--bin",
    ]),
    value(&["--groupby", "--group-by", "--shellquote-mode", "--tmux-name", "--trim", "--colour-failed", "--template", "--tmpl"]),
    value(&["--retry-delay", "--max-load", "--color-name"]),
    glued(&["-e", "--eof", "-l", "--max-lines", "--cat", "--fifo", "--tmux"]),
    flag(&[
        "-k",
        "--keep-order",
        "-t",
        "--verbose",
        "-v",
        "--vv",
        "--tag",
        "--ctag",
        "--lb",
        "--line-buffer",
        "--linebuffer",
        "-u",
        "--ungroup",
    ]),
    flag(&[
        "--group",
        "--files",
        "--files0",
        "--tty",
        "--semaphore",
        "--fg",
        "--bg",
        "--wait",
        "-r",
        "--no-run-if-empty",
        "-p",
        "--interactive",
    ]),
    flag(&[
        "-x",
        "--exit",
        "--shuf",
        "--will-cite",
        "--no-notice",
        "--plain",
        "--progress",
        "--eta",
        "--bar",
        "--color",
        "--resume",
    ]),
    flag(&[
        "--resume-failed",
        "--retry-failed",
        "--cleanup",
        "-M",
        "--controlmaster",
        "--onall",
        "--round-robin",
        "--rr",
        "--roundrobin",
    ]),
    flag(&[
        "--compress",
        "--keep-newline",
        "--noswap",
        "--use-cpus-instead-of-cores",
        "--recend-regexp",
        "--regexp",
        "--hostgroups",
        "--hgrp",
        "-D",
    ]),
    flag(&["--csv", "--fix-tty", "--gnu", "--old", "--shebang", "--hashbang", "--shebang-wrap", "--skip-first-line", "--unsafe"]),
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let parsed = parse(&Grammar::leading(OPTIONS), arguments);
    if asks_for_help(&parsed) || ["query", "dry-run", "shellquote"].iter().any(|id| parsed.has(id)) {
        return inert();
    }
    let mut understood = described();
    option_effects(&parsed, &mut understood);
    let words = parsed.from_operand(arguments, 0);
    let (command, sources) = sources::split(words, &parsed);
    for source in &sources {
        if let Source::File(file) = source {
            understood.effects.push(Effect::new(EffectKind::Read(Target::new(file.value.clone())), Family::Parallel, file.span));
        }
    }
    let run = Run { invocation, parsed: &parsed, change: change(&parsed) };
    // `sem` runs one command; so does `--pipe`, over and over, with the input as its input.
    if invocation.program == "sem" || parsed.has("no-sources") || parsed.has("pipe") && sources.is_empty() {
        if !command.is_empty() {
            run.carry(&joined(command, parsed.has("quote")), &mut understood);
            if parsed.has("pipe")
                && let Some(carried) = understood.carried.last_mut()
            {
                carried.input = Some(Stream::Unknown);
                carried.certain = false;
            }
        } else if parsed.has("pipe") {
            understood.effects.push(execute("command-stream", arguments));
        }
        return understood;
    }
    let jobs = sources::jobs(&sources, invocation.input, &parsed, CHILDREN);
    match jobs {
        Jobs::TooMany => understood.effects.push(limit(arguments)),
        jobs if command.is_empty() => run.commands_from(jobs, &mut understood),
        jobs => run.fill(command, jobs, &mut understood),
    }
    understood
}

fn execute(what: &str, arguments: &[Argument]) -> Effect {
    Effect::new(EffectKind::Execute { origin: Origin::Input, what: what.to_owned() }, Family::Parallel, span_of(arguments))
}

fn limit(arguments: &[Argument]) -> Effect {
    Effect::new(EffectKind::Unknown(LIMIT.to_owned()), Family::Parallel, span_of(arguments))
}

/// Files written and programs run because of options.
fn option_effects(parsed: &Parsed, understood: &mut Understood) {
    for option in &parsed.options {
        let Some(value) = &option.value else { continue };
        let kind = match option.id {
            Some("write") => EffectKind::Write(Target::new(value.clone()), WriteMode::Truncate),
            Some("remote-file") => EffectKind::Use(Target::new(value.clone())),
            Some("remote") if value.known() != Some(":") => EffectKind::Network { host: Some(value.clone()), upload: false },
            Some("text" | "limit-text") => {
                let text = [Argument::with(value.clone(), option.span)];
                understood.carried.push(carry_text(&text, "sh", ShellStart::Child));
                continue;
            }
            _ => continue,
        };
        understood.effects.push(Effect::new(kind, Family::Parallel, option.span));
    }
    for option in parsed.unknown().filter(|option| option.value.is_none()) {
        let kind = EffectKind::Unknown(format!("parallel {}", option.written));
        understood.effects.push(Effect::new(kind, Family::Parallel, option.span));
    }
}

/// Where the commands run.
fn change(parsed: &Parsed) -> Change {
    let elsewhere = parsed.values("remote").any(|host| host.known() != Some(":")) || parsed.has("remote-file");
    let directory = parsed.value("directory").filter(|directory| directory.known() != Some(".")).cloned();
    // `--wd ...` is a fresh directory.
    let fresh = directory.as_ref().and_then(Value::known) == Some("...");
    Change {
        scope: elsewhere.then_some(Scope::Remote),
        unknown_directory: elsewhere && directory.is_none() || fresh,
        home_unknown: elsewhere,
        directory: directory.filter(|_| !fresh),
        ..Change::default()
    }
}

/// The words as parallel gives them to a shell: joined, or with `-q` quoted first.
fn joined(words: &[Argument], quoted: bool) -> Vec<Argument> {
    let quoted_word = |argument: &Argument| match argument.known() {
        Some(text) if quoted => word(quote(text), argument.span),
        _ => argument.clone(),
    };
    words.iter().map(quoted_word).collect()
}

/// The commands of a template that is one word of shell text (`'convert {} x'`), as words: values stand in it quoted, each as one
/// word or a part of one. `None` where the text is more than plain words and lists of them.
fn written_commands(command: &[Argument]) -> Option<Vec<Vec<Argument>>> {
    let [only] = command else { return None };
    let text = only.known()?;
    if !text.trim().contains(char::is_whitespace) || text.contains(|letter: char| "'\"\\`$()<>#\n".contains(letter)) {
        return None;
    }
    let value = |token: &str| {
        if token.contains('{') { Value::Dynamic(Partial::unknown(Cause::Input)) } else { Value::literal(token) }
    };
    let commands = text.split(['|', '&', ';']).map(|part| {
        part.split_whitespace().map(|token| Argument { value: value(token), quoted: true, span: only.span }).collect::<Vec<_>>()
    });
    Some(commands.filter(|words| !words.is_empty()).collect())
}

struct Run<'a> {
    invocation: &'a Invocation<'a>,
    parsed: &'a Parsed,
    change: Change,
}

impl Run<'_> {
    fn carry(&self, words: &[Argument], understood: &mut Understood) {
        let carried = carry_text(words, "sh", ShellStart::Child);
        understood.carried.push(Carried { change: self.change.clone(), family: Some(Family::Parallel), ..carried });
    }

    /// Without a template each value is a command.
    fn commands_from(&self, jobs: Jobs, understood: &mut Understood) {
        let arguments = self.invocation.arguments;
        let Jobs::Known(jobs) = jobs else {
            understood.effects.push(execute("command-stream", arguments));
            return;
        };
        let mut open = false;
        for job in jobs {
            if job.iter().all(|value| value.known().is_some()) {
                let words: Vec<_> = job.into_iter().map(|value| Argument::with(value, span_of(arguments))).collect();
                self.carry(&words, understood);
            } else {
                open = true;
            }
        }
        if open {
            understood.effects.push(execute("command-stream", arguments));
        }
    }

    /// Fills the template once for each job.
    fn fill(&self, command: &[Argument], jobs: Jobs, understood: &mut Understood) {
        let template = Template::new(command, self.parsed);
        if template.unsupported {
            understood.effects.push(execute("template", command));
        }
        let (jobs, certain) = match jobs {
            Jobs::Known(jobs) => (jobs, true),
            Jobs::Open(value) => (vec![vec![value]], false),
            Jobs::TooMany => return,
        };
        let mut work = Work::default();
        let mut code = false;
        for (number, job) in jobs.iter().enumerate() {
            work.bytes += template.size(job);
            if work.bytes > BYTES {
                understood.effects.push(limit(command));
                return;
            }
            let filled = if template.unsupported { unreadable(command) } else { template.fill(job, number + 1, !certain) };
            if !work.add(&filled) {
                understood.effects.push(limit(command));
                return;
            }
            code |= !template.unsupported
                && input_becomes_code(&filled.words, self.invocation)
                && written_commands(command)
                    .is_none_or(|commands| commands.iter().any(|words| input_becomes_code(words, self.invocation)));
            let what = What::Shell { source: filled.source, positional: filled.positional, start: ShellStart::Child };
            let span = span_of(command);
            let carried = Carried { what, certain, family: Some(Family::Parallel), ..Carried::command(Vec::new(), span) };
            understood.carried.push(Carried { change: self.change.clone(), ..carried });
        }
        if code {
            understood.effects.push(execute("parallel", command));
        }
    }
}

/// What is known of a command whose template cannot be filled: its words, with unknown ones behind them.
fn unreadable(command: &[Argument]) -> Filled {
    let span = span_of(command);
    let mut words = command.to_vec();
    words.push(Argument::with(Value::Dynamic(Partial::unknown(Cause::Input)), span));
    let carried = carry_text(&words, "sh", ShellStart::Child);
    match carried.what {
        What::Shell { source, positional, .. } => Filled { source, positional, words, substitutions: 1 },
        _ => Filled { source: Value::literal(""), positional: Vec::new(), words, substitutions: 1 },
    }
}

/// What one call may make.
#[derive(Default)]
struct Work {
    tokens: usize,
    bytes: usize,
    substitutions: usize,
}

impl Work {
    /// Counts a command; `false` where there is too much.
    fn add(&mut self, filled: &Filled) -> bool {
        self.tokens += filled.words.len();
        self.substitutions += filled.substitutions;
        self.tokens <= TOKENS && self.substitutions <= SUBSTITUTIONS
    }
}

#[cfg(test)]
mod tests;
