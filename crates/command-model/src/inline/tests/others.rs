use super::check;

#[test]
fn lua() {
    check(
        "lua",
        &[
            ("os.execute(\"rm -rf /\")", "sh rm -rf /"),
            ("os.execute\"rm -rf /\"", "sh rm -rf /"),
            ("os.execute [[rm -rf /]]", "sh rm -rf /"),
            ("local f = io.popen('ls') print(f:read('*a'))", "sh ls"),
            ("os.execute('rm -rf ' .. '/')", "sh rm -rf /"),
            ("local c = 'ls'; os.execute(c)", "sh ls"),
            ("os.execute('rm -rf ' .. d)", "execute Inline os.execute(…); sh rm -rf ${_unknown_to_us}"),
            ("os.remove('/etc/passwd')", "delete /etc/passwd"),
            ("os.remove(os.getenv('HOME') .. '/x')", "delete /home/u/x"),
            ("os.rename('a', 'b')", "move a b"),
            ("local f = io.open('a', 'w')", "write a Truncate"),
            ("print(io.open('.env'):read('*a'))", "read .env; harmless"),
            ("load(\"os.execute('ls')\")()", "sh ls"),
            ("-- os.execute('ls')\nprint(1)", "harmless"),
            ("--[[ os.execute('ls') ]] print(1)", "harmless"),
            ("print('os.execute(\"ls\")')", "harmless"),
            ("print([==[ os.execute('ls') ]==])", "harmless"),
            ("foo()", ""),
        ],
    );
}

#[test]
fn r_julia_elixir_applescript_groovy() {
    check(
        "r",
        &[
            ("unlink('x', recursive=TRUE)", "delete-tree x"),
            ("unlink('x')", "delete x"),
            ("system('rm -rf /')", "sh rm -rf /"),
            ("p <- 'x'; file.remove(p)", "delete x"),
            ("# system('x')\nprint(1)", "harmless"),
        ],
    );
    check(
        "julia",
        &[
            ("rm(\"x\", recursive=true)", "delete-tree x"),
            ("run(`rm -rf /`)", "sh rm -rf /"),
            ("println(\"run(`x`)\")", "harmless"),
            ("rm(joinpath(homedir(), \"x\"))", "delete /home/u/x"),
        ],
    );
    check(
        "elixir",
        &[
            ("System.cmd(\"rm\", [\"-rf\", \"/\"])", "run rm -rf /"),
            ("File.rm_rf!(\"/x\")", "delete-tree /x"),
            ("IO.puts \"System.cmd\"", "harmless"),
        ],
    );
    check("applescript", &[("do shell script \"rm -rf /\"", "sh rm -rf /"), ("display dialog \"rm -rf /\"", "harmless")]);
    check(
        "groovy",
        &[
            ("\"rm -rf /\".execute()", "sh rm -rf /"),
            ("new File('/x').deleteDir()", "delete-tree /x"),
            ("println 'x'.execute", "sh x"),
            ("println 'rm'", "harmless"),
        ],
    );
    check("powershell", &[("Remove-Item /", "")]);
}
