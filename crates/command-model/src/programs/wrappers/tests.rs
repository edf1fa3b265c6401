//! Command lines and what they run.

use crate::programs::text_carriers::testing::{check, text, understand_line};
use crate::stream::Stream;

#[test]
fn children_begin_after_options() {
    check(&[
        ("sudo rm -rf /", "privilege; run{rm -rf /} +root"),
        ("sudo -u root -D /x -- rm a", "privilege; run{rm a} +root dir=/x"),
        ("sudo -nE A=1 rm a", "privilege; run{rm a} +root A=1"),
        ("sudo -i rm a", "privilege; sh{rm a} +root dir? home?"),
        ("sudo -i", "privilege; run{sh} +root dir? home?"),
        ("sudo -l", "inert"),
        ("sudo -k", ""),
        ("sudo -e /etc/hosts", "privilege; write:InPlace /etc/hosts"),
        ("sudo $OPTIONS rm a", "privilege; structure; run{${OPTIONS} rm a} +root; run{rm a}? +root"),
        ("doas -u x rm a", "privilege; run{rm a} +root"),
        ("command -p rm a", "run{rm a}"),
        ("command -v rm", "inert"),
        ("exec -a n rm a", "run{rm a}"),
        ("nice -n 5 rm a", "run{rm a}"),
        ("nice -10 rm a", "run{rm a}"),
        ("nice --made-up 5 rm a", "unknown nice --made-up; run{5 rm a}; run{rm a}?"),
        ("ionice -c3 rm a", "run{rm a}"),
        ("chrt -f 10 rm a", "run{rm a}"),
        ("taskset -c 0,1 rm a", "run{rm a}"),
        ("timeout -s KILL 5 rm a", "run{rm a}"),
        ("timeout --kill-after=5 10s rm a", "run{rm a}"),
        ("stdbuf -oL rm a", "run{rm a}"),
        ("time -o f rm a", "write:Truncate f; run{rm a}"),
        ("perf stat -e cycles rm a", "run{rm a}"),
        ("perf report", "undescribed"),
        ("strace -f -o t rm a", "write:Truncate t; run{rm a}"),
        ("strace -o '|rm x' ls", "sh{rm x}; run{ls}"),
        ("valgrind --tool=memcheck rm a", "run{rm a}"),
        ("gdb -ex 'shell rm a' --args ls b", "sh{rm a}; run{ls b}"),
        ("xvfb-run -a -s '-screen 0' rm a", "run{rm a}"),
        ("setarch x86_64 -R rm a", "run{rm a}"),
        ("busybox rm a", "run{rm a}"),
        ("busybox --list", "inert"),
        ("nohup --help", "inert"),
        ("direnv exec . rm a", "run{rm a}"),
        ("direnv allow", "undescribed"),
        ("mise exec node@20 -- rm a", "run{rm a}"),
        ("devbox run -- rm a", "run{rm a}"),
    ]);
}

#[test]
fn scopes() {
    check(&[
        ("chroot / rm a", "run{rm a} dir?"),
        ("chroot /mnt rm a", "run{rm a} dir? @container(/mnt:/)"),
        ("unshare -r -m rm a", "run{rm a}"),
        ("nsenter -t 1 -m rm a", "run{rm a} dir?"),
        ("nsenter -t 99 -m rm a", "run{rm a} @container(?)"),
        ("bwrap --bind / / --chdir /w rm a", "run{rm a} dir=/w @container(/:/ rm)"),
        ("proot -r /mnt -b /w:/x rm a", "run{rm a} @container(/w:/x /mnt:/)"),
        ("firejail --quiet --net=none rm a", "run{rm a}"),
        ("systemd-run --user -p A=1 rm a", "run{rm a}"),
    ]);
}

#[test]
fn env_reads_assignments_and_strings() {
    check(&[
        ("env", "disclose environment"),
        ("env -i", ""),
        ("env A=1 -u B rm", "run{-u B rm} A=1"),
        ("env -u B -C /x A=1 rm a", "run{rm a} A=1 -B dir=/x"),
        ("env - A=1 rm a", "run{rm a} -env A=1"),
        ("env -S 'rm -rf \"a b\"' c", "run{rm -rf a b c}"),
        ("env '-SA=1 rm\\_x' y", "run{rm x y} A=1"),
        ("env -vS 'rm x # no' y", "run{rm x y}"),
        ("env -S 'rm ${X}/y'", "run{rm ${X}/y}"),
        ("env -S 'rm \\q'", "unknown env -S"),
        ("env -S \"rm $X\"", "execute:Unknown env -S"),
        ("env $X rm a", "structure; run{${X} rm a}; run{rm a}?"),
    ]);
    assert_eq!(text(&understand_line("env -S 'rm ${X}'", &Stream::Nothing, &[("X", "a b")])), "run{rm a b}");
}

#[test]
fn package_runners() {
    check(&[
        ("npx rimraf build", "run{rimraf build}"),
        ("npx -y rimraf@5 build", "run{rimraf build}"),
        ("npx @scope/del-cli@1 build", "run{del-cli build}"),
        ("npx -c 'rm a'", "sh{rm a}"),
        ("npm exec -- rimraf a", "run{rimraf a}"),
        ("npm install x", "undescribed"),
        ("pnpm -C d exec rm a", "run{rm a} dir=d"),
        ("pnpm exec -c 'rm a'", "sh{rm a}"),
        ("yarn dlx rimraf a", "run{rimraf a}"),
        ("uv run --with x python -c 'y'", "run{python -c y}"),
        ("uv run a.py b", "run{python a.py b}"),
        ("uv run -m pytest", "run{python -m pytest}"),
        ("uv sync", "undescribed"),
        ("poetry -C d run rm a", "run{rm a} dir=d"),
        ("conda run -n e rm a", "run{rm a}"),
        ("bundle exec rm a", "run{rm a}"),
        ("nix run nixpkgs#coreutils.rm -- -rf a", "run{rm -rf a}"),
        ("nix shell nixpkgs#hello -c rm -rf a", "run{rm -rf a}"),
        ("nix develop", ""),
        ("pipenv run rm a", "run{rm a}"),
        ("hatch run rm a", "run{rm a}"),
    ]);
}
