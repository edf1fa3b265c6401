//! The languages that are read for their calls, one file each. All of it is data but the reading of literals.

use super::meaning::Language;

mod javascript;
mod lua;
mod others;
mod perl;
mod php;
mod python;
mod ruby;

/// The language called so, by its own name or its interpreter's.
pub(super) fn by_name(name: &str) -> Option<&'static Language> {
    Some(match name {
        "python" => &python::PYTHON,
        "javascript" | "typescript" => &javascript::JAVASCRIPT,
        "ruby" => &ruby::RUBY,
        "perl" => &perl::PERL,
        "php" => &php::PHP,
        "lua" => &lua::LUA,
        "r" => &others::R,
        "julia" => &others::JULIA,
        "elixir" => &others::ELIXIR,
        "applescript" => &others::APPLESCRIPT,
        "groovy" | "scala" | "java" => &others::GROOVY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::by_name;
    use crate::inline::meaning::LANGUAGES;

    #[test]
    fn every_language_has_a_number_of_its_own() {
        let names = ["python", "javascript", "ruby", "perl", "php", "lua", "r", "julia", "elixir", "applescript", "groovy"];
        let numbers: BTreeSet<usize> = names.iter().filter_map(|name| by_name(name)).map(|language| language.number).collect();
        assert_eq!(numbers, (0..LANGUAGES).collect());
    }

    #[test]
    fn no_function_stands_twice_in_a_table() {
        for name in ["python", "javascript", "ruby", "perl", "php", "lua", "r", "julia", "elixir", "applescript", "groovy"] {
            let mut seen = BTreeSet::new();
            for (function, _) in by_name(name).into_iter().flat_map(|language| language.functions) {
                assert!(seen.insert(function), "{name}: {function}");
            }
        }
    }
}
