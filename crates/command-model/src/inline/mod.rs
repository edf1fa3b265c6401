//! Code of other languages, read for the calls it makes.
//!
//! One bounded tokenizer a language, no recursion, linear time. Comments and strings that only mention a command are nothing;
//! calls that run, delete, move, overwrite, read or send are.
//!
//! A language is data: how it writes comments and literals, and a table of its functions (`languages/*.rs`). One loop reads its
//! tokens ([`lexer`]), one pass finds the calls ([`extract`]), one place says what they do ([`facts`]). awk and SQL, which are no
//! languages of calls, have readers of their own.

use sekisho_shell_syntax::span::Span;

use crate::carried::Carried;
use crate::effect::{Effect, Origin};

pub mod awk;
mod expression;
mod extract;
mod facts;
mod languages;
mod lexer;
mod meaning;
pub mod sql;
mod token;

#[cfg(test)]
mod tests;

/// What a piece of code does, as far as its calls say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// Native calls as effects, with [`crate::effect::Family::Interpreter`].
    pub effects: Vec<Effect>,
    /// Commands it runs.
    pub carried: Vec<Carried>,
    /// Nothing happens that `effects` does not say, and of these only reads of known files: every call is known, and prints, computes or
    /// reads; every module that is imported is a standard one.
    pub harmless: bool,
    /// String literals of the code, decoded, for rules about sensitive paths: only those handed to a call that opens something or that
    /// is not known. Words of commands are not among them: `carried` has those.
    pub literals: Vec<String>,
}

/// Code in code (`exec("…")`) is followed this deep.
const NESTING: u32 = 4;
/// Texts of code in code that are followed.
const NESTED_TEXTS: usize = 64;

/// Reads `code`. `home` is the user's home directory, for `expanduser('~')` and the like. An unknown language gives nothing.
pub fn read(language: &str, code: &str, home: &str, span: Span) -> Code {
    match language {
        "awk" => return awk::read(code, &[], span),
        "sql" => return sql::read(code, span),
        _ => {}
    }
    let Some(known) = languages::by_name(language) else { return Code::default() };
    let mut facts = facts::Facts::new(home, span);
    let mut waiting = vec![(code.to_owned(), 0_u32)];
    let mut read_texts = 0;
    // Code in code is shorter than the code around it only if it is written out; what is computed may grow, so bytes are counted.
    let mut bytes_left = code.len().saturating_mul(2).saturating_add(64 * 1024);
    while let Some((text, depth)) = waiting.pop() {
        let Some(left) = bytes_left.checked_sub(text.len()) else {
            facts.execute(Origin::Inline, "more code in code than is followed");
            break;
        };
        bytes_left = left;
        read_texts += 1;
        let lexed = lexer::Lexer::read(&text, &known.syntax);
        extract::extract(&lexed.tokens, known, &mut facts);
        let nested = std::mem::take(&mut facts.nested);
        for text in lexed.nested.into_iter().chain(nested) {
            if depth < NESTING && read_texts + waiting.len() < NESTED_TEXTS {
                waiting.push((text, depth + 1));
            } else {
                facts.execute(Origin::Inline, "more code in code than is followed");
            }
        }
    }
    facts.code
}
