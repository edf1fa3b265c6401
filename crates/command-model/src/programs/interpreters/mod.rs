//! Interpreters given code: python, node, ruby, perl, php, lua and their kin.
//!
//! Code that is known is read here ([`crate::inline`]); code that is not, and code on standard input, is carried, for the analysis
//! may know more. That inline code was given at all is an effect of its own, `inline:<language>`: [`Origin::Followed`] where all of it is
//! understood and harmless, [`Origin::Inline`] elsewhere.

use sekisho_shell_syntax::span::Span;

use self::table::{INTERPRETERS, Interpreter, option};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::inline;
use crate::option_grammar::{Found, Grammar, Parsed, parse};
use crate::stream::Stream;

mod table;
#[cfg(test)]
mod tests;

/// The programs this file answers for.
pub const NAMES: &[&str] = &[
    "python",
    "python2",
    "python2.7",
    "python3",
    "python3.6",
    "python3.7",
    "python3.8",
    "python3.9",
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
    "python3.15",
    "pypy",
    "pypy3",
    "py",
    "ipython",
    "ipython3",
    "node",
    "nodejs",
    "ts-node",
    "tsx",
    "bun",
    "deno",
    "ruby",
    "perl",
    "php",
    "lua",
    "lua5.1",
    "lua5.2",
    "lua5.3",
    "lua5.4",
    "luajit",
    "texlua",
    "Rscript",
    "R",
    "osascript",
    "julia",
    "elixir",
    "iex",
    "groovy",
    "scala",
    "scala-cli",
    "jshell",
    "raku",
    "perl6",
    "tclsh",
    "wish",
    "expect",
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let Some(interpreter) = INTERPRETERS.iter().find(|interpreter| interpreter.names.contains(&invocation.program)) else {
        return Understood::default();
    };
    let parsed = options(interpreter, invocation.arguments);
    let mut reading = Reading::new(interpreter, invocation);
    match invocation.program {
        "deno" if !parsed.has(option::INERT) => reading.deno(&parsed),
        "bun" if is_bun_command(&parsed, invocation) => return Understood::default(),
        _ => reading.command(&parsed),
    }
    reading.understood
}

/// The options up to the code, where that ends them.
fn options(interpreter: &Interpreter, arguments: &[Argument]) -> Parsed {
    let mut parsed = parse(&interpreter.grammar, arguments);
    let ends = |found: &&Found| matches!(found.id, Some(option::CODE | option::MODULE));
    if interpreter.code_ends_options
        && let Some(first) = parsed.options.iter().find(ends)
    {
        // The value is glued, or the next word; what follows is the program's own.
        let is_glued = arguments.get(first.index).is_some_and(|argument| argument.span == first.span && glued(argument, first));
        let end = first.index + usize::from(!is_glued);
        parsed.options.retain(|found| found.index <= end);
        parsed.operands = (end + 1..arguments.len()).collect();
    }
    parsed
}

/// The option's value stands in the option's own word.
fn glued(argument: &Argument, found: &Found) -> bool {
    match (argument.known(), found.value.as_ref().and_then(Value::known)) {
        (Some(word), Some(value)) => !value.is_empty() && word.len() > value.len() + 1 && word.ends_with(value),
        (Some(_), _) => false,
        (None, value) => value.is_none() || found.value.is_some(),
    }
}

/// A string handed to a call we do not know may be a path that the call opens.
fn is_path(literal: &str) -> bool {
    literal.contains(['/', '.', '~']) && !literal.contains(char::is_whitespace) && !literal.contains("://") && literal.len() <= 1024
}

fn is_bun_command(parsed: &Parsed, invocation: &Invocation<'_>) -> bool {
    !parsed.has(option::CODE)
        && !parsed.has(option::INERT)
        && parsed.operand(invocation.arguments, 0).and_then(Argument::known).is_some_and(|word| table::BUN_COMMANDS.contains(&word))
}

/// One command line of an interpreter.
struct Reading<'a> {
    interpreter: &'static Interpreter,
    invocation: &'a Invocation<'a>,
    understood: Understood,
}

impl<'a> Reading<'a> {
    fn new(interpreter: &'static Interpreter, invocation: &'a Invocation<'a>) -> Self {
        let understood = Understood { described: true, output: Stream::Unknown, ..Understood::default() };
        Self { interpreter, invocation, understood }
    }

    fn effect(&mut self, kind: EffectKind, span: Span) {
        self.understood.effects.push(Effect::new(kind, Family::General, span));
    }

    fn carry(&mut self, what: What, span: Span) {
        self.understood.carried.push(Carried { what, ..Carried::command(Vec::new(), span) });
    }

    /// A word as an interpreter would name what it runs.
    fn name(&self, what: &str) -> String {
        format!("{} {what}", self.invocation.program)
    }

    fn command(&mut self, parsed: &Parsed) {
        let arguments = self.invocation.arguments;
        let module = parsed.options.iter().find(|found| found.id == Some(option::MODULE));
        let has_code = parsed.has(option::CODE);
        if parsed.has(option::INERT) && !has_code && module.is_none() && !parsed.has(option::PRELOAD) {
            self.understood.inert = true;
            return;
        }
        for found in &parsed.options {
            self.side_option(found);
        }
        let first_is_unknown = parsed.operand(arguments, 0).is_some_and(|argument| argument.known().is_none());
        if parsed.uncertain && !first_is_unknown {
            self.effect(EffectKind::DynamicStructure, Span::default());
        }
        if parsed.has(option::SERVER) {
            self.effect(EffectKind::Execute { origin: Origin::Local, what: self.name("server") }, Span::default());
            return;
        }
        if let Some(module) = module {
            return self.module(module, parsed);
        }
        let mut inputs = parsed.operands.as_slice();
        if has_code {
            self.codes(parsed);
        } else if let Some(script) = parsed.options.iter().find(|found| found.id == Some(option::SCRIPT)) {
            if let Some(path) = script.value.clone() {
                self.script(path, script.span, parsed.has(option::CHECK));
            }
        } else if let Some((first, rest)) = inputs.split_first() {
            inputs = rest;
            if let Some(argument) = arguments.get(*first) {
                match argument.known() {
                    Some("-" | "/dev/stdin") => self.standard_input(argument.span),
                    _ => self.script(argument.value.clone(), argument.span, parsed.has(option::CHECK)),
                }
            }
        } else {
            self.standard_input(Span::default());
        }
        self.inputs(parsed, inputs);
        if parsed.has(option::INTERACTIVE) && has_code {
            self.effect(
                EffectKind::Execute { origin: Origin::Interactive, what: self.invocation.program.to_owned() },
                Span::default(),
            );
        }
    }

    /// Files that options name.
    fn side_option(&mut self, found: &Found) {
        let Some(value) = found.value.clone() else { return };
        match found.id {
            Some(option::ENVIRONMENT) => self.effect(EffectKind::Use(Target::new(value)), found.span),
            Some(option::PRELOAD) if value.known().is_none_or(|text| text.starts_with(['.', '/']) || text.ends_with(".js")) => {
                self.effect(EffectKind::Execute { origin: Origin::Local, what: self.name("preload") }, found.span);
            }
            _ => {}
        }
    }

    /// Files the code is run over, line by line.
    fn inputs(&mut self, parsed: &Parsed, inputs: &[usize]) {
        let in_place = parsed.has(option::IN_PLACE);
        if !in_place && !parsed.has(option::LINES) {
            return;
        }
        for argument in inputs.iter().filter_map(|index| self.invocation.arguments.get(*index)) {
            let target = Target::new(argument.value.clone());
            let kind = if in_place { EffectKind::Write(target, WriteMode::InPlace) } else { EffectKind::Read(target) };
            self.effect(kind, argument.span);
        }
    }

    /// Code given by options.
    fn codes(&mut self, parsed: &Parsed) {
        let codes: Vec<&Found> = parsed.options.iter().filter(|found| found.id == Some(option::CODE)).collect();
        let codes =
            if self.interpreter.joins_code { codes.as_slice() } else { codes.last().map(std::slice::from_ref).unwrap_or_default() };
        let span = codes.iter().map(|found| found.span).reduce(Span::to).unwrap_or_default();
        let mut text = String::new();
        let mut known = true;
        for found in codes {
            match &found.value {
                Some(Value::Known { text: code, .. }) => {
                    text.push_str(code);
                    text.push('\n');
                }
                Some(Value::Glob { pattern }) => {
                    text.push_str(pattern);
                    text.push('\n');
                }
                Some(value @ Value::Dynamic(_)) => {
                    known = false;
                    self.carry(What::Code { language: self.interpreter.language, source: Some(value.clone()) }, found.span);
                }
                None => {}
            }
        }
        let preloaded = self.preloads(parsed);
        let harmless = !text.is_empty() && self.code(&(preloaded + &text), span);
        let origin = if known && harmless { Origin::Followed } else { Origin::Inline };
        self.inline(origin, span);
    }

    /// Modules brought in before the code, as code.
    fn preloads(&self, parsed: &Parsed) -> String {
        let Some((before, after)) = self.interpreter.preload else { return String::new() };
        let mut text = String::new();
        for value in parsed.values(option::PRELOAD) {
            let known = value.known().unwrap_or_default();
            // Perl's `-MModule=name,name` and `-mModule`.
            let module = known.split('=').next().unwrap_or_default().trim_start_matches('-');
            if module.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./:@".contains(&byte)) {
                text.push_str(before);
                text.push_str(module);
                text.push_str(after);
                text.push('\n');
            }
        }
        text
    }

    /// Reads code that is known. Says whether all of it is harmless.
    fn code(&mut self, text: &str, span: Span) -> bool {
        let code = inline::read(self.interpreter.language, text, self.invocation.host.home(), span);
        let named = |literal: &str| {
            code.effects.iter().any(|effect| match &effect.kind {
                EffectKind::Read(target) | EffectKind::Write(target, _) => target.value.known() == Some(literal),
                _ => false,
            })
        };
        let touched: Vec<Value> = code
            .literals
            .iter()
            .filter(|literal| is_path(literal) && !named(literal))
            .map(|literal| Value::literal(literal.as_str()))
            .collect();
        self.understood.effects.extend(code.effects);
        for path in touched {
            self.understood.effects.push(Effect::new(EffectKind::Touch(Target::new(path)), Family::Interpreter, span));
        }
        self.understood.carried.extend(code.carried);
        code.harmless
    }

    fn inline(&mut self, origin: Origin, span: Span) {
        let what = format!("inline:{}", self.interpreter.language);
        self.understood.effects.push(Effect::new(EffectKind::Execute { origin, what }, Family::Interpreter, span));
    }

    /// A script file.
    fn script(&mut self, path: Value, span: Span, only_read: bool) {
        if only_read {
            return self.effect(EffectKind::Read(Target::new(path)), span);
        }
        if let Some(address) = path.known().filter(|text| text.starts_with("http://") || text.starts_with("https://")) {
            let host = address.split('/').nth(2).unwrap_or_default().to_owned();
            self.effect(EffectKind::Network { host: Some(Value::literal(host)), upload: false }, span);
            return self.effect(EffectKind::Execute { origin: Origin::Fetched, what: self.name("script") }, span);
        }
        self.effect(EffectKind::Execute { origin: Origin::Local, what: self.name(&path.display()) }, span);
        self.carry(What::CodeFile { language: self.interpreter.language, path }, span);
    }

    /// Code is read from standard input.
    fn standard_input(&mut self, span: Span) {
        if *self.invocation.input == Stream::Nothing {
            self.effect(EffectKind::Execute { origin: Origin::Interactive, what: self.invocation.program.to_owned() }, span);
        }
        self.carry(What::Code { language: self.interpreter.language, source: None }, span);
    }

    /// `python -m module`.
    fn module(&mut self, found: &Found, parsed: &Parsed) {
        let span = found.span;
        let arguments = self.invocation.arguments;
        let Some(module) = found.value.as_ref().and_then(Value::known) else {
            return self.effect(EffectKind::Execute { origin: Origin::UnknownProgram, what: self.name("-m") }, span);
        };
        let operands = || parsed.operands(arguments);
        if let Some((_, program)) = table::MODULE_PROGRAMS.iter().find(|(name, _)| *name == module) {
            let words = std::iter::once(Argument { span, ..Argument::literal(*program) }).chain(operands().cloned()).collect();
            self.understood.carried.push(Carried::command(words, span));
            return;
        }
        if table::READING_MODULES.contains(&module) {
            let files: Vec<&Argument> = operands().filter(|argument| !argument.may_be_option()).collect();
            for (number, argument) in files.iter().enumerate().filter(|(_, argument)| argument.known() != Some("-")) {
                let target = Target::new(argument.value.clone());
                let is_output = number == 1 && module == "json.tool";
                let kind = if is_output { EffectKind::Write(target, WriteMode::Truncate) } else { EffectKind::Read(target) };
                // `calendar 2025` names a year, not a file.
                if module != "calendar" {
                    self.effect(kind, argument.span);
                }
            }
            return;
        }
        self.effect(EffectKind::Execute { origin: Origin::Local, what: self.name(&format!("-m {module}")) }, span);
    }

    /// `deno eval CODE`, `deno run FILE` and the other sub-commands.
    fn deno(&mut self, parsed: &Parsed) {
        let arguments = self.invocation.arguments;
        let Some(first) = parsed.operand(arguments, 0) else { return self.standard_input(Span::default()) };
        let Some(command) = first.known() else {
            return self.effect(EffectKind::DynamicStructure, first.span);
        };
        let rest = parsed.from_operand(arguments, 1);
        let grammar =
            Grammar { options: table::DENO_VALUES, permutes: command == "eval", abbreviates: false, single_dash_long: true };
        let inner = parse(&grammar, rest);
        for found in &inner.options {
            self.side_option(found);
        }
        if rest.iter().any(|argument| matches!(argument.known(), Some("--help" | "-h"))) {
            self.understood.inert = true;
            return;
        }
        let operand = inner.operand(rest, 0);
        match command {
            "eval" => match operand.map(|argument| (&argument.value, argument.span)) {
                Some((Value::Known { text, .. }, span)) => {
                    let harmless = self.code(text, span);
                    self.inline(if harmless { Origin::Followed } else { Origin::Inline }, span);
                }
                Some((value, span)) => {
                    self.carry(What::Code { language: self.interpreter.language, source: Some(value.clone()) }, span);
                    self.inline(Origin::Inline, span);
                }
                None => {}
            },
            "fmt" => {
                let only_checks = rest.iter().any(|argument| argument.known() == Some("--check"));
                for argument in inner.operands(rest) {
                    let target = Target::new(argument.value.clone());
                    self.effect(
                        if only_checks { EffectKind::Read(target) } else { EffectKind::Write(target, WriteMode::InPlace) },
                        argument.span,
                    );
                }
            }
            "repl" => self.standard_input(first.span),
            reading if table::DENO_READING.contains(&reading) => {
                for argument in inner.operands(rest) {
                    self.effect(EffectKind::Read(Target::new(argument.value.clone())), argument.span);
                }
            }
            running if table::DENO_RUNNING.contains(&running) => {
                self.effect(EffectKind::Execute { origin: Origin::Local, what: self.name(running) }, first.span);
            }
            script if table::DENO_SCRIPTS.contains(&script) => match operand {
                Some(argument) if argument.known() == Some("-") => self.standard_input(argument.span),
                Some(argument) => self.script(argument.value.clone(), argument.span, false),
                None => self.effect(EffectKind::Execute { origin: Origin::Local, what: self.name(script) }, first.span),
            },
            _ => self.script(first.value.clone(), first.span, false),
        }
    }
}
