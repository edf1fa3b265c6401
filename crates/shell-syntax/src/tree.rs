//! The syntax tree of a shell program.
//!
//! The tree is owned and plain. Depth is bounded by [`crate::budget::NESTING`], so walking it (and dropping it) recursively is safe.

use std::borrow::Cow;
use std::sync::Arc;

use crate::span::Span;

/// The language a text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// POSIX shell and bash.
    Posix,
    /// PowerShell.
    PowerShell,
}

/// How much of a text could be given structure, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Everything was read.
    Complete,
    /// Structure was recovered, but something is left open (an unclosed quote, a missing command after `&&`).
    Partial,
    /// Syntax that cannot be given structure (an unterminated here-document, an unexpected closing word).
    Invalid,
    /// A budget was exceeded; nothing after that point was read.
    Limited,
}

/// A whole text.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The language it was read as.
    pub dialect: Dialect,
    /// The worst of everything that was met, nested programs included.
    pub status: Status,
    /// What was wrong, in source order.
    pub issues: Vec<Issue>,
    /// The commands.
    pub body: List,
    /// Words counted, nested programs included.
    pub word_count: usize,
}

/// Something wrong with the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// What kind of thing.
    pub code: IssueCode,
    /// Where.
    pub span: Span,
}

/// The kinds of [`Issue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IssueCode {
    /// A `'` without its partner.
    UnclosedSingleQuote,
    /// A `"` without its partner.
    UnclosedDoubleQuote,
    /// A `$'` without its end.
    UnclosedAnsiQuote,
    /// `$((` or `((` without `))`.
    UnclosedArithmetic,
    /// `$(`, a backtick, `<(`, `>(` or `${` without its end.
    UnclosedSubstitution,
    /// A compound command, group or function body without its closing word.
    UnclosedCompound,
    /// A backslash at the very end of the text.
    TrailingBackslash,
    /// A redirection operator without a target.
    MissingRedirectionTarget,
    /// `&&`, `||` or `|` with no command on one of its sides.
    MissingCommand,
    /// Two commands without an operator between them.
    MissingConnector,
    /// A here-document whose terminator line never comes.
    UnterminatedHereDocument,
    /// A `<<` without a delimiter.
    MissingHereDocumentDelimiter,
    /// A here-document delimiter that holds an expansion.
    AmbiguousHereDocumentDelimiter,
    /// `)`, `}`, `fi`, `done`, `esac`, `;;` … where nothing is open.
    UnexpectedToken,
    /// A code point in `$'…'` that does not exist.
    InvalidCodePoint,
    /// A `${…}` this parser cannot give meaning to.
    BadSubstitution,
    /// The text is longer than [`crate::budget::SOURCE_UTF16_UNITS`].
    SourceTooLong,
    /// More words than [`crate::budget::WORDS`].
    TooManyWords,
    /// Deeper than [`crate::budget::NESTING`].
    TooDeep,
}

/// Commands one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct List {
    /// In source order.
    pub items: Vec<ListItem>,
    /// From the first to the last command.
    pub span: Span,
}

/// One and-or list and what ends it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListItem {
    /// The pipelines.
    pub and_or: AndOr,
    /// What stands after it.
    pub terminator: Terminator,
}

/// What ends a [`ListItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// `;`
    Semicolon,
    /// A line end.
    Newline,
    /// `&`: it runs in the background, in a subshell.
    Background,
    /// The end of the text or of the enclosing construct.
    End,
}

/// Pipelines joined by `&&` and `||`, which bind equally and to the left.
#[derive(Debug, Clone, PartialEq)]
pub struct AndOr {
    /// The first pipeline, which always runs.
    pub first: Pipeline,
    /// The rest, each with the operator before it.
    pub rest: Vec<(AndOrOperator, Pipeline)>,
}

/// `&&` or `||`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AndOrOperator {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` and `|&`.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// An odd number of `!` before it.
    pub negated: bool,
    /// `time` (or `time -p`) before it.
    pub timed: bool,
    /// One or more commands.
    pub stages: Vec<Stage>,
    /// All of it.
    pub span: Span,
}

/// One command of a pipeline.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// The command.
    pub command: Command,
    /// `|&`: its standard error goes to the next command as well.
    pub pipes_error: bool,
}

/// A command with its redirections.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// In source order; those of a compound command stand after its closing word.
    pub redirections: Vec<Redirection>,
    /// All of it, redirections included.
    pub span: Span,
}

/// The kinds of command.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandKind {
    /// Assignments and words. Both may be empty (`> file`).
    Simple(SimpleCommand),
    /// `{ …; }`
    Group(List),
    /// `( … )`
    Subshell(List),
    /// `if`
    If(Box<If>),
    /// `for name in words`
    For(Box<For>),
    /// `for ((init; condition; update))`
    ForArithmetic(Box<ForArithmetic>),
    /// `while` and `until`
    Loop(Box<Loop>),
    /// `case`
    Case(Box<Case>),
    /// `select name in words`
    Select(Box<For>),
    /// `[[ … ]]`
    Conditional(Box<Conditional>),
    /// `(( … ))`
    Arithmetic(Word),
    /// `name() …` or `function name …`. Inert until called.
    Function(Function),
    /// `coproc [name] command`
    Coprocess(Box<Coprocess>),
}

/// A simple command: prefix assignments, then words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SimpleCommand {
    /// `name=value` before the first word. Without any word they change the shell itself.
    pub assignments: Vec<Assignment>,
    /// The command word and its operands.
    pub words: Vec<Word>,
}

/// `name=value`, `name+=value`, `name[subscript]=value`, `name=(…)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The text between brackets.
    pub subscript: Option<Word>,
    /// `+=`
    pub append: bool,
    /// The value.
    pub value: AssignmentValue,
    /// All of it.
    pub span: Span,
}

/// What an assignment assigns.
#[derive(Debug, Clone, PartialEq)]
pub enum AssignmentValue {
    /// One word, not split and not globbed. Empty for `name=`.
    Scalar(Word),
    /// `( … )`
    Array(Vec<ArrayElement>),
}

/// One element of an array literal.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayElement {
    /// `[subscript]=`
    pub subscript: Option<Word>,
    /// The value.
    pub value: Word,
}

/// `if … then … elif … then … else … fi`
#[derive(Debug, Clone, PartialEq)]
pub struct If {
    /// Condition and body of `if` and each `elif`.
    pub branches: Vec<(List, List)>,
    /// The `else` body.
    pub otherwise: Option<List>,
}

/// `for name [in words]; do … done`, and the same with `select`.
#[derive(Debug, Clone, PartialEq)]
pub struct For {
    /// The loop variable.
    pub variable: String,
    /// The words, or `None` for `"$@"`.
    pub words: Option<Vec<Word>>,
    /// The body.
    pub body: List,
}

/// `for ((init; condition; update)); do … done`
#[derive(Debug, Clone, PartialEq)]
pub struct ForArithmetic {
    /// The three expressions as text with its expansions.
    pub header: [Word; 3],
    /// The body.
    pub body: List,
}

/// `while condition; do … done` or `until …`
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// `until`
    pub until: bool,
    /// The condition.
    pub condition: List,
    /// The body.
    pub body: List,
}

/// `case subject in … esac`
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The word that is matched.
    pub subject: Word,
    /// The arms.
    pub arms: Vec<CaseArm>,
}

/// `pattern | pattern) … ;;`
#[derive(Debug, Clone, PartialEq)]
pub struct CaseArm {
    /// Patterns: data, never commands.
    pub patterns: Vec<Word>,
    /// The body.
    pub body: List,
    /// What ends it.
    pub terminator: CaseTerminator,
}

/// What ends a [`CaseArm`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaseTerminator {
    /// `;;` or nothing before `esac`.
    Break,
    /// `;&`: the next body runs too.
    FallThrough,
    /// `;;&`: the next patterns are tried.
    TestNext,
}

/// `[[ … ]]`: operands are data.
#[derive(Debug, Clone, PartialEq)]
pub enum Conditional {
    /// A word alone: true when not empty.
    Word(Word),
    /// `-f word` and the like.
    Unary(String, Word),
    /// `word == word`, `word -nt word` and the like.
    Binary(Word, String, Word),
    /// `! expression`
    Not(Box<Conditional>),
    /// `left && right`
    And(Box<Conditional>, Box<Conditional>),
    /// `left || right`
    Or(Box<Conditional>, Box<Conditional>),
}

/// A function definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its body, shared so that a function table can hold it.
    pub body: Arc<Command>,
}

/// `coproc [name] command`
#[derive(Debug, Clone, PartialEq)]
pub struct Coprocess {
    /// The name, `COPROC` where none is given.
    pub name: Option<String>,
    /// The command.
    pub body: Command,
}

/// A redirection.
#[derive(Debug, Clone, PartialEq)]
pub struct Redirection {
    /// Which one.
    pub operator: RedirectionOperator,
    /// What stands before the operator.
    pub descriptor: Option<Descriptor>,
    /// What stands after it.
    pub target: RedirectionTarget,
    /// All of it; for a here-document the operator and delimiter.
    pub span: Span,
}

/// Redirection operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectionOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<<`
    HereString,
    /// `<<`
    HereDocument,
    /// `<<-`
    HereDocumentStripTabs,
}

/// The file descriptor a redirection acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Descriptor {
    /// `2>`
    Number(u32),
    /// `{name}>`
    Variable(String),
}

/// What a redirection goes to or comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum RedirectionTarget {
    /// A file name, a descriptor number, or the text of a here-string.
    Word(Word),
    /// A here-document.
    HereDocument(Box<HereDocument>),
    /// Nothing stood there.
    Missing,
}

/// A here-document.
#[derive(Debug, Clone, PartialEq)]
pub struct HereDocument {
    /// The delimiter with its quotes taken off.
    pub delimiter: String,
    /// Some part of the delimiter was quoted, so the body is not expanded.
    pub quoted: bool,
    /// The body: one literal part where quoted, else text and expansions. Leading tabs are already taken off for `<<-`.
    pub body: Word,
    /// The body in the source, without the terminator line.
    pub body_span: Span,
    /// The terminator line was found.
    pub terminated: bool,
}

/// A word: parts side by side.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Word {
    /// In source order. Empty for an empty word that was not quoted (as in `name=`).
    pub parts: Vec<WordPart>,
    /// All of it.
    pub span: Span,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub struct WordPart {
    /// What it is.
    pub kind: PartKind,
    /// How it is quoted.
    pub quote: Quote,
    /// Where it stands, quotes of its own included.
    pub span: Span,
}

/// How a part is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quote {
    /// Not at all.
    None,
    /// A backslash before one character.
    Backslash,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `$'…'`, already decoded.
    Ansi,
    /// `$"…"`
    Locale,
}

/// The kinds of part.
#[derive(Debug, Clone, PartialEq)]
pub enum PartKind {
    /// Text as the program will see it: quotes and escapes are gone. May be empty (`''`).
    Literal(String),
    /// `$name`, `${…}`
    Parameter(Box<ParameterExpansion>),
    /// `$(…)` or backticks
    CommandSubstitution(Box<Substitution>),
    /// `$((…))`: the expression as text with its expansions
    Arithmetic(Box<Word>),
    /// `<(…)` or `>(…)`
    ProcessSubstitution(ProcessDirection, Box<Substitution>),
    /// An unquoted `*`, `?`, `[…]` or extended glob, as written (`*`, `?`, `[a-z]`, `@(a|b)`)
    Glob(String),
    /// `{a,b}`
    BraceAlternatives(Vec<Word>),
    /// `{1..9..2}`, `{a..f}`: start, end, step as written
    BraceSequence(Box<BraceSequence>),
    /// `~`, `~user`, `~+`, `~-` at the start of a word (or after `:` or `=` in an assignment): the text after the tilde
    Tilde(String),
}

/// `{start..end[..step]}`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BraceSequence {
    /// First value as written.
    pub start: String,
    /// Last value as written.
    pub end: String,
    /// Step as written.
    pub step: Option<String>,
}

/// Which way a process substitution goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProcessDirection {
    /// `<(…)`: the word names a file that holds the output.
    Output,
    /// `>(…)`: the word names a file whose content becomes the input.
    Input,
}

/// The program inside a substitution.
#[derive(Debug, Clone, PartialEq)]
pub struct Substitution {
    /// The commands.
    pub body: List,
    /// The text `body`'s spans refer to where it is not the enclosing source: backticks with escapes taken off.
    pub text: Option<String>,
}

/// `$name`, `${name}`, `${name:-word}` …
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterExpansion {
    /// Which parameter.
    pub parameter: Parameter,
    /// `${name[subscript]}`: `@` and `*` are words like any other.
    pub subscript: Option<Word>,
    /// `${!name}`: the value of the variable that `name` names.
    pub indirect: bool,
    /// What is done with it.
    pub operation: ParameterOperation,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameter {
    /// A variable by name.
    Variable(String),
    /// `$1` … and `$0`.
    Positional(u32),
    /// `@ * # ? $ ! - _`
    Special(char),
}

/// What `${…}` does with its parameter. `colon` is the form that also counts an empty value as unset.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterOperation {
    /// Just the value.
    Value,
    /// `${#name}`
    Length,
    /// `${name:-word}`
    Default {
        /// With `:`.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `${name:=word}`
    Assign {
        /// With `:`.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `${name:?word}`: the shell stops when the value is missing.
    Require {
        /// With `:`.
        colon: bool,
        /// The message.
        word: Word,
    },
    /// `${name:+word}`
    Alternative {
        /// With `:`.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `${name#pattern}`, `${name##pattern}`
    RemovePrefix {
        /// `##`
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${name%pattern}`, `${name%%pattern}`
    RemoveSuffix {
        /// `%%`
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${name/pattern/replacement}` and its forms.
    Replace {
        /// Where it applies.
        place: ReplacePlace,
        /// The pattern.
        pattern: Word,
        /// The replacement; empty where none was written.
        replacement: Word,
    },
    /// `${name:offset:length}`: arithmetic expressions as text.
    Substring {
        /// Offset.
        offset: Word,
        /// Length.
        length: Option<Word>,
    },
    /// `${name^pattern}`, `^^`, `,`, `,,`, `~`, `~~`
    Case {
        /// The operator as written.
        operator: String,
        /// The pattern.
        pattern: Word,
    },
    /// `${name@Q}` and the like.
    Transform(char),
    /// `${!prefix*}` or `${!prefix@}`
    NamesWithPrefix,
    /// `${!name[@]}`
    Keys,
    /// Not understood; the text between the braces.
    Unknown(String),
}

/// Where `${name/…}` replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReplacePlace {
    /// `/`: the first match.
    First,
    /// `//`: every match.
    All,
    /// `/#`: at the start.
    Prefix,
    /// `/%`: at the end.
    Suffix,
}

impl Program {
    /// Every simple command, those of nested programs and function bodies included, in the order they are written.
    pub fn simple_commands(&self) -> impl Iterator<Item = &SimpleCommand> {
        crate::walk::simple_commands(&self.body).into_iter()
    }
}

impl Word {
    /// The text of the word if it holds nothing but text.
    pub fn literal(&self) -> Option<Cow<'_, str>> {
        match self.parts.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [WordPart { kind: PartKind::Literal(text), .. }] => Some(Cow::Borrowed(text)),
            parts => {
                let mut joined = String::new();
                for part in parts {
                    let PartKind::Literal(text) = &part.kind else { return None };
                    joined.push_str(text);
                }
                Some(Cow::Owned(joined))
            }
        }
    }

    /// Whether any part of it is quoted.
    pub fn is_quoted(&self) -> bool {
        self.parts.iter().any(|part| part.quote != Quote::None)
    }

    /// Whether it is empty and was not quoted, as the value in `name=`.
    pub fn is_absent(&self) -> bool {
        self.parts.is_empty()
    }
}

impl RedirectionTarget {
    /// The here-document, if it is one.
    pub fn here_document(&self) -> Option<&HereDocument> {
        match self {
            Self::HereDocument(document) => Some(document),
            _ => None,
        }
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&Word> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

impl RedirectionOperator {
    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "<",
            Self::Write => ">",
            Self::Append => ">>",
            Self::Clobber => ">|",
            Self::ReadWrite => "<>",
            Self::DuplicateInput => "<&",
            Self::DuplicateOutput => ">&",
            Self::WriteBoth => "&>",
            Self::AppendBoth => "&>>",
            Self::HereString => "<<<",
            Self::HereDocument => "<<",
            Self::HereDocumentStripTabs => "<<-",
        }
    }
}
