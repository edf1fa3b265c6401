//! SQL: statements and what they lose, and the shell escapes of the clients that read it.
//!
//! The result is facts of the service `sql`: `drop-database`, `drop-schema`, `drop-table`, `drop-object`, `drop-column`, `truncate`,
//! `delete-all`, `update-all` (no condition, or one that is always true), `delete`, `update`, `write`, `alter`, `grant`, `call`,
//! `maintenance`, `read`, `rolled-back` (a transaction that is undone) and `unknown`.
//!
//! Sources: SQL:2023 as PostgreSQL 17, MySQL 8.4 and SQLite 3.46 have it; psql(1), mysql(1), sqlite3(1) for the commands of the clients.

use sekisho_shell_syntax::span::Span;

use super::Code;
use crate::argument::Value;
use crate::carried::Carried;
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};

/// Reads SQL text.
pub fn read(code: &str, span: Span) -> Code {
    let mut reader = Reader { code: Code { harmless: true, ..Code::default() }, span, transaction: None };
    let mut waiting = vec![(code.to_owned(), 0_u32)];
    while let Some((text, depth)) = waiting.pop() {
        let mut scanner = Scanner { source: &text, position: 0 };
        while let Some(line) = scanner.next() {
            match line {
                Piece::Statement(tokens) => {
                    // A block's body is SQL again.
                    if depth < 2 && matches!(word(&tokens, 0), Some("DO")) {
                        waiting.extend(tokens.iter().filter_map(|token| {
                            if let Token::Text(body) = token { Some((body.clone(), depth + 1)) } else { None }
                        }));
                    } else {
                        reader.statement(&tokens, depth > 0);
                    }
                }
                Piece::Command(command) => reader.client_command(&command),
            }
        }
    }
    reader.flush();
    reader.code
}

/// A statement, or a command of the client that reads the text.
enum Piece {
    Statement(Vec<Token>),
    Command(String),
}

/// One token of SQL.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A word in upper case, and as written.
    Word(String, String),
    /// A quoted name.
    Name(String),
    /// A string.
    Text(String),
    /// Anything else.
    Sign(char),
}

struct Scanner<'a> {
    source: &'a str,
    position: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.source.get(self.position..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<Piece> {
        let mut tokens = Vec::new();
        loop {
            let rest = self.rest();
            let Some(character) = rest.chars().next() else {
                return if tokens.is_empty() { None } else { Some(Piece::Statement(tokens)) };
            };
            let line_begins = tokens.is_empty();
            match character {
                ';' => {
                    self.position += 1;
                    if !tokens.is_empty() {
                        return Some(Piece::Statement(tokens));
                    }
                }
                space if space.is_whitespace() => self.position += space.len_utf8(),
                '-' if rest.starts_with("--") => self.skip_line(),
                '#' => self.skip_line(),
                '/' if rest.starts_with("/*!") => {
                    // MySQL runs what such a comment holds.
                    let digits = rest.bytes().skip(3).take_while(u8::is_ascii_digit).count();
                    self.position += 3 + digits;
                }
                '*' if rest.starts_with("*/") => self.position += 2,
                '/' if rest.starts_with("/*") => self.position += rest.find("*/").map_or(rest.len(), |end| end + 2),
                // A command of psql or mysql stands anywhere and ends with the line.
                '\\' => {
                    if line_begins {
                        return Some(Piece::Command(self.take_line()));
                    }
                    return Some(Piece::Statement(tokens));
                }
                '.' if line_begins => return Some(Piece::Command(self.take_line())),
                '\'' => tokens.push(Token::Text(self.quoted('\'', previous_is_escape(&tokens)))),
                '"' | '`' => tokens.push(Token::Name(self.quoted(character, false))),
                '$' => match self.dollar_quoted() {
                    Some(text) => tokens.push(Token::Text(text)),
                    None => {
                        self.position += 1;
                        tokens.push(Token::Sign('$'));
                    }
                },
                letter if letter.is_alphanumeric() || letter == '_' => {
                    let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_' && next != '$').unwrap_or(rest.len());
                    let written = rest.get(..end).unwrap_or_default().to_owned();
                    self.position += end;
                    let upper = written.to_ascii_uppercase();
                    if line_begins && matches!(&*upper, "SYSTEM" | "SOURCE") {
                        let line = self.take_line();
                        return Some(Piece::Command(format!("{}{line}", if upper == "SYSTEM" { "\\!" } else { "\\i" })));
                    }
                    tokens.push(Token::Word(upper, written));
                }
                other => {
                    self.position += other.len_utf8();
                    tokens.push(Token::Sign(other));
                }
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.position += rest.find('\n').unwrap_or(rest.len());
    }

    fn take_line(&mut self) -> String {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default().to_owned();
        self.position += end;
        line
    }

    /// A text between quotes; a doubled quote is one. `escapes`: a backslash protects the next character.
    fn quoted(&mut self, quote: char, escapes: bool) -> String {
        self.position += 1;
        let mut text = String::new();
        while let Some(character) = self.rest().chars().next() {
            self.position += character.len_utf8();
            if character == quote {
                if !self.rest().starts_with(quote) {
                    break;
                }
                self.position += 1;
            } else if character == '\\' && escapes {
                if let Some(next) = self.rest().chars().next() {
                    self.position += next.len_utf8();
                    text.push(next);
                }
                continue;
            }
            text.push(character);
        }
        text
    }

    /// `$$…$$`, `$tag$…$tag$`.
    fn dollar_quoted(&mut self) -> Option<String> {
        let rest = self.rest();
        // A tag is an identifier and short.
        let tag_length = rest.bytes().skip(1).take(64).position(|byte| byte == b'$')?;
        let tag = rest.get(..tag_length + 2)?;
        let inner = tag.get(1..tag_length + 1)?;
        if !inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            || inner.starts_with(|first: char| first.is_ascii_digit())
        {
            return None;
        }
        let body = rest.get(tag.len()..)?;
        let end = body.find(tag);
        let text = body.get(..end.unwrap_or(body.len()))?.to_owned();
        let length = tag.len() + end.map_or(body.len(), |end| end + tag.len());
        self.position += length;
        Some(text)
    }
}

/// `E'…'` reads backslashes.
fn previous_is_escape(tokens: &[Token]) -> bool {
    matches!(tokens.last(), Some(Token::Word(word, _)) if word == "E")
}

/// The word at `index` in upper case.
fn word(tokens: &[Token], index: usize) -> Option<&str> {
    match tokens.get(index) {
        Some(Token::Word(word, _)) => Some(word),
        _ => None,
    }
}

/// The name that begins at `index`, dots and all, and where it ends.
fn name(tokens: &[Token], mut index: usize) -> (Option<String>, usize) {
    let mut text = String::new();
    loop {
        match tokens.get(index) {
            Some(Token::Word(_, written)) => text.push_str(written),
            Some(Token::Name(written)) => text.push_str(written),
            _ => break,
        }
        index += 1;
        if tokens.get(index) != Some(&Token::Sign('.')) {
            break;
        }
        text.push('.');
        index += 1;
    }
    ((!text.is_empty()).then_some(text), index)
}

struct Reader {
    code: Code,
    span: Span,
    /// Effects of an open transaction.
    transaction: Option<Vec<EffectKind>>,
}

impl Reader {
    fn operation(&mut self, operation: &str, resource: Option<String>) {
        self.code.harmless &= operation == "read";
        self.effect(EffectKind::Service { service: "sql".to_owned(), operation: operation.to_owned(), resource });
    }

    fn effect(&mut self, kind: EffectKind) {
        match (&mut self.transaction, &kind) {
            (Some(waiting), EffectKind::Service { .. }) => waiting.push(kind),
            _ => self.code.effects.push(Effect::new(kind, Family::General, self.span)),
        }
    }

    fn flush(&mut self) {
        for kind in self.transaction.take().unwrap_or_default() {
            self.effect(kind);
        }
    }

    fn shell(&mut self, text: &str) {
        self.code.harmless = false;
        self.code.carried.push(Carried::shell(Value::literal(text.trim()), Vec::new(), self.span));
    }

    fn file(&mut self, path: &str, written: bool) {
        let target = Target::new(Value::literal(path));
        self.code.literals.push(path.to_owned());
        if written {
            self.code.harmless = false;
            self.effect(EffectKind::Write(target, WriteMode::Truncate));
        } else {
            self.effect(EffectKind::Read(target));
        }
    }

    /// `\! cmd` of psql and mysql, `.shell cmd` of sqlite3.
    fn client_command(&mut self, line: &str) {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let bare = rest.trim_matches(['\'', '"', ';']);
        match command {
            ".shell" | ".system" => self.shell(rest),
            "\\i" | "\\ir" | "\\include" | ".read" | "\\." => match bare.strip_prefix('|') {
                Some(text) => self.shell(text),
                None => {
                    self.file(bare, false);
                    self.code.harmless = false;
                    self.effect(EffectKind::Execute { origin: Origin::Local, what: format!("SQL of {bare}") });
                }
            },
            "\\o" | "\\out" | "\\g" | "\\w" | ".output" | ".once" | ".log" | ".backup" | ".save" | ".dump" if !bare.is_empty() => {
                match bare.strip_prefix('|') {
                    Some(text) => self.shell(text),
                    None if command == ".dump" => self.operation("read", None),
                    None => self.file(bare, true),
                }
            }
            "\\copy" | ".import" | ".restore" => self.operation("write", None),
            _ => match command.strip_prefix("\\!") {
                // `\!cmd` needs no space.
                Some(glued) => self.shell(&format!("{glued} {rest}")),
                None => self.operation("read", None),
            },
        }
    }

    fn statement(&mut self, tokens: &[Token], in_body: bool) {
        match (word(tokens, 0), word(tokens, 1)) {
            (Some("BEGIN"), _) if in_body => {
                self.statement_body(tokens.get(1..).unwrap_or_default());
            }
            (Some("BEGIN"), _) | (Some("START"), Some("TRANSACTION")) => {
                self.flush();
                self.transaction = Some(Vec::new());
            }
            (Some("COMMIT" | "END"), _) => self.flush(),
            (Some("ROLLBACK" | "ABORT"), following) if following != Some("TO") => {
                if self.transaction.take().is_some_and(|waiting| !waiting.is_empty()) {
                    self.operation("rolled-back", None);
                }
            }
            (Some("ROLLBACK"), _) => {}
            _ => self.statement_body(tokens),
        }
    }

    fn statement_body(&mut self, tokens: &[Token]) {
        self.programs(tokens);
        let Some(verb) = word(tokens, 0) else {
            if !tokens.is_empty() {
                self.operation("unknown", None);
            }
            return;
        };
        match verb {
            "EXPLAIN" | "DESCRIBE" | "DESC" => {
                match tokens.iter().position(|token| matches!(token, Token::Word(word, _) if word == "ANALYZE")) {
                    // What is analyzed is run.
                    Some(index) => {
                        let start = tokens
                            .iter()
                            .enumerate()
                            .skip(index + 1)
                            .find(|(_, token)| matches!(token, Token::Word(word, _) if is_verb(word)))
                            .map_or(tokens.len(), |(at, _)| at);
                        self.plain(tokens.get(start..).unwrap_or_default());
                    }
                    None => self.operation("read", None),
                }
            }
            _ => self.plain(tokens),
        }
        self.nested(tokens);
    }

    /// Statements that change something inside another one: `WITH gone AS (DELETE FROM t …) SELECT …`.
    fn nested(&mut self, tokens: &[Token]) {
        for (index, token) in tokens.iter().enumerate() {
            if *token == Token::Sign('(') && matches!(word(tokens, index + 1), Some("DELETE" | "UPDATE" | "INSERT")) {
                let rest = tokens.get(index + 1..).unwrap_or_default();
                self.plain(rest);
            }
        }
    }

    /// Programs and files that a statement names.
    fn programs(&mut self, tokens: &[Token]) {
        for (index, token) in tokens.iter().enumerate() {
            let Token::Word(word, _) = token else { continue };
            match (word.as_str(), tokens.get(index + 1)) {
                ("PROGRAM", Some(Token::Text(command))) => self.shell(command),
                ("XP_CMDSHELL", Some(Token::Text(command))) => self.shell(command),
                ("OUTFILE" | "DUMPFILE", Some(Token::Text(path))) => self.file(path, true),
                ("INFILE", Some(Token::Text(path))) => self.file(path, false),
                ("LOAD_FILE" | "PG_READ_FILE" | "PG_READ_BINARY_FILE" | "READFILE", Some(Token::Sign('('))) => {
                    if let Some(Token::Text(path)) = tokens.get(index + 2) {
                        self.file(path, false);
                    }
                }
                _ => {}
            }
        }
    }

    fn plain(&mut self, tokens: &[Token]) {
        let Some(verb) = word(tokens, 0) else { return };
        match verb {
            "WITH" => {
                let mut depth = 0_u32;
                for (index, token) in tokens.iter().enumerate().skip(1) {
                    match token {
                        Token::Sign('(') => depth += 1,
                        Token::Sign(')') => depth = depth.saturating_sub(1),
                        Token::Word(word, _)
                            if depth == 0
                                && matches!(
                                    word.as_str(),
                                    "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "VALUES" | "TABLE"
                                ) =>
                        {
                            let rest = tokens.get(index..).unwrap_or_default();
                            return self.plain_verb(word, rest);
                        }
                        _ => {}
                    }
                }
                self.operation("unknown", None);
            }
            verb => self.plain_verb(verb, tokens),
        }
    }

    fn plain_verb(&mut self, verb: &str, tokens: &[Token]) {
        match verb {
            "DROP" => self.drop_object(tokens),
            "TRUNCATE" => {
                let start = if word(tokens, 1) == Some("TABLE") { 2 } else { 1 };
                self.names("truncate", tokens, start);
            }
            "DELETE" => {
                let from = tokens.iter().take(8).position(|token| matches!(token, Token::Word(word, _) if word == "FROM"));
                let (resource, _) = name(tokens, from.map_or(1, |from| from + 1));
                self.operation(if is_bounded(tokens) { "delete" } else { "delete-all" }, resource);
            }
            "UPDATE" => {
                let start = if matches!(word(tokens, 1), Some("ONLY" | "IGNORE" | "LOW_PRIORITY")) { 2 } else { 1 };
                let (resource, _) = name(tokens, start);
                self.operation(if is_bounded(tokens) { "update" } else { "update-all" }, resource);
            }
            "ALTER" => {
                let drops = tokens.windows(2).any(|pair| matches!(pair, [Token::Word(first, _), second] if first == "DROP" && !matches!(second, Token::Word(what, _) if matches!(what.as_str(), "DEFAULT" | "NOT" | "CONSTRAINT" | "INDEX" | "KEY" | "IDENTITY" | "EXPRESSION" | "PRIMARY" | "FOREIGN"))));
                let (resource, _) = name(tokens, 2);
                self.operation(if drops && word(tokens, 1) == Some("TABLE") { "drop-column" } else { "alter" }, resource);
            }
            "SELECT" | "SHOW" | "VALUES" | "TABLE" | "PRAGMA" | "HELP" | "EXPLAIN" => {
                let creates =
                    verb == "SELECT" && tokens.iter().any(|token| matches!(token, Token::Word(word, _) if word == "INTO"));
                let assigns = verb == "PRAGMA" && tokens.contains(&Token::Sign('='));
                self.operation(if creates || assigns { "write" } else { "read" }, None);
            }
            "INSERT" | "REPLACE" | "MERGE" | "CREATE" | "COPY" | "LOAD" | "IMPORT" | "COMMENT" | "RENAME" | "UPSERT" => {
                self.operation("write", None)
            }
            "GRANT" | "REVOKE" => self.operation("grant", None),
            "CALL" | "EXEC" | "EXECUTE" | "PERFORM" => self.operation("call", None),
            "VACUUM" | "ANALYZE" | "REINDEX" | "OPTIMIZE" | "CLUSTER" | "CHECKPOINT" | "REFRESH" | "CHECK" => {
                self.operation("maintenance", None)
            }
            "SET" | "USE" | "SAVEPOINT" | "RELEASE" | "DECLARE" | "FETCH" | "CLOSE" | "LISTEN" | "NOTIFY" | "PREPARE"
            | "DEALLOCATE" | "LOCK" | "UNLOCK" | "RESET" | "DISCARD" | "ATTACH" | "DETACH" | "DELIMITER" | "GO" | "QUIT"
            | "EXIT" | "IF" | "LOOP" | "FOR" | "END" | "ELSE" | "RETURN" | "RAISE" => {}
            _ => self.operation("unknown", None),
        }
    }

    fn drop_object(&mut self, tokens: &[Token]) {
        let mut start = 2;
        let what = match word(tokens, 1) {
            Some("DATABASE") => "drop-database",
            Some("SCHEMA" | "KEYSPACE") => "drop-schema",
            Some("TABLE") => "drop-table",
            Some("TEMPORARY" | "TEMP") => {
                start = 3;
                "drop-object"
            }
            Some("FOREIGN") if word(tokens, 2) == Some("TABLE") => {
                start = 3;
                "drop-table"
            }
            Some("OWNED") => "drop-schema",
            _ => "drop-object",
        };
        self.names(what, tokens, start);
    }

    /// One operation for each name of a list.
    fn names(&mut self, operation: &str, tokens: &[Token], mut start: usize) {
        while matches!(word(tokens, start), Some("IF" | "EXISTS" | "ONLY" | "CONCURRENTLY")) {
            start += 1;
        }
        loop {
            let (resource, end) = name(tokens, start);
            self.operation(operation, resource);
            if tokens.get(end) != Some(&Token::Sign(',')) {
                return;
            }
            start = end + 1;
        }
    }
}

/// A statement may begin with it.
fn is_verb(word: &str) -> bool {
    matches!(word, "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "WITH" | "VALUES" | "CREATE" | "EXECUTE" | "TABLE")
}

/// A `WHERE` that is not always true stands in the statement, up to the bracket that closes it.
fn is_bounded(tokens: &[Token]) -> bool {
    let mut depth = 0_i64;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') if depth == 0 => return false,
            Token::Sign(')') => depth -= 1,
            Token::Word(word, _) if depth == 0 && word == "WHERE" => {
                return !is_always_true(tokens.get(index + 1..).unwrap_or_default());
            }
            _ => {}
        }
    }
    false
}

/// `1=1`, `true`, `1`, `'a'='a'`, and nothing else.
fn is_always_true(condition: &[Token]) -> bool {
    let ends = |index: usize| match condition.get(index) {
        None | Some(Token::Sign(')')) => true,
        Some(Token::Word(word, _)) => matches!(word.as_str(), "RETURNING" | "LIMIT" | "ORDER" | "OR"),
        _ => false,
    };
    match condition {
        [Token::Word(first, _), Token::Sign('='), Token::Word(second, _), ..] => first == second && ends(3),
        [Token::Text(first), Token::Sign('='), Token::Text(second), ..] => first == second && ends(3),
        [Token::Word(first, _), ..] => matches!(first.as_str(), "TRUE" | "1") && ends(1),
        _ => false,
    }
}
