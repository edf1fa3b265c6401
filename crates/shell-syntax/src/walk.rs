//! Walks over a tree, nested programs included.
//!
//! The tree is no deeper than [`crate::budget::NESTING`] allows, so these functions may recurse. Everything is visited in the order it
//! is written, except that a here-document's body comes with its operator.
//!
//! The spans inside a substitution with a text of its own ([`Substitution::text`]) refer to that text.

use std::sync::Arc;

use crate::span::Span;
use crate::tree::{
    ArrayElement, Assignment, AssignmentValue, Command, CommandKind, Conditional, HereDocument, List, ParameterOperation, PartKind,
    Program, Redirection, RedirectionTarget, SimpleCommand, Substitution, Word, WordPart,
};

/// What to do at each node. Each method walks on by default; one that is replaced decides whether to.
pub trait Visit<'t> {
    /// A list of commands.
    fn list(&mut self, list: &'t List) {
        walk_list(self, list);
    }

    /// Any command.
    fn command(&mut self, command: &'t Command) {
        walk_command(self, command);
    }

    /// A simple command.
    fn simple(&mut self, simple: &'t SimpleCommand) {
        walk_simple(self, simple);
    }

    /// A redirection.
    fn redirection(&mut self, redirection: &'t Redirection) {
        walk_redirection(self, redirection);
    }

    /// A word.
    fn word(&mut self, word: &'t Word) {
        walk_word(self, word);
    }

    /// A part of a word.
    fn part(&mut self, part: &'t WordPart) {
        walk_part(self, part);
    }

    /// The program of a substitution.
    fn substitution(&mut self, substitution: &'t Substitution) {
        self.list(&substitution.body);
    }
}

/// Every simple command under `list`.
pub fn simple_commands(list: &List) -> Vec<&SimpleCommand> {
    struct Collect<'t>(Vec<&'t SimpleCommand>);
    impl<'t> Visit<'t> for Collect<'t> {
        fn simple(&mut self, simple: &'t SimpleCommand) {
            self.0.push(simple);
            walk_simple(self, simple);
        }
    }
    let mut collect = Collect(Vec::new());
    collect.list(list);
    collect.0
}

/// Every substitution inside `word`, the words of its parts included but not the programs of the substitutions themselves.
pub fn substitutions(word: &Word) -> Vec<&Substitution> {
    struct Collect<'t>(Vec<&'t Substitution>);
    impl<'t> Visit<'t> for Collect<'t> {
        fn substitution(&mut self, substitution: &'t Substitution) {
            self.0.push(substitution);
        }
    }
    let mut collect = Collect(Vec::new());
    collect.word(word);
    collect.0
}

/// The first span of `program` that does not lie on characters of `source`, or that is a part outside of its word. There is none
/// in a program that [`crate::posix::parse`] made; tests and fuzzing hold it to that.
pub fn misplaced_span(program: &Program, source: &str) -> Option<Span> {
    let mut check = SpanCheck { text: source, misplaced: None };
    for issue in &program.issues {
        check.span(issue.span);
    }
    check.list(&program.body);
    check.misplaced
}

struct SpanCheck<'t> {
    text: &'t str,
    misplaced: Option<Span>,
}

impl SpanCheck<'_> {
    fn span(&mut self, span: Span) {
        if self.text.get(span.start as usize..span.end as usize).is_none() {
            self.misplaced.get_or_insert(span);
        }
    }
}

impl<'t> Visit<'t> for SpanCheck<'t> {
    fn list(&mut self, list: &'t List) {
        self.span(list.span);
        for item in &list.items {
            self.span(item.and_or.first.span);
            for (_, pipeline) in &item.and_or.rest {
                self.span(pipeline.span);
            }
        }
        walk_list(self, list);
    }

    fn command(&mut self, command: &'t Command) {
        self.span(command.span);
        walk_command(self, command);
    }

    fn simple(&mut self, simple: &'t SimpleCommand) {
        for assignment in &simple.assignments {
            self.span(assignment.span);
        }
        walk_simple(self, simple);
    }

    fn redirection(&mut self, redirection: &'t Redirection) {
        self.span(redirection.span);
        if let Some(document) = redirection.target.here_document() {
            self.span(document.body_span);
        }
        walk_redirection(self, redirection);
    }

    fn word(&mut self, word: &'t Word) {
        self.span(word.span);
        let mut end = word.span.start;
        for part in &word.parts {
            if part.span.start < end || part.span.end > word.span.end {
                self.misplaced.get_or_insert(part.span);
            }
            end = part.span.end;
        }
        walk_word(self, word);
    }

    fn part(&mut self, part: &'t WordPart) {
        self.span(part.span);
        walk_part(self, part);
    }

    fn substitution(&mut self, substitution: &'t Substitution) {
        let outer = self.text;
        if let Some(text) = &substitution.text {
            self.text = text;
        }
        self.list(&substitution.body);
        self.text = outer;
    }
}

/// Visits the commands of `list`.
pub fn walk_list<'t, V: Visit<'t> + ?Sized>(visit: &mut V, list: &'t List) {
    for item in &list.items {
        let rest = item.and_or.rest.iter().map(|(_, pipeline)| pipeline);
        for pipeline in std::iter::once(&item.and_or.first).chain(rest) {
            for stage in &pipeline.stages {
                visit.command(&stage.command);
            }
        }
    }
}

/// Visits what is inside `command`.
pub fn walk_command<'t, V: Visit<'t> + ?Sized>(visit: &mut V, command: &'t Command) {
    match &command.kind {
        CommandKind::Simple(simple) => visit.simple(simple),
        CommandKind::Group(list) | CommandKind::Subshell(list) => visit.list(list),
        CommandKind::If(node) => {
            for (condition, body) in &node.branches {
                visit.list(condition);
                visit.list(body);
            }
            if let Some(list) = &node.otherwise {
                visit.list(list);
            }
        }
        CommandKind::For(node) | CommandKind::Select(node) => {
            for word in node.words.iter().flatten() {
                visit.word(word);
            }
            visit.list(&node.body);
        }
        CommandKind::ForArithmetic(node) => {
            for word in &node.header {
                visit.word(word);
            }
            visit.list(&node.body);
        }
        CommandKind::Loop(node) => {
            visit.list(&node.condition);
            visit.list(&node.body);
        }
        CommandKind::Case(node) => {
            visit.word(&node.subject);
            for arm in &node.arms {
                for pattern in &arm.patterns {
                    visit.word(pattern);
                }
                visit.list(&arm.body);
            }
        }
        CommandKind::Conditional(conditional) => walk_conditional(visit, conditional),
        CommandKind::Arithmetic(word) => visit.word(word),
        CommandKind::Function(function) => visit.command(&function.body),
        CommandKind::Coprocess(coprocess) => visit.command(&coprocess.body),
    }
    for redirection in &command.redirections {
        visit.redirection(redirection);
    }
}

/// Visits the words of a `[[ … ]]`.
pub fn walk_conditional<'t, V: Visit<'t> + ?Sized>(visit: &mut V, conditional: &'t Conditional) {
    match conditional {
        Conditional::Word(word) | Conditional::Unary(_, word) => visit.word(word),
        Conditional::Binary(left, _, right) => {
            visit.word(left);
            visit.word(right);
        }
        Conditional::Not(inner) => walk_conditional(visit, inner),
        Conditional::And(left, right) | Conditional::Or(left, right) => {
            walk_conditional(visit, left);
            walk_conditional(visit, right);
        }
    }
}

/// Visits the assignments and words of a simple command.
pub fn walk_simple<'t, V: Visit<'t> + ?Sized>(visit: &mut V, simple: &'t SimpleCommand) {
    for Assignment { subscript, value, .. } in &simple.assignments {
        if let Some(word) = subscript {
            visit.word(word);
        }
        match value {
            AssignmentValue::Scalar(word) => visit.word(word),
            AssignmentValue::Array(elements) => {
                for ArrayElement { subscript, value } in elements {
                    if let Some(word) = subscript {
                        visit.word(word);
                    }
                    visit.word(value);
                }
            }
        }
    }
    for word in &simple.words {
        visit.word(word);
    }
}

/// Visits the target of a redirection.
pub fn walk_redirection<'t, V: Visit<'t> + ?Sized>(visit: &mut V, redirection: &'t Redirection) {
    match &redirection.target {
        RedirectionTarget::Word(word) => visit.word(word),
        RedirectionTarget::HereDocument(document) => visit.word(&document.body),
        RedirectionTarget::Missing => {}
    }
}

/// Visits the parts of a word.
pub fn walk_word<'t, V: Visit<'t> + ?Sized>(visit: &mut V, word: &'t Word) {
    for part in &word.parts {
        visit.part(part);
    }
}

/// Visits what is inside a part.
pub fn walk_part<'t, V: Visit<'t> + ?Sized>(visit: &mut V, part: &'t WordPart) {
    match &part.kind {
        PartKind::Parameter(expansion) => {
            if let Some(word) = &expansion.subscript {
                visit.word(word);
            }
            for word in expansion.operation.words().into_iter().flatten() {
                visit.word(word);
            }
        }
        PartKind::CommandSubstitution(substitution) | PartKind::ProcessSubstitution(_, substitution) => {
            visit.substitution(substitution);
        }
        PartKind::Arithmetic(word) => visit.word(word),
        PartKind::BraceAlternatives(words) => {
            for word in words {
                visit.word(word);
            }
        }
        PartKind::Literal(_) | PartKind::Glob(_) | PartKind::BraceSequence(_) | PartKind::Tilde(_) => {}
    }
}

impl ParameterOperation {
    /// Its operands, in the order they are written.
    pub fn words(&self) -> [Option<&Word>; 2] {
        match self {
            Self::Value | Self::Length | Self::Transform(_) | Self::NamesWithPrefix | Self::Keys | Self::Unknown(_) => [None, None],
            Self::Default { word, .. }
            | Self::Assign { word, .. }
            | Self::Require { word, .. }
            | Self::Alternative { word, .. } => [Some(word), None],
            Self::RemovePrefix { pattern, .. } | Self::RemoveSuffix { pattern, .. } | Self::Case { pattern, .. } => {
                [Some(pattern), None]
            }
            Self::Replace { pattern, replacement, .. } => [Some(pattern), Some(replacement)],
            Self::Substring { offset, length } => [Some(offset), length.as_ref()],
        }
    }

    fn words_mut(&mut self) -> [Option<&mut Word>; 2] {
        match self {
            Self::Value | Self::Length | Self::Transform(_) | Self::NamesWithPrefix | Self::Keys | Self::Unknown(_) => [None, None],
            Self::Default { word, .. }
            | Self::Assign { word, .. }
            | Self::Require { word, .. }
            | Self::Alternative { word, .. } => [Some(word), None],
            Self::RemovePrefix { pattern, .. } | Self::RemoveSuffix { pattern, .. } | Self::Case { pattern, .. } => {
                [Some(pattern), None]
            }
            Self::Replace { pattern, replacement, .. } => [Some(pattern), Some(replacement)],
            Self::Substring { offset, length } => [Some(offset), length.as_mut()],
        }
    }
}

/// Calls `change` for each here-document under `list` whose spans refer to the same text, then goes on into its body. Used while the
/// tree is built: function bodies are still unshared.
pub(crate) fn here_documents_mut(list: &mut List, change: &mut dyn FnMut(&mut HereDocument)) {
    for item in &mut list.items {
        let rest = item.and_or.rest.iter_mut().map(|(_, pipeline)| pipeline);
        for pipeline in std::iter::once(&mut item.and_or.first).chain(rest) {
            for stage in &mut pipeline.stages {
                command_mut(&mut stage.command, change);
            }
        }
    }
}

fn command_mut(command: &mut Command, change: &mut dyn FnMut(&mut HereDocument)) {
    match &mut command.kind {
        CommandKind::Simple(simple) => simple_mut(simple, change),
        CommandKind::Group(list) | CommandKind::Subshell(list) => here_documents_mut(list, change),
        CommandKind::If(node) => {
            for (condition, body) in &mut node.branches {
                here_documents_mut(condition, change);
                here_documents_mut(body, change);
            }
            if let Some(list) = &mut node.otherwise {
                here_documents_mut(list, change);
            }
        }
        CommandKind::For(node) | CommandKind::Select(node) => {
            node.words.iter_mut().flatten().for_each(|word| word_mut(word, change));
            here_documents_mut(&mut node.body, change);
        }
        CommandKind::ForArithmetic(node) => {
            node.header.iter_mut().for_each(|word| word_mut(word, change));
            here_documents_mut(&mut node.body, change);
        }
        CommandKind::Loop(node) => {
            here_documents_mut(&mut node.condition, change);
            here_documents_mut(&mut node.body, change);
        }
        CommandKind::Case(node) => {
            word_mut(&mut node.subject, change);
            for arm in &mut node.arms {
                arm.patterns.iter_mut().for_each(|word| word_mut(word, change));
                here_documents_mut(&mut arm.body, change);
            }
        }
        CommandKind::Conditional(conditional) => conditional_mut(conditional, change),
        CommandKind::Arithmetic(word) => word_mut(word, change),
        CommandKind::Function(function) => {
            if let Some(body) = Arc::get_mut(&mut function.body) {
                command_mut(body, change);
            }
        }
        CommandKind::Coprocess(coprocess) => command_mut(&mut coprocess.body, change),
    }
    for redirection in &mut command.redirections {
        match &mut redirection.target {
            RedirectionTarget::Word(word) => word_mut(word, change),
            RedirectionTarget::HereDocument(document) => {
                change(document);
                word_mut(&mut document.body, change);
            }
            RedirectionTarget::Missing => {}
        }
    }
}

fn simple_mut(simple: &mut SimpleCommand, change: &mut dyn FnMut(&mut HereDocument)) {
    for assignment in &mut simple.assignments {
        assignment.subscript.iter_mut().for_each(|word| word_mut(word, change));
        match &mut assignment.value {
            AssignmentValue::Scalar(word) => word_mut(word, change),
            AssignmentValue::Array(elements) => {
                for element in elements {
                    element.subscript.iter_mut().for_each(|word| word_mut(word, change));
                    word_mut(&mut element.value, change);
                }
            }
        }
    }
    simple.words.iter_mut().for_each(|word| word_mut(word, change));
}

fn conditional_mut(conditional: &mut Conditional, change: &mut dyn FnMut(&mut HereDocument)) {
    match conditional {
        Conditional::Word(word) | Conditional::Unary(_, word) => word_mut(word, change),
        Conditional::Binary(left, _, right) => {
            word_mut(left, change);
            word_mut(right, change);
        }
        Conditional::Not(inner) => conditional_mut(inner, change),
        Conditional::And(left, right) | Conditional::Or(left, right) => {
            conditional_mut(left, change);
            conditional_mut(right, change);
        }
    }
}

fn word_mut(word: &mut Word, change: &mut dyn FnMut(&mut HereDocument)) {
    for part in &mut word.parts {
        match &mut part.kind {
            PartKind::Parameter(expansion) => {
                expansion.subscript.iter_mut().for_each(|word| word_mut(word, change));
                expansion.operation.words_mut().into_iter().flatten().for_each(|word| word_mut(word, change));
            }
            // A text of its own has had its documents put in already.
            PartKind::CommandSubstitution(substitution) | PartKind::ProcessSubstitution(_, substitution) => {
                if substitution.text.is_none() {
                    here_documents_mut(&mut substitution.body, change);
                }
            }
            PartKind::Arithmetic(word) => word_mut(word, change),
            PartKind::BraceAlternatives(words) => words.iter_mut().for_each(|word| word_mut(word, change)),
            PartKind::Literal(_) | PartKind::Glob(_) | PartKind::BraceSequence(_) | PartKind::Tilde(_) => {}
        }
    }
}
