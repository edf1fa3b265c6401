//! A tree as JSON. Snake case; every node has a `kind`; spans are byte offsets `[start, end]`.
//!
//! The tree is no deeper than the parser's budget, so these functions may recurse.

use sekisho_shell_syntax::render;
use sekisho_shell_syntax::span::Span;
use sekisho_shell_syntax::tree::{
    AndOrOperator, Assignment, AssignmentValue, CaseTerminator, Command, CommandKind, Conditional, Descriptor, List, PartKind,
    Pipeline, Program, Redirection, RedirectionOperator, RedirectionTarget, SimpleCommand, Status, Substitution, Terminator, Word,
};
use sekisho_shell_syntax::walk::{self, Visit};
use serde_json::{Value, json};

/// The whole program: `dialect`, `status`, `issues`, `commands` (simple commands in source order) and `tree`.
pub fn program(program: &Program, source: &str) -> Value {
    let issues: Vec<Value> = program
        .issues
        .iter()
        .map(|issue| json!({"code": snake_case(&format!("{:?}", issue.code)), "span": span(issue.span)}))
        .collect();
    let commands: Vec<Value> = program.simple_commands().map(simple).collect();
    json!({
        "dialect": super::dialect(program.dialect),
        "status": match program.status {
            Status::Complete => "complete",
            Status::Partial => "partial",
            Status::Invalid => "invalid",
            Status::Limited => "limited",
        },
        "source_bytes": source.len(),
        "issues": issues,
        "commands": commands,
        "tree": list(&program.body),
    })
}

fn span(span: Span) -> Value {
    json!([span.start, span.end])
}

fn snake_case(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(character.to_ascii_lowercase());
    }
    text
}

fn list(list: &List) -> Value {
    let items = list.items.iter().map(|item| {
        let rest: Vec<Value> = item
            .and_or
            .rest
            .iter()
            .map(|(operator, next)| {
                let operator = if *operator == AndOrOperator::And { "&&" } else { "||" };
                json!({"operator": operator, "pipeline": pipeline(next)})
            })
            .collect();
        let terminator = match item.terminator {
            Terminator::Semicolon => ";",
            Terminator::Newline => "\n",
            Terminator::Background => "&",
            Terminator::End => "",
        };
        let mut value = json!({"pipeline": pipeline(&item.and_or.first), "terminator": terminator});
        if let (Value::Object(entries), false) = (&mut value, rest.is_empty()) {
            entries.insert("rest".to_owned(), rest.into());
        }
        value
    });
    json!({"kind": "list", "items": items.collect::<Vec<_>>(), "span": span(list.span)})
}

fn pipeline(pipeline: &Pipeline) -> Value {
    let stages: Vec<Value> = pipeline
        .stages
        .iter()
        .map(|stage| {
            let mut value = command(&stage.command);
            if let (Value::Object(entries), true) = (&mut value, stage.pipes_error) {
                entries.insert("pipes_error".to_owned(), true.into());
            }
            value
        })
        .collect();
    json!({"kind": "pipeline", "negated": pipeline.negated, "timed": pipeline.timed, "commands": stages, "span": span(pipeline.span)})
}

fn command(command: &Command) -> Value {
    let mut value = match &command.kind {
        CommandKind::Simple(command) => simple(command),
        CommandKind::Group(body) => json!({"kind": "group", "body": list(body)}),
        CommandKind::Subshell(body) => json!({"kind": "subshell", "body": list(body)}),
        CommandKind::If(node) => {
            let branches: Vec<Value> =
                node.branches.iter().map(|(condition, body)| json!({"condition": list(condition), "body": list(body)})).collect();
            json!({"kind": "if", "branches": branches, "else": node.otherwise.as_ref().map(list)})
        }
        CommandKind::For(node) | CommandKind::Select(node) => {
            let kind = if matches!(command.kind, CommandKind::For(_)) { "for" } else { "select" };
            json!({"kind": kind, "variable": node.variable, "words": node.words.as_deref().map(words), "body": list(&node.body)})
        }
        CommandKind::ForArithmetic(node) => {
            json!({"kind": "for_arithmetic", "header": words(&node.header), "body": list(&node.body)})
        }
        CommandKind::Loop(node) => {
            let kind = if node.until { "until" } else { "while" };
            json!({"kind": kind, "condition": list(&node.condition), "body": list(&node.body)})
        }
        CommandKind::Case(node) => {
            let arms: Vec<Value> = node
                .arms
                .iter()
                .map(|arm| {
                    let terminator = match arm.terminator {
                        CaseTerminator::Break => ";;",
                        CaseTerminator::FallThrough => ";&",
                        CaseTerminator::TestNext => ";;&",
                    };
                    json!({"patterns": words(&arm.patterns), "body": list(&arm.body), "terminator": terminator})
                })
                .collect();
            json!({"kind": "case", "subject": word(&node.subject), "arms": arms})
        }
        CommandKind::Conditional(node) => json!({"kind": "conditional", "expression": conditional(node)}),
        CommandKind::Arithmetic(expression) => json!({"kind": "arithmetic", "expression": word(expression)}),
        CommandKind::Function(node) => json!({"kind": "function", "name": node.name, "body": self::command(&node.body)}),
        CommandKind::Coprocess(node) => json!({"kind": "coprocess", "name": node.name, "body": self::command(&node.body)}),
    };
    if let Value::Object(entries) = &mut value {
        if !command.redirections.is_empty() {
            entries.insert("redirections".to_owned(), command.redirections.iter().map(redirection).collect());
        }
        entries.insert("span".to_owned(), span(command.span));
    }
    value
}

/// A simple command. `argv` stands there where every word is known and none can become several or none.
fn simple(command: &SimpleCommand) -> Value {
    let argv: Option<Vec<String>> = command.words.iter().map(static_value).collect();
    json!({
        "kind": "simple",
        "assignments": command.assignments.iter().map(assignment).collect::<Vec<_>>(),
        "argv": argv,
        "words": words(&command.words),
    })
}

fn assignment(assignment: &Assignment) -> Value {
    let value = match &assignment.value {
        AssignmentValue::Scalar(value) => word(value),
        AssignmentValue::Array(elements) => elements
            .iter()
            .map(|element| json!({"subscript": element.subscript.as_ref().map(word), "value": word(&element.value)}))
            .collect(),
    };
    json!({"name": assignment.name, "subscript": assignment.subscript.as_ref().map(word), "append": assignment.append, "value": value})
}

fn conditional(node: &Conditional) -> Value {
    match node {
        Conditional::Word(operand) => json!({"kind": "word", "operand": word(operand)}),
        Conditional::Unary(operator, operand) => json!({"kind": "unary", "operator": operator, "operand": word(operand)}),
        Conditional::Binary(left, operator, right) => {
            json!({"kind": "binary", "operator": operator, "left": word(left), "right": word(right)})
        }
        Conditional::Not(inner) => json!({"kind": "not", "operand": conditional(inner)}),
        Conditional::And(left, right) => json!({"kind": "and", "left": conditional(left), "right": conditional(right)}),
        Conditional::Or(left, right) => json!({"kind": "or", "left": conditional(left), "right": conditional(right)}),
    }
}

fn redirection(redirection: &Redirection) -> Value {
    let operator = match redirection.operator {
        RedirectionOperator::Read => "<",
        RedirectionOperator::Write => ">",
        RedirectionOperator::Append => ">>",
        RedirectionOperator::Clobber => ">|",
        RedirectionOperator::ReadWrite => "<>",
        RedirectionOperator::DuplicateInput => "<&",
        RedirectionOperator::DuplicateOutput => ">&",
        RedirectionOperator::WriteBoth => "&>",
        RedirectionOperator::AppendBoth => "&>>",
        RedirectionOperator::HereString => "<<<",
        RedirectionOperator::HereDocument => "<<",
        RedirectionOperator::HereDocumentStripTabs => "<<-",
    };
    let descriptor = redirection.descriptor.as_ref().map(|descriptor| match descriptor {
        Descriptor::Number(number) => json!(number),
        Descriptor::Variable(name) => json!(name),
    });
    let target = match &redirection.target {
        RedirectionTarget::Word(target) => word(target),
        RedirectionTarget::HereDocument(document) => json!({
            "delimiter": document.delimiter,
            "quoted": document.quoted,
            "terminated": document.terminated,
            "body": word(&document.body),
        }),
        RedirectionTarget::Missing => Value::Null,
    };
    json!({"operator": operator, "descriptor": descriptor, "target": target, "span": span(redirection.span)})
}

fn words(words: &[Word]) -> Value {
    words.iter().map(word).collect()
}

/// A word: how it is written by kind (`text`), its value where that is known, and the programs inside it.
fn word(word: &Word) -> Value {
    let mut inner = Substitutions(Vec::new());
    walk::walk_word(&mut inner, word);
    let mut value = json!({"text": render::word(word), "value": static_value(word), "span": span(word.span)});
    if let (Value::Object(entries), false) = (&mut value, inner.0.is_empty()) {
        entries.insert("programs".to_owned(), inner.0.into());
    }
    value
}

/// The programs directly inside a word; those inside them are part of their own tree.
struct Substitutions(Vec<Value>);

impl<'t> Visit<'t> for Substitutions {
    fn substitution(&mut self, substitution: &'t Substitution) {
        self.0.push(list(&substitution.body));
    }
}

/// The value of a word made of text alone.
fn static_value(word: &Word) -> Option<String> {
    let mut value = String::new();
    for part in &word.parts {
        match &part.kind {
            PartKind::Literal(text) => value.push_str(text),
            _ => return None,
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use sekisho_shell_syntax::posix;

    use super::*;

    fn argvs(text: &str) -> Value {
        let json = program(&posix::parse(text), text);
        json["commands"].as_array().unwrap().iter().map(|command| command["argv"].clone()).collect()
    }

    #[test]
    fn static_words_have_values() {
        assert_eq!(argvs("git 'st'at\"us\" | wc -l"), json!([["git", "status"], ["wc", "-l"]]));
        assert_eq!(argvs("rm -rf \"$dir\"; echo ''"), json!([null, ["echo", ""]]));
        assert_eq!(argvs("ls *.rs"), json!([null]));
        assert_eq!(argvs("(cd a && make) > log 2>&1"), json!([["cd", "a"], ["make"]]));
    }

    #[test]
    fn programs_inside_words_are_part_of_the_tree() {
        let text = "echo \"$(git rev-parse HEAD)\"";
        let json = program(&posix::parse(text), text);
        let inner = &json["tree"]["items"][0]["pipeline"]["commands"][0]["words"][1]["programs"][0];
        assert_eq!(inner["items"][0]["pipeline"]["commands"][0]["argv"], json!(["git", "rev-parse", "HEAD"]));
    }
}
