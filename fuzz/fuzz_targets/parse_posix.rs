//! The POSIX/bash parser takes any text: it does not panic, and every span lies on characters of the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sekisho_shell_syntax::tree::Status;
use sekisho_shell_syntax::{posix, render, walk};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let program = posix::parse(text);
    assert_eq!(walk::misplaced_span(&program, text), None);
    assert_eq!(program.status == Status::Complete, program.issues.is_empty());
    assert!(!render::tree(&program).is_empty());
});
