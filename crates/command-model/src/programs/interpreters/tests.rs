use super::NAMES;
use super::table::INTERPRETERS;
use crate::programs::text_carriers::testing::{check, show_input};
use crate::stream::Stream;

#[test]
fn every_name_of_the_table_is_answered_for() {
    let mut listed: Vec<&str> = INTERPRETERS.iter().flat_map(|interpreter| interpreter.names).copied().collect();
    let mut names = NAMES.to_vec();
    listed.sort_unstable();
    names.sort_unstable();
    assert_eq!(listed, names);
}

#[test]
fn inline_code() {
    check(&[
        ("python3 -c 'print(1)'", "execute:Followed inline:python <Interpreter>"),
        ("python -c \"print('rm -rf /')\"", "execute:Followed inline:python <Interpreter>"),
        (
            "python3 -c 'import shutil; shutil.rmtree(\"/home/u\")'",
            "delete:rf /home/u <Interpreter>; execute:Inline inline:python <Interpreter>",
        ),
        ("python -c 'import os; os.system(\"ls\")'", "execute:Inline inline:python <Interpreter>; sh{ls}"),
        ("python3 -uc 'print(1)' -m x", "execute:Followed inline:python <Interpreter>"),
        ("python3 -cprint", "execute:Followed inline:python <Interpreter>"),
        ("python3 -c $CODE", "execute:Inline inline:python <Interpreter>; python{${CODE}}"),
        ("python3 -c 'print(1)' -V", "execute:Followed inline:python <Interpreter>"),
        ("node -e 'console.log(\"git reset --hard\")'", "execute:Followed inline:javascript <Interpreter>"),
        (
            "node --eval='require(\"fs\").rmSync(\"/\",{recursive:true})'",
            "delete:rf / <Interpreter>; execute:Inline inline:javascript <Interpreter>",
        ),
        ("node -p 'process.env.HOME'", "execute:Followed inline:javascript <Interpreter>"),
        ("node -pe '1+1'", "execute:Followed inline:javascript <Interpreter>"),
        ("node -e 'fs.unlinkSync(\"a\")' -e 'console.log(1)'", "execute:Followed inline:javascript <Interpreter>"),
        ("ruby -e 'x = 1' -e 'system \"ls\"'", "execute:Inline inline:ruby <Interpreter>; sh{ls}"),
        ("ruby -rfileutils -e 'FileUtils.rm_rf(\"/\")'", "delete:rf / <Interpreter>; execute:Inline inline:ruby <Interpreter>"),
        ("perl -e 'unlink \"a\"'", "delete:f a <Interpreter>; execute:Inline inline:perl <Interpreter>"),
        ("perl -MFile::Path=rmtree -e 'rmtree(\"x\")'", "delete:rf x <Interpreter>; execute:Inline inline:perl <Interpreter>"),
        ("perl -ne 'print if /x/' a b", "execute:Followed inline:perl <Interpreter>; read a; read b"),
        ("perl -pi -e 's/a/b/' f", "execute:Followed inline:perl <Interpreter>; write:InPlace f"),
        ("perl -i.bak -pe 's/a/b/' f g", "execute:Followed inline:perl <Interpreter>; write:InPlace f; write:InPlace g"),
        ("perl -lane 'print $F[0]' f", "execute:Followed inline:perl <Interpreter>; read f"),
        ("perl -0777 -ne 'print' f", "execute:Followed inline:perl <Interpreter>; read f"),
        ("ruby -i -pe '1' f", "execute:Followed inline:ruby <Interpreter>; write:InPlace f"),
        ("php -r 'system(\"rm -rf /\");'", "execute:Inline inline:php <Interpreter>; sh{rm -rf /}"),
        ("lua -e 'os.execute(\"rm -rf /\")'", "execute:Inline inline:lua <Interpreter>; sh{rm -rf /}"),
        ("osascript -e 'do shell script \"ls\"'", "execute:Inline inline:applescript <Interpreter>; sh{ls}"),
        ("Rscript -e 'unlink(\"x\", recursive=TRUE)'", "delete:rf x <Interpreter>; execute:Inline inline:r <Interpreter>"),
        ("deno eval 'console.log(1)'", "execute:Followed inline:javascript <Interpreter>"),
        ("bun -e 'console.log(1)'", "execute:Followed inline:javascript <Interpreter>"),
        ("expect -c 'spawn ls'", "execute:Inline inline:tcl <Interpreter>"),
    ]);
}

#[test]
fn scripts_and_modules() {
    check(&[
        ("python3 x.py -c 1", "execute:Local python3 x.py; python-file{x.py}"),
        ("python3 \"$SCRIPT\"", "execute:Local python3 ${SCRIPT}; python-file{${SCRIPT}}"),
        ("python3 --version", "inert"),
        ("python -V", "inert"),
        ("node --version", "inert"),
        ("node server.js --port 3", "execute:Local node server.js; javascript-file{server.js}"),
        (
            "node --max-old-space-size=4096 -r ./x a.js",
            "execute:Local node preload; execute:Local node a.js; javascript-file{a.js}",
        ),
        ("node -c a.js", "read a.js"),
        ("ruby -c a.rb", "read a.rb"),
        ("php -l a.php", "read a.php"),
        ("php -f a.php", "execute:Local php a.php; php-file{a.php}"),
        ("python3 -m json.tool a.json", "read a.json"),
        ("python3 -m json.tool a.json b.json", "read a.json; write:Truncate b.json"),
        ("python3 -m pip install x", "run{pip install x}"),
        ("python -m pytest -q tests", "run{pytest -q tests}"),
        ("python3 -m http.server 8000", "execute:Local python3 -m http.server"),
        ("python3 -m venv .venv", "execute:Local python3 -m venv"),
        ("deno run --allow-read a.ts", "execute:Local deno a.ts; javascript-file{a.ts}"),
        ("deno run https://x.example/a.ts", "network x.example; execute:Fetched deno script"),
        ("deno fmt --check a.ts", "read a.ts"),
        ("bun install", "undescribed"),
        ("bun a.ts", "execute:Local bun a.ts; javascript-file{a.ts}"),
    ]);
}

#[test]
fn standard_input() {
    assert_eq!(show_input("python3 -", &Stream::Known("print(1)".into())), "python{<stdin>}");
    assert_eq!(show_input("python3", &Stream::Unknown), "python{<stdin>}");
    assert_eq!(show_input("node", &Stream::Nothing), "execute:Interactive node; javascript{<stdin>}");
}
