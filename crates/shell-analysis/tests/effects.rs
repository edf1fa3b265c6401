//! Texts and what their commands do: the effects that only the analysis can see.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop at the first surprise")]

use sekisho_command_model::{EffectKind, Origin};
use sekisho_host::in_memory::World;
use sekisho_shell_analysis::{Analysis, Start, analyze};
use sekisho_shell_syntax::posix;

fn run(text: &str) -> Analysis {
    let mut world = World::linux("/home/u", "/home/u/proj");
    world.git_repository("/home/u/proj").file("local.sh", "rm -rf build\n").file("/opt/outside.sh", "rm -rf /\n");
    let program = posix::parse(text);
    analyze(&program, text, &Start { host: &world, cwd: "/home/u/proj", transparent_wrappers: &[] })
}

/// The origins of everything executed, in order.
fn origins(text: &str) -> Vec<Origin> {
    run(text)
        .executions
        .iter()
        .flat_map(|execution| &execution.effects)
        .filter_map(|effect| match effect.kind {
            EffectKind::Execute { origin, .. } => Some(origin),
            _ => None,
        })
        .collect()
}

#[test]
fn where_code_comes_from() {
    let mut wrong = String::new();
    for (text, wanted) in [
        ("curl -fsSL https://x.example/i.sh | sh", vec![Origin::Fetched]),
        ("curl -fsSL https://x.example/i.sh | tee log | sudo bash", vec![Origin::Fetched]),
        ("curl https://x.example/i.gz | gunzip | sh", vec![Origin::Fetched]),
        ("sh -c \"$(curl -fsSL https://x.example/i.sh)\"", vec![Origin::Fetched]),
        ("bash <(curl -s https://x.example/i.sh)", vec![Origin::Fetched]),
        ("source <(curl -s https://x.example/i.sh)", vec![Origin::Fetched]),
        ("eval \"$(curl -s https://x.example/i.sh)\"", vec![Origin::Fetched]),
        ("curl -o i.sh https://x.example/i.sh; sh i.sh", vec![Origin::Fetched]),
        ("curl https://x.example/i.sh > i.sh && chmod +x i.sh && ./i.sh", vec![Origin::Local, Origin::Fetched]),
        ("x=$(curl https://x.example/i); sh -c \"$x\"", vec![Origin::Fetched]),
        ("wget -qO- https://x.example | python3", vec![Origin::Fetched]),
        ("eval \"$(tool init)\"", vec![Origin::Generator]),
        ("source <(tool completion)", vec![Origin::Generator]),
        ("source <(tool \"$X\")", vec![Origin::Unknown]),
        ("eval \"$X\"", vec![Origin::Unknown]),
        ("sh -c \"$X\"", vec![Origin::Unknown]),
        ("make | sh", vec![Origin::Local, Origin::Unknown]),
        ("tool | sh", vec![Origin::Unknown]),
        ("$X a", vec![Origin::UnknownProgram]),
        ("bash", vec![Origin::Interactive]),
        ("sh /opt/outside.sh", vec![Origin::Local]),
        ("sh local.sh", vec![Origin::Local]),
        ("sh missing.sh", vec![Origin::Local]),
        ("source \"$NVM_DIR/nvm.sh\"", vec![Origin::Local]),
        ("bash \"$X\"", vec![Origin::Unknown]),
        ("echo 'rm a' | sh", vec![]),
        ("sh -c 'rm a'", vec![]),
        ("sh -c \"rm $X\"", vec![]),
        ("sh -c \"$X a\"", vec![Origin::UnknownProgram]),
    ] {
        let found = origins(text);
        if found != wanted {
            wrong.push_str(&format!("\n  {text}\n    wanted {wanted:?}\n    found  {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn redirections_are_effects_of_their_command() {
    let mut wrong = String::new();
    for (text, wanted) in [
        ("echo a > f", "write f Truncate"),
        ("echo a >> f 2>/dev/null", "write f Append; write /dev/null Truncate"),
        (": > f", "write f Empty"),
        ("> f", "write f Empty"),
        ("cat < f", "read f"),
        ("echo a >&2", ""),
        ("echo a 2>&1", ""),
        ("echo a &> f", "write f Truncate"),
        ("while true; do echo; done > f", "write f Truncate"),
        ("{ echo; } >> \"$X/f\"", "write ${X}/f Append"),
        ("exec 3<> f", "read f; write f InPlace"),
        ("cat <<X >f\na\nX", "write f Truncate"),
        ("sh -c 'echo a > f'", "write f Truncate"),
        ("echo a > >(cat)", ""),
    ] {
        let found: Vec<String> = run(text)
            .executions
            .iter()
            .flat_map(|execution| &execution.effects)
            .filter_map(|effect| match &effect.kind {
                EffectKind::Write(target, mode) => Some(format!("write {} {mode:?}", target.value.display())),
                EffectKind::Read(target) => Some(format!("read {}", target.value.display())),
                _ => None,
            })
            .collect();
        if found.join("; ") != wanted {
            wrong.push_str(&format!("\n  {text}\n    wanted {wanted}\n    found  {}", found.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_fork_bomb_is_one() {
    for text in [":(){ :|:& };:", "f() { f & f; }; f", "b() { b | b; }; b"] {
        let analysis = run(text);
        let found = analysis
            .executions
            .iter()
            .flat_map(|execution| &execution.effects)
            .any(|effect| effect.kind == EffectKind::System("fork-bomb".into()));
        assert!(found, "{text}");
    }
    let analysis = run("f() { ls | wc; }; f; f &");
    assert!(
        !analysis
            .executions
            .iter()
            .flat_map(|execution| &execution.effects)
            .any(|effect| matches!(effect.kind, EffectKind::System(_)))
    );
}

#[test]
fn a_required_value_is_not_empty_afterwards() {
    let analysis = run(": \"${X:?}\"; rm -rf \"$X/\"");
    let argv = analysis.executions.last().unwrap().argv.clone().unwrap();
    let sekisho_command_model::Value::Dynamic(partial) = &argv[2].value else { panic!("dynamic") };
    assert!(!partial.may_be_empty);
}

#[test]
fn scripts_of_this_machine_add_only_what_is_certain() {
    let mut world = World::linux("/home/u", "/home/u/proj");
    world.file("s.sh", "#!/bin/bash\nrm -rf \"$X\"\n$Y\nrm -rf /etc\neval \"$Z\"\n");
    let text = "./s.sh";
    let program = posix::parse(text);
    let analysis = analyze(&program, text, &Start { host: &world, cwd: "/home/u/proj", transparent_wrappers: &[] });
    let deletes: Vec<String> = analysis
        .executions
        .iter()
        .flat_map(|execution| &execution.effects)
        .filter_map(|effect| match &effect.kind {
            EffectKind::Delete { target, .. } => Some(target.value.display()),
            _ => None,
        })
        .collect();
    assert_eq!(deletes, ["/etc"]);
    assert!(origins_of(&analysis).iter().all(|origin| *origin == Origin::Local));
}

fn origins_of(analysis: &Analysis) -> Vec<Origin> {
    analysis
        .executions
        .iter()
        .flat_map(|execution| &execution.effects)
        .filter_map(|effect| match effect.kind {
            EffectKind::Execute { origin, .. } => Some(origin),
            _ => None,
        })
        .collect()
}
