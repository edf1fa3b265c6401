//! find's expression, read from left to right: what is known of a file that reaches each action.
//!
//! Every test splits the files that reach it in two: those for which it is true and those for which it is false. `-a` goes on
//! with the first, `-o` with the second, `!` swaps them, parentheses nest. Where two ways meet, only what holds on both stays.
//! The walk keeps a stack of open parentheses and never looks back, so it is linear.

use std::rc::Rc;

use sekisho_shell_syntax::span::Span;

use super::metadata;
use super::pattern;
use crate::argument::{Argument, Value};
use crate::effect::Selection;

/// How many alternatives of names are kept; with more, nothing is said to narrow them.
const NAMES: usize = 64;

/// What is known of the files that reach a place in the expression.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reach {
    /// One positive name or path filter for each way here; empty: some way has none.
    pub names: Vec<Rc<Filter>>,
    pub empty_only: bool,
    pub files_only: bool,
    pub directories_only: bool,
    pub by_age: bool,
    /// The `.git` directory itself is not among them.
    pub not_git: bool,
    /// Nothing below `.git` is among them.
    pub not_below_git: bool,
    /// Some way here has more filters than one, so a name alone does not select.
    pub narrowed: bool,
}

/// A name or path filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter {
    /// As written.
    pub pattern: String,
    /// It is matched against the whole path.
    pub whole_path: bool,
    /// Letters match in either case.
    pub ignores_case: bool,
    /// It may select a `.git` directory or something in it.
    pub reaches_git: bool,
}

impl Filter {
    /// A filter of a search from `roots`.
    pub fn new(pattern: String, whole_path: bool, ignores_case: bool, roots: &[&str]) -> Self {
        let filter = Self { pattern, whole_path, ignores_case, reaches_git: true };
        Self { reaches_git: metadata::may_select(&filter, roots), ..filter }
    }
}

/// Something find does with a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Print,
    Delete,
    Write(Value),
    Run { words: Vec<Argument>, in_its_directory: bool },
}

/// An action and what reaches it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reached {
    pub act: Action,
    pub reach: Reach,
    pub span: Span,
}

/// An expression that was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Expression {
    pub actions: Vec<Reached>,
    /// What reaches a plain print, said or implied; `None` where find prints something else.
    pub printed: Option<Reach>,
    /// `-maxdepth`.
    pub max_depth: Option<u32>,
    /// `-files0-from`.
    pub starts_from: Option<(Value, Span)>,
    /// `-help`, `-version`.
    pub help: bool,
    /// A word that is not known stands where a primary does.
    pub unknown: Option<Span>,
    /// `.git` is pruned.
    prunes_git: bool,
    /// Directories are visited after what they hold, so nothing is pruned.
    depth_first: bool,
}

impl Expression {
    /// What reaches an action, as facts for rules. `whole_trees`: the action takes a directory with everything in it.
    pub fn selection(&self, reach: &Reach, whole_trees: bool) -> Selection {
        let pruned = self.prunes_git && !self.depth_first && reach.not_git;
        let entry = reach.not_git || reach.files_only;
        let below = reach.not_below_git || pruned;
        let at_top = self.max_depth.is_some_and(|depth| depth == 0 || depth == 1 && reach.files_only);
        let named = !reach.names.is_empty() && !reach.names.iter().any(|filter| filter.reaches_git);
        Selection {
            names: reach.names.iter().map(|filter| filter.pattern.clone()).collect(),
            empty_only: reach.empty_only,
            files_only: reach.files_only,
            directories_only: reach.directories_only,
            by_age: reach.by_age,
            // An action that takes whole trees must not get the directory itself either.
            excludes_git: below && (entry || !whole_trees),
            cannot_reach_git: at_top || named || reach.empty_only && reach.directories_only,
            max_depth: self.max_depth,
            skips_hidden: false,
        }
    }
}

/// Which way files go after a primary: true and false; `None` where none does.
type Split = (Option<Reach>, Option<Reach>);

/// An open parenthesis, or the whole.
struct Frame {
    /// Files for which an alternative so far was true.
    alternatives: Option<Reach>,
    /// Files that are true for everything in the current conjunction.
    current: Option<Reach>,
    /// Files for which something in the current conjunction was false.
    failed: Option<Reach>,
    /// The next primary is negated.
    negated: bool,
}

impl Frame {
    fn new(current: Option<Reach>) -> Self {
        Self { alternatives: None, current, failed: None, negated: false }
    }

    fn apply(&mut self, (yes, no): Split) {
        let (yes, no) = if std::mem::take(&mut self.negated) { (no, yes) } else { (yes, no) };
        self.failed = join(self.failed.take(), no);
        self.current = yes;
    }

    fn or(&mut self) {
        self.alternatives = join(self.alternatives.take(), self.current.take());
        self.current = self.failed.take();
    }

    /// `,`: the next expression is evaluated for every file.
    fn then(&mut self) {
        let all = join(join(self.alternatives.take(), self.current.take()), self.failed.take());
        self.current = all;
    }

    fn finish(self) -> Split {
        (join(self.alternatives, self.current), self.failed)
    }
}

/// What holds on both ways.
fn join(one: Option<Reach>, other: Option<Reach>) -> Option<Reach> {
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    let mut names = Vec::new();
    if !one.names.is_empty() && !other.names.is_empty() && one.names.len() + other.names.len() <= NAMES {
        names = one.names;
        for filter in other.names {
            if !names.contains(&filter) {
                names.push(filter);
            }
        }
    }
    Some(Reach {
        names,
        empty_only: one.empty_only && other.empty_only,
        files_only: one.files_only && other.files_only,
        directories_only: one.directories_only && other.directories_only,
        by_age: one.by_age && other.by_age,
        not_git: one.not_git && other.not_git,
        not_below_git: one.not_below_git && other.not_below_git,
        narrowed: one.narrowed || other.narrowed,
    })
}

/// Primaries with one word after them that say nothing we keep.
const ONE_WORD: &[&str] = &[
    "-lname",
    "-ilname",
    "-mindepth",
    "-size",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-used",
    "-links",
    "-inum",
    "-samefile",
    "-fstype",
    "-context",
    "-regextype",
    "-flags",
    "-xattrname",
];

/// Tests of age with one word after them.
const AGE: &[&str] = &[
    "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-anewer", "-cnewer", "-mnewer", "-Btime", "-Bmin",
    "-Bnewer",
];

/// Reads the words after the starting points `roots`.
pub(super) fn read<'a>(arguments: &'a [Argument], roots: &'a [&'a str]) -> Expression {
    let mut walk = Walk {
        words: arguments,
        roots,
        index: 0,
        expression: Expression::default(),
        frames: vec![Frame::new(Some(Reach::default()))],
        other_output: false,
        acted: false,
    };
    while let Some(word) = walk.next() {
        walk.word(word);
    }
    walk.finish()
}

struct Walk<'a> {
    words: &'a [Argument],
    roots: &'a [&'a str],
    index: usize,
    expression: Expression,
    frames: Vec<Frame>,
    /// Something other than paths is printed.
    other_output: bool,
    /// There is an action, so nothing is printed unless said.
    acted: bool,
}

impl<'a> Walk<'a> {
    fn next(&mut self) -> Option<&'a Argument> {
        let word = self.words.get(self.index);
        self.index += usize::from(word.is_some());
        word
    }

    /// What reaches the current place; `None` where nothing does.
    fn current(&self) -> Option<Reach> {
        self.frames.last().and_then(|frame| frame.current.clone())
    }

    fn apply(&mut self, split: Split) {
        if let Some(frame) = self.frames.last_mut() {
            frame.apply(split);
        }
    }

    /// A test nothing is kept of.
    fn pass(&mut self) {
        let reach = self.current();
        self.apply((reach.clone(), reach));
    }

    fn act(&mut self, act: Action, span: Span) {
        let reach = self.current();
        // Where nothing reaches an action it is kept all the same: an action nobody can reach is a mistake, not a licence.
        self.expression.actions.push(Reached { act, reach: reach.clone().unwrap_or_default(), span });
        self.acted = true;
        self.apply((reach.clone(), reach));
    }

    fn word(&mut self, word: &'a Argument) {
        let Some(text) = word.known() else {
            self.expression.unknown = Some(word.span);
            self.pass();
            return;
        };
        match text {
            "(" => {
                let reach = self.current();
                self.frames.push(Frame::new(reach));
            }
            ")" => {
                if self.frames.len() > 1
                    && let Some(frame) = self.frames.pop()
                {
                    self.apply(frame.finish());
                }
            }
            "!" | "-not" => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.negated = !frame.negated;
                }
            }
            "-o" | "-or" => self.frames.last_mut().into_iter().for_each(Frame::or),
            "," => self.frames.last_mut().into_iter().for_each(Frame::then),
            "-a" | "-and" => {}
            "-false" => {
                let reach = self.current();
                self.apply((None, reach));
            }
            "-true" => {
                let reach = self.current();
                self.apply((reach, None));
            }
            "-quit" | "-exit" => self.apply((None, None)),
            "-prune" => self.prune(),
            "-help" | "--help" | "-version" | "--version" => self.expression.help = true,
            "-depth" => {
                self.expression.depth_first = true;
                // BSD's `-depth N` is a test.
                if self.words.get(self.index).and_then(Argument::known).is_some_and(is_number) {
                    self.index += 1;
                }
                self.always();
            }
            "-maxdepth" => {
                let depth = self.next().and_then(Argument::known).and_then(|depth| depth.parse().ok());
                self.expression.max_depth = depth;
                self.always();
            }
            "-empty" => self.test(|reach| reach.empty_only = true),
            "-type" | "-xtype" => self.kind(),
            "-name" | "-iname" => self.named(false, text == "-iname"),
            "-path" | "-wholename" | "-ipath" | "-iwholename" => self.named(true, text.starts_with("-i")),
            "-regex" | "-iregex" => self.regex(text == "-iregex"),
            "-files0-from" => {
                self.expression.starts_from = self.next().map(|file| (file.value.clone(), file.span));
                self.always();
            }
            "-print" | "-print0" => {
                let reach = self.current().unwrap_or_default();
                self.expression.printed = join(self.expression.printed.take(), Some(reach));
                self.act(Action::Print, word.span);
            }
            "-ls" => {
                self.other_output = true;
                self.act(Action::Print, word.span);
            }
            "-printf" => {
                let format = self.next().and_then(Argument::known);
                if matches!(format, Some("%p\\n" | "%p\\0" | "%p" | "%p\n")) {
                    let reach = self.current().unwrap_or_default();
                    self.expression.printed = join(self.expression.printed.take(), Some(reach));
                } else {
                    self.other_output = true;
                }
                self.act(Action::Print, word.span);
            }
            "-delete" => self.act(Action::Delete, word.span),
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = self.next() {
                    self.index += usize::from(text == "-fprintf");
                    self.act(Action::Write(file.value.clone()), file.span);
                }
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => self.run(word, text.ends_with("dir")),
            _ if AGE.contains(&text) || text.starts_with("-newer") => {
                self.index += 1;
                let aged = self.current().map(|reach| Reach { by_age: true, ..reach });
                self.apply((aged.clone(), aged));
            }
            _ => {
                self.index += usize::from(ONE_WORD.contains(&text));
                self.pass();
            }
        }
    }

    /// An option in the expression: true for every file.
    fn always(&mut self) {
        let reach = self.current();
        self.apply((reach, None));
    }

    /// A test of which only the true side says something.
    fn test(&mut self, learn: impl FnOnce(&mut Reach)) {
        let no = self.current();
        let mut yes = no.clone();
        if let Some(reach) = &mut yes {
            learn(reach);
            reach.narrowed = true;
        }
        self.apply((yes, no));
    }

    fn kind(&mut self) {
        let kinds = self.next().and_then(Argument::known).unwrap_or_default();
        let directories = kinds.split(',').any(|kind| kind == "d");
        let Some(reach) = self.current() else {
            return self.apply((None, None));
        };
        let mut yes = reach.clone();
        yes.files_only |= kinds == "f";
        yes.directories_only |= kinds == "d";
        // A repository's `.git` is a directory, so it goes one way only; a test for directories does not narrow it.
        yes.not_git |= !directories;
        yes.narrowed |= !directories;
        let mut no = reach;
        no.not_git |= directories;
        self.apply((Some(yes), Some(no)));
    }

    fn named(&mut self, whole_path: bool, ignores_case: bool) {
        let Some(word) = self.next() else { return };
        let pattern = match &word.value {
            Value::Known { text, .. } => text.clone(),
            // The shell would have put one name or several here, which find then refuses; one that begins so.
            Value::Glob { pattern } => pattern.clone(),
            Value::Dynamic(_) => return self.pass(),
        };
        self.filtered(Filter::new(pattern, whole_path, ignores_case, self.roots));
    }

    /// Of a regular expression only a literal end is read: `.*\.pyc` selects like `*.pyc`.
    fn regex(&mut self, ignores_case: bool) {
        let literal = self.next().and_then(Argument::known).and_then(pattern::literal_end);
        match literal {
            Some(end) => {
                self.filtered(Filter::new(format!("*{end}"), true, ignores_case, self.roots));
            }
            None => self.pass(),
        }
    }

    fn filtered(&mut self, filter: Filter) {
        let filter = Rc::new(filter);
        let Some(reach) = self.current() else {
            return self.apply((None, None));
        };
        let mut yes = reach.clone();
        match yes.names.as_slice() {
            [] => yes.names.push(filter.clone()),
            _ => {
                yes.narrowed = true;
                // Of several filters a file must pass, the one that says most stays: a name before a path, more letters before
                // fewer.
                if let [only] = yes.names.as_slice()
                    && (only.whole_path && !filter.whole_path
                        || only.whole_path == filter.whole_path
                            && pattern::weight(&filter.pattern) > pattern::weight(&only.pattern))
                {
                    yes.names = vec![filter.clone()];
                }
            }
        }
        let mut no = reach;
        no.not_git |= metadata::covers_directory(&filter);
        no.not_below_git |= metadata::covers_content(&filter);
        self.apply((Some(yes), Some(no)));
    }

    fn prune(&mut self) {
        let reach = self.current();
        if let Some(reach) = &reach
            && !reach.narrowed
            && reach.names.iter().any(|filter| metadata::covers_directory(filter))
        {
            self.expression.prunes_git = true;
        }
        self.apply((reach, None));
    }

    /// `-exec WORDS ;` or `-exec WORDS {} +`.
    fn run(&mut self, primary: &Argument, in_its_directory: bool) {
        let rest = self.words.get(self.index..).unwrap_or_default();
        let mut end = rest.len();
        let mut taken = rest.len();
        for (index, word) in rest.iter().enumerate() {
            let plus = || index > 0 && rest.get(index - 1).and_then(Argument::known) == Some("{}");
            if word.known() == Some(";") || word.known() == Some("+") && plus() {
                end = index;
                taken = index + 1;
                break;
            }
        }
        let words = rest.get(..end).unwrap_or_default().to_vec();
        let span = words.iter().fold(primary.span, |span, word| span.to(word.span));
        self.index += taken;
        self.other_output = true;
        if words.is_empty() {
            self.pass();
        } else {
            self.act(Action::Run { words, in_its_directory }, span);
        }
    }

    fn finish(mut self) -> Expression {
        while self.frames.len() > 1 {
            if let Some(frame) = self.frames.pop() {
                self.apply(frame.finish());
            }
        }
        if !self.acted {
            let whole = self.frames.pop().and_then(|frame| frame.finish().0);
            self.expression.printed = Some(whole.unwrap_or_default());
        } else if self.other_output {
            self.expression.printed = None;
        }
        self.expression
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
