//! What the functions of a language do: the words its table is written in.

use std::sync::OnceLock;

use crate::effect::WriteMode;

use super::lexer::Syntax;

/// One language: how it is written and what its functions do. Everything in here is data.
pub(super) struct Language {
    /// Its place in the table of indexes; every language has its own.
    pub number: usize,
    /// How it writes comments and literals.
    pub syntax: Syntax,
    /// Operators that lead to a member: `.`, `->`, `::`.
    pub members: &'static [&'static str],
    /// Operators that put strings together.
    pub concatenation: &'static [&'static str],
    /// Operators that assign.
    pub assignment: &'static [&'static str],
    /// Operators between a key and its value (`:`, `=>`, `=` in calls is read everywhere).
    pub pairs: &'static [&'static str],
    /// Words that end an expression.
    pub keywords: &'static [&'static str],
    /// Words that stand before an expression and change nothing we look at.
    pub modifiers: &'static [&'static str],
    /// Words before the name of a function or class that is being defined.
    pub definitions: &'static [&'static str],
    /// A function is called without brackets when an argument follows (`system "ls"`).
    pub bare_calls: bool,
    /// A brace after a value opens a block that is given to the call before it.
    pub blocks_are_arguments: bool,
    /// Two strings side by side are one.
    pub adjacent_strings: bool,
    /// A string that follows a name directly is its argument (`` String.raw`…` ``, `print"x"` of Lua).
    pub string_calls: bool,
    /// `/` joins paths.
    pub slash_joins_paths: bool,
    /// `%` fills a string's gaps.
    pub percent_formats: bool,
    /// Process functions take the words of a command one by one.
    pub separate_words: bool,
    /// How modules are brought in.
    pub imports: Imports,
    /// Modules whose import does nothing more than define things.
    pub modules: &'static [&'static str],
    /// What its functions do.
    pub functions: &'static [Function],
    /// Paths whose value is known.
    pub constants: &'static [(&'static str, Constant)],
}

/// How a language brings modules in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Imports {
    /// `import a.b as c`, `from a import b as c`.
    Python,
    /// `import x, {a as b} from 'm'`.
    JavaScript,
    /// `use Module qw(names)`.
    Use,
    /// By an ordinary function or not at all.
    None,
}

/// A function by name and what it does.
///
/// The name `os.system` stands for that path and for paths that end in it (`x.os.system`), `system` for the bare name only,
/// `*.execSync` for the bare name and as the last part of any path, `.split` as the last part of a path or a method only.
pub(super) type Function = (&'static str, Meaning);

/// Which of a call's values a meaning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The argument of this number.
    Argument(usize),
    /// All arguments.
    All,
    /// What the method is called on.
    Receiver,
    /// What the method is called on where that is a string, the first argument elsewhere.
    Either,
}

/// Whether a delete takes what lies below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recursion {
    /// Always.
    Always,
    /// Never.
    Never,
    /// With a true `recursive` argument.
    Asked,
}

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// Runs a process: one string is shell text, a list or several strings are words. The first `skip` arguments say something else; with
    /// `named` the word after the program is the name it gets.
    Run { skip: usize, named: bool },
    /// Runs its first argument as shell text, whatever the others are.
    Shell,
    /// Runs the code of its first argument.
    Evaluate,
    /// Deletes.
    Delete(Which, Recursion),
    /// Reads a file.
    Read(Which),
    /// Changes a file.
    Write(Which, WriteMode),
    /// Opens a file in the mode given as that argument, for reading where there is none.
    Open(Which, usize),
    /// Opens as Perl does: `open(F, ">x")`, `open(F, ">", "x")`, `open(F, "cmd|")`, `open(F, "-|", "cmd", "arg")`.
    PerlOpen,
    /// Moves the first argument to the second.
    Move,
    /// Moves what it is called on to the first argument.
    MoveReceiver,
    /// Copies the first argument to the second.
    Copy,
    /// Puts a link at the second argument (or at what it is called on).
    Link(Which),
    /// Changes permissions: of what, the number of the argument with the mode, with everything below.
    Permissions { target: Which, mode: usize, recursive: bool },
    /// Looks at names, sizes or times only.
    Metadata(Which),
    /// The names in a directory.
    Names(Which),
    /// Talks to a host and gives what it sent.
    Fetch,
    /// Talks to a host and sends it something.
    Upload,
    /// Opens a connection and gives nothing we follow.
    Connect,
    /// Sends a signal: process and signal.
    Signal,
    /// Changes the directory.
    ChangeDirectory,
    /// Brings in the module of that name and gives it.
    Import,
    /// The member of the first argument that the second names.
    Member,
    /// Gives the home directory.
    Home,
    /// Gives the environment variable of that name.
    EnvironmentVariable,
    /// Expands `~`.
    ExpandUser,
    /// Joins paths.
    JoinPath,
    /// Gives its first argument, or what it is called on, as it is.
    Same,
    /// Gives the working directory.
    WorkingDirectory,
    /// Gives only names of the environment.
    Keys,
    /// Splits a string at white space or at the first argument.
    Split,
    /// Splits a string as a shell does.
    SplitWords,
    /// Joins strings.
    JoinTexts,
    /// What matches a pattern.
    Glob,
    /// What matches a pattern below what it is called on.
    GlobBelow,
    /// A fresh temporary path.
    Temporary,
    /// The directory of temporary files.
    TemporaryRoot,
    /// Shows its arguments.
    Display,
    /// Calls its first argument with the others, or with each element of what it is called on.
    Apply,
    /// Does nothing outside the program.
    Harmless,
}

/// The value of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constant {
    /// The home directory.
    Home,
    /// The whole environment.
    Environment,
    /// The directory of temporary files.
    TemporaryRoot,
}

impl Language {
    /// What the function called `path` does: the longest name that fits. `method`: it is called on a value.
    pub fn function(&self, path: &str, method: bool) -> Option<Meaning> {
        let last = last_part(path);
        let index = INDEXES.get(self.number)?.get_or_init(|| {
            let mut index: Vec<(&'static str, &'static Function)> =
                self.functions.iter().map(|function| (last_part(function.0), function)).collect();
            index.sort_by_key(|(last, _)| *last);
            index
        });
        let start = index.partition_point(|(name, _)| *name < last);
        let mut best: Option<&Function> = None;
        for (_, function) in index.iter().skip(start).take_while(|(name, _)| *name == last) {
            if names(function.0, path, method) && best.is_none_or(|known| known.0.len() < function.0.len()) {
                best = Some(function);
            }
        }
        best.map(|(_, meaning)| *meaning)
    }

    /// The value of `path`.
    pub fn constant(&self, path: &str) -> Option<Constant> {
        self.constants.iter().find(|(name, _)| *name == path).map(|(_, constant)| *constant)
    }
}

/// How many languages there are.
pub(super) const LANGUAGES: usize = 11;

/// The functions of each language by the last part of their names, sorted when the language is first read.
static INDEXES: [OnceLock<Vec<(&'static str, &'static Function)>>; LANGUAGES] = [const { OnceLock::new() }; LANGUAGES];

/// What stands after the last dot.
fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

/// The table's `name` stands for `path`.
fn names(name: &str, path: &str, method: bool) -> bool {
    if let Some(last) = name.strip_prefix("*.") {
        return ends_in(path, last);
    }
    if let Some(last) = name.strip_prefix('.') {
        return ends_in(path, last) && (method || path.len() > last.len());
    }
    if method {
        return false;
    }
    path == name || (name.contains('.') && ends_in(path, name))
}

/// `path` is `last` or ends in it after a dot.
fn ends_in(path: &str, last: &str) -> bool {
    path.strip_suffix(last).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
