//! A tree as one line of text, for tests and for people.
//!
//! ```
//! use sekisho_shell_syntax::{posix, render};
//!
//! let program = posix::parse("a=1 ls \"$x\" | wc > out & f() { :; }");
//! assert_eq!(
//!     render::tree(&program),
//!     "complete (| (cmd [a=1] ls \"$x\") (cmd wc (> out)))& (function f (group (cmd :);))"
//! );
//! ```
//!
//! Words are shown by kind and quoting, not as written: bare text as it is, `'…'` for text in single quotes, `"…"` in double
//! quotes, `\…` for an escaped character, `$'…'` decoded, `<glob *>`, `<tilde user>`, `<braces a b>`, `<seq 1 9 2>`,
//! `$(…)`, `<(…)`, `$((…))` with their content. `·` stands for a word without parts.

use std::fmt::Write as _;

use crate::tree::{
    AndOr, AndOrOperator, ArrayElement, Assignment, AssignmentValue, CaseTerminator, Command, CommandKind, Conditional, Descriptor,
    For, HereDocument, List, Parameter, ParameterExpansion, ParameterOperation, PartKind, Pipeline, ProcessDirection, Program,
    Quote, Redirection, RedirectionTarget, ReplacePlace, SimpleCommand, Status, Substitution, Terminator, Word, WordPart,
};

/// The whole program: its status, its issues and its commands.
pub fn tree(program: &Program) -> String {
    let mut out = String::from(match program.status {
        Status::Complete => "complete",
        Status::Partial => "partial",
        Status::Invalid => "invalid",
        Status::Limited => "limited",
    });
    if !program.issues.is_empty() {
        out.push('[');
        for (index, issue) in program.issues.iter().enumerate() {
            let separator = if index == 0 { "" } else { " " };
            let _ = write!(out, "{separator}{:?}@{}..{}", issue.code, issue.span.start, issue.span.end);
        }
        out.push(']');
    }
    if !program.body.items.is_empty() {
        out.push(' ');
        list(&mut out, &program.body);
    }
    out
}

/// One word.
pub fn word(value: &Word) -> String {
    let mut out = String::new();
    write_word(&mut out, value);
    out
}

fn list(out: &mut String, value: &List) {
    for (index, item) in value.items.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        and_or(out, &item.and_or);
        out.push_str(match item.terminator {
            Terminator::Semicolon => ";",
            Terminator::Newline => "↵",
            Terminator::Background => "&",
            Terminator::End => "",
        });
    }
}

fn and_or(out: &mut String, value: &AndOr) {
    pipeline(out, &value.first);
    for (operator, next) in &value.rest {
        out.push_str(match operator {
            AndOrOperator::And => " && ",
            AndOrOperator::Or => " || ",
        });
        pipeline(out, next);
    }
}

fn pipeline(out: &mut String, value: &Pipeline) {
    if value.timed {
        out.push_str("time ");
    }
    if value.negated {
        out.push_str("! ");
    }
    if let [stage] = value.stages.as_slice()
        && !stage.pipes_error
    {
        command(out, &stage.command);
        return;
    }
    out.push_str("(|");
    for stage in &value.stages {
        out.push(' ');
        command(out, &stage.command);
        if stage.pipes_error {
            out.push_str(" |&");
        }
    }
    out.push(')');
}

fn command(out: &mut String, value: &Command) {
    match &value.kind {
        CommandKind::Simple(node) => {
            simple(out, node, &value.redirections);
            return;
        }
        CommandKind::Group(body) => node_with_list(out, "group", body),
        CommandKind::Subshell(body) => node_with_list(out, "subshell", body),
        CommandKind::If(node) => {
            out.push_str("(if");
            for (condition, body) in &node.branches {
                bracketed_list(out, condition);
                bracketed_list(out, body);
            }
            if let Some(body) = &node.otherwise {
                out.push_str(" else");
                bracketed_list(out, body);
            }
            out.push(')');
        }
        CommandKind::For(node) => for_loop(out, "for", node),
        CommandKind::Select(node) => for_loop(out, "select", node),
        CommandKind::ForArithmetic(node) => {
            out.push_str("(for((");
            for (index, expression) in node.header.iter().enumerate() {
                if index > 0 {
                    out.push(';');
                }
                write_word(out, expression);
            }
            out.push_str("))");
            bracketed_list(out, &node.body);
            out.push(')');
        }
        CommandKind::Loop(node) => {
            out.push_str(if node.until { "(until" } else { "(while" });
            bracketed_list(out, &node.condition);
            bracketed_list(out, &node.body);
            out.push(')');
        }
        CommandKind::Case(node) => {
            out.push_str("(case ");
            write_word(out, &node.subject);
            for arm in &node.arms {
                out.push_str(" [");
                for (index, pattern) in arm.patterns.iter().enumerate() {
                    if index > 0 {
                        out.push('|');
                    }
                    write_word(out, pattern);
                }
                out.push_str(") ");
                list(out, &arm.body);
                out.push_str(match arm.terminator {
                    CaseTerminator::Break => "]",
                    CaseTerminator::FallThrough => " ;&]",
                    CaseTerminator::TestNext => " ;;&]",
                });
            }
            out.push(')');
        }
        CommandKind::Conditional(node) => {
            out.push_str("[[");
            conditional(out, node);
            out.push_str("]]");
        }
        CommandKind::Arithmetic(expression) => {
            out.push_str("((");
            write_word(out, expression);
            out.push_str("))");
        }
        CommandKind::Function(node) => {
            let _ = write!(out, "(function {} ", visible(&node.name));
            command(out, &node.body);
            out.push(')');
        }
        CommandKind::Coprocess(node) => {
            let _ = write!(out, "(coproc {} ", node.name.as_deref().unwrap_or("COPROC"));
            command(out, &node.body);
            out.push(')');
        }
    }
    for item in &value.redirections {
        redirection(out, item);
    }
}

fn node_with_list(out: &mut String, name: &str, body: &List) {
    out.push('(');
    out.push_str(name);
    out.push(' ');
    list(out, body);
    out.push(')');
}

fn bracketed_list(out: &mut String, body: &List) {
    out.push_str(" [");
    list(out, body);
    out.push(']');
}

fn for_loop(out: &mut String, name: &str, node: &For) {
    let _ = write!(out, "({name} {}", visible(&node.variable));
    if let Some(words) = &node.words {
        out.push_str(" in");
        for item in words {
            out.push(' ');
            write_word(out, item);
        }
    }
    bracketed_list(out, &node.body);
    out.push(')');
}

fn simple(out: &mut String, node: &SimpleCommand, redirections: &[Redirection]) {
    out.push_str("(cmd");
    for item in &node.assignments {
        out.push_str(" [");
        assignment(out, item);
        out.push(']');
    }
    for item in &node.words {
        out.push(' ');
        write_word(out, item);
    }
    for item in redirections {
        redirection(out, item);
    }
    out.push(')');
}

fn assignment(out: &mut String, value: &Assignment) {
    out.push_str(&value.name);
    if let Some(subscript) = &value.subscript {
        out.push('[');
        write_word(out, subscript);
        out.push(']');
    }
    out.push_str(if value.append { "+=" } else { "=" });
    match &value.value {
        AssignmentValue::Scalar(scalar) if scalar.parts.is_empty() => {}
        AssignmentValue::Scalar(scalar) => write_word(out, scalar),
        AssignmentValue::Array(elements) => {
            out.push('(');
            for (index, ArrayElement { subscript, value }) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                if let Some(subscript) = subscript {
                    out.push('[');
                    write_word(out, subscript);
                    out.push_str("]=");
                }
                write_word(out, value);
            }
            out.push(')');
        }
    }
}

fn redirection(out: &mut String, value: &Redirection) {
    out.push_str(" (");
    match &value.descriptor {
        Some(Descriptor::Number(number)) => {
            let _ = write!(out, "{number}");
        }
        Some(Descriptor::Variable(name)) => {
            let _ = write!(out, "{{{name}}}");
        }
        None => {}
    }
    out.push_str(value.operator.as_str());
    out.push(' ');
    match &value.target {
        RedirectionTarget::Word(target) => write_word(out, target),
        RedirectionTarget::HereDocument(document) => here_document(out, document),
        RedirectionTarget::Missing => out.push_str("missing"),
    }
    out.push(')');
}

fn here_document(out: &mut String, document: &HereDocument) {
    out.push_str(&visible(&document.delimiter));
    if document.quoted {
        out.push_str(" quoted");
    }
    if !document.terminated {
        out.push_str(" unterminated");
    }
    out.push(' ');
    write_word(out, &document.body);
}

fn conditional(out: &mut String, value: &Conditional) {
    match value {
        Conditional::Word(operand) => write_word(out, operand),
        Conditional::Unary(operator, operand) => {
            let _ = write!(out, "({operator} ");
            write_word(out, operand);
            out.push(')');
        }
        Conditional::Binary(left, operator, right) => {
            out.push('(');
            write_word(out, left);
            let _ = write!(out, " {operator} ");
            write_word(out, right);
            out.push(')');
        }
        Conditional::Not(inner) => {
            out.push_str("(! ");
            conditional(out, inner);
            out.push(')');
        }
        Conditional::And(left, right) => joined(out, left, "&&", right),
        Conditional::Or(left, right) => joined(out, left, "||", right),
    }
}

fn joined(out: &mut String, left: &Conditional, operator: &str, right: &Conditional) {
    out.push('(');
    conditional(out, left);
    let _ = write!(out, " {operator} ");
    conditional(out, right);
    out.push(')');
}

fn write_word(out: &mut String, value: &Word) {
    if value.parts.is_empty() {
        out.push('·');
    }
    for item in &value.parts {
        part(out, item);
    }
}

fn part(out: &mut String, value: &WordPart) {
    let (open, close) = match value.quote {
        Quote::None => ("", ""),
        Quote::Backslash => ("\\", ""),
        Quote::Single => ("'", "'"),
        Quote::Double => ("\"", "\""),
        Quote::Ansi => ("$'", "'"),
        Quote::Locale => ("$\"", "\""),
    };
    out.push_str(open);
    match &value.kind {
        PartKind::Literal(text) => out.push_str(&visible(text)),
        PartKind::Parameter(expansion) => parameter(out, expansion),
        PartKind::CommandSubstitution(inner) => {
            substitution(out, if inner.text.is_some() { "`(" } else { "$(" }, inner);
        }
        PartKind::Arithmetic(expression) => {
            out.push_str("$((");
            write_word(out, expression);
            out.push_str("))");
        }
        PartKind::ProcessSubstitution(ProcessDirection::Output, inner) => substitution(out, "<(", inner),
        PartKind::ProcessSubstitution(ProcessDirection::Input, inner) => substitution(out, ">(", inner),
        PartKind::Glob(pattern) => {
            let _ = write!(out, "<glob {}>", visible(pattern));
        }
        PartKind::BraceAlternatives(words) => {
            out.push_str("<braces");
            for item in words {
                out.push(' ');
                write_word(out, item);
            }
            out.push('>');
        }
        PartKind::BraceSequence(sequence) => {
            let _ = write!(out, "<seq {} {}", sequence.start, sequence.end);
            if let Some(step) = &sequence.step {
                let _ = write!(out, " {step}");
            }
            out.push('>');
        }
        PartKind::Tilde(name) => {
            let _ = write!(out, "<tilde {name}>");
        }
    }
    out.push_str(close);
}

fn substitution(out: &mut String, open: &str, inner: &Substitution) {
    out.push_str(open);
    list(out, &inner.body);
    out.push(')');
}

fn parameter(out: &mut String, value: &ParameterExpansion) {
    let name = match &value.parameter {
        Parameter::Variable(name) => name.clone(),
        Parameter::Positional(number) => number.to_string(),
        Parameter::Special(character) => character.to_string(),
    };
    if value.subscript.is_none() && !value.indirect && value.operation == ParameterOperation::Value {
        let _ = write!(out, "${name}");
        return;
    }
    out.push_str("${");
    if value.indirect || matches!(value.operation, ParameterOperation::NamesWithPrefix | ParameterOperation::Keys) {
        out.push('!');
    }
    if value.operation == ParameterOperation::Length {
        out.push('#');
    }
    out.push_str(&name);
    if let Some(subscript) = &value.subscript {
        out.push('[');
        write_word(out, subscript);
        out.push(']');
    }
    operation(out, &value.operation);
    out.push('}');
}

fn operation(out: &mut String, value: &ParameterOperation) {
    let with_colon = |out: &mut String, colon: bool, operator: &str, operand: &Word| {
        let _ = write!(out, "{}{operator} ", if colon { ":" } else { "" });
        write_word(out, operand);
    };
    match value {
        ParameterOperation::Value | ParameterOperation::Length | ParameterOperation::Keys => {}
        ParameterOperation::Default { colon, word } => with_colon(out, *colon, "-", word),
        ParameterOperation::Assign { colon, word } => with_colon(out, *colon, "=", word),
        ParameterOperation::Require { colon, word } => with_colon(out, *colon, "?", word),
        ParameterOperation::Alternative { colon, word } => with_colon(out, *colon, "+", word),
        ParameterOperation::RemovePrefix { longest, pattern } => {
            with_colon(out, false, if *longest { "##" } else { "#" }, pattern);
        }
        ParameterOperation::RemoveSuffix { longest, pattern } => {
            with_colon(out, false, if *longest { "%%" } else { "%" }, pattern);
        }
        ParameterOperation::Replace { place, pattern, replacement } => {
            let operator = match place {
                ReplacePlace::First => "/",
                ReplacePlace::All => "//",
                ReplacePlace::Prefix => "/#",
                ReplacePlace::Suffix => "/%",
            };
            with_colon(out, false, operator, pattern);
            out.push(' ');
            write_word(out, replacement);
        }
        ParameterOperation::Substring { offset, length } => {
            with_colon(out, true, "", offset);
            if let Some(length) = length {
                with_colon(out, true, "", length);
            }
        }
        ParameterOperation::Case { operator, pattern } => with_colon(out, false, operator, pattern),
        ParameterOperation::Transform(letter) => {
            let _ = write!(out, "@{letter}");
        }
        ParameterOperation::NamesWithPrefix => out.push('*'),
        ParameterOperation::Unknown(text) => {
            let _ = write!(out, " unknown {}", visible(text));
        }
    }
}

/// Line ends and tabs as signs, so that a tree stays on one line.
fn visible(text: &str) -> String {
    text.replace('\n', "⏎").replace('\t', "⇥")
}
