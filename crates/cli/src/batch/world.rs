//! A row's `fixture` → a machine made of data.

use sekisho_host::Platform;
use sekisho_host::in_memory::World;
use serde_json::Value;

use super::named;
use super::row::{Row, strings, words};

/// Builds the world of a row: its home and working directory exist, the latter as the top of a clean Git work tree on branch
/// `main`; of files and directories only what the fixture names.
pub fn build(row: &Row) -> World {
    let fixture = &row.fixture;
    let platform = match fixture.get("os").and_then(Value::as_str) {
        Some("macos") => Platform::MacOs,
        Some("windows") => Platform::Windows,
        _ if row.cwd.as_deref().is_some_and(has_drive_letter) => Platform::Windows,
        _ => Platform::Linux,
    };
    let cwd = row.cwd.as_deref().unwrap_or(match platform {
        Platform::Windows => r"C:\work\app",
        Platform::Linux | Platform::MacOs => "/home/dev/app",
    });
    let home = row.home.as_deref().unwrap_or(if has_drive_letter(cwd) { r"C:\Users\dev" } else { "/home/dev" });
    let mut world = World::new(platform, home, cwd);
    let top = world.working_directory().to_owned();
    if fixture.get("git") != Some(&Value::Bool(false)) {
        world.git_repository(&top);
    }
    for path in words(fixture.get("dirs")) {
        world.directory(&path);
    }
    for path in words(fixture.get("files")) {
        world.file(&path, "");
    }
    for (path, text) in strings(fixture.get("files")) {
        world.file(&path, &text);
    }
    for (link, target) in strings(fixture.get("symlinks")) {
        world.symlink(&link, &target);
    }
    for (link, target) in strings(fixture.get("junctions")) {
        world.junction(&link, &target);
    }
    if let Some(git) = fixture.get("git") {
        repository(&mut world, git, row);
    }
    for (name, value) in &row.env {
        world.variable(name, value);
    }
    world
}

fn repository(world: &mut World, git: &Value, row: &Row) {
    match git.get("dirty") {
        Some(Value::Bool(true)) => {
            world.dirty_paths_named_in(&named(&row.input));
        }
        dirty => {
            for path in words(dirty) {
                world.modified(&path);
            }
        }
    }
    for name in words(git.get("branches")) {
        world.branch(&name);
    }
    for (key, value) in strings(git.get("config")) {
        world.git_config(&key, &value);
    }
    if let Some(text) = git.get("attributes").and_then(Value::as_str) {
        world.git_attributes(text);
    }
}

fn has_drive_letter(path: &str) -> bool {
    let mut characters = path.chars();
    characters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && characters.next() == Some(':')
}
