//! Aliases: words that stand for a sub-command, or for shell text.
//!
//! Source: git-config(1) 2.47, `alias.*`. Git splits an alias into words as a shell would, without expanding anything, reads
//! global options in it, and never takes an alias for a command it has itself.

use sekisho_host::git;
use sekisho_shell_syntax::span::Span;

use super::command::find_repository;
use super::global::Context;
use crate::argument::{Argument, Provenance, Value};
use crate::catalog::Invocation;

/// How many aliases are followed, one leading to the next.
pub(super) const EXPANSION_LIMIT: usize = 5;

/// What a word that is no sub-command of git stands for.
#[derive(Debug, Clone)]
pub(super) struct Alias {
    /// Its text.
    pub(super) text: Value,
    /// Given with the command, in its words or variables, rather than stored.
    pub(super) given: bool,
    /// Where it was given.
    pub(super) span: Span,
}

/// Finds the alias called `name`: given with the command, in the repository, or in the user's own configuration.
pub(super) fn find(name: &str, invocation: &Invocation<'_>, context: &Context) -> Option<Alias> {
    let wanted = name.to_ascii_lowercase();
    let keys = [format!("alias.{wanted}"), format!("alias.{wanted}.command")];
    if let Some(setting) = keys.iter().find_map(|key| context.setting(key)) {
        return Some(Alias { text: setting.value.clone(), given: true, span: setting.span });
    }
    let base = context.base(invocation.cwd);
    let repository = find_repository(invocation, context, base.as_deref());
    let stored = |text: &str| Alias {
        text: Value::Known { text: text.to_owned(), provenance: Provenance::Known },
        given: false,
        span: Span::default(),
    };
    if let Some(text) = repository.as_ref().and_then(|repository| keys.iter().find_map(|key| repository.setting(key))) {
        return Some(stored(text));
    }
    let user = git::user_config(invocation.host);
    keys.iter().find_map(|key| user.get(key)).map(stored)
}

/// The words of an alias; `None` where a quote is not closed or nothing is there.
pub(super) fn split(text: &str, span: Span) -> Option<Vec<Argument>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match quote {
            Some(open) if letter == open => quote = None,
            _ if letter == '\\' && quote != Some('\'') => word.get_or_insert_default().push(letters.next()?),
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.take());
    if quote.is_some() || words.is_empty() {
        return None;
    }
    Some(
        words
            .into_iter()
            .map(|text| Argument { value: Value::Known { text, provenance: Provenance::Known }, quoted: false, span })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::{Span, split};

    fn words(text: &str) -> Option<Vec<String>> {
        Some(split(text, Span::default())?.iter().map(|word| word.known().unwrap().to_owned()).collect())
    }

    #[test]
    fn splits_as_git_does() {
        assert_eq!(words("reset --hard"), Some(vec!["reset".into(), "--hard".into()]));
        assert_eq!(
            words(r#"log --format='%h %s' "a\"b" c\ d"#),
            Some(vec!["log".into(), "--format=%h %s".into(), "a\"b".into(), "c d".into()])
        );
        assert_eq!(words("log 'x"), None);
        assert_eq!(words("  "), None);
    }
}
