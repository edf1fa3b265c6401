//! What a shell would remember while it runs a text.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use sekisho_command_model::Value;
use sekisho_shell_syntax::span::Span;
use sekisho_shell_syntax::tree::Command;

use crate::Directory;

/// Most values kept for one variable, and most states kept at once.
pub(crate) const ALTERNATIVES: usize = 64;

/// One possible value of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Slot {
    /// It is not set.
    Unset,
    /// It has this value.
    Value(Value),
}

/// What a variable holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// One of these, never empty.
    Scalar(Vec<Slot>),
    /// Elements by subscript, in order.
    Array(Vec<(String, Value)>),
}

/// A variable the text has assigned or declared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variable {
    /// What it holds.
    pub(crate) content: Content,
    /// Child processes see it.
    pub(crate) exported: bool,
}

impl Variable {
    /// A plain variable with this value.
    #[cfg(test)]
    pub(crate) fn scalar(value: Value) -> Self {
        Self { content: Content::Scalar(vec![Slot::Value(value)]), exported: false }
    }
}

/// `$0`, `$1` …
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Positional {
    /// `$0`, where known.
    pub(crate) zero: Option<Value>,
    /// `$1` …; `None`: not known.
    pub(crate) words: Option<Vec<Value>>,
}

/// A function's body with the text its spans refer to.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// The command.
    pub(crate) command: Arc<Command>,
    /// Its text.
    pub(crate) source: Rc<str>,
    /// That text is the outermost one.
    pub(crate) outermost: bool,
    /// The word of the outermost text it came from.
    pub(crate) anchor: Option<Span>,
}

impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.command, &other.command)
    }
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Function {
    /// Its possible bodies.
    pub(crate) bodies: Vec<Body>,
    /// It is defined on every path.
    pub(crate) always: bool,
}

/// What is known of a file the text itself wrote.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Written {
    /// Exactly this.
    Text(Rc<str>),
    /// Something fetched.
    Remote,
    /// Something decoded from an unknown form.
    Decoded,
    /// Something.
    Unknown,
    /// Not written on this path: what was there before.
    Original,
}

/// How a name stands for something that lies elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    /// A link: what is done below the name is done there.
    Leads,
    /// A bind mount: what is done to the name is done there as well.
    Mounted,
    /// Moved or linked hard: the same content under another name.
    Content,
}

/// Options of the shell that change what is analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Options {
    /// `set -e`
    pub(crate) errexit: bool,
    /// `set -f`
    pub(crate) noglob: bool,
}

/// The state of one shell on one path through the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// The working directory.
    pub(crate) cwd: Directory,
    /// `$OLDPWD`.
    pub(crate) old_cwd: Option<Directory>,
    /// Below the working directory on the directory stack, nearest last; `None`: not known.
    pub(crate) stack: Option<Vec<Directory>>,
    /// Variables by name.
    pub(crate) variables: Rc<BTreeMap<String, Variable>>,
    /// Variables shadowed by `local`, one map a function call.
    pub(crate) shadowed: Vec<BTreeMap<String, Option<Variable>>>,
    /// `$1` …
    pub(crate) positional: Rc<Positional>,
    /// Functions by name.
    pub(crate) functions: Rc<BTreeMap<String, Function>>,
    /// Aliases by name.
    pub(crate) aliases: Rc<BTreeMap<String, Value>>,
    /// Files written, by key (see [`crate::walk::files`]).
    pub(crate) files: Rc<BTreeMap<String, Vec<Written>>>,
    /// Directories made.
    pub(crate) made: Rc<BTreeSet<String>>,
    /// Names for what lies elsewhere, by absolute path (see [`crate::walk::names`]).
    pub(crate) names: Rc<BTreeMap<String, (String, Tie)>>,
    /// Options.
    pub(crate) options: Options,
    /// The environment was emptied: variables nobody assigned are unset.
    pub(crate) bare: bool,
    /// Another user's home, not known.
    pub(crate) home_unknown: bool,
}

impl State {
    /// The state a text starts in.
    pub(crate) fn new(cwd: Directory) -> Self {
        Self {
            cwd,
            old_cwd: None,
            stack: Some(Vec::new()),
            variables: Rc::default(),
            shadowed: Vec::new(),
            positional: Rc::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            files: Rc::default(),
            made: Rc::default(),
            names: Rc::default(),
            options: Options::default(),
            bare: false,
            home_unknown: false,
        }
    }

    /// Gives `name` one value.
    pub(crate) fn assign(&mut self, name: &str, value: Value) {
        self.assign_slot(name, Slot::Value(value));
    }

    /// Gives `name` one value or none.
    pub(crate) fn assign_slot(&mut self, name: &str, slot: Slot) {
        self.assign_content(name, Content::Scalar(vec![slot]));
    }

    /// Gives `name` this content; it stays exported if it was.
    pub(crate) fn assign_content(&mut self, name: &str, content: Content) {
        let variables = Rc::make_mut(&mut self.variables);
        match variables.get_mut(name) {
            Some(variable) => variable.content = content,
            None => {
                variables.insert(name.to_owned(), Variable { content, exported: false });
            }
        }
    }

    /// Marks `name` as exported.
    pub(crate) fn export(&mut self, name: &str) {
        if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
            variable.exported = true;
        }
    }

    /// Remembers `name` as it is, to be restored when the running function returns.
    pub(crate) fn shadow(&mut self, name: &str) {
        let before = self.variables.get(name).cloned();
        if let Some(frame) = self.shadowed.last_mut() {
            frame.entry(name.to_owned()).or_insert(before);
        }
    }

    /// Restores what the innermost function shadowed.
    pub(crate) fn unshadow(&mut self) {
        let Some(frame) = self.shadowed.pop() else { return };
        let variables = Rc::make_mut(&mut self.variables);
        for (name, before) in frame {
            match before {
                Some(variable) => {
                    variables.insert(name, variable);
                }
                None => {
                    variables.remove(&name);
                }
            }
        }
    }

    /// The state of a new process started from here: it has the environment, the directory and the files.
    pub(crate) fn child_process(&self) -> Self {
        let mut child = self.clone();
        child.variables = Rc::new(
            self.variables
                .iter()
                .filter(|(_, variable)| variable.exported)
                .map(|(name, variable)| (name.clone(), variable.clone()))
                .collect(),
        );
        child.shadowed = Vec::new();
        child.functions = Rc::default();
        child.aliases = Rc::default();
        child.positional = Rc::new(Positional { zero: None, words: Some(Vec::new()) });
        child.options = Options::default();
        child.stack = Some(Vec::new());
        child
    }

    /// Takes over what `others`, which ran in processes of their own, did to files.
    pub(crate) fn absorb_files(&mut self, others: &[Self]) {
        let Some((first, rest)) = others.split_first() else { return };
        let mut files = first.files.clone();
        let mut made = first.made.clone();
        for other in rest {
            if !Rc::ptr_eq(&files, &other.files) {
                files = Rc::new(join_files(&files, &other.files));
            }
            if made != other.made {
                made = Rc::new(made.intersection(&other.made).cloned().collect());
            }
        }
        for other in others {
            self.absorb_names(&other.names);
        }
        self.files = files;
        self.made = made;
    }

    /// Takes over names that exist on another path: what may be a link is followed.
    fn absorb_names(&mut self, others: &Rc<BTreeMap<String, (String, Tie)>>) {
        if Rc::ptr_eq(&self.names, others) || self.names == *others {
            return;
        }
        let names = Rc::make_mut(&mut self.names);
        for (name, source) in others.iter() {
            names.entry(name.clone()).or_insert_with(|| source.clone());
        }
    }

    /// The two states differ only in what can be kept as a set of possibilities.
    fn joins_with(&self, other: &Self) -> bool {
        self.cwd == other.cwd
            && self.old_cwd == other.old_cwd
            && self.stack == other.stack
            && self.shadowed.len() == other.shadowed.len()
    }

    /// Both states' possibilities.
    fn join(&mut self, other: &Self) {
        if !Rc::ptr_eq(&self.variables, &other.variables) && self.variables != other.variables {
            self.variables = Rc::new(join_variables(&self.variables, &other.variables));
        }
        if self.positional != other.positional {
            self.positional = Rc::default();
        }
        if self.functions != other.functions {
            self.functions = Rc::new(join_functions(&self.functions, &other.functions));
        }
        if self.aliases != other.aliases {
            let mut aliases = (*self.aliases).clone();
            for (name, value) in other.aliases.iter() {
                aliases.entry(name.clone()).or_insert_with(|| value.clone());
            }
            self.aliases = Rc::new(aliases);
        }
        if !Rc::ptr_eq(&self.files, &other.files) && self.files != other.files {
            self.files = Rc::new(join_files(&self.files, &other.files));
        }
        if self.made != other.made {
            self.made = Rc::new(self.made.intersection(&other.made).cloned().collect());
        }
        self.absorb_names(&other.names);
        self.options.errexit &= other.options.errexit;
        self.options.noglob &= other.options.noglob;
        self.bare &= other.bare;
        self.home_unknown |= other.home_unknown;
    }
}

/// Joins `state` into `states`, where one of them allows it.
pub(crate) fn add(states: &mut Vec<State>, state: State) {
    match states.iter_mut().find(|known| known.joins_with(&state)) {
        Some(known) => known.join(&state),
        None => states.push(state),
    }
}

/// The states that can be told apart; more than [`ALTERNATIVES`] become one that knows less, and the second value says so.
pub(crate) fn joined(all: impl IntoIterator<Item = State>) -> (Vec<State>, bool) {
    let mut states = Vec::new();
    for state in all {
        add(&mut states, state);
    }
    if states.len() <= ALTERNATIVES {
        return (states, false);
    }
    let mut all = states.into_iter().map(|state| State { cwd: Directory::Unknown, old_cwd: None, stack: None, ..state });
    let mut one: Vec<State> = all.next().into_iter().collect();
    for state in all {
        add(&mut one, state);
    }
    (one, true)
}

/// Values of a variable nobody assigned, as a possibility beside others.
fn never_assigned(name: &str) -> Slot {
    Slot::Value(Value::Dynamic(sekisho_command_model::Partial::unknown(sekisho_command_model::Cause::Variable(name.to_owned()))))
}

fn join_variables(left: &BTreeMap<String, Variable>, right: &BTreeMap<String, Variable>) -> BTreeMap<String, Variable> {
    let mut joined = BTreeMap::new();
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    for name in names {
        let exported = left.get(name).or_else(|| right.get(name)).is_some_and(|variable| variable.exported);
        let contents = [left.get(name), right.get(name)].map(|variable| variable.map(|variable| &variable.content));
        let content = match contents {
            [Some(one), Some(two)] if one == two => one.clone(),
            [one, two] => {
                let mut slots: Vec<Slot> = Vec::new();
                for content in [one, two] {
                    let more = match content {
                        Some(Content::Scalar(slots)) => slots.clone(),
                        Some(Content::Array(_)) | None => vec![never_assigned(name)],
                    };
                    for slot in more {
                        if !slots.contains(&slot) {
                            slots.push(slot);
                        }
                    }
                }
                if slots.len() > ALTERNATIVES {
                    slots = vec![never_assigned(name)];
                }
                Content::Scalar(slots)
            }
        };
        joined.insert(name.clone(), Variable { content, exported });
    }
    joined
}

fn join_functions(left: &BTreeMap<String, Function>, right: &BTreeMap<String, Function>) -> BTreeMap<String, Function> {
    let mut joined = left.clone();
    for (name, function) in &mut joined {
        match right.get(name) {
            Some(other) => {
                function.always &= other.always;
                for body in &other.bodies {
                    if !function.bodies.contains(body) && function.bodies.len() < ALTERNATIVES {
                        function.bodies.push(body.clone());
                    }
                }
            }
            None => function.always = false,
        }
    }
    for (name, function) in right {
        joined.entry(name.clone()).or_insert_with(|| Function { always: false, ..function.clone() });
    }
    joined
}

fn join_files(left: &BTreeMap<String, Vec<Written>>, right: &BTreeMap<String, Vec<Written>>) -> BTreeMap<String, Vec<Written>> {
    let original = vec![Written::Original];
    let mut joined = BTreeMap::new();
    for key in left.keys().chain(right.keys()).collect::<BTreeSet<_>>() {
        let mut contents = left.get(key).unwrap_or(&original).clone();
        for content in right.get(key).unwrap_or(&original) {
            if !contents.contains(content) {
                contents.push(content.clone());
            }
        }
        if contents.len() > 8 {
            contents = vec![Written::Unknown];
        }
        joined.insert(key.clone(), contents);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::new(Directory::Known { path: "/w".into(), exists: true })
    }

    #[test]
    fn joining_keeps_every_value() {
        let (mut one, mut two) = (state(), state());
        one.assign("x", Value::literal("a"));
        two.assign("x", Value::literal("b"));
        let (states, over) = joined([one, two]);
        assert!(!over);
        assert_eq!(states.len(), 1);
        let Content::Scalar(slots) = &states[0].variables["x"].content else { panic!("scalar") };
        assert_eq!(slots.len(), 2);
    }

    #[test]
    fn directories_keep_states_apart_up_to_a_limit() {
        let many = (0..100).map(|number| State::new(Directory::Known { path: format!("/w/{number}"), exists: true }));
        let (states, over) = joined(many);
        assert!(over);
        assert_eq!(states.len(), 1);
        assert_eq!(states[0].cwd, Directory::Unknown);
    }

    #[test]
    fn locals_are_restored() {
        let mut state = state();
        state.assign("x", Value::literal("outer"));
        state.shadowed.push(BTreeMap::new());
        state.shadow("x");
        state.assign("x", Value::literal("inner"));
        state.unshadow();
        assert_eq!(state.variables["x"], Variable::scalar(Value::literal("outer")));
    }
}
