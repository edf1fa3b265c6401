//! Programs with a command line as text: su, script, flock, watch, tmux, at, crontab, ssh and their kin.

mod locking;
mod remote;
mod schedule;
mod terminals;
#[cfg(test)]
pub(crate) mod testing;
mod users;
pub(crate) mod words;

use crate::catalog::{Invocation, Understood};

/// The programs this file answers for.
pub const NAMES: &[&str] = &[
    "su",
    "runuser",
    "sg",
    "machinectl",
    "script",
    "flock",
    "watch",
    "hyperfine",
    "entr",
    "nix-shell",
    "ssh",
    "autossh",
    "mosh",
    "sshpass",
    "vagrant",
    "tmux",
    "screen",
    "at",
    "batch",
    "crontab",
    "gnome-terminal",
    "xterm",
    "uxterm",
    "urxvt",
    "rxvt",
    "st",
    "konsole",
    "xfce4-terminal",
    "mate-terminal",
    "alacritty",
    "kitty",
    "foot",
    "wezterm",
    "x-terminal-emulator",
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    match invocation.program {
        "su" | "runuser" => users::su(invocation),
        "sg" => users::sg(invocation.arguments),
        "machinectl" => users::machinectl(invocation.arguments),
        "script" => locking::script(invocation.arguments),
        "flock" => locking::flock(invocation.arguments),
        "watch" => locking::watch(invocation.arguments),
        "hyperfine" => locking::hyperfine(invocation.arguments),
        "entr" => locking::entr(invocation.arguments),
        "nix-shell" => locking::nix_shell(invocation.arguments),
        "ssh" => remote::ssh(invocation.arguments, invocation.input),
        "autossh" => remote::autossh(invocation.arguments, invocation.input),
        "mosh" => remote::mosh(invocation.arguments),
        "sshpass" => remote::sshpass(invocation.arguments),
        "vagrant" => remote::vagrant(invocation.arguments),
        "tmux" => terminals::tmux(invocation.arguments),
        "screen" => terminals::screen(invocation.arguments),
        "at" | "batch" => schedule::at(invocation),
        "crontab" => schedule::crontab(invocation),
        program => terminals::emulator(program, invocation.arguments),
    }
}
