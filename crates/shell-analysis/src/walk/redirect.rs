//! Redirections: what they read and write, and where input comes from and output goes.

use sekisho_command_model::{Effect, EffectKind, Family, Stream, Target, Value, WriteMode};
use sekisho_shell_syntax::tree::{Descriptor, Redirection, RedirectionOperator, RedirectionTarget};

use crate::engine::{Context, Engine};
use crate::state::State;

/// What the redirections of one command come to.
#[derive(Debug, Default)]
pub(crate) struct Redirected {
    /// Files they read and write.
    pub(crate) effects: Vec<Effect>,
    /// Standard input, where redirected.
    pub(crate) input: Option<Stream>,
    /// Files standard output goes to, and whether it is appended. The last one gets it.
    pub(crate) output: Option<(Value, bool)>,
    /// Standard output goes elsewhere than down the pipe.
    pub(crate) diverted: bool,
}

impl Engine<'_> {
    /// Reads `redirections`; `empties`: the command itself prints nothing, so that `>` leaves an empty file.
    pub(crate) fn redirect(
        &mut self,
        redirections: &[Redirection],
        empties: bool,
        state: &mut State,
        context: &Context,
    ) -> Redirected {
        let mut result = Redirected::default();
        for redirection in redirections {
            self.redirect_one(redirection, empties, state, context, &mut result);
        }
        // Input taken over from another descriptor, one of which is a connection (`>& /dev/tcp/host/port 0>&1`).
        let connects = |effect: &Effect| {
            matches!(&effect.kind, EffectKind::Write(target, _)
                if target.value.display().starts_with("/dev/tcp/") || target.value.display().starts_with("/dev/udp/"))
        };
        if result.input == Some(Stream::Unknown) && result.effects.iter().any(connects) {
            result.input = Some(Stream::Remote);
        }
        result
    }

    fn redirect_one(
        &mut self,
        redirection: &Redirection,
        empties: bool,
        state: &mut State,
        context: &Context,
        result: &mut Redirected,
    ) {
        use RedirectionOperator as Operator;
        let number = match &redirection.descriptor {
            Some(Descriptor::Number(number)) => Some(*number),
            Some(Descriptor::Variable(name)) => {
                state.assign(name, crate::expansion::variable::unknown(name));
                Some(10)
            }
            None => None,
        };
        let word = match &redirection.target {
            RedirectionTarget::Missing => return,
            RedirectionTarget::HereDocument(document) => {
                let text = if document.quoted {
                    document
                        .body
                        .parts
                        .iter()
                        .filter_map(|part| match &part.kind {
                            sekisho_shell_syntax::tree::PartKind::Literal(text) => Some(text.as_str()),
                            _ => None,
                        })
                        .collect()
                } else {
                    self.expand_text(&document.body, state, context)
                };
                if number.unwrap_or(0) == 0 {
                    result.input = Some(Stream::Known(text));
                }
                return;
            }
            RedirectionTarget::Word(word) => word,
        };
        if redirection.operator == Operator::HereString {
            let mut text = self.expand_text(word, state, context);
            text.push('\n');
            if number.unwrap_or(0) == 0 {
                result.input = Some(Stream::Known(text));
            }
            return;
        }
        let target = self.expand_single(word, state, context).argument.value;
        let is_descriptor =
            target.known().is_some_and(|text| text == "-" || text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit()));
        let mut push = |kind: EffectKind| result.effects.push(Effect::new(kind, Family::Redirection, word.span));
        let place = || Target::new(target.clone());
        let truncate = if empties { WriteMode::Empty } else { WriteMode::Truncate };
        match redirection.operator {
            Operator::Read => {
                if is_process(&target, self) {
                    // The file is a pipe to commands already looked at.
                } else {
                    push(EffectKind::Read(place()));
                }
                if number.unwrap_or(0) == 0 {
                    result.input = Some(self.content_of(&target, state));
                }
            }
            Operator::ReadWrite => {
                push(EffectKind::Read(place()));
                push(EffectKind::Write(place(), WriteMode::InPlace));
                if number.unwrap_or(0) == 0 {
                    result.input = Some(Stream::Unknown);
                }
            }
            Operator::DuplicateInput => {
                if number.unwrap_or(0) == 0 && target.known() != Some("0") {
                    result.input = Some(if target.known() == Some("-") { Stream::Nothing } else { Stream::Unknown });
                }
            }
            // `0>&1`: the direction the operator shows is of no account.
            Operator::DuplicateOutput if is_descriptor && number == Some(0) => result.input = Some(Stream::Unknown),
            Operator::DuplicateOutput if is_descriptor || number.is_some_and(|number| number != 1) => {
                if number.unwrap_or(1) == 1 && target.known() != Some("1") {
                    result.diverted = true;
                    result.output = None;
                }
            }
            Operator::Write | Operator::Clobber | Operator::WriteBoth | Operator::DuplicateOutput => {
                if !is_process(&target, self) {
                    push(EffectKind::Write(place(), truncate));
                }
                if number.unwrap_or(1) == 1 {
                    result.diverted = true;
                    result.output = Some((target, false));
                } else {
                    self.note_write(&target, state);
                }
            }
            Operator::Append | Operator::AppendBoth => {
                push(EffectKind::Write(place(), WriteMode::Append));
                if number.unwrap_or(1) == 1 {
                    result.diverted = true;
                    result.output = Some((target, true));
                } else {
                    self.note_write(&target, state);
                }
            }
            Operator::HereString | Operator::HereDocument | Operator::HereDocumentStripTabs => {}
        }
    }

    /// Sends what a command printed to where its redirections say; what goes on down the pipe.
    pub(crate) fn deliver(&mut self, output: Stream, redirected: &Redirected, state: &mut State) -> Stream {
        if let Some((target, append)) = &redirected.output {
            self.record_output(target, *append, &output, state);
        }
        if redirected.diverted { Stream::Nothing } else { output }
    }
}

/// The word names a process substitution.
fn is_process(target: &Value, engine: &Engine<'_>) -> bool {
    matches!(target, Value::Dynamic(partial) if engine.processes.contains_key(&partial.prefix))
}
