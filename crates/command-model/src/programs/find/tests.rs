//! Command lines and what they select, delete and run.

use crate::programs::text_carriers::testing::{check, understand_line};
use crate::stream::Stream;

#[test]
fn deletes() {
    check(&[
        ("find . -delete", "look .; delete:rf .[] <FindDelete>"),
        ("find -delete", "look .; delete:rf .[] <FindDelete>"),
        ("find a b -name -delete", "look a; look b"),
        ("find . -name '*.pyc' -delete", "look .; delete:rf .[*.pyc +!git] <FindDelete>"),
        ("find . -name '*' -delete", "look .; delete:rf .[*] <FindDelete>"),
        ("find . -path ./.git -prune -o -name '*.pyc' -delete", "look .; delete:rf .[*.pyc +-git +!git] <FindDelete>"),
        ("find . -path ./.git -prune -o -type f -delete", "look .; delete:rf .[+files +-git] <FindDelete>"),
        ("find . -depth -path ./.git -prune -o -type f -delete", "look .; delete:rf .[+files] <FindDelete>"),
        (
            "find . \\( -name .git -o -name node_modules \\) -prune -o -type f -delete",
            "look .; delete:rf .[+files +-git] <FindDelete>",
        ),
        ("find . -name .git -mtime +3 -prune -o -delete", "look .; delete:rf .[] <FindDelete>"),
        ("find . -type d -name .git -prune -o -delete", "look .; delete:rf .[+-git] <FindDelete>"),
        ("find . -not -path '*/.git/*' -delete", "look .; delete:rf .[+-git] <FindDelete>"),
        ("find . ! -path './.git*' -exec rm -rf {} +", "look .; run{rm -rf <.[+-git]>}? <FindExec>"),
        ("find . ! -path '*/.git/*' -exec rm -rf {} +", "look .; run{rm -rf <.[]>}? <FindExec>"),
        ("find . -type d -empty -delete", "look .; delete:rf .[+empty +dirs +!git] <FindDelete>"),
        ("find . -maxdepth 1 -type f -delete", "look .; delete:rf .[+files +!git +depth1] <FindDelete>"),
        ("find . -type f -mtime +7 -delete", "look .; delete:rf .[+files +age] <FindDelete>"),
        ("find . -name '*.o' -o -name '*.a' -delete", "look .; delete:rf .[*.a +!git] <FindDelete>"),
        ("find . \\( -name '*.o' -o -name '*.a' \\) -delete", "look .; delete:rf .[*.o *.a +!git] <FindDelete>"),
        ("find . \\( -name '*.o' -o -true \\) -delete", "look .; delete:rf .[] <FindDelete>"),
        ("find . ! -name '*.py' -delete", "look .; delete:rf .[] <FindDelete>"),
        ("find . -path './src/*' -name '*.pyc' -delete", "look .; delete:rf .[*.pyc +!git] <FindDelete>"),
        ("find . -name hooks -delete", "look .; delete:rf .[hooks] <FindDelete>"),
        ("find . -regex '.*\\.pyc' -delete", "look .; delete:rf .[*.pyc +!git] <FindDelete>"),
        ("find . -name '*.o' , -delete", "look .; delete:rf .[] <FindDelete>"),
        ("find \"$X\" -delete", "structure; look ${X}; delete:rf ${X}[] <FindDelete>"),
        ("find . $X -delete", "structure; look .; look ${X}; delete:rf .[] <FindDelete>; delete:rf ${X}[] <FindDelete>"),
        ("find . -name x $X -delete", "structure; look .; delete:rf .[x +!git] <FindDelete>"),
        ("find . --help", "inert"),
    ]);
}

#[test]
fn commands_and_files() {
    check(&[
        ("find . -name node_modules -prune -exec rm -rf {} +", "look .; run{rm -rf <.[node_modules +!git]>}? <FindExec>"),
        ("find . -exec sh -c 'rm -rf \"$1\"' _ {} \\;", "look .; run{sh -c rm -rf \"$1\" _ <.[]>}? <FindExec>"),
        ("find . -type f -exec truncate -s 0 {} \\;", "look .; run{truncate -s 0 <.[+files]>}? <FindExec>"),
        ("find a -execdir mv {} {}.bak \\;", "look a; run{mv <a[]> <a[]>.bak}? dir? <FindExec>"),
        ("find a -exec rm {} \\; -exec ls {} \\;", "look a; run{rm <a[]>}? <FindExec>; run{ls <a[]>}? <FindExec>"),
        ("find a -exec sh -c 'x {} y {}' \\;", "look a; run{sh -c x …}? <FindExec>"),
        ("find a -fprint out", "look a; write:Truncate out"),
        ("find a -fprintf out '%p' -delete", "look a; write:Truncate out; delete:rf a[] <FindDelete>"),
        ("find -files0-from l -delete", "read l; look {}; delete:rf {}[] <FindDelete>"),
        ("find -L -O3 -D tree a", "look a"),
    ]);
}

#[test]
fn paths_flow_out() {
    let roots = |line: &str| match understand_line(line, &Stream::Nothing, &[]).output {
        Stream::Paths { selection, .. } => Some(selection.names),
        _ => None,
    };
    assert_eq!(roots("find . -name .env"), Some(vec![".env".to_owned()]));
    assert_eq!(roots("find . -name a -print0 -o -name b -print"), Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(roots("find . -name a -prune -o -print"), Some(vec![]));
    assert_eq!(roots("find . -ls"), None);
    assert_eq!(roots("find . -exec echo {} ;"), None);
    assert_eq!(roots("fd -e py"), Some(vec!["*.py".to_owned()]));
}

#[test]
fn fd() {
    check(&[
        ("fd -t d . -x rm -rf", "look .; run{rm -rf <.[+dirs +visible]>}? <FindExec>"),
        ("fd -H -e pyc -x rm {}", "look .; run{rm <.[*.pyc +!git]>}? <FindExec>"),
        ("fd -HI '^node_modules$' src -X rm -rf", "look src; run{rm -rf <src[node_modules +!git]>}? <FindExec>"),
        ("fd -u -E .git . -x rm", "look .; run{rm <.[+-git]>}? <FindExec>"),
        ("fd -g '*.o' build --exec rm {} \\; -t f", "look build; run{rm <build[*.o +files +!git +visible]>}? <FindExec>"),
        ("fd '\\.pyc$' -x rm", "look .; run{rm <.[*.pyc +!git +visible]>}? <FindExec>"),
        ("fd foo", "look ."),
        ("fd --help", "inert"),
    ]);
}

#[test]
fn deep_nesting_is_linear() {
    let line = format!("find . {} -delete {}", "( ! ".repeat(20_000), ") ".repeat(20_000));
    let understood = understand_line(&line, &Stream::Nothing, &[]);
    assert_eq!(understood.effects.len(), 2);
}
