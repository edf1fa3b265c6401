//! Text to tokens: one loop for every language, told the differences by a [`Syntax`].
//!
//! Strings with expressions in them are flattened: the expression's tokens stand between the string's parts, so that a call
//! inside `f"{…}"` or `` `${…}` `` is seen like any other. A stack of open templates replaces recursion.

use std::rc::Rc;

use super::token::{Kind, Token};

/// How a language writes comments, names and literals.
pub(super) struct Syntax {
    /// What begins a comment that ends with the line.
    pub line_comments: &'static [&'static str],
    /// What begins and ends other comments.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Characters that may begin a name besides letters and `_`.
    pub sigils: &'static [u8],
    /// Characters that may end a name (`?` and `!` of Ruby).
    pub name_suffixes: &'static [u8],
    /// A `/` where a value may begin starts a regular expression.
    pub regular_expressions: bool,
    /// Reads a literal that begins here, if one does. Says whether it did.
    pub literal: fn(&mut Lexer<'_>) -> bool,
}

/// What a backslash means in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Nothing.
    None,
    /// It protects the next character from ending the string and stays (raw strings of Python).
    Kept,
    /// It is removed before itself and the closing character, and stays elsewhere.
    Quote,
    /// As in C.
    Full,
}

/// How a string holds expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// Not at all.
    None,
    /// `{…}`, `{{` is a brace.
    Braces,
    /// `${…}`.
    DollarBraces,
    /// `#{…}`.
    HashBraces,
    /// `$name`, `@name`, `${…}`, `@{…}`, `{$…}`.
    Sigils,
}

/// A string being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Template {
    /// The character that ends it.
    pub close: char,
    /// How many of them end it.
    pub count: usize,
    /// A character that opens a nested pair, for `%q(a (b))`.
    pub open: Option<char>,
    /// What a backslash means.
    pub escapes: Escapes,
    /// How it holds expressions.
    pub interpolation: Interpolation,
    /// The end of the line ends it, closed or not.
    pub one_line: bool,
    /// Its text is a command that runs.
    pub command: bool,
    nesting: u32,
    started: bool,
}

impl Template {
    /// A string that ends at `close`.
    pub fn new(close: char, escapes: Escapes, interpolation: Interpolation) -> Self {
        Self { close, count: 1, open: None, escapes, interpolation, one_line: false, command: false, nesting: 0, started: false }
    }

    /// It ends with the line at the latest.
    #[must_use]
    pub fn of_one_line(self) -> Self {
        Self { one_line: true, ..self }
    }

    /// Its text is a command that runs.
    #[must_use]
    pub fn runs(self) -> Self {
        Self { command: true, ..self }
    }

    /// A string between `open` and its partner, in which pairs nest.
    pub fn delimited(open: char, escapes: Escapes, interpolation: Interpolation) -> Self {
        let close = partner(open);
        Self { open: (close != open).then_some(open), ..Self::new(close, escapes, interpolation) }
    }
}

/// The character that closes what `open` opens.
pub(super) fn partner(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// An expression inside a string.
struct Expression {
    template: Template,
    /// Brackets open in the expression.
    depth: u32,
}

/// Operators of more than one character, longest first.
const OPERATORS: &[&str] = &[
    "<<<", "...", "===", "!==", "**=", "<=>", ">>>", "||=", "&&=", "??=", "//=", "->", "=>", "::", "?.", "&.", "..", "==", "!=",
    "<=", ">=", "&&", "||", "??", "+=", ".=", "-=", "*=", "/=", "%=", "|=", "//", "<<", ">>", ":=", "|&", "=~", "!~", "|>", "<-",
    "**", "++", "--",
];

/// Operators of one character.
const SINGLE: &[(u8, &str)] = &[
    (b'+', "+"),
    (b'-', "-"),
    (b'*', "*"),
    (b'/', "/"),
    (b'%', "%"),
    (b'=', "="),
    (b'<', "<"),
    (b'>', ">"),
    (b'.', "."),
    (b':', ":"),
    (b'?', "?"),
    (b'!', "!"),
    (b'&', "&"),
    (b'|', "|"),
    (b'^', "^"),
    (b'~', "~"),
    (b'@', "@"),
    (b'$', "$"),
    (b'\\', "\\"),
    (b'#', "#"),
    (b'`', "`"),
];

/// Reads the tokens of a text.
pub(super) struct Lexer<'a> {
    source: &'a str,
    position: usize,
    /// What was read.
    pub tokens: Vec<Token>,
    /// Texts inside the code that are code themselves (the replacement of `s/…/…/e`).
    pub nested: Vec<String>,
    syntax: &'a Syntax,
    spaced: bool,
    expressions: Vec<Expression>,
    /// Where the line that announced here-documents ends, and where the last of their bodies ends.
    here: Option<(usize, usize)>,
    /// No regular expression begins before here: looking for its end failed.
    no_expression_before: usize,
}

impl<'a> Lexer<'a> {
    /// Reads all of `source`.
    pub fn read(source: &'a str, syntax: &'a Syntax) -> Self {
        let mut lexer = Self {
            source,
            position: 0,
            tokens: Vec::new(),
            nested: Vec::new(),
            syntax,
            spaced: false,
            expressions: Vec::new(),
            here: None,
            no_expression_before: 0,
        };
        lexer.run();
        lexer
    }

    fn run(&mut self) {
        self.documentation();
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => {
                    // Documentation blocks of Perl and Ruby begin with a line.
                    if !self.comment() {
                        self.line_end();
                    }
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.position += 1;
                    self.spaced = true;
                }
                // A backslash before the line's end joins the lines.
                b'\\' if self.byte(1) == Some(b'\n') => {
                    self.position += 2;
                    self.spaced = true;
                }
                _ if self.comment() => self.spaced = true,
                _ => {
                    if !(self.syntax.literal)(self) {
                        self.plain(byte);
                    }
                    self.spaced = false;
                }
            }
        }
    }

    /// Passes over a documentation block that the text begins with; elsewhere they are comments that begin with a line's end.
    fn documentation(&mut self) {
        for (open, close) in self.syntax.block_comments {
            if open.strip_prefix('\n').is_some_and(|open| self.source.starts_with(open)) {
                self.position = self.source.find(close).map_or(self.source.len(), |end| end + close.len());
                return;
            }
        }
    }

    fn line_end(&mut self) {
        self.position += 1;
        if let Some((line_end, body_end)) = self.here
            && self.position > line_end
        {
            self.position = self.position.max(body_end);
            self.here = None;
        }
        // Many empty lines are one, so that nobody has to look past them.
        if self.last() != Some(&Kind::Line) {
            self.push(Kind::Line);
        }
        self.spaced = true;
    }

    /// A name, number, bracket or operator.
    fn plain(&mut self, byte: u8) {
        if is_name_start(byte) || (self.syntax.sigils.contains(&byte) && self.byte(1).is_some_and(is_name_start)) {
            return self.name();
        }
        if byte.is_ascii_digit() {
            return self.number();
        }
        if byte == b'/' && self.syntax.regular_expressions && !self.after_value() && self.regular_expression() {
            return;
        }
        match byte {
            b'(' | b'[' | b'{' => {
                if let Some(expression) = self.expressions.last_mut() {
                    expression.depth += 1;
                }
                self.position += 1;
                self.push(Kind::Open(byte));
            }
            b')' | b']' | b'}' => self.close(byte),
            b',' => self.single(Kind::Comma),
            b';' => self.single(Kind::Semicolon),
            // A format specification ends the expression of an f-string.
            b':' | b'!' if self.in_braces() && self.byte(1) != Some(b'=') => self.skip_format(),
            _ => self.operator(byte),
        }
    }

    fn single(&mut self, kind: Kind) {
        self.position += 1;
        self.push(kind);
    }

    fn in_braces(&self) -> bool {
        self.expressions.last().is_some_and(|open| open.depth == 0 && open.template.interpolation == Interpolation::Braces)
    }

    fn skip_format(&mut self) {
        let mut depth = 0_u32;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return,
                b'}' => depth -= 1,
                b'\n' => return,
                _ => {}
            }
            self.position += 1;
        }
    }

    fn close(&mut self, byte: u8) {
        self.position += 1;
        match self.expressions.last_mut() {
            Some(expression) if expression.depth > 0 => {
                expression.depth -= 1;
                self.push(Kind::Close(byte));
            }
            Some(expression) if byte == b'}' => {
                let template = expression.template;
                self.expressions.pop();
                self.push(Kind::Close(b')'));
                self.template(template);
            }
            _ => self.push(Kind::Close(byte)),
        }
    }

    fn operator(&mut self, byte: u8) {
        let rest = self.rest();
        let long = OPERATORS.iter().find(|operator| operator.as_bytes().first() == Some(&byte) && rest.starts_with(**operator));
        if let Some(operator) = long {
            self.position += operator.len();
            self.push(Kind::Operator(operator));
        } else if let Some((_, operator)) = SINGLE.iter().find(|(single, _)| *single == byte) {
            self.position += 1;
            self.push(Kind::Operator(operator));
        } else {
            // A character no operator has; by whole characters, for the text is UTF-8.
            self.position += self.character().map_or(1, char::len_utf8);
            self.push(Kind::Operator("?"));
        }
    }

    fn name(&mut self) {
        let start = self.position;
        self.position += 1;
        let dollars = self.syntax.sigils == b"$";
        while self.byte(0).is_some_and(|byte| is_name_part(byte) || (dollars && byte == b'$')) {
            self.position += 1;
        }
        if self.byte(0).is_some_and(|byte| self.syntax.name_suffixes.contains(&byte)) && self.byte(1) != Some(b'=') {
            self.position += 1;
        }
        let text = self.between(start, self.position);
        self.push(Kind::Name(text.into()));
    }

    fn number(&mut self) {
        let start = self.position;
        while self
            .byte(0)
            .is_some_and(|byte| is_name_part(byte) || (byte == b'.' && self.byte(1).is_some_and(|next| next.is_ascii_digit())))
        {
            self.position += 1;
        }
        let text = self.between(start, self.position);
        self.push(Kind::Number(text.into()));
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        if let Some((open, close)) = self.syntax.block_comments.iter().find(|(open, _)| rest.starts_with(*open)) {
            let body = rest.get(open.len()..).unwrap_or_default();
            self.position += open.len() + body.find(close).map_or(body.len(), |end| end + close.len());
            return true;
        }
        if self.syntax.line_comments.iter().any(|open| rest.starts_with(*open)) {
            self.position += rest.find('\n').unwrap_or(rest.len());
            return true;
        }
        false
    }

    /// Reads a regular expression that begins with `/`, if one ends on this line.
    pub fn regular_expression(&mut self) -> bool {
        if self.position < self.no_expression_before {
            return false;
        }
        let mut at = self.position + 1;
        let mut class = false;
        let bytes = self.source.as_bytes();
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' => at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    at += 1;
                    while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
                        at += 1;
                    }
                    self.position = at;
                    self.push(Kind::Opaque);
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        self.no_expression_before = at;
        false
    }

    /// The byte `ahead` of here.
    pub fn byte(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.position + ahead).copied()
    }

    /// The character here.
    pub fn character(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// What is left to read.
    pub fn rest(&self) -> &'a str {
        self.source.get(self.position..).unwrap_or_default()
    }

    /// Goes on by `bytes`.
    pub fn advance(&mut self, bytes: usize) {
        self.position += bytes;
    }

    fn between(&self, start: usize, end: usize) -> &'a str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// White space stands before what is being read.
    pub fn spaced(&self) -> bool {
        self.spaced
    }

    /// Adds a token.
    pub fn push(&mut self, kind: Kind) {
        self.tokens.push(Token { kind, spaced: self.spaced });
        self.spaced = false;
    }

    /// The last token but line ends of the same line.
    pub fn last(&self) -> Option<&Kind> {
        self.tokens.last().map(|token| &token.kind)
    }

    /// The last token ends a value, so that an operator follows and no literal.
    pub fn after_value(&self) -> bool {
        match self.last() {
            Some(Kind::Name(name)) => !VALUE_FOLLOWS.contains(&&**name),
            Some(Kind::Number(_) | Kind::Text(_) | Kind::Opaque | Kind::TemplateClose | Kind::Close(_)) => true,
            _ => false,
        }
    }

    /// Reads a string whose opening was consumed.
    pub fn string(&mut self, template: Template) {
        if template.command {
            self.push(Kind::Name("`".into()));
            self.push(Kind::Open(b'('));
        }
        self.template(template);
    }

    /// Reads the string's text up to its end or its next expression.
    fn template(&mut self, mut template: Template) {
        let mut text = String::new();
        while let Some(character) = self.character() {
            if character == '\\' && template.escapes != Escapes::None {
                self.escape(&template, &mut text);
                continue;
            }
            if character == template.close && template.nesting == 0 {
                if template.count == 1
                    || self.rest().chars().take(template.count).filter(|next| *next == character).count() == template.count
                {
                    self.position += character.len_utf8() * template.count;
                    break;
                }
            } else if character == template.close {
                template.nesting -= 1;
            } else if Some(character) == template.open {
                template.nesting += 1;
            } else if character == '\n' && template.one_line {
                break;
            } else if let Some(opening) = self.expression_start(template.interpolation, character) {
                if let Opening::Literal(brace, length) = opening {
                    text.push(brace);
                    self.position += length;
                    continue;
                }
                self.part(&mut template, &text);
                text.clear();
                self.push(Kind::Join);
                match opening {
                    Opening::Variable(name, length) => {
                        self.push(Kind::Name(name));
                        self.position += length;
                        continue;
                    }
                    Opening::Element(name, key, length) => {
                        self.push(Kind::Name(name));
                        self.push(Kind::Open(b'['));
                        self.push(Kind::Text(key));
                        self.push(Kind::Close(b']'));
                        self.position += length;
                        continue;
                    }
                    Opening::Literal(_, length) | Opening::Code(length) => {
                        self.position += length;
                        self.push(Kind::Open(b'('));
                        self.expressions.push(Expression { template, depth: 0 });
                        return;
                    }
                }
            }
            text.push(character);
            self.position += character.len_utf8();
        }
        if template.started {
            self.push(Kind::Join);
            self.push(Kind::Text(text.into()));
            self.push(Kind::TemplateClose);
        } else {
            self.push(Kind::Text(text.into()));
        }
        if template.command {
            self.push(Kind::Close(b')'));
        }
    }

    fn part(&mut self, template: &mut Template, text: &str) {
        self.push(if template.started { Kind::Join } else { Kind::TemplateOpen });
        template.started = true;
        self.push(Kind::Text(text.into()));
    }

    /// What begins here inside a string, if it is an expression.
    fn expression_start(&self, interpolation: Interpolation, character: char) -> Option<Opening> {
        let next = self.byte(1);
        match (interpolation, character) {
            (Interpolation::Braces, '{') if next == Some(b'{') => Some(Opening::Literal('{', 2)),
            (Interpolation::Braces, '{') => Some(Opening::Code(1)),
            (Interpolation::Braces, '}') if next == Some(b'}') => Some(Opening::Literal('}', 2)),
            (Interpolation::DollarBraces, '$') | (Interpolation::HashBraces, '#') if next == Some(b'{') => Some(Opening::Code(2)),
            (Interpolation::Sigils, '{') if next == Some(b'$') => Some(Opening::Code(1)),
            (Interpolation::Sigils, '$' | '@') if next == Some(b'{') => {
                let body = self.rest().get(2..)?;
                let name = leading_name(body);
                let closed = body.as_bytes().get(name.len()) == Some(&b'}');
                Some(if closed && !name.is_empty() {
                    Opening::Variable(format!("{character}{name}").into(), name.len() + 3)
                } else {
                    Opening::Code(2)
                })
            }
            (Interpolation::Sigils, '$' | '@') => {
                let name = leading_name(self.rest().get(1..)?);
                if name.is_empty() {
                    return None;
                }
                let variable: Rc<str> = format!("{character}{name}").into();
                let length = name.len() + 1;
                Some(match element(self.rest().get(length..)?) {
                    Some((key, more)) => Opening::Element(variable, key.into(), length + more),
                    None => Opening::Variable(variable, length),
                })
            }
            _ => None,
        }
    }

    /// Reads a backslash and what it stands for.
    fn escape(&mut self, template: &Template, text: &mut String) {
        self.position += 1;
        let Some(character) = self.character() else {
            text.push('\\');
            return;
        };
        self.position += character.len_utf8();
        match template.escapes {
            Escapes::None => {}
            Escapes::Kept => {
                text.push('\\');
                text.push(character);
            }
            Escapes::Quote => {
                if character != '\\' && character != template.close && Some(character) != template.open {
                    text.push('\\');
                }
                text.push(character);
            }
            Escapes::Full => match character {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'a' => text.push('\u{7}'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'v' => text.push('\u{b}'),
                'e' => text.push('\u{1b}'),
                '\n' => {}
                'x' => self.code_point(2, 16, text),
                'u' | 'U' if self.byte(0) == Some(b'{') => {
                    self.position += 1;
                    self.code_point(8, 16, text);
                    if self.byte(0) == Some(b'}') {
                        self.position += 1;
                    }
                }
                'u' => self.code_point(4, 16, text),
                'U' => self.code_point(8, 16, text),
                '0'..='7' => {
                    self.position -= 1;
                    self.code_point(3, 8, text);
                }
                other => text.push(other),
            },
        }
    }

    /// Reads up to `digits` digits of a code point.
    fn code_point(&mut self, digits: usize, radix: u32, text: &mut String) {
        let mut value = 0_u32;
        let mut read = 0;
        while read < digits
            && let Some(digit) = self.byte(0).and_then(|byte| char::from(byte).to_digit(radix))
        {
            value = value.saturating_mul(radix).saturating_add(digit);
            self.position += 1;
            read += 1;
        }
        text.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    /// Reads the body of a here-document whose announcement was consumed and pushes its text. Bodies start on the next line, after those of
    /// here-documents announced before on the same line.
    pub fn here_document(&mut self, terminator: &str, indented: bool, expressions: &str) {
        let (line_end, body_start) = match self.here {
            Some((line_end, body_end)) if self.position <= line_end => (line_end, body_end),
            _ => {
                let rest = self.rest();
                let line_end = self.position + rest.find('\n').unwrap_or(rest.len());
                (line_end, line_end + 1)
            }
        };
        let body = self.source.get(body_start..).unwrap_or_default();
        let mut length = 0;
        let mut consumed = body.len();
        for line in body.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            let candidate = if indented { bare.trim_start() } else { bare };
            if candidate.trim_end_matches(';') == terminator {
                consumed = length + line.len();
                break;
            }
            length += line.len();
        }
        let text = body.get(..length).unwrap_or_default();
        let is_open = expressions.chars().any(|sign| text.contains(sign));
        self.push(if is_open { Kind::Opaque } else { Kind::Text(text.into()) });
        self.here = Some((line_end, body_start + consumed));
    }

    /// Skips one delimited text that was opened, without reading its escapes, and gives it back.
    pub fn raw(&mut self, open: char) -> String {
        let close = partner(open);
        let mut nesting = 0_u32;
        let mut text = String::new();
        while let Some(character) = self.character() {
            self.position += character.len_utf8();
            if character == '\\' {
                text.push(character);
                if let Some(next) = self.character() {
                    self.position += next.len_utf8();
                    text.push(next);
                }
                continue;
            }
            if character == close {
                if nesting == 0 {
                    break;
                }
                nesting -= 1;
            } else if character == open {
                nesting += 1;
            }
            text.push(character);
        }
        text
    }
}

/// What begins inside a string.
enum Opening {
    /// A character written twice.
    Literal(char, usize),
    /// A variable, and how long it is written.
    Variable(Rc<str>, usize),
    /// A variable's element, its key, and how long it is written.
    Element(Rc<str>, Rc<str>, usize),
    /// An expression, and how long its opening is.
    Code(usize),
}

/// The key of `{KEY}` or `['KEY']` that `text` begins with, and how long it is written.
fn element(text: &str) -> Option<(&str, usize)> {
    let close = match text.as_bytes().first()? {
        b'{' => '}',
        b'[' => ']',
        _ => return None,
    };
    let body = text.get(1..)?;
    let quote = usize::from(body.starts_with(['\'', '"']));
    let key = leading_name(body.get(quote..)?);
    let length = 1 + quote + key.len() + quote + 1;
    (!key.is_empty() && text.get(length - 1..)?.starts_with(close)).then_some((key, length))
}

/// Names after which a value begins, in one language or another.
const VALUE_FOLLOWS: &[&str] = &[
    "return", "and", "or", "not", "in", "of", "if", "elsif", "unless", "while", "until", "case", "when", "print", "split", "grep",
    "typeof", "await", "yield", "else", "do", "then", "puts", "echo",
];

/// It may begin a name.
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// It may stand in a name.
pub(super) fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

/// The name that `text` begins with.
pub(super) fn leading_name(text: &str) -> &str {
    let bytes = text.as_bytes();
    if !bytes.first().copied().is_some_and(is_name_start) {
        return "";
    }
    let end = bytes.iter().position(|byte| !is_name_part(*byte)).unwrap_or(bytes.len());
    text.get(..end).unwrap_or_default()
}
