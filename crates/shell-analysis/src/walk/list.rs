//! Lists, and-or lists and pipelines.

use sekisho_command_model::Stream;
use sekisho_shell_syntax::tree::{AndOr, AndOrOperator, Command, CommandKind, List, Pipeline, Stage, Terminator};

use crate::Limit;
use crate::engine::{Context, Engine, NESTING};
use crate::flow::{Flow, Status, concat, either};
use crate::state::{State, joined};

impl Engine<'_> {
    /// Runs a list from each of `states`.
    pub(crate) fn run_list(&mut self, list: &List, states: Vec<State>, context: &Context) -> Flow {
        if context.nesting >= NESTING {
            self.limit(Limit::Recursion);
            return ended(states);
        }
        let mut context = Context { nesting: context.nesting + 1, ..context.clone() };
        let mut flow = Flow { states: states.into_iter().map(|state| (state, Status::Success)).collect(), ..Flow::default() };
        for item in &list.items {
            if flow.states.is_empty() || !self.has_budget() {
                break;
            }
            let states = std::mem::take(&mut flow.states);
            let next = if item.terminator == Terminator::Background {
                let states = self.join(states);
                self.run_background(&item.and_or, states, &context)
            } else {
                let states = self.join(states);
                self.run_and_or(&item.and_or, states, &context)
            };
            // Where control may have left, what follows may not run.
            context.certain &= next.escapes.is_empty();
            flow.output = concat(flow.output, next.output);
            flow.escapes.extend(next.escapes);
            flow.states = next.states;
            if !context.tested && item.terminator != Terminator::Background {
                // `set -e`: where the command failed, nothing after it runs.
                for (state, status) in std::mem::take(&mut flow.states) {
                    match status {
                        Status::Failure if state.options.errexit => flow.escapes.push((state, crate::flow::Escape::Exit)),
                        status => flow.states.push((state, status)),
                    }
                }
            }
        }
        flow
    }

    /// One state for all that can be joined.
    pub(crate) fn join(&mut self, states: Vec<(State, Status)>) -> Vec<State> {
        let (states, over) = joined(states.into_iter().map(|(state, _)| state));
        if over {
            self.limit(Limit::DerivedWork);
        }
        states
    }

    fn run_background(&mut self, and_or: &AndOr, states: Vec<State>, context: &Context) -> Flow {
        let mut result = Flow::default();
        let inner = Context { forks: context.forks + 1, tested: true, ..context.with_input(Stream::Nothing) };
        for (index, mut state) in states.into_iter().enumerate() {
            let flow = self.run_and_or(and_or, vec![state.clone()], &inner);
            let output = flow.output.clone();
            state.absorb_files(&flow.ends());
            result.or(Flow::one(state, Status::Success).with_output(output), index == 0);
        }
        result
    }

    fn run_and_or(&mut self, and_or: &AndOr, states: Vec<State>, context: &Context) -> Flow {
        let tested = context.tested();
        let last = and_or.rest.len();
        let mut flow = self.run_pipeline(&and_or.first, states, if last == 0 { context } else { &tested });
        for (index, (operator, pipeline)) in and_or.rest.iter().enumerate() {
            let context = if index + 1 == last { context } else { &tested };
            let (mut go, mut stay) = (Vec::new(), Vec::new());
            let mut always = true;
            for (state, status) in std::mem::take(&mut flow.states) {
                let (goes, stays) = match operator {
                    AndOrOperator::And => (status.may_succeed(), status.may_fail()),
                    AndOrOperator::Or => (status.may_fail(), status.may_succeed()),
                };
                always &= !stays;
                if stays {
                    let status = if *operator == AndOrOperator::And { Status::Failure } else { Status::Success };
                    stay.push((state.clone(), status));
                }
                if goes {
                    go.push((state, Status::Success));
                }
            }
            if go.is_empty() {
                // It cannot run as far as this text says (`false && …`): looked at all the same, without consequences.
                let states = self.join(stay.clone());
                self.run_pipeline(pipeline, states, &context.uncertain());
                flow.states = stay;
                continue;
            }
            let states = self.join(go);
            let next = self.run_pipeline(pipeline, states, &context.certain_if(always));
            let before = std::mem::take(&mut flow.output);
            flow.output = match (always, operator) {
                (true, _) => concat(before, next.output),
                // What failed is taken to have printed nothing.
                (false, AndOrOperator::Or) => either(before, next.output),
                (false, AndOrOperator::And) => match before {
                    Stream::Nothing => next.output,
                    before => either(before.clone(), concat(before, next.output)),
                },
            };
            flow.escapes.extend(next.escapes);
            flow.states = stay;
            flow.states.extend(next.states);
        }
        flow
    }

    fn run_pipeline(&mut self, pipeline: &Pipeline, states: Vec<State>, context: &Context) -> Flow {
        let mut result = Flow::default();
        let runs = states.len();
        let first = self.analysis.executions.len();
        for (index, state) in states.into_iter().enumerate() {
            let flow = match pipeline.stages.as_slice() {
                [one] => {
                    let tested = Context { tested: context.tested || pipeline.negated, ..context.clone() };
                    self.run_command(&one.command, state, &tested)
                }
                several => self.run_stages(several, state, context),
            };
            result.or(flow, index == 0);
        }
        self.settle(first, runs);
        if pipeline.negated {
            for (_, status) in &mut result.states {
                *status = status.negated();
            }
        }
        result
    }

    /// The stages of a pipeline, each in a process of its own.
    fn run_stages(&mut self, stages: &[Stage], mut state: State, context: &Context) -> Flow {
        let mut input = (*context.input).clone();
        let mut status = Status::Either;
        let mut before: Option<(&Stage, usize)> = None;
        for stage in stages {
            let first = self.analysis.executions.len();
            let inner = Context { forks: context.forks + 1, tested: true, ..context.with_input(input) };
            let flow = self.run_command(&stage.command, state.clone(), &inner);
            if let Some((previous, from)) = before {
                self.narrow_disclosure(previous, from, first);
            }
            // What only sorts passes on the same lines.
            let sorts = self.analysis.executions.get(first).is_some_and(|execution| execution.program.as_deref() == Some("sort"));
            if before.is_none() || !sorts || !stage.command.redirections.is_empty() {
                before = Some((stage, first));
            }
            input = flow.output.clone();
            status = combined(&flow);
            state.absorb_files(&flow.ends());
        }
        Flow::one(state, status).with_output(input)
    }

    /// Runs one command.
    pub(crate) fn run_command(&mut self, command: &Command, state: State, context: &Context) -> Flow {
        if !self.charge() {
            return Flow::one(state, Status::Either);
        }
        if let CommandKind::Simple(simple) = &command.kind {
            return self.run_simple(command, simple, state, context);
        }
        self.run_compound(command, state, context)
    }
}

/// The status of a whole process.
pub(crate) fn combined(flow: &Flow) -> Status {
    let mut statuses = flow.states.iter().map(|(_, status)| *status);
    match statuses.next() {
        Some(first) if flow.escapes.is_empty() && statuses.all(|status| status == first) => first,
        _ => Status::Either,
    }
}

fn ended(states: Vec<State>) -> Flow {
    Flow { states: states.into_iter().map(|state| (state, Status::Either)).collect(), ..Flow::default() }
}
