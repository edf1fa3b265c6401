//! `sekisho explain`: how a decision comes about.

use std::io::{self, Write};

use anstream::stdout;
use sekisho_shell_analysis::{Analysis, Start, analyze};
use sekisho_shell_syntax::posix;
use sekisho_verdict::redaction::{for_terminal, redact};
use sekisho_verdict::{Decision, EffectRecord, ErrorCode, RuleId, Stage, ToolCall, Verdict};
use serde_json::{Value, json};

use super::check::{CallArguments, show, usage};
use crate::exit::Exit;
use crate::output;
use crate::terminal::{BOLD, CYAN, DIM, GREEN, RESET, colour};
use crate::views::{Fixed, Views};

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  sekisho explain -- 'cd /tmp && rm -rf \"$HOME\"'\n\nWith --exit-code the command ends like `check`: 0 may run or no opinion, 3 a person is asked, 2 denied."
)]
pub struct Arguments {
    #[command(flatten)]
    call: CallArguments,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// End with the exit code of `check`
    #[arg(long)]
    exit_code: bool,
}

/// The guard's stages in order, with their numbers.
const STAGES: [(&str, Stage, &str); 12] = [
    ("1", Stage::PolicyProtection, "bounds of the arguments"),
    ("2", Stage::PolicyProtection, "what the call names and runs"),
    ("3", Stage::CommandAnalysis, "budget of nesting"),
    ("4", Stage::CommandValidation, "budget of structure"),
    ("5", Stage::PolicyProtection, "where Git keeps its files"),
    ("6", Stage::PolicyProtection, "sekisho's own files and registrations"),
    ("7", Stage::PolicyProtection, "Git's own files"),
    ("8", Stage::ConfigLoad, "policy and level"),
    ("9", Stage::SecretProtection, "files that hold secrets"),
    ("10", Stage::NonCommand, "tools without a command"),
    ("11", Stage::CommandValidation, "a command that is missing or blank"),
    ("12", Stage::CommandAnalysis, "destructive commands"),
];

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments, fixed: &Fixed) -> io::Result<Exit> {
    let call = match arguments.call.call() {
        Ok(call) => call,
        Err(reason) => return usage(&reason),
    };
    let views = Views::new(fixed);
    let decision = views.judge(&call);
    let analysis = call.command().and_then(|text| analysis(&views, &call, text));
    if arguments.json {
        writeln!(io::stdout().lock(), "{}", trace(&decision, analysis.as_ref()))?;
    } else {
        tell(&call, &decision, analysis.as_ref())?;
    }
    Ok(if arguments.exit_code { Exit::of(decision.verdict) } else { Exit::Done })
}

/// The steps from text to executions, which the decision does not keep.
fn analysis(views: &Views, call: &ToolCall, text: &str) -> Option<Analysis> {
    let cwd = crate::engine::usable_directory(&views.main.host, None, call.cwd.as_deref()?)?;
    Some(analyze(&posix::parse(text), text, &Start { host: &views.main.host, cwd: &cwd, transparent_wrappers: &[] }))
}

/// The answer of `check --json` with its executions, and the trace.
fn trace(decision: &Decision, analysis: Option<&Analysis>) -> Value {
    let mut answer = output::decision(None, decision, true);
    if let Some(evidence) = &decision.evidence {
        answer.insert("segment".to_owned(), redact(&evidence.segment).into());
    }
    let steps: Vec<Value> = analysis
        .iter()
        .flat_map(|analysis| &analysis.steps)
        .map(|step| json!({"kind": step.kind, "text": redact(&step.text), "depth": step.depth}))
        .collect();
    let segments: Vec<Value> = analysis
        .iter()
        .flat_map(|analysis| &analysis.executions)
        .enumerate()
        .map(|(index, execution)| {
            json!({
                "index": index,
                "segment": redact(&execution.segment),
                "program": execution.program,
                "cwd": execution.cwd.path(),
                "certain": execution.certain,
                "described": execution.described,
                "depth": execution.depth,
            })
        })
        .collect();
    let stages: Vec<Value> = STAGES
        .iter()
        .zip(outcomes(decision))
        .map(
            |((number, stage, what), outcome)| json!({"number": number, "stage": stage.word(), "checks": what, "outcome": outcome}),
        )
        .collect();
    answer.insert("trace".to_owned(), json!({"steps": steps, "segments": segments, "stages": stages}));
    Value::Object(answer)
}

/// What each stage said, as far as the decision tells: those behind a deny were not reached.
fn outcomes(decision: &Decision) -> Vec<&'static str> {
    let spoke = matches!(decision.verdict, Verdict::Deny | Verdict::Ask).then(|| deciding(decision)).flatten();
    (0..STAGES.len())
        .map(|at| match spoke {
            Some(spoke) if at == spoke => decision.verdict.word(),
            Some(spoke) if at > spoke && decision.verdict == Verdict::Deny => "not reached",
            _ => "passed",
        })
        .collect()
}

/// The row of [`STAGES`] whose rule it was. Several rows share a word; the rule and our own failures tell them apart.
fn deciding(decision: &Decision) -> Option<usize> {
    let rule = decision.rule.as_ref().map(RuleId::as_str).unwrap_or_default();
    let number = match (decision.stage, rule) {
        (Stage::PolicyProtection, _) if decision.error == Some(ErrorCode::ToolInputLimit) => "1",
        (Stage::PolicyProtection, _) if decision.error.is_some() => "2",
        (Stage::PolicyProtection, rule) if rule.ends_with("git-metadata") || rule == "git.metadata-mutation" => "7",
        (Stage::PolicyProtection, _) => "6",
        (Stage::CommandAnalysis, "analysis.recursion-limit") => "3",
        (Stage::CommandValidation, "analysis.structural-limit") => "4",
        (Stage::CommandValidation, _) => "11",
        (Stage::ConfigLoad, _) => "8",
        (Stage::SecretProtection, _) => "9",
        (Stage::NonCommand, _) => "10",
        // An ask nobody can answer was the last stage's.
        (Stage::CommandAnalysis | Stage::AskDelivery, _) => "12",
        _ => return None,
    };
    STAGES.iter().position(|(at, _, _)| *at == number)
}

fn tell(call: &ToolCall, decision: &Decision, analysis: Option<&Analysis>) -> io::Result<()> {
    let clean = |text: &str| for_terminal(&redact(text));
    {
        let mut output = stdout().lock();
        writeln!(output, "{BOLD}Commands{RESET}")?;
        if decision.executions.is_empty() {
            writeln!(output, "  {DIM}none that a shell would run{RESET}")?;
        }
        for (at, execution) in decision.executions.iter().enumerate() {
            let words = match &execution.argv {
                Some(argv) => argv
                    .iter()
                    .map(|word| word.as_deref().map_or("‹?›".to_owned(), |word| format!("{word:?}")))
                    .collect::<Vec<_>>()
                    .join(" "),
                None => "‹words not known›".to_owned(),
            };
            let mut notes = Vec::new();
            if !execution.certain {
                notes.push("may run".to_owned());
            }
            if execution.scope != "host" {
                notes.push(format!("in a {}", execution.scope));
            }
            let notes = if notes.is_empty() { String::new() } else { format!("  {DIM}({}){RESET}", notes.join(", ")) };
            writeln!(output, "  {DIM}{:>2}{RESET} {}{notes}", at + 1, clean(&words))?;
        }
        for step in analysis.iter().flat_map(|analysis| &analysis.steps) {
            let indent = "  ".repeat(usize::try_from(step.depth).unwrap_or_default().min(8));
            writeln!(output, "     {indent}{DIM}{}: {}{RESET}", step.kind, clean(&step.text))?;
        }
        writeln!(output, "\n{BOLD}Effects{RESET}")?;
        if decision.effects.is_empty() {
            writeln!(output, "  {DIM}none{RESET}")?;
        }
        for effect in &decision.effects {
            writeln!(output, "  {}", clean(&sentence(effect)))?;
        }
        writeln!(output, "\n{BOLD}Stages{RESET}")?;
        for ((number, _, what), outcome) in STAGES.iter().zip(outcomes(decision)) {
            let style = match outcome {
                "passed" => GREEN,
                "not reached" => DIM,
                _ => colour(decision.verdict),
            };
            writeln!(output, "  {DIM}{number:>2}{RESET} {what:<40} {style}{outcome}{RESET}")?;
        }
        if !decision.also_matched.is_empty() {
            let rules: Vec<&str> = decision.also_matched.iter().map(RuleId::as_str).collect();
            writeln!(output, "\n{BOLD}Also matched{RESET}  {CYAN}{}{RESET}", rules.join(", "))?;
        }
        writeln!(output)?;
    }
    show(call, decision)
}

/// An effect in a line: what, on what, which kind of place.
fn sentence(effect: &EffectRecord) -> String {
    let mut text = format!("{:<12}", effect.kind.replace('_', " "));
    if let Some(target) = &effect.target {
        text.push_str(&format!(" {target}"));
    }
    let mut notes: Vec<String> = effect.details.clone();
    notes.extend(effect.class.iter().map(|class| class.replace('_', " ")));
    notes.extend(effect.provenance.iter().filter(|provenance| *provenance != "literal").cloned());
    if !notes.is_empty() {
        text.push_str(&format!("  ({})", notes.join(", ")));
    }
    text
}
