//! At level strict: here-documents whose consumer is not known to treat them as data.

use sekisho_shell_syntax::span::Span;
use sekisho_shell_syntax::tree::{Command, CommandKind, Redirection, RedirectionTarget, SimpleCommand};
use sekisho_shell_syntax::walk::{Visit, walk_command};
use sekisho_verdict::{Evidence, Finding, Stage};

use crate::facts::{Facts, Text};
use crate::rules::finding;

/// The first here-document that goes to a program which is neither a known sink nor followed.
pub fn unsupported(facts: &Facts<'_>) -> Option<Finding> {
    facts.reading.texts.iter().flat_map(Text::programs).find_map(|(program, source)| {
        let mut search = Search { found: None };
        search.list(&program.body);
        let span = search.found?;
        let evidence = Evidence { segment: span.text(source).to_owned(), ..Evidence::default() };
        Some(finding("analysis.unsupported-heredoc", Stage::CommandAnalysis, Some(evidence)))
    })
}

struct Search {
    found: Option<Span>,
}

impl<'t> Visit<'t> for Search {
    fn command(&mut self, command: &'t Command) {
        let feeds = |redirection: &Redirection| matches!(redirection.target, RedirectionTarget::HereDocument(_));
        if self.found.is_none() && command.redirections.iter().any(feeds) {
            let sink = matches!(&command.kind, CommandKind::Simple(simple) if is_sink(simple));
            self.found = (!sink).then_some(command.span);
        }
        walk_command(self, command);
    }
}

/// Programs that store or show a here-document, and those whose here-document is followed as code.
fn is_sink(command: &SimpleCommand) -> bool {
    const RUNNERS: &[&str] = &["env", "command", "exec", "sudo", "nice", "nohup", "time"];
    let words = command.words.iter().map(|word| word.literal().unwrap_or_default().into_owned());
    let words: Vec<_> = words.skip_while(|word| RUNNERS.contains(&word.as_str())).take(3).collect();
    let word = |index: usize| words.get(index).map_or("", String::as_str);
    match word(0).rsplit('/').next().unwrap_or_default() {
        "cat" | "tee" => true,
        "bash" | "sh" | "zsh" | "dash" | "ksh" | "python" | "python3" | "node" | "ruby" | "perl" | "php" => true,
        "git" => matches!(word(1), "apply" | "commit"),
        "gh" => matches!((word(1), word(2)), ("pr" | "issue", "create")),
        _ => false,
    }
}
