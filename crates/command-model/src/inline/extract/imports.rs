//! Modules that inline code brings in, and the names it gives them.

use std::rc::Rc;

use super::{Extractor, dotted};
use crate::inline::expression::Expression;
use crate::inline::meaning::Imports;
use crate::inline::token::{Kind, Token};

impl Extractor<'_> {
    pub(super) fn import(&mut self, name: &Rc<str>, rest: &[Token]) -> Option<usize> {
        if !self.in_statement() || self.current().is_some() {
            return None;
        }
        match (self.language.imports, &**name) {
            (Imports::Python, "import") => Some(self.import_names(rest, None)),
            (Imports::Python, "from") => Some(self.import_from(rest)),
            (Imports::JavaScript, "import") if !matches!(rest.first(), Some(Token { kind: Kind::Open(b'('), .. })) => {
                Some(self.import_javascript(rest))
            }
            (Imports::Use, "use" | "no") => Some(self.import_use(rest)),
            _ => None,
        }
    }

    pub(super) fn brings_in(&mut self, module: &str) {
        self.facts.import(self.language, module);
    }

    /// `a.b as c, d`; members of `module` where there is one.
    pub(super) fn import_names(&mut self, rest: &[Token], module: Option<&str>) -> usize {
        let mut path = String::new();
        let mut alias: Option<Rc<str>> = None;
        let mut after_as = false;
        let mut read = 0;
        let mut inside = false;
        for token in rest {
            match &token.kind {
                Kind::Name(name) if &**name == "as" => after_as = true,
                Kind::Name(name) if after_as => alias = Some(Rc::clone(name)),
                Kind::Name(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Kind::Operator(".") => {}
                Kind::Operator("*") => self.import_all(module.unwrap_or_default()),
                Kind::Open(b'(') => inside = true,
                Kind::Line if inside => {}
                Kind::Comma | Kind::Close(b')') => {
                    self.import_one(&path, alias.take(), module);
                    path.clear();
                    after_as = false;
                }
                _ => break,
            }
            read += 1;
        }
        self.import_one(&path, alias, module);
        read
    }

    pub(super) fn import_one(&mut self, path: &str, alias: Option<Rc<str>>, module: Option<&str>) {
        if path.is_empty() {
            return;
        }
        match module {
            Some(module) => {
                self.variables.insert(alias.unwrap_or_else(|| path.into()), Expression::Path(dotted(module, path)));
            }
            None => {
                self.brings_in(path);
                // `import a.b` binds `a`, which is its own name already.
                if let Some(alias) = alias {
                    self.variables.insert(alias, Expression::Path(path.into()));
                }
            }
        }
    }

    /// `from module import *`: the functions of it that are known.
    pub(super) fn import_all(&mut self, module: &str) {
        for (name, _) in self.language.functions {
            if let Some(last) = name.strip_prefix(module).and_then(|rest| rest.strip_prefix('.'))
                && !last.contains('.')
            {
                self.variables.insert(last.into(), Expression::Path((*name).into()));
            }
        }
    }

    pub(super) fn import_from(&mut self, rest: &[Token]) -> usize {
        let mut module = String::new();
        for (index, token) in rest.iter().enumerate() {
            match &token.kind {
                Kind::Name(name) if &**name == "import" => {
                    self.brings_in(&module);
                    return index + 1 + self.import_names(rest.get(index + 1..).unwrap_or_default(), Some(&module));
                }
                Kind::Name(name) => {
                    if !module.is_empty() {
                        module.push('.');
                    }
                    module.push_str(name);
                }
                Kind::Operator("." | "...") => {}
                _ => return index,
            }
        }
        rest.len()
    }

    /// `x, {a as b} from 'm'`, `* as x from 'm'`, `'m'`.
    pub(super) fn import_javascript(&mut self, rest: &[Token]) -> usize {
        let mut names: Vec<(Rc<str>, Rc<str>)> = Vec::new();
        let mut whole: Vec<Rc<str>> = Vec::new();
        let mut inside = false;
        let mut after_as = false;
        let mut star = false;
        for (index, token) in rest.iter().enumerate() {
            match &token.kind {
                Kind::Text(module) => {
                    let module = crate::inline::facts::module_path(module);
                    self.brings_in(&module);
                    for local in whole {
                        self.variables.insert(local, Expression::Path(module.as_str().into()));
                    }
                    for (member, local) in names {
                        self.variables.insert(local, Expression::Path(dotted(&module, &member)));
                    }
                    return index + 1;
                }
                Kind::Name(name) if &**name == "as" => after_as = true,
                Kind::Name(name) if matches!(&**name, "from" | "type") && !after_as => {}
                Kind::Name(name) if after_as => {
                    after_as = false;
                    if star {
                        whole.push(Rc::clone(name));
                        star = false;
                    } else if let Some(last) = names.last_mut() {
                        last.1 = Rc::clone(name);
                    }
                }
                Kind::Name(name) if inside => names.push((Rc::clone(name), Rc::clone(name))),
                Kind::Name(name) => whole.push(Rc::clone(name)),
                Kind::Open(b'{') => inside = true,
                Kind::Close(b'}') => inside = false,
                Kind::Operator("*") => star = true,
                Kind::Comma | Kind::Line => {}
                _ => return index,
            }
        }
        rest.len()
    }

    /// `use Module qw(names);`
    pub(super) fn import_use(&mut self, rest: &[Token]) -> usize {
        let mut module = String::new();
        for (index, token) in rest.iter().enumerate() {
            match &token.kind {
                Kind::Name(name) => {
                    if !module.is_empty() {
                        module.push('.');
                    }
                    module.push_str(name);
                }
                Kind::Operator("::" | "\\") => {}
                _ => {
                    if !module.is_empty() {
                        self.brings_in(&module);
                    }
                    return index;
                }
            }
        }
        self.brings_in(&module);
        rest.len()
    }
}
