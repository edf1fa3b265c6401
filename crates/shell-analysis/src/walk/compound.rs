//! Compound commands: groups, conditionals, `case`, function definitions. Loops have a file of their own.

use std::rc::Rc;

use sekisho_command_model::{Stream, Value};
use sekisho_shell_syntax::tree::{
    Case, CaseTerminator, Command, CommandKind, Conditional, Function as Definition, If, List, Redirection, Word,
};

use super::fork::Mentioned;
use super::redirect::Redirected;
use crate::engine::{Context, Draft, Engine};
use crate::flow::{Flow, Status, concat, either};
use crate::state::{Body, Function, State};

impl Engine<'_> {
    /// Runs a command that is not a simple one.
    pub(crate) fn run_compound(&mut self, command: &Command, mut state: State, context: &Context) -> Flow {
        if let CommandKind::Function(definition) = &command.kind {
            return self.define(definition, state, context);
        }
        let redirected = self.compound_redirections(&command.redirections, command, &mut state, context);
        let context = match &redirected.input {
            Some(input) => context.with_input(input.clone()),
            None => context.clone(),
        };
        let context = &context;
        let mut flow = match &command.kind {
            CommandKind::Group(list) => self.run_list(list, vec![state], context),
            CommandKind::Subshell(list) => self.run_subshell(list, state, context),
            CommandKind::If(conditional) => self.run_if(conditional, state, context),
            CommandKind::For(each) => self.run_for(each, state, context),
            CommandKind::Select(each) => self.run_select(each, state, context),
            CommandKind::ForArithmetic(each) => self.run_for_arithmetic(each, state, context),
            CommandKind::Loop(repeat) => self.run_loop(repeat, state, context),
            CommandKind::Case(case) => self.run_case(case, state, context),
            CommandKind::Conditional(test) => self.run_conditional(test, state, context),
            CommandKind::Arithmetic(expression) => self.run_arithmetic(expression, state, context),
            CommandKind::Coprocess(coprocess) => {
                let inner = Context { forks: context.forks + 1, ..context.with_input(Stream::Unknown) };
                let flow = self.run_command(&coprocess.body, state.clone(), &inner);
                state.absorb_files(&flow.ends());
                Flow::one(state, Status::Success)
            }
            CommandKind::Simple(_) | CommandKind::Function(_) => Flow::one(state, Status::Either),
        };
        let output = std::mem::take(&mut flow.output);
        let mut left = redirected.output.is_none().then(|| if redirected.diverted { Stream::Nothing } else { output.clone() });
        for (state, _) in &mut flow.states {
            let down = self.deliver(output.clone(), &redirected, state);
            left.get_or_insert(down);
        }
        flow.output = left.unwrap_or_default();
        flow
    }

    /// The redirections of a compound command are an execution of their own: they happen before its body.
    pub(crate) fn compound_redirections(
        &mut self,
        redirections: &[Redirection],
        command: &Command,
        state: &mut State,
        context: &Context,
    ) -> Redirected {
        if redirections.is_empty() {
            return Redirected::default();
        }
        let redirected = self.redirect(redirections, false, state, context);
        if !redirected.effects.is_empty() {
            let span =
                redirections.iter().map(|redirection| redirection.span).reduce(|one, other| one.to(other)).unwrap_or(command.span);
            let draft = Draft {
                effects: redirected.effects.clone(),
                described: true,
                segment: span.text(&context.source).to_owned(),
                span: Some(span),
                ..Draft::default()
            };
            self.emit(draft, state, context);
        }
        redirected
    }

    fn define(&mut self, definition: &Definition, mut state: State, context: &Context) -> Flow {
        let body = Body {
            command: definition.body.clone(),
            source: context.source.clone(),
            outermost: context.outermost,
            anchor: context.anchor,
        };
        self.step("function-defined", definition.name.as_str(), context);
        Rc::make_mut(&mut state.functions).insert(definition.name.clone(), Function { bodies: vec![body], always: true });
        Flow::one(state, Status::Success)
    }

    /// Runs `list` in a process of its own.
    pub(crate) fn run_subshell(&mut self, list: &List, mut state: State, context: &Context) -> Flow {
        let flow = self.run_list(list, vec![state.clone()], context);
        let output = flow.output.clone();
        let status = super::list::combined(&flow);
        state.absorb_files(&flow.ends());
        Flow::one(state, status).with_output(output)
    }

    fn run_if(&mut self, conditional: &If, state: State, context: &Context) -> Flow {
        let mut result = Flow::default();
        let mut output: Option<Stream> = None;
        let mut waiting = vec![state];
        let mut context = context.clone();
        for (condition, body) in &conditional.branches {
            let tested = self.run_list(condition, waiting.clone(), &context.tested());
            result.escapes.extend(tested.escapes);
            let always = tested.states.iter().all(|(_, status)| *status == Status::Success);
            let never = tested.states.iter().all(|(_, status)| *status == Status::Failure);
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            for (state, status) in tested.states {
                if status.may_succeed() || never {
                    yes.push((state.clone(), Status::Success));
                }
                if status.may_fail() || always {
                    no.push((state, Status::Success));
                }
            }
            let yes = self.join(yes);
            let flow = self.run_list(body, yes, &context.certain_if(always));
            if !never {
                result.states.extend(flow.states);
                result.escapes.extend(flow.escapes);
            }
            let printed = concat(tested.output, flow.output);
            output = Some(match output {
                Some(before) => either(before, printed),
                None => printed,
            });
            waiting = self.join(no);
            context = context.certain_if(never);
            if always {
                // What follows cannot run as far as this text says; it is looked at without consequences.
                self.run_rest(conditional, body, waiting, &context);
                return result.with_output(output.unwrap_or_default());
            }
        }
        let last = match &conditional.otherwise {
            Some(body) => self.run_list(body, waiting, &context),
            None => Flow { states: waiting.into_iter().map(|state| (state, Status::Success)).collect(), ..Flow::default() },
        };
        let printed = last.output.clone();
        result.states.extend(last.states);
        result.escapes.extend(last.escapes);
        let output = match output {
            Some(before) => either(before, printed),
            None => printed,
        };
        result.with_output(output)
    }

    /// Looks at the branches behind the one whose body is `taken`.
    fn run_rest(&mut self, conditional: &If, taken: &List, states: Vec<State>, context: &Context) {
        let context = context.uncertain();
        let behind = conditional.branches.iter().skip_while(|(_, body)| !std::ptr::eq(body, taken)).skip(1);
        for (condition, body) in behind {
            self.run_list(condition, states.clone(), &context);
            self.run_list(body, states.clone(), &context);
        }
        if let Some(body) = &conditional.otherwise {
            self.run_list(body, states, &context);
        }
    }

    fn run_case(&mut self, case: &Case, state: State, context: &Context) -> Flow {
        let mentioned = Mentioned::in_words(std::iter::once(&case.subject));
        let mut states = self.fork(&mentioned, state);
        for state in &mut states {
            self.expand_single(&case.subject, state, context);
        }
        let joined = states.into_iter().map(|state| (state, Status::Success)).collect();
        let states = self.join(joined);
        let context = &context.uncertain();
        let mut result = Flow { states: states.iter().cloned().map(|state| (state, Status::Success)).collect(), ..Flow::default() };
        let mut output: Option<Stream> = None;
        let mut falling: Vec<(State, Status)> = Vec::new();
        for arm in &case.arms {
            let mut entry: Vec<(State, Status)> = states.iter().cloned().map(|state| (state, Status::Success)).collect();
            for (state, _) in &mut entry {
                for pattern in &arm.patterns {
                    self.expand_single(pattern, state, context);
                }
            }
            entry.append(&mut falling);
            let entry = self.join(entry);
            let flow = self.run_list(&arm.body, entry, context);
            output = Some(match output {
                Some(before) => either(before, flow.output),
                None => flow.output,
            });
            if arm.terminator == CaseTerminator::Break {
                result.states.extend(flow.states);
            } else {
                falling.extend(flow.states.iter().cloned());
                result.states.extend(flow.states);
            }
            result.escapes.extend(flow.escapes);
        }
        let states = std::mem::take(&mut result.states);
        result.states = self.join(states).into_iter().map(|state| (state, Status::Either)).collect();
        result.with_output(output.unwrap_or_default())
    }

    fn run_conditional(&mut self, test: &Conditional, mut state: State, context: &Context) -> Flow {
        // INVARIANT: nesting is bounded by the parser's budget; the walk keeps its own list all the same.
        let mut pending = vec![test];
        while let Some(test) = pending.pop() {
            match test {
                Conditional::Word(word) | Conditional::Unary(_, word) => {
                    self.expand_single(word, &mut state, context);
                }
                Conditional::Binary(left, _, right) => {
                    self.expand_single(left, &mut state, context);
                    self.expand_single(right, &mut state, context);
                }
                Conditional::Not(inner) => pending.push(inner),
                Conditional::And(left, right) | Conditional::Or(left, right) => {
                    pending.push(right);
                    pending.push(left);
                }
            }
        }
        Flow::one(state, Status::Either)
    }

    fn run_arithmetic(&mut self, expression: &Word, state: State, context: &Context) -> Flow {
        let mut mentioned = Mentioned::default();
        mentioned.arithmetic(expression);
        let mut result = Flow::default();
        for (index, mut state) in self.fork(&mentioned, state).into_iter().enumerate() {
            let status = match self.evaluate_arithmetic(expression, &mut state, context) {
                Some(0) => Status::Failure,
                Some(_) => Status::Success,
                None => Status::Either,
            };
            result.or(Flow::one(state, status), index == 0);
        }
        result.states = self.unfork(std::mem::take(&mut result.states));
        result
    }

    /// Whether a condition holds is known for numbers only; used where a loop asks.
    pub(crate) fn arithmetic_truth(&mut self, expression: &Word, state: &mut State, context: &Context) -> Option<bool> {
        if expression.parts.is_empty() {
            return Some(true);
        }
        self.evaluate_arithmetic(expression, state, context).map(|value| value != 0)
    }

    /// The values a `for` goes through.
    pub(crate) fn loop_words(&mut self, words: Option<&[Word]>, state: &mut State, context: &Context) -> Option<Vec<Value>> {
        match words {
            Some(words) => {
                let mut values = Vec::new();
                for word in words {
                    values.extend(self.expand_words(word, state, context).into_iter().map(|word| word.argument.value));
                }
                Some(values)
            }
            None => state.positional.words.clone(),
        }
    }
}
