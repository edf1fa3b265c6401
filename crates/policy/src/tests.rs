use sekisho_host::in_memory::World;
use sekisho_verdict::{ConfigState, Level};

use super::*;

fn world(variables: &[(&str, &str)]) -> World {
    let mut world = World::linux("/home/dev", "/home/dev/app");
    for (name, value) in variables {
        world.variable(name, value);
    }
    world
}

fn snapshot(user: &str, project: &str, variables: &[(&str, &str)]) -> Snapshot {
    let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
    // Leaking keeps the table rows plain; tests are short.
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    Snapshot::from_texts(some(leak(user)), some(leak(project)), false, &world(variables))
}

fn safety(fields: &str) -> String {
    format!("{{\"version\": 1, \"safety\": {{{fields}}}}}")
}

#[test]
fn levels_only_rise() {
    let level = |word: &str| safety(&format!("\"level\": \"{word}\""));
    for (user, project, variables, expected) in [
        (String::new(), String::new(), vec![], Level::Standard),
        (level("strict"), String::new(), vec![], Level::Strict),
        (level("strict"), level("standard"), vec![], Level::Strict),
        (level("standard"), level("paranoid"), vec![], Level::Paranoid),
        (level("paranoyd"), String::new(), vec![], Level::Strict),
        (level("paranoyd"), level("standard"), vec![], Level::Strict),
        (level("paranoyd"), level("paranoid"), vec![], Level::Paranoid),
        (String::new(), level("x"), vec![], Level::Strict),
        ("{".into(), String::new(), vec![], Level::Strict),
        (String::new(), "[".into(), vec![], Level::Strict),
        (level("standard"), String::new(), vec![("SEKISHO_LEVEL", "paranoid")], Level::Paranoid),
        (level("paranoid"), String::new(), vec![("SEKISHO_LEVEL", "standard")], Level::Paranoid),
        (level("strict"), String::new(), vec![("SEKISHO_LEVEL", "x")], Level::Strict),
        (String::new(), String::new(), vec![("SEKISHO_STRICT", "1")], Level::Strict),
        (String::new(), String::new(), vec![("SEKISHO_STRICT", "0")], Level::Standard),
        (String::new(), String::new(), vec![("SEKISHO_PARANOID", "true")], Level::Custom),
        (String::new(), String::new(), vec![("SEKISHO_PARANOID", "1"), ("SEKISHO_STRICT", "1")], Level::Paranoid),
        (safety("\"level\": \"strict\", \"overrides\": {\"fail_closed\": false}"), String::new(), vec![], Level::Standard),
        (safety("\"overrides\": {\"paranoid_rm\": true}"), String::new(), vec![], Level::Custom),
        (
            safety("\"overrides\": {\"fail_closed\": true}"),
            safety("\"overrides\": {\"fail_closed\": false}"),
            vec![],
            Level::Strict,
        ),
        (safety("\"level\": \"strict\", \"overrides\": {\"fail_closed\": false}"), level("strict"), vec![], Level::Strict),
        (safety("\"overrides\": {\"fail_closed\": false}"), String::new(), vec![("SEKISHO_LEVEL", "strict")], Level::Strict),
        (safety("\"level\": \"x\", \"overrides\": {\"fail_closed\": false}"), String::new(), vec![], Level::Strict),
    ] {
        assert_eq!(snapshot(&user, &project, &variables).level(), expected, "{user} {project} {variables:?}");
    }
}

#[test]
fn states_of_rules() {
    let user = r#"{
        "version": 1, // comments and trailing commas are fine
        "destructive_command_protection": { "overrides": {
            "git.reset-hard": "off",
            "rm.recursive-force-paranoid": "on",
            "git.clean": { "state": "off", "reason": "why", "expires": "2020-01-01" },
        } },
        "secret_protection": { "overrides": { "secret.basename.env": "off", "secret.cli.pi.config": "on" } },
    }"#;
    let snapshot = snapshot(user, "", &[]);
    assert_eq!((snapshot.state(), snapshot.diagnostics()), (ConfigState::Ready, [].as_slice()));
    for (rule, catastrophic, needs, expected) in [
        ("git.reset-hard", false, None, false),
        ("git.reset-hard", true, None, true),
        ("git.push-force", false, None, true),
        ("git.push-force", false, Some(Capability::FailClosed), false),
        ("rm.recursive-force-paranoid", false, Some(Capability::ParanoidRm), true),
        // There is no clock here, so nothing has expired.
        ("git.clean", false, None, false),
        ("secret.basename.env", false, None, false),
        ("secret.basename.npmrc", false, None, true),
    ] {
        assert_eq!(snapshot.rule_state(rule, catastrophic, needs), expected, "{rule}");
    }
    assert!(snapshot.switched_on("secret.cli.pi.config") && !snapshot.switched_on("secret.cli.amp.config"));
    assert_eq!(
        snapshot.unknown_overrides(|id| id.starts_with("git.") || id.starts_with("secret.")),
        ["rm.recursive-force-paranoid"]
    );
    let off = r#"{"version":1,"destructive_command_protection":{"enabled":false,"overrides":{"a.b":"on"}}}"#;
    let off = self::snapshot(off, "", &[]);
    assert!(!off.rule_state("a.b", false, None) && off.rule_state("a.b", true, None) && off.rule_state("secret.x", false, None));
}

#[test]
fn a_project_only_tightens() {
    let user = r#"{"version":1, "destructive_command_protection": {"overrides": {"a.off": "off", "a.too": "off"}, "allow_paths": ["/srv/x"]},
        "packs": {"cloud": "off", "iac": "ask"}, "ask_unavailable": "abstain"}"#;
    let project = r#"{"version":1,
        "safety": {"level": "standard", "overrides": {"fail_closed": false}},
        "workflow": {"worktree_mode": true},
        "destructive_command_protection": {"enabled": false, "overrides": {"a.off": "on", "b.off": "off"}, "allow_paths": ["/srv/y"]},
        "secret_protection": {"enabled": false, "deny_paths_enabled": false, "deny_paths": ["private/"], "allow_paths": [".env"],
            "overrides": {"secret.x": "off"}},
        "tools": {"shell": ["my_shell"]}, "packs": {"cloud": "on", "iac": "off"}, "ask_unavailable": "deny",
        "approvals": {"auto": true, "tiers": {"deny": []}}, "failure": "ask", "audit": {"retention_days": 1}}"#;
    let merged = snapshot(user, project, &[]);
    assert!(merged.rule_state("a.off", false, None) && !merged.rule_state("a.too", false, None));
    assert!(merged.rule_state("b.off", false, None) && merged.rule_state("secret.x", false, None));
    assert!(merged.destructive_protection() && merged.secret_protection() && !merged.worktree_mode());
    assert_eq!(merged.delete_allow_paths().collect::<Vec<_>>(), ["/srv/x"]);
    assert_eq!(merged.secret_deny_paths().collect::<Vec<_>>(), ["private/"]);
    assert_eq!(merged.secret_allow_paths().count(), 0);
    assert!(merged.is_shell_tool("my_shell") && !merged.is_shell_tool("My_Shell"));
    assert_eq!((merged.pack("cloud"), merged.pack("iac"), merged.pack("nothing")), (PackState::On, PackState::Ask, PackState::On));
    assert_eq!(
        (merged.ask_unavailable(), merged.on_failure(), merged.retention_days()),
        (AskUnavailable::Deny, OnFailure::Deny, 30)
    );
    assert_eq!(merged.project_approvals().unwrap().to_string(), r#"{"tiers":{"deny":[]}}"#);
    let mut fields: Vec<&str> = merged.ignored().iter().map(|delta| delta.field.as_str()).collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "destructive_command_protection.allow_paths",
            "destructive_command_protection.enabled",
            "destructive_command_protection.overrides.b.off",
            "packs.iac",
            "secret_protection.allow_paths",
            "secret_protection.deny_paths_enabled",
            "secret_protection.enabled",
            "secret_protection.overrides.secret.x",
            "workflow.worktree_mode",
        ]
    );
    // Fields that only the user may write are errors of the project's file.
    assert_eq!(
        merged.diagnostics().iter().filter_map(|one| one.field.as_deref()).collect::<Vec<_>>(),
        ["approvals.auto", "failure", "audit"]
    );
    let trusted = Snapshot::from_texts(Some(user), Some(project), true, &world(&[]));
    assert!(!trusted.rule_state("b.off", false, None) && trusted.worktree_mode() && trusted.ignored().is_empty());
}

/// Whatever two files say, adding the project's never makes anything weaker.
#[test]
fn no_project_weakens_anything() {
    let fields = [
        r#""safety": {"level": "L"}"#,
        r#""safety": {"overrides": {"fail_closed": B, "paranoid_rm": B}}"#,
        r#""destructive_command_protection": {"enabled": B, "overrides": {"a.b": "S"}}"#,
        r#""secret_protection": {"enabled": B, "deny_paths_enabled": B, "overrides": {"secret.a": "S"}}"#,
    ];
    let mut files = vec![String::new(), "{".to_owned()];
    for field in fields {
        for (level, boolean, switch) in
            [("standard", "true", "on"), ("strict", "false", "off"), ("paranoid", "true", "off"), ("x", "1", "x")]
        {
            let field =
                field.replace("\"L\"", &format!("\"{level}\"")).replace('B', boolean).replace("\"S\"", &format!("\"{switch}\""));
            files.push(format!("{{\"version\": 1, {field}}}"));
        }
    }
    let facts = |snapshot: &Snapshot| {
        let mut facts: Vec<bool> = Capability::ALL.iter().map(|capability| snapshot.capability(*capability).on).collect();
        facts.extend([snapshot.destructive_protection(), snapshot.secret_protection(), snapshot.deny_paths_enabled]);
        facts.extend(["a.b", "secret.a", "c.d"].map(|rule| snapshot.rule_state(rule, false, None)));
        facts.extend(["a.b", "secret.a"].map(|rule| snapshot.rule_state(rule, false, Some(Capability::ParanoidRm))));
        facts
    };
    for user in &files {
        let alone = facts(&snapshot(user, "", &[]));
        for project in &files {
            for variables in
                [vec![], vec![("SEKISHO_LEVEL", "strict")], vec![("SEKISHO_PARANOID", "1")], vec![("SEKISHO_LEVEL", "standard")]]
            {
                let both = facts(&snapshot(user, project, &variables));
                assert!(alone.iter().zip(&both).all(|(before, after)| after >= before), "{user}\n{project}\n{variables:?}");
            }
        }
    }
}

#[test]
fn each_bad_field_is_noted_with_its_line_and_disables_only_itself() {
    let user = r#"{
  "version": 1,
  "safty": {},
  "safety": { "level": "strict", "overrides": { "fail_closed": 1, "x": true } },
  "destructive_command_protection": {
    "enabled": "no",
    "overrides": { "a.b": "maybe", "c.d": "off", "e.f": { "reason": "x" }, "g.h": { "state": "off", "expires": "soon" } },
    "allow_paths": ["relative", "/srv/ok", "~", "/home", "/srv/*", "/srv/../etc", "~/build", 7, ""]
  },
  "secret_protection": { "deny_paths": ["~/private", "**/*.key", "/"], "allow_paths": ["fixtures/.env", "~/", "a/*"] },
  "audit": { "retention_days": 0 },
  "tools": { "shell": "x" },
  "packs": { "cloud": "loud", "clouds": "on" },
  "failure": "allow"
}"#;
    let snapshot = snapshot(user, "", &[]);
    assert_eq!(snapshot.level(), Level::Strict);
    assert!(!snapshot.rule_state("c.d", false, None));
    for rule in ["a.b", "e.f", "g.h"] {
        assert!(snapshot.rule_state(rule, false, None), "{rule}");
    }
    assert_eq!(snapshot.delete_allow_paths().collect::<Vec<_>>(), ["/srv/ok", "~/build"]);
    assert_eq!(snapshot.secret_deny_paths().collect::<Vec<_>>(), ["~/private", "**/*.key"]);
    assert_eq!(snapshot.secret_allow_paths().collect::<Vec<_>>(), ["fixtures/.env"]);
    assert_eq!(snapshot.retention_days(), 30);
    let lines: Vec<usize> = snapshot.diagnostics().iter().filter(|one| one.degrades).filter_map(|one| one.line).collect();
    assert_eq!(lines, [3, 4, 4, 6, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 10, 10, 10, 11, 12, 13, 13, 14]);
    assert_eq!(snapshot.state(), ConfigState::Degraded);
    let warning = snapshot.warning().unwrap();
    assert!(warning.starts_with("policy.json:3:3: this key is not known and has no effect (and 21 more problems)."), "{warning}");
    assert!(!warning.contains("safty"));
}

#[test]
fn files_are_found_read_and_refused() {
    let places = Places { settings_dir: "/home/dev/.config/sekisho", project_dir: Some("/home/dev/app/.sekisho") };
    let mut world = world(&[]);
    assert_eq!(load(&world, &places), Snapshot::default());
    world
        .file("/home/dev/.config/sekisho/policy.json", "\u{feff}{\"version\":1,\"safety\":{\"level\":\"strict\"}}")
        .file("/home/dev/.config/sekisho/rules/rule.json", "{\"version\":1,\"transparent_wrappers\":[\"rtk\"]}")
        .file("/home/dev/app/.sekisho/rules/rule.json", "{\"version\":1,\"transparent_wrappers\":[\"rtk\",\"other\"]}")
        .file("/home/dev/app/.sekisho/policy.json", "{\"version\":1,\"secret_protection\":{\"deny_paths\":[\"x\"]}}");
    let snapshot = load(&world, &places);
    assert_eq!((snapshot.state(), snapshot.level()), (ConfigState::Ready, Level::Strict));
    assert_eq!(snapshot.transparent_wrappers(), ["rtk", "other"]);
    assert_eq!(snapshot.secret_deny_paths().count(), 1);
    // The same directory twice counts as the user's.
    let same = Places { project_dir: Some(places.settings_dir), ..places };
    assert_eq!(load(&world, &same).ignored(), []);
    // A link out of the directory only tightens.
    let elsewhere = "{\"version\":1,\"safety\":{\"level\":\"strict\"},\"destructive_command_protection\":{\"enabled\":false}}";
    world.file("/tmp/x.json", elsewhere).link("/home/dev/.config/sekisho/policy.json", "/tmp/x.json");
    let linked = load(&world, &places);
    assert_eq!((linked.state(), linked.level(), linked.destructive_protection()), (ConfigState::Degraded, Level::Strict, true));
    world.link("/home/dev/.config/sekisho/policy.json", "/nowhere");
    assert_eq!(load(&world, &places).level(), Level::Strict);
    for broken in ["{", "", &"x".repeat(300_000)] {
        world.file("/home/dev/.config/sekisho/policy.json", broken);
        let broken = load(&world, &places);
        assert_eq!((broken.state(), broken.level(), broken.allow_tier_off()), (ConfigState::Degraded, Level::Strict, true));
    }
}

#[test]
fn expired_entries_have_no_effect() {
    let places = Places { settings_dir: "/s", project_dir: None };
    let mut world = world(&[]);
    for (expires, on) in [("2020-01-01", true), ("2020-01-01T00:00:00Z", true), ("9999-12-31", false)] {
        let text = format!(
            r#"{{"version":1,"destructive_command_protection":{{"overrides":{{"a.b":{{"state":"off","expires":"{expires}"}}}}}}}}"#
        );
        world.file("/s/policy.json", &text);
        let snapshot = load(&world, &places);
        assert_eq!((snapshot.rule_state("a.b", false, None), snapshot.state()), (on, ConfigState::Ready), "{expires}");
    }
}

#[test]
fn sources_of_capabilities_are_named() {
    let snapshot =
        snapshot(&safety("\"overrides\": {\"fail_closed\": true}"), "", &[("SEKISHO_STRICT", "1"), ("SEKISHO_WORKTREE", "1")]);
    let state = snapshot.capability(Capability::FailClosed);
    assert_eq!(state.source(), CapabilitySource::Environment);
    assert_eq!(
        state.sources.iter().map(|source| source.word()).collect::<Vec<_>>(),
        ["preset", "capability_override", "environment"]
    );
    assert_eq!(snapshot.ignored()[0].field, "SEKISHO_WORKTREE");
}
