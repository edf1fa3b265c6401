//! From tokens to calls: one pass with a stack of open brackets, the same for every language.
//!
//! No grammar is followed. An expression is what stands between separators; of the operators only those are understood that put strings and
//! paths together, everything else makes a value unknown. So a call is seen wherever it stands, and its arguments are known where they are
//! plain.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::argument::{Cause, Partial, Value};
use crate::inline::expression::{Expression, append, join_path};
use crate::inline::facts::Facts;
use crate::inline::meaning::{Constant, Imports, Language};
use crate::inline::token::{Kind, Token};

mod imports;
mod variables;

/// One argument of a call.
#[derive(Debug, Clone)]
pub(super) struct Given {
    /// Its name, where it has one.
    pub keyword: Option<Rc<str>>,
    /// Its value.
    pub value: Expression,
}

/// What is called.
#[derive(Debug, Clone)]
pub(super) enum Callee {
    /// A function by its path.
    Path(Rc<str>),
    /// A method of a value.
    Method { receiver: Expression, name: Rc<str> },
    /// Something computed.
    Value(Expression),
}

/// A bracket that is open.
enum Shape {
    Root,
    Group,
    Call(Callee),
    /// A call without brackets, up to the end of the statement.
    Bare(Callee),
    Index(Expression),
    List,
    Brace,
    /// A block that is given to a call, and what the call gives.
    Block(Expression),
    /// A string with expressions in it, and what is called with it.
    Template(Option<Callee>),
    /// The parameters of a function that is being defined.
    Parameters,
}

/// The operand that was read last.
enum Current {
    Value(Expression),
    /// A member of a value, not called yet.
    Member {
        receiver: Expression,
        name: Rc<str>,
    },
}

/// How two operands become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Concatenate,
    Path,
    /// The right one changes what the left one says, and no more is known.
    Discard,
}

/// Where a value goes.
enum Target {
    Name(Rc<str>),
    Names(Rc<[(Rc<str>, Rc<str>)]>),
    Elsewhere,
}

/// The expression being read in one bracket.
#[derive(Default)]
struct State {
    current: Option<Current>,
    left: Option<(Expression, Joint)>,
    tainted: bool,
    /// The next name is a member of the current operand.
    member: bool,
    target: Option<Target>,
    /// Variables of a loop over the expression.
    loop_names: Vec<Rc<str>>,
    /// A comma stood in the statement.
    several: bool,
    keyword: Option<Rc<str>>,
}

struct Frame {
    shape: Shape,
    given: Vec<Given>,
    state: State,
}

impl Frame {
    fn new(shape: Shape) -> Self {
        Self { shape, given: Vec::new(), state: State::default() }
    }
}

/// Reads tokens and hands each call to [`Facts`].
pub(super) struct Extractor<'a> {
    language: &'static Language,
    facts: &'a mut Facts,
    /// The innermost open bracket.
    top: Frame,
    /// Those around it.
    below: Vec<Frame>,
    variables: HashMap<Rc<str>, Expression>,
    /// How often each name is assigned.
    assignments: HashMap<Rc<str>, u32>,
    defined: HashSet<Rc<str>>,
    /// The next name is being defined.
    defining: bool,
}

/// Reads `tokens` for their calls.
pub(super) fn extract(tokens: &[Token], language: &'static Language, facts: &mut Facts) {
    let mut extractor = Extractor {
        language,
        facts,
        top: Frame::new(Shape::Root),
        below: Vec::new(),
        variables: HashMap::new(),
        assignments: HashMap::new(),
        defined: HashSet::new(),
        defining: false,
    };
    extractor.count_assignments(tokens);
    extractor.run(tokens);
}

impl Extractor<'_> {
    fn count_assignments(&mut self, tokens: &[Token]) {
        let mut pairs = tokens.iter().zip(tokens.iter().skip(1));
        let mut previous: Option<&Kind> = None;
        for (token, next) in &mut pairs {
            if let (Kind::Name(name), Kind::Operator(operator)) = (&token.kind, &next.kind)
                && (self.language.assignment.contains(operator) || is_augmented(operator))
                && !matches!(previous, Some(Kind::Operator(before)) if self.language.members.contains(before))
                // `f(p='x')` names an argument.
                && !matches!(previous, Some(Kind::Comma | Kind::Open(b'(')))
            {
                *self.assignments.entry(Rc::clone(name)).or_insert(0) += 1;
            }
            previous = Some(&token.kind);
        }
    }

    fn run(&mut self, tokens: &[Token]) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let rest = tokens.get(at + 1..).unwrap_or_default();
            at += 1 + self.step(token, rest);
        }
        self.close_bare();
        while !self.below.is_empty() {
            self.close();
        }
        self.end_statement();
    }

    /// Reads one token; says how many of `rest` were read with it.
    fn step(&mut self, token: &Token, rest: &[Token]) -> usize {
        match &token.kind {
            Kind::Name(name) => return self.name(name, token.spaced, rest),
            Kind::Number(text) => self.operand(Current::Value(Expression::Path(Rc::clone(text))), token.spaced),
            Kind::Text(text) => self.text(Expression::literal(text), token.spaced),
            Kind::Opaque => self.operand(Current::Value(Expression::Unknown), token.spaced),
            Kind::TemplateOpen => self.template(token.spaced),
            Kind::TemplateClose => {
                self.close_bare();
                self.close();
            }
            Kind::Join => self.join(Joint::Concatenate),
            Kind::Open(bracket) => self.open(*bracket, token.spaced, rest),
            Kind::Close(_) => {
                self.close_bare();
                if self.below.is_empty() {
                    self.end_statement();
                } else {
                    self.close();
                }
            }
            Kind::Comma => self.comma(),
            Kind::Semicolon => self.separator(),
            Kind::Line => self.line(rest),
            Kind::Operator("-")
                if self.current().is_none() && matches!(rest.first(), Some(Token { kind: Kind::Number(_), .. })) =>
            {
                if let Some(Token { kind: Kind::Number(number), .. }) = rest.first() {
                    self.operand(Current::Value(Expression::Path(format!("-{number}").into())), token.spaced);
                }
                return 1;
            }
            Kind::Operator(operator) => self.operator(operator, rest),
        }
        0
    }

    fn state(&mut self) -> &mut State {
        &mut self.top.state
    }

    fn shape(&self) -> &Shape {
        &self.top.shape
    }

    fn current(&self) -> Option<&Current> {
        self.top.state.current.as_ref()
    }

    fn enter(&mut self, shape: Shape) {
        self.below.push(std::mem::replace(&mut self.top, Frame::new(shape)));
    }

    fn leave(&mut self) -> Option<Frame> {
        self.below.pop().map(|below| std::mem::replace(&mut self.top, below))
    }

    fn in_statement(&self) -> bool {
        matches!(self.shape(), Shape::Root | Shape::Brace | Shape::Block(_))
    }

    // Names and operands.

    fn name(&mut self, name: &Rc<str>, spaced: bool, rest: &[Token]) -> usize {
        if self.state().member {
            self.state().member = false;
            self.member(name);
            return 0;
        }
        if self.defining {
            self.defining = false;
            self.defined.insert(Rc::clone(name));
            if matches!(rest.first(), Some(Token { kind: Kind::Open(b'('), .. })) {
                self.enter(Shape::Parameters);
                return 1;
            }
            return 0;
        }
        let language = self.language;
        let pair_follows = matches!(rest.first(), Some(Token { kind: Kind::Operator(operator), spaced: false }) if language.pairs.contains(operator) && *operator == ":");
        if !pair_follows || self.in_statement() {
            if let Some(read) = self.import(name, rest) {
                return read;
            }
            if matches!(&**name, "for" | "foreach") {
                return self.loop_head(rest);
            }
            if language.definitions.contains(&&**name) {
                self.begin_statement();
                self.defining = matches!(rest.first(), Some(Token { kind: Kind::Name(_), .. }));
                if !self.defining && matches!(rest.first(), Some(Token { kind: Kind::Open(b'('), .. })) {
                    self.enter(Shape::Parameters);
                    return 1;
                }
                return 0;
            }
            if language.keywords.contains(&&**name) {
                let parameter = if &**name == "do" { self.block_parameter(rest) } else { None };
                if &**name == "as" {
                    self.loop_tail(rest);
                }
                let conditional = matches!(&**name, "or" | "and")
                    || (self.language.imports == Imports::Python && matches!(&**name, "if" | "else"));
                if conditional && self.in_statement() && self.top.state.target.is_some() {
                    // Which of the values is assigned is not known.
                    self.taint();
                } else {
                    self.begin_statement();
                }
                if let Some((parameter, value)) = parameter {
                    self.bind(&parameter, value);
                }
                return 0;
            }
            if language.modifiers.contains(&&**name) {
                return 0;
            }
        }
        self.operand(Current::Value(Expression::Path(Rc::clone(name))), spaced);
        0
    }

    /// A member of the current operand.
    fn member(&mut self, name: &Rc<str>) {
        let current = self.state().current.take();
        let current = match current {
            Some(Current::Value(Expression::Path(path))) => match self.variables.get(&path) {
                Some(Expression::Path(module)) => Current::Value(Expression::Path(dotted(module, name))),
                Some(value) => Current::Member { receiver: value.clone(), name: Rc::clone(name) },
                None if self.language.constant(&path) == Some(Constant::Environment) && !self.language.bare_calls => {
                    self.environment_member(&path, name)
                }
                None => match self.known_constant(&path) {
                    Some(receiver) => Current::Member { receiver, name: Rc::clone(name) },
                    None => Current::Value(Expression::Path(dotted(&path, name))),
                },
            },
            Some(Current::Value(receiver)) => Current::Member { receiver, name: Rc::clone(name) },
            Some(Current::Member { receiver, name: first }) => {
                let receiver = if self.language.bare_calls {
                    self.facts.call(self.language, &Callee::Method { receiver, name: first }, Vec::new(), &self.defined)
                } else if receiver.is_remote() {
                    receiver
                } else {
                    Expression::Unknown
                };
                Current::Member { receiver, name: Rc::clone(name) }
            }
            None => Current::Value(Expression::Path(dotted("", name))),
        };
        self.state().current = Some(current);
    }

    /// `process.env.HOME`, but `os.environ.items`.
    fn environment_member(&self, path: &Rc<str>, name: &Rc<str>) -> Current {
        if self.language.function(&dotted(path, name), false).is_some() {
            return Current::Value(Expression::Path(dotted(path, name)));
        }
        Current::Value(self.facts.environment_variable(name))
    }

    fn known_constant(&self, path: &str) -> Option<Expression> {
        match self.language.constant(path)? {
            Constant::Home => Some(self.facts.home()),
            Constant::TemporaryRoot => Some(Expression::surrounding("/tmp")),
            Constant::Environment => None,
        }
    }

    fn text(&mut self, value: Expression, spaced: bool) {
        self.state().member = false;
        self.join_adjacent();
        match self.string_callee() {
            Some(callee) => {
                let result = self.call(&callee, vec![Given { keyword: None, value }]);
                self.state().current = Some(Current::Value(result));
            }
            None => self.operand(Current::Value(value), spaced),
        }
    }

    fn template(&mut self, spaced: bool) {
        self.state().member = false;
        self.join_adjacent();
        let callee = self.string_callee();
        if callee.is_none() {
            self.make_room(spaced);
        }
        self.enter(Shape::Template(callee));
    }

    /// A string after a string continues it.
    fn join_adjacent(&mut self) {
        if self.language.adjacent_strings && matches!(self.current(), Some(Current::Value(Expression::Text(_)))) {
            self.join(Joint::Concatenate);
        }
    }

    /// What the string that comes now is given to, where a language calls so.
    fn string_callee(&mut self) -> Option<Callee> {
        if self.language.string_calls && self.is_callable() { self.take_callee() } else { None }
    }

    fn operand(&mut self, value: Current, spaced: bool) {
        self.make_room(spaced);
        self.state().member = false;
        self.state().current = Some(value);
    }

    /// Before an operand: if another one stands there, it is the function this one is given to, or its expression has ended.
    fn make_room(&mut self, _spaced: bool) {
        if self.state().current.is_none() {
            return;
        }
        if self.language.bare_calls && self.is_callable() {
            if let Some(callee) = self.take_callee() {
                self.enter(Shape::Bare(callee));
            }
        } else if self.in_statement() {
            self.end_statement();
        } else {
            let state = self.state();
            state.current = None;
            state.left = None;
            state.tainted = true;
        }
    }

    /// The current operand may be a function.
    fn is_callable(&self) -> bool {
        match self.current() {
            Some(Current::Value(Expression::Path(path))) => {
                let first = path.bytes().next().unwrap_or_default();
                let numeric = first.is_ascii_digit();
                let variable = self.language.syntax.sigils.contains(&first) && path.len() > 1;
                !numeric
                    && !variable
                    && !matches!(self.variables.get(path), Some(Expression::Text(_) | Expression::List(_) | Expression::Choice(_)))
            }
            Some(Current::Member { .. }) => true,
            _ => false,
        }
    }

    fn take_callee(&mut self) -> Option<Callee> {
        Some(match self.state().current.take()? {
            Current::Value(Expression::Path(path)) => match self.variables.get(&path) {
                Some(Expression::Path(known)) => Callee::Path(Rc::clone(known)),
                _ => Callee::Path(path),
            },
            Current::Value(value) => Callee::Value(value),
            Current::Member { receiver, name } => Callee::Method { receiver, name },
        })
    }

    /// The value of an operand.
    fn settle(&mut self, current: Current) -> Expression {
        match current {
            Current::Value(Expression::Path(path)) => match self.variables.get(&path) {
                Some(value) => value.clone(),
                None => match self.known_constant(&path) {
                    Some(value) => value,
                    // Perl's `unlink` and the like work on `$_` when nothing is given; a method of Ruby needs no brackets.
                    None if self.language.bare_calls && self.facts.acts(self.language, &path) => {
                        self.facts.call(self.language, &Callee::Path(path), Vec::new(), &self.defined)
                    }
                    None => Expression::Path(path),
                },
            },
            Current::Value(value) => value,
            Current::Member { receiver, name } if self.language.bare_calls => {
                self.facts.call(self.language, &Callee::Method { receiver, name }, Vec::new(), &self.defined)
            }
            Current::Member { receiver, .. } if receiver.is_remote() => receiver,
            Current::Member { .. } => Expression::Unknown,
        }
    }

    /// The expression read so far, which is over.
    fn take_expression(&mut self) -> Option<Expression> {
        let state = self.state();
        state.member = false;
        let tainted = std::mem::take(&mut state.tainted);
        let left = state.left.take();
        let current = state.current.take();
        let right = current.map(|current| self.settle(current));
        let value = match (left, right) {
            (Some((left, joint)), Some(right)) => combine(left, joint, &right),
            (Some((left, _)), None) => left,
            (None, Some(right)) => right,
            (None, None) if tainted => Expression::Unknown,
            (None, None) => return None,
        };
        // A function that a condition chooses is still a function; a string is not known.
        let is_function = |value: &Expression| value.path().is_some_and(|path| self.language.function(path, false).is_some());
        Some(if tainted && !is_function(&value) { Expression::Unknown } else { value })
    }

    // Operators.

    fn join(&mut self, joint: Joint) {
        let state = self.state();
        let left = state.left.take();
        let Some(current) = state.current.take() else {
            state.left = left;
            return;
        };
        let right = self.settle(current);
        let value = match left {
            Some((left, before)) => combine(left, before, &right),
            None => right,
        };
        self.state().left = Some((value, joint));
    }

    fn operator(&mut self, operator: &'static str, rest: &[Token]) {
        let language = self.language;
        let has_current = self.state().current.is_some();
        let has_left = self.state().left.is_some();
        if has_current && language.members.contains(&operator) && (operator != ":" || member_follows(rest)) {
            self.state().member = true;
        } else if language.assignment.contains(&operator) && has_current {
            self.assign();
        } else if is_augmented(operator) {
            self.augment();
        } else if operator == "=>" && !language.pairs.contains(&"=>") {
            // An arrow function: its parameter hides a variable of that name.
            if let Some(Current::Value(Expression::Path(parameter))) = self.state().current.take()
                && !matches!(self.variables.get(&parameter), Some(Expression::Choice(_)))
            {
                self.bind(&parameter, Expression::dynamic(Cause::Variable(parameter.to_string())));
            }
            self.taint();
        } else if has_current && language.pairs.contains(&operator) {
            self.pair(operator);
        } else if has_current && language.concatenation.contains(&operator) {
            self.join(Joint::Concatenate);
        } else if has_current && operator == "/" && language.slash_joins_paths {
            self.join(Joint::Path);
        } else if has_current && operator == "%" && language.percent_formats {
            self.format();
        } else if !has_current && !has_left && matches!(operator, "*" | "**" | "&" | "\\" | "..." | "@" | "::" | "$") {
            // Spreads, references and the like change nothing we look at.
        } else if operator == ":" && self.in_statement() {
            self.end_statement();
        } else {
            self.taint();
        }
    }

    fn taint(&mut self) {
        if let Some(current) = self.state().current.take() {
            self.settle(current);
        }
        let state = self.state();
        state.member = false;
        state.left = None;
        state.tainted = true;
    }

    fn assign(&mut self) {
        let names_argument = matches!(self.shape(), Shape::Call(_) | Shape::Bare(_) | Shape::Parameters);
        let state = self.state();
        let target = match state.current.take() {
            Some(Current::Value(Expression::Path(path))) if names_argument => {
                state.keyword = Some(path);
                return;
            }
            Some(Current::Value(Expression::Path(path))) => Target::Name(path),
            Some(Current::Value(Expression::Pattern(names))) => Target::Names(names),
            _ => Target::Elsewhere,
        };
        state.left = None;
        state.tainted = false;
        state.target = Some(target);
    }

    fn augment(&mut self) {
        if let Some(Current::Value(Expression::Path(path))) = self.state().current.take() {
            self.bind(&path, Expression::dynamic(Cause::Variable(path.to_string())));
        }
        self.taint();
    }

    fn pair(&mut self, operator: &str) {
        if self.in_statement() && operator == ":" && !matches!(self.shape(), Shape::Brace) {
            return self.end_statement();
        }
        let state = self.state();
        if state.tainted || state.left.is_some() {
            return self.taint();
        }
        match state.current.take() {
            Some(Current::Value(Expression::Path(key))) => state.keyword = Some(key),
            Some(Current::Value(Expression::Text(value))) => state.keyword = Some(value.known().unwrap_or_default().into()),
            Some(other) => {
                self.settle(other);
            }
            None => {}
        }
    }

    /// `'rm -rf %s' % name`: only what stands before the first gap is known.
    fn format(&mut self) {
        let Some(current) = self.state().current.take() else { return };
        let value = self.settle(current);
        match value.known() {
            Some(text) => {
                let (prefix, rest) = text.split_once('%').unwrap_or((text, ""));
                let suffix = rest.rsplit_once('%').map_or(rest, |(_, after)| after).get(1..).unwrap_or_default();
                let partial = Partial { prefix: prefix.to_owned(), suffix: suffix.to_owned(), ..Partial::unknown(Cause::Unknown) };
                self.state().left = Some((Expression::value(Value::Dynamic(partial)), Joint::Discard));
            }
            None => self.taint(),
        }
    }

    // Brackets.

    fn open(&mut self, bracket: u8, spaced: bool, rest: &[Token]) {
        self.state().member = false;
        let has_current = self.state().current.is_some();
        match bracket {
            b'(' if has_current => {
                let parameter = self.block_parameter(rest);
                if let Some(callee) = self.take_callee() {
                    self.enter(Shape::Call(callee));
                }
                if let Some((name, value)) = parameter {
                    self.bind(&name, value);
                }
            }
            b'(' => self.enter(Shape::Group),
            b'[' if has_current && !(spaced && self.takes_list()) => self.open_index(),
            b'[' => {
                self.make_room(spaced);
                self.enter(Shape::List);
            }
            _ => self.open_brace(spaced, rest),
        }
    }

    /// A list after white space is an argument: the operand is a function we know.
    fn takes_list(&self) -> bool {
        match self.current() {
            Some(Current::Value(Expression::Path(path))) => {
                self.language.bare_calls && self.language.function(path, false).is_some()
            }
            _ => !self.language.bare_calls && self.in_statement(),
        }
    }

    fn open_index(&mut self) {
        let base = match self.state().current.take() {
            // The environment itself, not its value, is what an index is looked up in.
            Some(Current::Value(Expression::Path(path))) if !self.variables.contains_key(&path) => Expression::Path(path),
            Some(current) => self.settle(current),
            None => Expression::Unknown,
        };
        self.enter(Shape::Index(base));
    }

    fn open_brace(&mut self, spaced: bool, rest: &[Token]) {
        let variable = matches!(
            self.current(),
            Some(Current::Value(Expression::Path(path))) if path.starts_with('$')
        );
        if variable && !spaced {
            return self.open_index();
        }
        let parameter = self.block_parameter(rest);
        if self.language.blocks_are_arguments
            && let Some(current) = self.state().current.take()
        {
            let value = self.settle(current);
            self.enter(Shape::Block(value));
            if let Some((name, value)) = parameter {
                self.bind(&name, value);
            }
            return;
        }
        self.close_bare_if_complete();
        if self.state().current.is_some() || !self.state().loop_names.is_empty() {
            if self.in_statement() {
                self.end_statement();
            } else {
                self.taint();
            }
        }
        self.enter(Shape::Brace);
        if let Some((name, value)) = parameter {
            self.bind(&name, value);
        }
    }

    /// The parameter of a block or arrow function that is given each element of the list the current method is called on.
    fn block_parameter(&self, rest: &[Token]) -> Option<(Rc<str>, Expression)> {
        let Some(Current::Member { receiver: Expression::List(values), name }) = self.current() else {
            return None;
        };
        if !matches!(&**name, "each" | "forEach" | "map" | "each_entry") {
            return None;
        }
        let parameter = rest.iter().take(3).find_map(|token| match &token.kind {
            Kind::Name(name) if !self.language.modifiers.contains(&&**name) && !self.language.definitions.contains(&&**name) => {
                Some(name)
            }
            _ => None,
        })?;
        Some((Rc::clone(parameter), Expression::Choice(Rc::clone(values))))
    }

    /// Closes the innermost bracket; its value is the operand of the one around it.
    fn close(&mut self) {
        self.finish_argument();
        let Some(frame) = self.leave() else { return };
        let mut given = frame.given;
        let value = match frame.shape {
            Shape::Root => return,
            Shape::Block(value) => value,
            Shape::Group => {
                let value = group(&given);
                if !frame.state.loop_names.is_empty() {
                    self.bind_loop(&frame.state.loop_names, Some(&value));
                }
                value
            }
            Shape::Call(callee) | Shape::Bare(callee) => self.call(&callee, given),
            Shape::Index(base) => self.index(&base, &given),
            Shape::List => Expression::List(given.iter().map(|given| given.value.to_value()).collect()),
            Shape::Template(callee) => {
                let value = match given.pop() {
                    Some(Given { value, .. }) if value.is_text() => value,
                    Some(Given { value, .. }) => Expression::Text(value.to_value()),
                    None => Expression::literal(""),
                };
                match callee {
                    Some(callee) => self.call(&callee, vec![Given { keyword: None, value }]),
                    None => value,
                }
            }
            Shape::Parameters => {
                for parameter in given {
                    if let Some(name) = parameter.keyword.as_deref().or_else(|| parameter.value.path()) {
                        let name: Rc<str> = name.into();
                        self.bind(&name, Expression::dynamic(Cause::Variable(name.to_string())));
                    }
                }
                return;
            }
            Shape::Brace => {
                let pattern = pattern(&given);
                if matches!(self.shape(), Shape::Call(_) | Shape::Bare(_)) {
                    // Options given as an object count as named arguments; `{recursive}` is short for `{recursive: recursive}`.
                    let hoisted = given.into_iter().filter_map(|given| match (&given.keyword, &given.value) {
                        (Some(_), _) => Some(given),
                        (None, Expression::Path(name)) => Some(Given { keyword: Some(Rc::clone(name)), value: given.value }),
                        _ => None,
                    });
                    self.top.given.extend(hoisted);
                    return;
                }
                match pattern {
                    Some(pattern) => pattern,
                    None if self.in_statement() && self.state().target.is_none() => return,
                    None => Expression::Unknown,
                }
            }
        };
        if self.in_statement() && matches!(value, Expression::Unknown) && self.state().current.is_some() {
            self.end_statement();
        }
        self.state().current = Some(Current::Value(value));
    }

    fn call(&mut self, callee: &Callee, given: Vec<Given>) -> Expression {
        self.facts.call(self.language, callee, given, &self.defined)
    }

    fn index(&mut self, base: &Expression, given: &[Given]) -> Expression {
        let key = given.first().map(|given| &given.value);
        let name = match key {
            Some(Expression::Path(path)) if !path.starts_with('$') => Some(&**path),
            Some(key) => key.known(),
            None => None,
        };
        match (base, name) {
            (Expression::Path(path), _) if self.language.function(&format!("{path}[]"), false).is_some() => {
                let callee = Callee::Path(format!("{path}[]").into());
                self.call(&callee, given.to_vec())
            }
            (Expression::Path(path), Some(name)) => match self.language.constant(path) {
                Some(Constant::Environment) => self.facts.environment_variable(name),
                _ => Expression::Path(dotted(path, name)),
            },
            (Expression::List(values), Some(name)) => match name.parse::<usize>().ok().and_then(|at| values.get(at)) {
                Some(value) => Expression::Text(Rc::clone(value)),
                None => Expression::Unknown,
            },
            (base, _) if base.is_remote() => base.clone(),
            _ => Expression::Unknown,
        }
    }

    // Separators.

    /// The expression is one argument, or one statement's.
    fn finish_argument(&mut self) {
        // In brackets all elements belong to the loop, not only the first.
        let loop_names =
            if matches!(self.shape(), Shape::Group) { Vec::new() } else { std::mem::take(&mut self.state().loop_names) };
        let keyword = self.state().keyword.take();
        let target = self.state().target.take();
        self.state().several = false;
        let value = self.take_expression();
        if !loop_names.is_empty() {
            self.bind_loop(&loop_names, value.as_ref());
        }
        if let Some(target) = target {
            self.bind_target(target, value.unwrap_or(Expression::Unknown), false);
            return;
        }
        let Some(value) = value else { return };
        if !matches!(self.shape(), Shape::Root) {
            self.top.given.push(Given { keyword, value });
        }
    }

    fn end_statement(&mut self) {
        let state = self.state();
        let several = std::mem::take(&mut state.several);
        if several && let Some(target) = state.target.take() {
            let value = self.take_expression();
            self.bind_target(target, value.unwrap_or(Expression::Unknown), true);
        }
        self.finish_argument();
    }

    /// A word that ends what came before.
    fn begin_statement(&mut self) {
        self.close_bare();
        if self.in_statement() {
            self.end_statement();
        } else {
            self.taint();
        }
    }

    fn comma(&mut self) {
        if matches!(self.shape(), Shape::Root) && self.language.imports != Imports::JavaScript {
            self.state().several = true;
            if self.state().target.is_none() {
                self.take_expression();
            } else {
                self.taint();
            }
        } else {
            self.finish_argument();
        }
    }

    fn separator(&mut self) {
        self.close_bare();
        self.end_statement();
    }

    fn line(&mut self, rest: &[Token]) {
        let next = rest.iter().find(|token| token.kind != Kind::Line).map(|token| &token.kind);
        let chained = matches!(next, Some(Kind::Operator(operator)) if self.language.members.contains(operator) && *operator != "::" && *operator != ":");
        let unfinished = {
            let state = self.state();
            state.current.is_none() && (state.left.is_some() || state.keyword.is_some())
        };
        // An argument list without brackets goes on after a comma.
        let awaits = matches!(self.shape(), Shape::Bare(_)) && self.state().current.is_none();
        if chained || unfinished || awaits {
            return;
        }
        self.close_bare();
        if self.in_statement() {
            self.end_statement();
        }
    }

    fn close_bare(&mut self) {
        while matches!(self.shape(), Shape::Bare(_)) {
            self.close();
        }
    }

    /// A block after a complete argument ends the call without brackets; an object is one of its arguments.
    fn close_bare_if_complete(&mut self) {
        if self.state().current.is_some() {
            self.close_bare();
        }
    }
}

/// After a `:` that leads to a method: a name and an opening bracket or a string.
fn member_follows(rest: &[Token]) -> bool {
    matches!(
        (rest.first().map(|token| &token.kind), rest.get(1).map(|token| &token.kind)),
        (Some(Kind::Name(_)), Some(Kind::Open(_) | Kind::Text(_) | Kind::TemplateOpen))
    )
}

/// It changes the variable before it.
fn is_augmented(operator: &str) -> bool {
    operator.len() > 1 && operator.ends_with('=') && !matches!(operator, "==" | "===" | "!=" | "!==" | "<=" | ">=" | ":=")
}

fn combine(left: Expression, joint: Joint, right: &Expression) -> Expression {
    match joint {
        Joint::Concatenate => append(left, right),
        Joint::Path if left.is_text() || right.is_text() => join_path(&left, right),
        Joint::Path => Expression::Unknown,
        Joint::Discard => left,
    }
}

/// The value of a bracket that only groups.
fn group(given: &[Given]) -> Expression {
    match given {
        [] => Expression::Unknown,
        [only] => only.value.clone(),
        several => {
            let mut values = Vec::new();
            for given in several {
                values.extend(given.value.to_values());
            }
            Expression::List(values.into())
        }
    }
}

/// The names of `{a, b: c}`, if it holds nothing else.
fn pattern(given: &[Given]) -> Option<Expression> {
    let names: Option<Vec<(Rc<str>, Rc<str>)>> = given
        .iter()
        .map(|given| match (&given.keyword, &given.value) {
            (Some(member), Expression::Path(local)) => Some((Rc::clone(member), Rc::clone(local))),
            (None, Expression::Path(name)) => Some((Rc::clone(name), Rc::clone(name))),
            _ => None,
        })
        .collect();
    names.filter(|names| !names.is_empty()).map(|names| Expression::Pattern(names.into()))
}

/// The longest path that is kept whole.
const LONGEST_PATH: usize = 256;

/// `path` and `name` with a dot between them.
pub(super) fn dotted(path: &str, name: &str) -> Rc<str> {
    if path.len() + name.len() > LONGEST_PATH { format!("….{name}").into() } else { format!("{path}.{name}").into() }
}
