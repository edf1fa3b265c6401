//! `for`, `select`, `while`, `until`.

use sekisho_command_model::{Cause, Partial, Stream, Value};
use sekisho_shell_syntax::tree::{For, ForArithmetic, List, Loop};

use super::fork::Mentioned;
use crate::engine::{Context, Engine};
use crate::expansion::variable::unknown;
use crate::flow::{Escape, Flow, Status, concat};
use crate::state::{ALTERNATIVES, Content, Slot, State};

/// Most rounds of nested loops that are followed one by one.
const ROUNDS: usize = 1024;

/// Where control stands after one round of a body.
#[derive(Default)]
struct Round {
    /// Goes on to the next round.
    on: Vec<(State, Status)>,
    /// Leaves the loop.
    out: Vec<(State, Status)>,
}

impl Round {
    /// Sorts `flow` by what it means for this loop; what concerns loops and functions around it goes to `escapes`.
    fn of(flow: Flow, escapes: &mut Vec<(State, Escape)>) -> Self {
        let mut round = Self { on: flow.states, out: Vec::new() };
        for (state, escape) in flow.escapes {
            match escape {
                Escape::Break(levels) if levels > 1 => escapes.push((state, Escape::Break(levels - 1))),
                Escape::Continue(levels) if levels > 1 => escapes.push((state, Escape::Continue(levels - 1))),
                Escape::Break(_) => round.out.push((state, Status::Success)),
                Escape::Continue(_) => round.on.push((state, Status::Success)),
                other => escapes.push((state, other)),
            }
        }
        round
    }
}

impl Engine<'_> {
    pub(super) fn run_for(&mut self, each: &For, state: State, context: &Context) -> Flow {
        let mentioned = Mentioned::in_words(each.words.iter().flatten());
        let mut result = Flow::default();
        let forks = self.fork(&mentioned, state);
        let (runs, first) = (forks.len(), self.analysis.executions.len());
        for (index, mut state) in forks.into_iter().enumerate() {
            let values = self.loop_words(each.words.as_deref(), &mut state, context);
            let flow = match values {
                Some(values) if values.len() <= ALTERNATIVES => self.run_rounds(each, &values, state, context),
                _ => {
                    let partial = Partial { may_be_empty: true, ..Partial::unknown(Cause::Variable(each.variable.clone())) };
                    self.run_rounds(each, &[Value::Dynamic(partial)], state, &context.uncertain())
                }
            };
            result.or(flow, index == 0);
        }
        self.settle(first, runs);
        result.states = self.unfork(std::mem::take(&mut result.states));
        result
    }

    /// One round for each value, in order.
    fn run_rounds(&mut self, each: &For, values: &[Value], state: State, context: &Context) -> Flow {
        let mut result = Flow::default();
        self.step("loop", format!("{} over {} words", each.variable, values.len()), context);
        if values.is_empty() {
            // Nothing runs, as far as this text says.
            self.run_list(&each.body, vec![state.clone()], &context.uncertain());
            result.states.push((state, Status::Success));
            return result;
        }
        let rounds = context.rounds.saturating_mul(values.len());
        let mut current = vec![(state, Status::Success)];
        let mut out = Vec::new();
        // A word that may be several or none may give no round at all.
        let mut certain = values.iter().all(|value| matches!(value, Value::Known { .. }));
        if rounds > ROUNDS {
            let slots: Vec<Slot> = values.iter().cloned().map(Slot::Value).collect();
            for (state, _) in &mut current {
                state.assign_content(&each.variable, Content::Scalar(slots.clone()));
            }
            let states = self.join(current);
            let flow = self.run_list(&each.body, states, &context.uncertain());
            result.output = flow.output.clone();
            let round = Round::of(flow, &mut result.escapes);
            result.states = round.on.into_iter().chain(round.out).collect();
            return result;
        }
        let context = Context { rounds, ..context.clone() };
        for (index, value) in values.iter().enumerate() {
            let mut states = self.join(current);
            for state in &mut states {
                state.assign(&each.variable, loop_value(value));
            }
            if states.is_empty() || (index > 0 && !self.derive(words_in(&each.body))) {
                current = states.into_iter().map(|state| (state, Status::Either)).collect();
                break;
            }
            let flow = self.run_list(&each.body, states, &context.certain_if(certain));
            result.output = concat(std::mem::take(&mut result.output), flow.output.clone());
            let round = Round::of(flow, &mut result.escapes);
            certain &= round.out.is_empty() && result.escapes.is_empty();
            out.extend(round.out);
            current = round.on;
        }
        result.states = current.into_iter().chain(out).collect();
        result
    }

    pub(super) fn run_select(&mut self, each: &For, mut state: State, context: &Context) -> Flow {
        let context = &context.uncertain();
        let values = self.loop_words(each.words.as_deref(), &mut state, context).unwrap_or_default();
        let before = state.clone();
        let content = if values.is_empty() || values.len() > ALTERNATIVES {
            Content::Scalar(vec![Slot::Value(unknown(&each.variable))])
        } else {
            Content::Scalar(values.into_iter().map(Slot::Value).collect())
        };
        state.assign_content(&each.variable, content);
        state.assign("REPLY", unknown("REPLY"));
        let mut result = Flow::default();
        let flow = self.run_list(&each.body, vec![state], context);
        result.output = flow.output.clone();
        let round = Round::of(flow, &mut result.escapes);
        result.states = std::iter::once((before, Status::Success)).chain(round.on).chain(round.out).collect();
        result
    }

    pub(super) fn run_for_arithmetic(&mut self, each: &ForArithmetic, mut state: State, context: &Context) -> Flow {
        let [start, condition, update] = &each.header;
        self.evaluate_arithmetic(start, &mut state, context);
        let mut result = Flow::default();
        let mut current = vec![(state, Status::Success)];
        let mut out = Vec::new();
        let mut certain = true;
        for round in 0..ALTERNATIVES {
            let mut states = self.join(current);
            let mut truths = Vec::new();
            for state in &mut states {
                truths.push(self.arithmetic_truth(condition, state, context));
            }
            let (on, over): (Vec<_>, Vec<_>) = states.into_iter().zip(truths).partition(|(_, truth)| *truth != Some(false));
            out.extend(over.into_iter().map(|(state, _)| (state, Status::Success)));
            certain &= on.iter().all(|(_, truth)| *truth == Some(true));
            let rounds = context.rounds.saturating_mul(round + 1);
            if on.is_empty() {
                current = Vec::new();
                break;
            }
            let unknown_end = on.iter().any(|(_, truth)| truth.is_none()) || condition.parts.is_empty();
            let states: Vec<State> = on.into_iter().map(|(state, _)| state).collect();
            if unknown_end || rounds > ROUNDS || (round > 0 && !self.derive(words_in(&each.body))) {
                // The number of rounds is not known: the body once more with what it changes unknown.
                let flow = self.run_repeated(None, &each.body, Some(update), states, &context.uncertain());
                result.output = concat(std::mem::take(&mut result.output), flow.output);
                result.escapes.extend(flow.escapes);
                current = flow.states;
                break;
            }
            let inner = Context { rounds, ..context.certain_if(certain) };
            let flow = self.run_list(&each.body, states, &inner);
            result.output = concat(std::mem::take(&mut result.output), flow.output.clone());
            let mut after = Round::of(flow, &mut result.escapes);
            for (state, _) in &mut after.on {
                self.evaluate_arithmetic(update, state, context);
            }
            certain &= after.out.is_empty() && result.escapes.is_empty();
            out.extend(after.out);
            current = after.on;
        }
        result.states = current.into_iter().chain(out).collect();
        result
    }

    pub(super) fn run_loop(&mut self, repeat: &Loop, state: State, context: &Context) -> Flow {
        self.run_repeated(Some(repeat), &repeat.body, None, vec![state], context)
    }

    /// A body whose number of rounds is not known: once as it stands, and again where the first round changed the state.
    fn run_repeated(
        &mut self,
        repeat: Option<&Loop>,
        body: &List,
        update: Option<&sekisho_shell_syntax::tree::Word>,
        states: Vec<State>,
        context: &Context,
    ) -> Flow {
        let first = self.analysis.executions.len();
        let mut result = Flow::default();
        let mut out: Vec<(State, Status)> = Vec::new();
        let mut entry = states;
        for pass in 0..2 {
            let second = self.analysis.executions.len();
            let context = &context.certain_if(pass == 0);
            let mut certain = false;
            let mut started = entry.clone();
            let mut printed = Stream::Nothing;
            if let Some(repeat) = repeat {
                let tested = self.run_list(&repeat.condition, entry.clone(), &context.tested());
                let round = Round::of(Flow { states: Vec::new(), ..tested.clone() }, &mut result.escapes);
                out.extend(round.out);
                printed = tested.output;
                let goes = if repeat.until { Status::Failure } else { Status::Success };
                let ends = goes.negated();
                certain = tested.states.iter().all(|(_, status)| *status == goes);
                let never = tested.states.iter().all(|(_, status)| *status == ends);
                let mut on = Vec::new();
                for (state, status) in tested.states {
                    if status != goes {
                        out.push((state.clone(), Status::Success));
                    }
                    if status != ends || never {
                        on.push((state, Status::Success));
                    }
                }
                started = self.join(on);
            } else {
                out.extend(entry.iter().cloned().map(|state| (state, Status::Success)));
            }
            let flow = self.run_list(body, started, &context.certain_if(certain));
            printed = concat(printed, flow.output.clone());
            result.output =
                if matches!(printed, Stream::Nothing | Stream::Remote | Stream::Decoded) { printed } else { Stream::Unknown };
            let mut round = Round::of(flow, &mut result.escapes);
            if let Some(update) = update {
                for (state, _) in &mut round.on {
                    self.evaluate_arithmetic(update, state, context);
                }
            }
            out.extend(round.out);
            if pass > 0 {
                self.forget_repeats(first, second);
            }
            let before = entry.clone();
            let next = entry.into_iter().map(|state| (state, Status::Success)).chain(round.on.clone()).collect();
            entry = self.join(next);
            out.extend(round.on);
            if entry == before || !self.has_budget() {
                break;
            }
            if pass > 0 {
                // Still changing: what the body changes is not known behind the loop.
                let all = std::mem::take(&mut out);
                out = all.into_iter().map(|(state, status)| (widened(state, &before), status)).collect();
            }
        }
        result.states = self.unfork(out);
        result
    }
}

/// `state` with every variable that differs from all of `before` unknown.
fn widened(mut state: State, before: &[State]) -> State {
    let changed: Vec<String> = state
        .variables
        .iter()
        .filter(|(name, variable)| !before.iter().any(|before| before.variables.get(*name) == Some(*variable)))
        .filter(|(_, variable)| matches!(&variable.content, Content::Scalar(slots) if slots.iter().any(|slot| matches!(slot, Slot::Value(Value::Known { .. })))))
        .map(|(name, _)| name.clone())
        .collect();
    for name in changed {
        if let Some(variable) = state.variables.get(&name)
            && let Content::Scalar(slots) = &variable.content
        {
            // What was seen so far stays a possibility beside the unknown one.
            let mut slots = slots.clone();
            slots.push(Slot::Value(unknown(&name)));
            slots.truncate(ALTERNATIVES);
            state.assign_content(&name, Content::Scalar(slots));
        }
    }
    state
}

/// A loop word as the variable's value: what is split has been split.
fn loop_value(value: &Value) -> Value {
    match value {
        Value::Dynamic(partial) => Value::Dynamic(Partial { may_split: false, ..partial.clone() }),
        other => other.clone(),
    }
}

/// Words in a body, roughly: what another round costs.
fn words_in(body: &List) -> usize {
    use sekisho_shell_syntax::tree::CommandKind;
    let mut count = 0;
    for item in &body.items {
        for pipeline in std::iter::once(&item.and_or.first).chain(item.and_or.rest.iter().map(|(_, pipeline)| pipeline)) {
            for stage in &pipeline.stages {
                count += match &stage.command.kind {
                    CommandKind::Simple(simple) => simple.words.len() + simple.assignments.len(),
                    _ => 2,
                };
            }
        }
    }
    count
}
