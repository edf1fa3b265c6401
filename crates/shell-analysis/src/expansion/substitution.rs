//! Command and process substitution, and what a stream means as a word.

use sekisho_command_model::{Cause, Partial, Provenance, Stream, Value};
use sekisho_shell_syntax::tree::{
    CommandKind, List, PartKind, ProcessDirection, RedirectionOperator, RedirectionTarget, Substitution, Word,
};

use crate::engine::{Context, Engine};
use crate::state::{State, Written};

/// Programs whose output is never taken for the output of a generator: they fetch, or run something else.
const NO_GENERATORS: &[&str] = &[
    "curl", "wget", "fetch", "aria2c", "http", "https", "xh", "xhs", "nc", "ncat", "netcat", "socat", "ssh", "bash", "sh", "zsh",
    "ksh", "dash", "fish", "csh", "tcsh", "ash", "sudo", "doas", "su", "env", "command", "builtin", "exec", "eval", "nohup",
    "nice", "timeout", "time", "xargs", "busybox", "toybox", "base64", "xxd", "openssl", "gunzip", "zcat", "python", "python3",
    "perl", "ruby", "node",
];

/// One simple command of literal words, without redirections, whose program is a plain local one.
pub(crate) fn is_generator(body: &List) -> bool {
    let [item] = body.items.as_slice() else { return false };
    let [stage] = item.and_or.first.stages.as_slice() else { return false };
    let CommandKind::Simple(simple) = &stage.command.kind else { return false };
    let literal = |word: &Word| word.parts.iter().all(|part| matches!(part.kind, PartKind::Literal(_)));
    let Some(head) = simple.words.first() else { return false };
    let name: String = head
        .parts
        .iter()
        .filter_map(|part| match &part.kind {
            PartKind::Literal(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    item.and_or.rest.is_empty()
        && stage.command.redirections.is_empty()
        && simple.assignments.is_empty()
        && simple.words.iter().all(literal)
        && !NO_GENERATORS.contains(&name.rsplit('/').next().unwrap_or_default())
}

/// The file of `$(< file)`.
fn read_shorthand(body: &List) -> Option<&Word> {
    let [item] = body.items.as_slice() else { return None };
    let [stage] = item.and_or.first.stages.as_slice() else { return None };
    let CommandKind::Simple(simple) = &stage.command.kind else { return None };
    let [redirection] = stage.command.redirections.as_slice() else { return None };
    let alone = item.and_or.rest.is_empty() && simple.words.is_empty() && simple.assignments.is_empty();
    match (&redirection.target, redirection.operator) {
        (RedirectionTarget::Word(word), RedirectionOperator::Read) if alone && redirection.descriptor.is_none() => Some(word),
        _ => None,
    }
}

impl Engine<'_> {
    /// Runs the commands of a substitution in a shell of their own; what they print.
    pub(crate) fn run_substitution(&mut self, substitution: &Substitution, state: &mut State, context: &Context) -> Stream {
        let shorthand = read_shorthand(&substitution.body);
        let context = match &substitution.text {
            Some(text) => Context {
                source: text.as_str().into(),
                outermost: false,
                anchor: context.anchor.or_else(|| context.outermost.then_some(substitution.body.span)),
                ..context.clone()
            },
            None => context.clone(),
        };
        let context = Context { tested: true, ..context };
        let flow = self.run_list(&substitution.body, vec![state.clone()], &context);
        let output = flow.output.clone();
        state.absorb_files(&flow.ends());
        if let Some(word) = shorthand {
            let path = self.expand_single(word, state, &context);
            return self.content_of(&path.argument.value, state);
        }
        output
    }

    /// Runs the substitutions in `text`, which the shell expands although it was quoted where it was written: subscripts that
    /// builtins evaluate, values that arithmetic evaluates, prompts.
    pub(crate) fn run_hidden_substitutions(&mut self, text: &str, state: &State, context: &Context) {
        if !text.contains("$(") && !text.contains('`') {
            return;
        }
        // The body of a here-document expands the same way, and needs no quotes of its own.
        const END: &str = "__END_OF_TEXT__";
        let text = format!(": <<{END}\n{text}\n{END}\n");
        self.run_text(&text, vec![state.clone()], None, &context.uncertain());
    }

    /// `PS4` is expanded before each command that `set -x` shows.
    pub(crate) fn run_trace_prompt(&mut self, name: &str, value: &Value, state: &State, context: &Context) {
        if name == "PS4"
            && let Some(text) = value.known()
        {
            self.run_hidden_substitutions(text, state, context);
        }
    }

    /// Runs a process substitution; the name its word gets.
    pub(crate) fn run_process(
        &mut self,
        direction: ProcessDirection,
        substitution: &Substitution,
        state: &mut State,
        context: &Context,
    ) -> String {
        let name = format!("/dev/fd/{}", 63 + self.processes.len());
        let stream = match direction {
            ProcessDirection::Output => self.run_substitution(substitution, state, context),
            ProcessDirection::Input => {
                let context = context.with_input(Stream::Unknown);
                self.run_substitution(substitution, state, &context);
                Stream::Nothing
            }
        };
        self.step("process-substitution", name.as_str(), context);
        if is_generator(&substitution.body) {
            self.generators.insert(name.clone());
        }
        self.processes.insert(name.clone(), stream);
        name
    }

    /// What the file at `path` holds, as far as the text itself says.
    pub(crate) fn content_of(&self, path: &Value, state: &State) -> Stream {
        if path.known() == Some("/dev/null") {
            return Stream::Known(String::new());
        }
        if let Value::Dynamic(partial) = path
            && let Some(stream) = self.processes.get(&partial.prefix)
        {
            return stream.clone();
        }
        let key = self.file_key(path, state);
        match key.as_deref().and_then(|key| state.files.get(key)).map(Vec::as_slice) {
            Some([Written::Text(text)]) => Stream::Known(text.to_string()),
            Some(contents) if contents.contains(&Written::Remote) => Stream::Remote,
            Some([Written::Decoded]) => Stream::Decoded,
            Some(_) => Stream::Unknown,
            None => match (path.known(), key) {
                (Some(_), Some(key)) => Stream::FileContent(key),
                _ => Stream::Unknown,
            },
        }
    }

    /// A stream as the word a command substitution makes of it: final line ends are dropped.
    pub(crate) fn stream_value(&mut self, stream: &Stream, state: &State) -> Value {
        let dynamic = |cause: Cause| Value::Dynamic(Partial::unknown(cause));
        match stream {
            Stream::Known(text) => self.markers.value_of(text.trim_end_matches('\n').to_owned(), Provenance::Known),
            Stream::Words(values) => match values.as_slice() {
                [Value::Known { text, .. }] => Value::Known { text: text.clone(), provenance: Provenance::Known },
                [one] => one.clone(),
                several => {
                    let text = crate::flow::join_words(&mut self.markers, several);
                    self.markers.value_of(text, Provenance::Known)
                }
            },
            Stream::TemporaryPath => {
                Value::Dynamic(Partial { prefix: "/tmp/".to_owned(), may_be_empty: false, ..Partial::unknown(Cause::Temporary) })
            }
            Stream::Paths { roots, selection } => dynamic(Cause::PathUnder { roots: roots.clone(), selection: selection.clone() }),
            Stream::Remote => dynamic(Cause::Remote),
            Stream::FileContent(path) => match self.content_of(&Value::literal(path.as_str()), state) {
                known @ Stream::Known(_) => self.stream_value(&known, state),
                Stream::Remote => dynamic(Cause::Remote),
                _ => dynamic(Cause::Substitution),
            },
            Stream::Nothing => Value::Known { text: String::new(), provenance: Provenance::Known },
            Stream::Decoded | Stream::Unknown => dynamic(Cause::Substitution),
        }
    }
}
