//! Command lines and the operations, effects and carried commands they are.
//!
//! Words are written as in a shell, with plain quotes; `<input>` is a word read from standard input, `<path>` one found below
//! `src`, `$x` one nothing is known of and `$(x)` the same without quotes. Leading assignments are variables of the command.

use std::collections::HashMap;

use sekisho_host::in_memory::World;
use sekisho_shell_syntax::span::Span;

use super::{OPERATIONS, alias, find, understand};
use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::What;
use crate::catalog::{Invocation, Understood};
use crate::effect::{EffectKind, Origin, Selection};
use crate::stream::Stream;

const CWD: &str = "/home/dev/app";

fn world() -> World {
    let mut world = World::linux("/home/dev", CWD);
    world
        .git_repository(CWD)
        .branch("topic")
        .branch("feature/x")
        .file(".git/refs/tags/v1", "0000000000000000000000000000000000000001\n")
        .file(".git/refs/remotes/origin/main", "0000000000000000000000000000000000000001\n")
        .file(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n")
        .file("src/app.ts", "")
        .file("build", "")
        .file("topic", "a file with the name of a branch")
        .file(".env", "SECRET=1");
    world
}

fn word(text: &str) -> Argument {
    let dynamic =
        |cause, may_split| Argument::with(Value::Dynamic(Partial { may_split, ..Partial::unknown(cause) }), Span::default());
    match text {
        "<input>" => dynamic(Cause::Input, false),
        "<path>" => dynamic(Cause::PathUnder { roots: vec![Value::literal("src")], selection: Selection::default() }, false),
        _ if text.starts_with("$(") => dynamic(Cause::Substitution, true),
        _ if text.contains('$') && !text.starts_with('!') => {
            let (prefix, name) = text.split_once('$').unwrap();
            let partial = Partial::unknown(Cause::Variable(name.to_owned()));
            Argument::with(Value::Dynamic(Partial { prefix: prefix.to_owned(), ..partial }), Span::default())
        }
        _ => Argument::literal(text),
    }
}

fn run_in(world: &World, line: &str) -> Understood {
    let words: Vec<String> =
        alias::split(line, Span::default()).unwrap().iter().map(|word| word.known().unwrap().to_owned()).collect();
    let program = words.iter().position(|word| word == "git").unwrap();
    let variables: HashMap<String, String> = words[..program]
        .iter()
        .map(|word| word.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let arguments: Vec<Argument> = words[program + 1..].iter().map(|text| word(text)).collect();
    let variable = |name: &str| variables.get(name).map(|value| word(value).value);
    understand(&Invocation {
        program: "git",
        program_path: None,
        arguments: &arguments,
        input: &Stream::Nothing,
        variable: &variable,
        cwd: Some(world.working_directory()),
        host: world,
    })
}

fn run(line: &str) -> Understood {
    run_in(&world(), line)
}

/// Names of operations in order, with their subjects; other effects a rule may look at by a word in brackets.
fn operations(understood: &Understood) -> String {
    let mut names = Vec::new();
    if understood.inert {
        names.push("(inert)".to_owned());
    }
    for effect in &understood.effects {
        match &effect.kind {
            // Tested by itself; it stands beside every loss with such words.
            EffectKind::Vcs(operation) if operation.name == "context-unknown-words" => {}
            EffectKind::Vcs(operation) => {
                assert!(find(operation.name).is_some(), "{} stands in the table", operation.name);
                names.push(match &operation.subject {
                    Some(subject) => format!("{}={subject}", operation.name),
                    None => operation.name.to_owned(),
                });
            }
            EffectKind::DynamicStructure => names.push("(dynamic)".to_owned()),
            EffectKind::Unknown(what) => names.push(format!("(unknown {what})")),
            EffectKind::Execute { origin: Origin::Configuration, what } => names.push(format!("(runs {what})")),
            _ => {}
        }
    }
    names.join(" ")
}

/// Effects on files, short.
fn files(understood: &Understood) -> String {
    let mut shown = Vec::new();
    for effect in &understood.effects {
        let at = effect.directory.as_ref().map_or(String::new(), |directory| format!("{}:", directory.display()));
        let text = match &effect.kind {
            EffectKind::Read(target) => format!("read {at}{}", target.value.display()),
            EffectKind::Write(target, mode) => format!("{mode:?} {at}{}", target.value.display()).to_lowercase(),
            EffectKind::Delete { target, recursive, force } => {
                format!(
                    "delete{}{} {at}{}",
                    if *recursive { " -r" } else { "" },
                    if *force { " -f" } else { "" },
                    target.value.display()
                )
            }
            EffectKind::Move { from, to } => {
                format!("move {at}{} {}", from.value.display(), to.value.display())
            }
            EffectKind::Mention(target) => format!("mention {at}{}", target.value.display()),
            EffectKind::Use(target) => format!("use {at}{}", target.value.display()),
            EffectKind::Network { host, upload } => {
                let host = host.as_ref().map_or("?".to_owned(), Value::display);
                format!("{} {host}", if *upload { "upload" } else { "download" })
            }
            _ => continue,
        };
        shown.push(text);
    }
    shown.join(", ")
}

/// What is run in turn.
fn carried(understood: &Understood) -> Vec<(String, bool)> {
    understood
        .carried
        .iter()
        .map(|carried| {
            let text = match &carried.what {
                What::Shell { source, .. } => source.display(),
                What::Command(words) => words.iter().map(|word| word.value.display()).collect::<Vec<_>>().join(" "),
                other => format!("{other:?}"),
            };
            (text, carried.certain)
        })
        .collect()
}

fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(line, wanted)| (line, wanted, operations(&run(line))))
        .filter(|(_, wanted, found)| *wanted != found)
        .map(|(line, wanted, found)| format!("{line}\n  wanted {wanted}\n  found  {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn operations_stand_once() {
    for operation in OPERATIONS {
        assert_eq!(OPERATIONS.iter().filter(|other| other.name == operation.name).count(), 1, "{}", operation.name);
    }
}

#[test]
fn checkout() {
    check(&[
        ("git checkout main", "switch"),
        ("git checkout -", "switch"),
        ("git checkout origin/x", "switch"),
        ("git checkout stash@{0}", "switch"),
        ("git checkout v1", "switch"),
        ("git checkout nothing-of-that-name", "switch"),
        ("git checkout topic", "switch"),
        ("git checkout main --", "switch"),
        ("git checkout --", "switch"),
        ("git checkout --detach HEAD~2", "switch"),
        ("git checkout --track origin/x", "switch"),
        ("git checkout -b new", "branch-create"),
        ("git checkout -b new origin/main", "branch-create"),
        ("git checkout --orphan new", "branch-create"),
        ("git checkout -B new origin/main", "branch-create=new"),
        ("git checkout -B main origin/main", "branch-move=main"),
        ("git checkout -Btopic", "branch-move=topic"),
        ("git checkout -f", "checkout-force switch"),
        ("git checkout -f main", "checkout-force switch"),
        ("git checkout --force --no-force main", "switch"),
        ("git checkout --for main", "checkout-force switch"),
        ("git checkout --pathspec-from-file=list", "checkout-pathspec-from-file switch"),
        ("git checkout -- .", "checkout-double-dash"),
        ("git checkout -- <input>", "checkout-double-dash"),
        ("git checkout --ours -- a.ts", "checkout-double-dash"),
        ("git checkout HEAD -- src/app.ts", "checkout-ref-path"),
        ("git checkout HEAD -- src/tool-bar.ts", "checkout-ref-path"),
        ("git checkout $ref -- a", "(dynamic) checkout-ref-path"),
        ("git checkout HEAD .", "checkout-ambiguous"),
        ("git checkout main a b", "checkout-ambiguous"),
        ("git checkout .", "checkout-path=."),
        ("git checkout ./src", "checkout-path=./src"),
        ("git checkout :/", "checkout-path=:/"),
        ("git checkout src/app.ts", "checkout-path=src/app.ts"),
        ("git checkout build", "checkout-path=build"),
        ("git checkout '*.ts'", "checkout-path=*.ts"),
        ("git checkout ../other", "checkout-path=../other"),
        ("git checkout <path>", "checkout-path"),
        ("git checkout <input>", "(dynamic) switch"),
        ("git checkout $(pick)", "(dynamic) switch"),
        ("git checkout -p", "checkout-patch switch"),
        ("git checkout --help", "(inert)"),
        ("git checkout -h", "(inert)"),
        ("git CHECKOUT -- .", "checkout-double-dash"),
    ]);
    let mut bare_world = World::linux("/home/dev", CWD);
    bare_world.file("main", "").file("src/app.ts", "");
    assert_eq!(operations(&run_in(&bare_world, "git checkout main")), "switch");
    assert_eq!(operations(&run_in(&bare_world, "git checkout src/app.ts")), "checkout-path=src/app.ts");
    assert_eq!(operations(&run_in(&bare_world, "git checkout feature/x")), "switch");
}

#[test]
fn branches_and_tags() {
    check(&[
        ("git switch main", "switch"),
        ("git switch -c foo", "branch-create switch"),
        ("git switch -C new", "branch-create=new switch"),
        ("git switch -C main origin/main", "branch-move=main switch"),
        ("git switch --force-create=topic", "branch-move=topic switch"),
        ("git switch --discard-changes main", "switch-discard-changes switch"),
        ("git switch -f main", "switch-force switch"),
        ("git branch", "read"),
        ("git branch -a", "read"),
        ("git branch --merged", "read"),
        ("git branch --list 'x*'", "read"),
        ("git branch --show-current", "read"),
        ("git branch new", "branch-create=new"),
        ("git branch -d merged", "branch-delete=merged"),
        ("git branch -D main", "branch-force-delete=main"),
        ("git branch -D a b", "branch-force-delete=a branch-force-delete=b"),
        ("git branch -d -f x", "branch-force-delete=x"),
        ("git branch --delete --force x", "branch-force-delete=x"),
        ("git branch -rD origin/x", "branch-force-delete=origin/x"),
        ("git branch -D <input>", "(dynamic) branch-force-delete"),
        ("git branch -D $b", "(dynamic) branch-force-delete"),
        ("git branch -D --help", "(inert)"),
        ("git branch -f main HEAD~3", "branch-move=main"),
        ("git branch -f new HEAD~3", "branch-create=new"),
        ("git branch -M old main", "branch-move=main"),
        ("git branch -M main", "branch-change=main"),
        ("git branch -M renamed", "branch-change=renamed"),
        ("git branch -m old new", "branch-change"),
        ("git branch -C main topic", "branch-move=topic"),
        ("git branch -u origin/main", "branch-change"),
        ("git tag", "read"),
        ("git tag -l 'v*'", "read"),
        ("git tag -n3", "read"),
        ("git tag v2", "tag-create=v2"),
        ("git tag -a v2 -m 'delete -d'", "tag-create=v2"),
        ("git tag -d v1", "tag-delete=v1"),
        ("git tag --del v1", "tag-delete=v1"),
        ("git tag -f v1", "tag-move=v1"),
        ("git tag -f v2", "tag-create=v2"),
        ("git symbolic-ref HEAD", "read"),
        ("git symbolic-ref -d refs/x", "ref-plumbing=refs/x"),
        ("git worktree list", "read"),
        ("git worktree prune", "worktree-change"),
        ("git worktree add ../wt -b feature origin/main", "worktree-add"),
        ("git worktree add -B topic ../wt", "branch-move=topic worktree-add"),
        ("git worktree remove ../x", "worktree-remove=../x"),
        ("git worktree remove --force ../x", "worktree-remove-force=../x"),
        ("git worktree remove -f ../x", "worktree-remove-force=../x"),
    ]);
}

#[test]
fn files_and_index() {
    check(&[
        ("git restore .", "restore-unstaged"),
        ("git restore docs/evidence/", "restore-unstaged"),
        ("git restore -p", "restore-unstaged"),
        ("git restore", "read"),
        ("git restore --staged .", "index"),
        ("git restore -S src", "index"),
        ("git restore --staged --worktree .", "restore-worktree"),
        ("git restore -SW .", "restore-worktree"),
        ("git restore -s HEAD~2 x", "restore-unstaged"),
        ("git restore --help", "(inert)"),
        ("git reset", "index"),
        ("git reset HEAD foo", "index"),
        ("git reset build", "index"),
        ("git reset --soft HEAD~1", "reset-move=HEAD~1"),
        ("git reset HEAD~1", "reset-move=HEAD~1"),
        ("git reset --hard", "reset-hard"),
        ("git reset --hard HEAD~1", "reset-hard=HEAD~1"),
        ("git reset --har", "reset-hard"),
        ("git reset --h", "reset-hard"),
        ("git reset --merge", "reset-merge"),
        ("git reset --me", "reset-merge"),
        ("git reset --m", "(unknown git reset --m) index"),
        ("git reset --keep HEAD~3", "reset-keep=HEAD~3"),
        ("git reset --keep", "index"),
        ("git reset $(pick-mode)", "(dynamic) reset-move"),
        ("git reset -- $x", "index"),
        ("git reset --hard $(x)", "(dynamic) reset-hard"),
        ("git clean -n", "read"),
        ("git clean -nfd", "read"),
        ("git clean -f -n", "read"),
        ("git clean --dry-run -f", "read"),
        ("git clean -f", "clean-force"),
        ("git clean -fdx", "clean-force"),
        ("git clean -xdff", "clean-force context-clean-nested"),
        ("git clean -fX -- work/__pycache__/job.pyc", "clean-force"),
        ("git clean -d", "clean"),
        ("git clean -i", "clean"),
        ("git clean -e -f", "clean"),
        ("git clean -n --no-dry-run -f", "clean-force"),
        ("git clean --help", "(inert)"),
        ("git -c clean.requireForce=false clean -d", "clean-force"),
        ("git -c clean.requireForce=false clean -nd", "read"),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=clean.requireForce GIT_CONFIG_VALUE_0=false git clean -d", "clean-force"),
        ("git -C .. clean -fdx", "clean-force"),
        ("git --work-tree=/ clean -fdx", "clean-force context-explicit"),
        ("git rm x", "rm"),
        ("git rm -r x", "rm"),
        ("git rm -f settings.py", "rm-force"),
        ("git rm -rf .", "rm-force"),
        ("git rm --cached -f x", "index"),
        ("git rm --cached --no-cached -f x", "rm-force"),
        ("git rm -f --no-force x", "rm"),
        ("git rm -nf x", "read"),
        ("git mv a b", "mv"),
        ("git add checkout reset clean", "index"),
        ("git add -A", "index"),
        ("git stash", "stash"),
        ("git stash -u", "stash"),
        ("git stash push -m drop", "stash"),
        ("git stash push -m 'drop the clear'", "stash"),
        ("git stash branch drop", "stash"),
        ("git stash list", "read"),
        ("git stash show -p stash@{0}", "read"),
        ("git stash apply", "stash"),
        ("git stash drop", "stash-drop"),
        ("git stash drop <input>", "(dynamic) stash-drop"),
        ("git stash drop stash@{1}", "stash-drop=stash@{1}"),
        ("git stash drop --help", "(inert)"),
        ("git stash clear", "stash-clear"),
        ("git stash $(x)", "(dynamic)"),
        ("git submodule update --init --recursive", "submodule"),
        ("git submodule update --force", "submodule-discard"),
        ("git submodule deinit -f lib", "submodule-discard"),
        ("git submodule status", "read"),
        ("git apply x.patch", "apply"),
        ("git apply --check x.patch", "read"),
        ("git checkout-index -f -a", "ref-plumbing"),
        ("git read-tree --reset -u HEAD", "ref-plumbing"),
        ("git read-tree -m -u HEAD", "ref-plumbing"),
        ("git read-tree HEAD", "index"),
        ("git update-index --really-refresh", "ref-plumbing"),
    ]);
}

#[test]
fn pushes_and_fetches() {
    check(&[
        ("git push", "push"),
        ("git push -u origin main", "push"),
        ("git push origin HEAD:refs/for/main", "push"),
        ("git push origin a:b", "push"),
        ("git push origin :", "push"),
        ("git push git@example.org:x/y.git main", "push"),
        ("git push --force", "push-force=main push"),
        ("git push -f", "push-force=main push"),
        ("git push -fu origin main", "push-force=main push"),
        ("git push origin --tags --force", "push-force=main push"),
        ("git push origin +main", "push-force=main push"),
        ("git push origin +main:main", "push-force=main push"),
        ("git push origin topic:+topic", "push-force=topic push"),
        ("git push --force --no-force", "push"),
        ("git push --dry-run --force", "push-dry-run"),
        ("git push -nf", "push-dry-run"),
        ("git push -o -f", "push"),
        ("git push --force-with-lease", "push-force-with-lease=main push-force-default-branch=main push"),
        ("git push --force-with-lease origin topic", "push-force-with-lease=topic push"),
        ("git push --force-with-lease=topic:abc origin HEAD:topic", "push-force-with-lease=topic push"),
        ("git push --force-with-lease origin HEAD", "push-force-with-lease=main push-force-default-branch=main push"),
        ("git push --force-with-lease origin $b", "(dynamic) push-force-with-lease push-force-default-branch push"),
        ("git push --force-with-lease --force origin topic", "push-force=topic push"),
        ("git push origin :main", "push-delete=main push"),
        ("git push origin --delete main", "push-delete=main push"),
        ("git push -d origin v1", "push-delete=v1 push"),
        ("git push --mirror", "push-mirror push"),
        ("git push --prune origin", "push-mirror push"),
        ("git -c remote.origin.push=+refs/heads/*:refs/heads/* push", "push-mirror push"),
        ("git -c remote.origin.mirror=true push", "push-mirror push"),
        ("git push --no-verify", "hook-bypass push"),
        ("git push origin main --force --help", "(inert)"),
        ("git push origin $b", "(dynamic) push"),
        ("git fetch --prune", "fetch"),
        ("git fetch origin main:refs/remotes/origin/main", "fetch"),
        ("git fetch origin +refs/heads/*:refs/remotes/origin/*", "fetch"),
        ("git fetch origin +main:main", "fetch-force=main fetch"),
        ("git fetch -f origin main:main", "fetch-force fetch"),
        ("git pull", "fetch merge"),
        ("git pull --rebase", "fetch merge"),
        ("git pull origin +x:y", "fetch-force=y fetch merge"),
        ("git remote -v", "read"),
        ("git remote add o https://example.org/x", "remote-change"),
        ("git remote update", "fetch"),
        ("git ls-remote origin", "read"),
        ("git clone https://example.org/x.git", "clone"),
        ("git clone 'ext::sh -c x' d", "clone exec-config=ext::"),
        ("git clone --upload-pack 'touch x' h:d", "exec-config=exec clone"),
        ("git clone -c core.fsmonitor=./x u", "exec-config=core.fsmonitor clone"),
    ]);
}

#[test]
fn history() {
    check(&[
        ("git commit -m 'remove rm -rf / from script'", "commit"),
        ("git commit -am 'fix: git reset --hard handling'", "commit"),
        ("git commit --amend --no-edit", "commit commit-amend"),
        ("git commit -n -m x", "commit hook-bypass"),
        ("git commit --no-verify -m x", "commit hook-bypass"),
        ("git commit -m -n", "commit"),
        ("HUSKY=0 git commit -m x", "hook-bypass commit"),
        ("SKIP=lint git commit -m x", "hook-bypass commit"),
        ("HUSKY=0 git status", "read"),
        ("git merge x", "merge"),
        ("git merge --abort", "merge-abort"),
        ("git merge --ab", "merge-abort"),
        ("git rebase main", "rebase"),
        ("git rebase --continue", "rebase"),
        ("git rebase --abort", "rebase-abort"),
        ("git rebase --root", "history-rewrite rebase"),
        ("git cherry-pick --abort", "sequencer-abort"),
        ("git revert --abort", "sequencer-abort"),
        ("git am --abort", "sequencer-abort"),
        ("git bisect reset", "sequencer-abort"),
        ("git bisect start", "other"),
        ("git cherry-pick abc", "sequence"),
        ("git reflog", "read"),
        ("git reflog show main", "read"),
        ("git reflog delete HEAD@{0}", "reflog-delete=HEAD@{0}"),
        ("git reflog expire --expire=now --all", "reflog-delete"),
        ("git reflog expire --expire=90.days main", "maintenance"),
        ("git gc", "maintenance"),
        ("git gc --prune=now", "reflog-delete"),
        ("git prune", "reflog-delete"),
        ("git prune -n", "read"),
        ("git repack -ad", "maintenance"),
        ("git repack -ad --unpack-unreachable=now", "reflog-delete"),
        ("git update-ref -d refs/heads/main", "ref-plumbing=refs/heads/main"),
        ("git update-ref --stdin", "ref-plumbing"),
        ("git update-ref refs/heads/main HEAD~3", "branch-move=refs/heads/main"),
        ("git update-ref refs/backup/x HEAD", "ref-change=refs/backup/x"),
        ("git replace -d x", "ref-plumbing=x"),
        ("git notes remove", "ref-plumbing"),
        ("git notes show", "read"),
        ("git filter-branch --tree-filter 'rm -f x' HEAD", "history-rewrite"),
        ("git filter-repo --path x", "history-rewrite"),
        ("git fast-import --force", "history-rewrite"),
    ]);
}

#[test]
fn looking() {
    check(&[
        ("git status", "read"),
        ("git status --short", "read"),
        ("git log --grep='reset --hard'", "read"),
        ("git log -S 'git push --force'", "read"),
        ("git log -p -1", "read"),
        ("git log --since=$x", "read"),
        ("git log $(echo x)", "read"),
        ("git log --oneline -5 --graph --all", "read"),
        ("git diff -- checkout.ts", "read"),
        ("git diff --stat", "read"),
        ("git shortlog -sne HEAD", "read"),
        ("git cherry -v main", "read"),
        ("git describe --tags --always --dirty", "read"),
        ("git rev-list --count HEAD", "read"),
        ("git for-each-ref --sort=-committerdate --format='%(refname)' refs/heads", "read"),
        ("git merge-base --is-ancestor a b", "read"),
        ("git ls-files -z --others --exclude-standard", "read"),
        ("git cat-file -p HEAD", "read"),
        ("git blame -L 1,5 -w src/app.ts", "read"),
        ("git status -sb -uno --porcelain=v2", "read"),
        ("git diff -U0 -w --color=never --diff-filter=AM main...HEAD", "read"),
        ("git log --pretty=format:%h --name-status -n 3 --follow -- x", "read"),
        ("git show -s --format=%ct HEAD", "read"),
        ("git grep -nE -A 2 'a|b' -- '*.ts'", "read"),
        ("git config --get-regexp '^alias'", "read"),
        ("git config --global --list --show-origin", "read"),
        ("git remote get-url origin", "read"),
        ("git ls-tree -r --name-only HEAD", "read"),
        ("git reflog -10", "read"),
        ("git show HEAD:reset", "read"),
        ("git check-ignore -q .wt", "read"),
        ("git rev-parse HEAD", "read"),
        ("git config --get user.name", "read"),
        ("git config user.name", "read"),
        ("git config --list", "read"),
        ("git config list", "read"),
        ("git config get user.name", "read"),
        ("git config user.name x", "config=user.name"),
        ("git --version", "(inert)"),
        ("git --help reset", "(inert)"),
        ("git help reset", "(inert)"),
        ("git", "(inert)"),
        ("git frobnicate", "(unknown git frobnicate)"),
        ("git log --frobnicate", "(unknown git log --frobnicate) read"),
        ("git --no-pager reset --hard", "reset-hard"),
        ("git --git-dir=.git reset --hard", "reset-hard context-explicit"),
        ("GIT_DIR=.git git reset --hard", "reset-hard context-explicit"),
        ("git -C /x reset --hard", "reset-hard"),
        ("git -c core.pager=cat reset --hard", "reset-hard"),
        ("git --frobnicate reset --hard", "(unknown git --frobnicate) reset-hard"),
        ("git $x reset --hard", "(dynamic) reset-hard"),
        ("git $(x) y", "(dynamic)"),
        ("git $x", "(dynamic)"),
        ("git -C $dir reset --hard", "reset-hard"),
        ("git -c submodule.recurse=true checkout main", "switch context-recurse-submodules"),
    ]);
}

#[test]
fn words_that_are_not_known_are_said_beside_losses() {
    let said = |line: &str| {
        let names = |effect: &crate::effect::Effect| matches!(&effect.kind, EffectKind::Vcs(operation) if operation.name == "context-unknown-words");
        run(line).effects.iter().any(names)
    };
    assert!(said("git checkout -- $x"));
    assert!(said("git branch -D <input>"));
    assert!(!said("git checkout -- x"));
    assert!(!said("git log $x"));
}

#[test]
fn aliases() {
    let deep = |count: usize| {
        let mut line = "git".to_owned();
        for number in 0..count {
            let next = if number + 1 == count { "reset --hard".to_owned() } else { format!("a{}", number + 1) };
            line.push_str(&format!(" -c 'alias.a{number}={next}'"));
        }
        format!("{line} a0")
    };
    check(&[
        ("git -c alias.x='reset --hard' x", "reset-hard context-alias=x"),
        ("git -c alias.x='!rm -rf /' x", "alias-config=x"),
        ("git -c alias.x='!rm -rf /' status", "read"),
        ("git -c alias.x='log \"' x", "alias-config=x"),
        ("git -c alias.x=x x", "alias-config=x"),
        ("git -c alias.status='!rm' status", "read"),
        ("git -c alias.x=$y x", "alias-config=x"),
        ("git -c alias.x='-c core.pager=./p log' x", "exec-config=core.pager read context-alias=x"),
        ("A='!ls' git --config-env=alias.x=A x", "alias-config=x"),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!ls' git x", "alias-config=x"),
        ("GIT_CONFIG_COUNT=1024 git status", "alias-config read"),
        ("GIT_CONFIG_COUNT=1025 git status", "alias-config read"),
        ("GIT_CONFIG_COUNT=many git status", "alias-config read"),
        ("GIT_CONFIG_PARAMETERS=\"'alias.x=!ls'\" git x", "alias-config=x"),
        ("GIT_CONFIG_PARAMETERS=alias.x git status", "alias-config read"),
        (&deep(5), "reset-hard context-alias=a0"),
        (&deep(6), "alias-config=a5"),
    ]);
    let mut world = world();
    world.git_config("alias.co", "checkout").git_config("alias.nuke", "!rm -rf build");
    assert_eq!(operations(&run_in(&world, "git co -- .")), "checkout-double-dash context-alias=co");
    let nuke = run_in(&world, "git nuke a");
    assert_eq!(operations(&nuke), "(runs alias.nuke)");
    assert_eq!(carried(&nuke), [("rm -rf build \"$@\"".to_owned(), true)]);
    world.file("~/.gitconfig", "[alias]\n\tundo = reset --hard\n");
    assert_eq!(operations(&run_in(&world, "git undo")), "reset-hard context-alias=undo");
}

#[test]
fn executable_settings() {
    check(&[
        ("git -c core.pager='rm -rf ~' log", "exec-config=core.pager read"),
        ("git -c core.pager='less -FRX' log", "read"),
        ("git -c core.pager='less +!x' log", "exec-config=core.pager read"),
        ("git -c core.fsmonitor='rm -rf /' status", "exec-config=core.fsmonitor read"),
        ("git -c core.fsmonitor=true status", "read"),
        ("git -c core.hooksPath=/dev/null commit -m x", "hook-bypass commit"),
        ("git config core.hooksPath /dev/null", "config=core.hookspath exec-config=core.hookspath hook-bypass"),
        ("git config core.hooksPath .husky", "config=core.hookspath exec-config-ask=core.hookspath"),
        ("git config set core.hooksPath .githooks", "config=core.hookspath exec-config-ask=core.hookspath"),
        ("git config --unset core.hooksPath", "config=core.hookspath"),
        ("git config core.hooksPath", "read"),
        ("git config alias.x '!rm -rf /'", "config=alias.x exec-config=alias.x"),
        ("git config alias.lg 'log --oneline'", "config=alias.lg"),
        ("git config --global --add core.editor ./evil", "config=core.editor exec-config=core.editor"),
        ("git config --global core.editor 'code --wait'", "config=core.editor"),
        ("git config credential.helper store", "config=credential.helper"),
        ("git config credential.helper '!./x'", "config=credential.helper exec-config=credential.helper"),
        ("git config filter.lfs.smudge 'git-lfs smudge -- %f'", "config=filter.lfs.smudge"),
        ("git config include.path ../.gitconfig", "config=include.path exec-config-ask=include.path"),
        ("git config protocol.ext.allow always", "config=protocol.ext.allow exec-config=protocol.ext.allow"),
        ("git config protocol.file.allow always", "config=protocol.file.allow"),
        ("GIT_PAGER=cat git log", "read"),
        ("PAGER='sh -c x' git log", "exec-config=PAGER read"),
        ("GIT_EDITOR=true git rebase --continue", "rebase"),
        ("EDITOR='vim -c :!x' git commit", "exec-config=EDITOR commit"),
        ("GIT_SEQUENCE_EDITOR='sed -i s/pick/edit/' git rebase -i main", "rebase"),
        ("GIT_SEQUENCE_EDITOR='sed -i s/pick/exec/' git rebase -i main", "exec-config-ask=GIT_SEQUENCE_EDITOR rebase"),
        ("GIT_SEQUENCE_EDITOR='sed -i 1iexec' git rebase -i main", "exec-config-ask=GIT_SEQUENCE_EDITOR rebase"),
        ("GIT_EXTERNAL_DIFF=./x git diff", "exec-config=GIT_EXTERNAL_DIFF read"),
        ("GIT_SSH_COMMAND='sh -c \"rm -rf /\"' git fetch", "ssh-env=GIT_SSH_COMMAND fetch"),
        ("GIT_SSH_COMMAND='ssh -i ~/.ssh/k -o IdentitiesOnly=yes' git fetch", "fetch"),
        ("GIT_SSH_COMMAND='sh -c x' git status", "read"),
        ("GIT_SSH=./x git archive --remote=o HEAD", "ssh-env=GIT_SSH read"),
        ("git -c core.sshCommand='sh -c x' fetch", "ssh-env=core.sshCommand fetch"),
        ("git grep -iOtouch needle", "read exec-config=open-files-in-pager"),
        ("git grep needle", "read"),
        ("git --exec-path=. status", "exec-config-ask=exec-path read"),
        ("git -c core.pager=./x --help", "exec-config=core.pager"),
    ]);
}

#[test]
fn settings_of_the_repository() {
    let rows = [
        ("core.pager", "./run.sh", "git --paginate show HEAD", "read (runs core.pager)"),
        ("core.pager", "./run.sh", "git --no-pager log", "read"),
        ("core.pager", "delta", "git log", "read"),
        ("diff.external", "./run.sh", "git diff --ext-diff", "read (runs diff.external)"),
        ("diff.external", "./run.sh", "git log", "read"),
        ("core.fsmonitor", "./run.sh", "git status --short", "read (runs core.fsmonitor)"),
        ("diff.pdf.textconv", "./run.sh", "git show --textconv HEAD:report.pdf", "read (runs diff.pdf.textconv)"),
        ("core.hooksPath", ".husky", "git commit -m x", "commit (runs core.hookspath)"),
        ("clean.requireForce", "false", "git clean -d", "clean-force"),
        ("filter.x.clean", "./run.sh", "git add a", "index (runs filter.x.clean)"),
    ];
    for (key, value, line, wanted) in rows {
        let mut world = world();
        world.git_config(key, value);
        assert_eq!(operations(&run_in(&world, line)), wanted, "{key}: {line}");
    }
}

#[test]
fn carried_commands() {
    let rows = [
        ("git rebase --exec 'git reset --hard' main", "git reset --hard", true),
        ("git rebase -x 'make' main", "make", true),
        ("git submodule foreach 'git reset --hard'", "git reset --hard", false),
        ("git submodule foreach --recursive git clean -f", "git clean -f", false),
        ("git bisect run rm -rf /", "rm -rf /", true),
        ("git difftool -x 'rm x'", "rm x", true),
        ("git grep -iOtouch needle", "touch", false),
        ("git filter-branch --tree-filter 'rm -f x' HEAD", "rm -f x", true),
        ("git -c core.pager='rm -rf ~' log", "rm -rf ~", true),
        ("git -c core.pager='rm -rf ~' status", "rm -rf ~", false),
        ("git -c core.fsmonitor='rm -rf /' status", "rm -rf /", true),
        ("GIT_SSH_COMMAND='sh -c \"rm -rf /\"' git fetch", "sh -c \"rm -rf /\"", true),
        ("git config alias.x '!rm -rf /'", "rm -rf /", false),
        ("git -c alias.x='!rm -rf /' x", "rm -rf /", true),
        ("git fetch 'ext::sh -c x'", "sh -c x", true),
        ("git for-each-repo --config=maintenance.repo reset --hard", "git -C … reset --hard", false),
    ];
    for (line, text, certain) in rows {
        assert_eq!(carried(&run(line)), [(text.to_owned(), certain)], "{line}");
    }
}

#[test]
fn file_effects() {
    let rows = [
        ("git rm -rf x", "delete -r -f x"),
        ("git rm --cached .env", "mention .env"),
        ("git mv a b", "move a b"),
        ("git -C lib mv a b", "move lib:a b"),
        ("git -C lib -C sub rm a", "delete lib/sub:a"),
        ("git diff --output=/home/dev/.bashrc HEAD~5", "truncate /home/dev/.bashrc"),
        ("git diff --output out HEAD", "truncate out"),
        ("git archive -o x.zip HEAD", "truncate x.zip"),
        ("git format-patch -o out HEAD~2", "create out"),
        ("git bundle create x.bundle main", "truncate x.bundle"),
        ("git diff --no-index -- a.txt b.txt", "read a.txt, read b.txt"),
        ("git diff .env", "read .env"),
        ("git diff --name-only .env", "mention .env"),
        ("git diff topic", ""),
        ("git add .env.example", "mention .env.example"),
        ("git add -f .env", "read .env"),
        ("git log -- .env", "mention .env"),
        ("git log -p -- .env", "read .env"),
        ("git check-ignore .env", "mention .env"),
        ("git status .env", "mention .env"),
        ("git show HEAD:.env", "mention .env"),
        ("git show :.env", "read .env"),
        ("git show HEAD -- .env", "read .env"),
        ("git show --stat HEAD -- .env", "mention .env"),
        ("git log -L 1,5:.env", "read .env"),
        ("git diff a b c d e f g h i j k l m n o p q r s t u v w x y z", "read y, read z"),
        ("git blame .env", "read .env"),
        ("git grep -e KEY -- .env", "read .env"),
        ("git grep .env", ""),
        ("git commit -m .env", ""),
        ("git commit -F notes", "read notes"),
        ("git commit -F -", ""),
        ("git hash-object -w .env", "read .env"),
        ("git apply x.patch", "read x.patch"),
        ("git clone https://example.org/a/x.git", "download https://example.org/a/x.git, create x"),
        ("git clone git@example.org:a/x.git d", "download git@example.org:a/x.git, create d"),
        ("git push origin main", "upload origin"),
        ("git fetch", "download ?"),
        ("git submodule update --init", "download ?"),
        ("git ls-remote https://example.org/x", "download https://example.org/x"),
        ("GIT_SSH_COMMAND='ssh -i /k' git fetch", "use /k, download ?"),
        ("GIT_SSH_COMMAND='ssh -i ~/.ssh/k' git fetch", "use /home/dev/.ssh/k, download ?"),
        ("GIT_TRACE=/home/dev/.bashrc git status", "append /home/dev/.bashrc"),
        ("git worktree remove -f ../x", "delete -r -f ../x"),
        ("git checkout -- a b", "mention a, mention b"),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .map(|(line, wanted)| (line, wanted, files(&run(line))))
        .filter(|(_, wanted, found)| *wanted != found)
        .map(|(line, wanted, found)| format!("{line}\n  wanted {wanted}\n  found  {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn output() {
    let known = |line: &str, wanted: &str| assert_eq!(run(line).output, Stream::Known(format!("{wanted}\n")), "{line}");
    known("git rev-parse --show-toplevel", "/home/dev/app");
    known("git -C src rev-parse --show-toplevel", "/home/dev/app");
    known("git -C src rev-parse --show-prefix", "src/");
    known("git -C src rev-parse --show-cdup", "../");
    known("git rev-parse --git-dir", ".git");
    known("git -C src rev-parse --git-dir", "/home/dev/app/.git");
    known("git rev-parse --abbrev-ref HEAD", "main");
    known("git branch --show-current", "main");
    known("git symbolic-ref --short HEAD", "main");
    assert_eq!(run("git branch").output, Stream::Unknown);
    assert_eq!(run("git rev-parse $x").output, Stream::Unknown);
    let paths = |line: &str| match run(line).output {
        Stream::Paths { roots, selection } => {
            assert!(selection.excludes_git);
            (roots.iter().map(Value::display).collect::<Vec<_>>(), selection.names)
        }
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(paths("git ls-files"), (vec![CWD.to_owned()], vec![]));
    assert_eq!(paths("git ls-files src"), (vec![format!("{CWD}/src")], vec![]));
    assert_eq!(paths("git ls-files '*.o'"), (vec![CWD.to_owned()], vec!["*.o".to_owned()]));
    assert_eq!(paths("git diff --name-only"), (vec![CWD.to_owned()], vec![]));
    assert_eq!(paths("git grep -l x"), (vec![CWD.to_owned()], vec![]));
}

#[test]
fn any_words_are_survived() {
    let words = [
        "git",
        "-c",
        "-C",
        "--git-dir",
        "--",
        "-",
        "",
        "=",
        ":",
        "a=b",
        "--x=",
        "ä",
        "-ä",
        "$x",
        "push",
        "stash",
        "config",
        "grep",
        "-O",
        "'",
    ];
    let world = world();
    let variable = |_: &str| None;
    for one in words {
        for two in words {
            for three in words {
                let arguments: Vec<Argument> = [one, two, three].iter().map(|text| word(text)).collect();
                let understood = understand(&Invocation {
                    program: "git",
                    program_path: None,
                    arguments: &arguments,
                    input: &Stream::Nothing,
                    variable: &variable,
                    cwd: None,
                    host: &world,
                });
                assert!(understood.described);
            }
        }
    }
}
