//! Tools of MCP servers, judged by their names where nothing else is known.

use sekisho_verdict::tool_call::Action;
use sekisho_verdict::{Evidence, Finding, Stage, ToolCall};

use crate::context::Context;
use crate::matcher::Outcome;
use crate::rules;

/// Words that say a tool takes something away for good.
const DESTROYS: &[&str] = &["drop", "truncate", "purge", "wipe", "destroy", "delete"];
/// Things whose loss takes everything in them along.
const CONTAINERS: &[&str] =
    &["table", "database", "schema", "repo", "repository", "bucket", "project", "namespace", "cluster", "volume"];

/// What the names of MCP tools say.
pub fn findings(call: &ToolCall, context: &Context<'_>) -> Vec<Finding> {
    const RULE: &str = "mcp.destructive";
    if !context.snapshot.rule_state(RULE, false, None) {
        return Vec::new();
    }
    let judged = call.actions.iter().filter_map(|action| {
        let Action::McpCall { tool, .. } = action else { return None };
        let outcome = judge(tool)?;
        let evidence = Evidence { segment: tool.clone(), ..Evidence::default() };
        Some(rules::find(RULE)?.finding(Stage::NonCommand, outcome, false, Some(evidence)))
    });
    judged.collect()
}

/// `drop_table` and `deleteRepository` are denied, other names that delete or remove ask.
fn judge(tool: &str) -> Option<Outcome> {
    let words = words(tool);
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.trim_end_matches('s')) || list.contains(&word.as_str()));
    if any(DESTROYS) && any(CONTAINERS) {
        return Some(Outcome::AsWritten);
    }
    any(&["delete", "remove"]).then_some(Outcome::Ask)
}

/// The words of a name in snake, kebab or camel case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous_is_lower = false;
    for character in name.chars() {
        let boundary = !character.is_alphanumeric() || character.is_uppercase() && previous_is_lower;
        if boundary {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        previous_is_lower = character.is_lowercase() || character.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::matcher::Outcome;

    #[test]
    fn names_are_read_word_by_word() {
        for (tool, verdict) in [
            ("drop_table", Some(Outcome::AsWritten)),
            ("deleteRepository", Some(Outcome::AsWritten)),
            ("purge-buckets", Some(Outcome::AsWritten)),
            ("delete_issue", Some(Outcome::Ask)),
            ("removeLabel", Some(Outcome::Ask)),
            ("list_tables", None),
            ("get_deleted_items", None),
            ("raindrop_list", None),
            ("create_table", None),
        ] {
            assert_eq!(judge(tool), verdict, "{tool}");
        }
    }
}
