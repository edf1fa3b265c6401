//! Calls of functions and aliases.

use std::collections::BTreeMap;
use std::rc::Rc;

use sekisho_command_model::{Argument, Effect, EffectKind, Family, Provenance, Value};

use super::runner::{Call, Head};
use crate::Limit;
use crate::engine::{self, Context, Draft, Engine, RECURSION};
use crate::flow::{Escape, Flow, Status};
use crate::state::{Function, State};

impl Engine<'_> {
    /// Calls a function: each of its possible bodies, with the words bound to `$1` ….
    pub(super) fn run_function(
        &mut self,
        call: &Call,
        head: &Head,
        function: &Function,
        mut state: State,
        context: &Context,
    ) -> Flow {
        let argv: Vec<Argument> = call.argv.iter().map(|word| word.argument.clone()).collect();
        let mut effects = call.redirected.effects.clone();
        let again = context.calls.iter().find(|running| running.name == head.program);
        // A function that starts itself again in processes of its own, with nothing to stop it.
        let bomb = again.is_some_and(|running| context.forks > running.forks);
        if bomb {
            effects.push(Effect::new(EffectKind::System("fork-bomb".to_owned()), Family::General, call.span.unwrap_or_default()));
        }
        let words = argv.iter().skip(1).map(|word| word.value.clone()).collect::<Vec<_>>();
        let draft = Draft {
            argv,
            program: Some(head.program.clone()),
            effects,
            described: true,
            segment: call.segment.clone(),
            span: call.span,
        };
        self.emit(draft, &state, context);
        if bomb {
            return Flow::one(state, Status::Either);
        }
        if context.depth >= RECURSION {
            self.limit(Limit::Recursion);
            return Flow::one(state, Status::Either);
        }
        self.step("function-call", head.program.as_str(), context);
        // Words that may split or be none leave the numbering unknown.
        let exact = words.iter().all(|value| match value {
            Value::Known { .. } => true,
            Value::Glob { .. } => false,
            Value::Dynamic(partial) => !partial.may_split,
        });
        let before = Self::bind(&mut state, None, exact.then_some(words));
        state.shadowed.push(BTreeMap::new());
        let mut calls = (*context.calls).clone();
        calls.push(engine::Call { name: head.program.clone(), forks: context.forks });
        let calls = Rc::new(calls);
        let input = call.redirected.input.clone().map_or_else(|| context.input.clone(), Rc::new);
        let mut result = Flow::default();
        let certain = function.always && function.bodies.len() == 1;
        for (index, body) in function.bodies.iter().enumerate() {
            let anchor = body.anchor.or(if context.outermost { call.span } else { context.anchor });
            let inner = Context {
                depth: context.depth + 1,
                source: body.source.clone(),
                outermost: body.outermost,
                anchor,
                calls: calls.clone(),
                input: input.clone(),
                ..context.certain_if(certain)
            };
            if !self.derive(1) {
                break;
            }
            let flow = self.run_command(&body.command, state.clone(), &inner);
            result.or(flow, index == 0);
        }
        let mut escapes = Vec::new();
        for (state, escape) in std::mem::take(&mut result.escapes) {
            match escape {
                Escape::Return => result.states.push((state, Status::Either)),
                other => escapes.push((state, other)),
            }
        }
        result.escapes = escapes;
        for (state, _) in &mut result.states {
            state.unshadow();
            state.positional = before.clone();
        }
        result.states = self.unfork(std::mem::take(&mut result.states));
        result
    }

    /// A command that an alias of this text may stand for. Bash expands aliases in interactive shells only, so that nothing
    /// here is certain, and what it does to the shell's state is not followed.
    pub(super) fn run_alias(&mut self, call: &Call, head: &Head, state: &State, context: &Context) {
        let (Some(tail), Some(body)) = (&call.alias_tail, state.aliases.get(&head.program)) else { return };
        if context.aliases.contains(&head.program) {
            return;
        }
        let text = format!("{}{tail}", self.markers.text_of(body));
        let mut aliases = (*context.aliases).clone();
        aliases.push(head.program.clone());
        let inner = Context { aliases: Rc::new(aliases), ..context.uncertain() };
        self.step("alias", head.program.as_str(), context);
        self.run_text(&text, vec![state.clone()], call.span, &inner);
    }

    /// `alias name='text'`: the text persists in shells that are kept alive, so it is looked at even if it is never used.
    pub(crate) fn define_alias(&mut self, name: &str, body: Value, state: &mut State, context: &Context) {
        let text = self.markers.text_of(&body);
        let mut aliases = (*context.aliases).clone();
        aliases.push(name.to_owned());
        let inner = Context { aliases: Rc::new(aliases), latent: true, ..context.uncertain() };
        self.run_text(&text, vec![state.clone()], None, &inner);
        Rc::make_mut(&mut state.aliases).insert(name.to_owned(), Value::Known { text, provenance: Provenance::Literal });
    }
}
