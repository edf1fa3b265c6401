use super::*;

#[test]
fn by_name_and_place() {
    for (text, expected) in [
        // Assignments.
        ("PGPASSWORD=hunter2 psql", "PGPASSWORD=<redacted> psql"),
        ("export API_TOKEN='a b' && ls", "export API_TOKEN='<redacted>' && ls"),
        ("MY_KEY=\"a\\\"b\" x", "MY_KEY=\"<redacted>\" x"),
        ("SECRET=a\\ b c", "SECRET=<redacted> c"),
        ("SECRET='a'\"b\"c d", "SECRET='<redacted> d"),
        ("PASS=$(echo hunter2 (x)) ls", "PASS=<redacted> ls"),
        ("TOKEN=$GITHUB_TOKEN x", "TOKEN=$GITHUB_TOKEN x"),
        ("TOKEN=${A_B} x", "TOKEN=${A_B} x"),
        ("PASSWORD=$ecret x", "PASSWORD=<redacted> x"),
        ("DATABASE_URL=postgres://h/db x", "DATABASE_URL=<redacted> x"),
        ("SENTRY_DSN=https://a@b/1", "SENTRY_DSN=<redacted>"),
        ("CONNECTION_STRING=\"Server=x;Pwd=y\"", "CONNECTION_STRING=\"<redacted>\""),
        ("AccountName=a;AccountKey=abc+/==;EndpointSuffix=b", "AccountName=a;AccountKey=<redacted>;EndpointSuffix=b"),
        ("$env:API_TOKEN = \"abc\"", "$env:API_TOKEN = \"<redacted>\""),
        ("os.environ[\"TOKEN\"] = 'abc'", "os.environ[\"TOKEN\"] = '<redacted>'"),
        ("set TOKEN=abc", "set TOKEN=<redacted>"),
        ("PATH=/usr/bin HOME=/x ls", "PATH=/usr/bin HOME=/x ls"),
        ("if token == x", "if token == x"),
        ("Token::new()", "Token::new()"),
        // Data.
        ("{\"password\": \"x y\", \"a\": 1}", "{\"password\": \"<redacted>\", \"a\": 1}"),
        ("{\\\"token\\\":\\\"x y\\\",\\\"a\\\":1}", "{\\\"token\\\":\\\"<redacted>\\\",\\\"a\\\":1}"),
        ("password: hunter2 # x", "password: <redacted> # x"),
        ("{token: abc, b: c}", "{token: <redacted>, b: c}"),
        ("max_tokens: 4096", "max_tokens: 4096"),
        ("token: Bearer abc d", "token: <redacted> d"),
        ("key: value", "key: value"),
        ("test result: ok. 3 passed; 0 failed", "test result: ok. 3 passed; 0 failed"),
        // Options.
        ("tool --password hunter2 x", "tool --password <redacted> x"),
        ("tool --api-key=abc x", "tool --api-key=<redacted> x"),
        ("tool --password 'a b' x", "tool --password '<redacted>' x"),
        ("tool --password-stdin x", "tool --password-stdin x"),
        ("tool --password --next x", "tool --password --next x"),
        ("sort --key=2 --key 3", "sort --key=2 --key 3"),
        ("New-X -Password abc", "New-X -Password <redacted>"),
        ("mysql -phunter2 -u root db", "mysql -p<redacted> -u root db"),
        ("mysql -p'a b' db", "mysql -p'<redacted>' db"),
        ("mysql -u root -p db", "mysql -u root -p db"),
        ("/usr/bin/mysqldump -px db", "/usr/bin/mysqldump -p<redacted> db"),
        ("mysql -u a; mkdir -p x", "mysql -u a; mkdir -p x"),
        ("mkdir -px", "mkdir -px"),
        ("sshpass -p abc ssh h", "sshpass -p <redacted> ssh h"),
        ("docker login -u a -p abc", "docker login -u a -p <redacted>"),
        ("docker run -p 80:80 x", "docker run -p 80:80 x"),
        ("redis-cli -a abc ping", "redis-cli -a <redacted> ping"),
        ("curl -u alice:pw https://x", "curl -u alice:<redacted> https://x"),
        ("curl --user=alice:pw x", "curl --user=alice:<redacted> x"),
        ("curl -ualice:pw x", "curl -ualice:<redacted> x"),
        ("curl -u 'alice:p w' x", "curl -u 'alice:<redacted>' x"),
        ("[\"curl\",\"-u\",\"alice:pw\",\"x\"]", "[\"curl\",\"-u\",\"alice:<redacted>\",\"x\"]"),
        ("docker run -u 1000:1000 x", "docker run -u 1000:1000 x"),
        ("sudo -u dev ls a:b", "sudo -u dev ls a:b"),
        ("openssl enc -pass pass:abc -in x", "openssl enc -pass <redacted> -in x"),
        ("openssl rsa -passin pass:abc -in x", "openssl rsa -passin pass:<redacted> -in x"),
        // Headers.
        ("curl -H 'Authorization: Basic YWJj' x", "curl -H 'Authorization: <redacted>' x"),
        ("curl -H \"X-API-Key: abc\" x", "curl -H \"X-API-Key: <redacted>\" x"),
        ("Authorization: Digest a=\"b\"\nHost: x", "Authorization: <redacted>\"b\"\nHost: x"),
        ("Cookie: a=b; c=d\nHost: x", "Cookie: <redacted>\nHost: x"),
        ("{\"Authorization\": \"token abc\"}", "{\"Authorization\": \"<redacted>\"}"),
        ("echo \\\"Cookie: a=b\\\" x", "echo \\\"Cookie: <redacted>\\\" x"),
        ("Bearer abc123def", "Bearer <redacted>"),
        ("bearer authentication", "bearer authentication"),
        // Addresses.
        ("git clone https://u:p@h/x", "git clone https://u:<redacted>@h/x"),
        ("git clone https://tok@h/x", "git clone https://<redacted>@h/x"),
        ("git clone ssh://git@h/x", "git clone ssh://git@h/x"),
        ("git clone git@github.com:a/b", "git clone git@github.com:a/b"),
        ("psql postgres://u:p/w@h/d", "psql postgres://u:<redacted>@h/d"),
        ("psql postgres://u:p@w@h/d", "psql postgres://u:<redacted>@h/d"),
        ("curl http://h:8080/a@b", "curl http://h:8080/a@b"),
        ("https://npmjs.com/@scope/x", "https://npmjs.com/@scope/x"),
        ("https://h/x?a=1&X-Amz-Signature=abc&b=2", "https://h/x?a=1&X-Amz-Signature=<redacted>&b=2"),
        ("https://h/x?sv=1&sig=a%2Fb", "https://h/x?sv=1&sig=<redacted>"),
        ("https://h/x?access_token=abc#y", "https://h/x?access_token=<redacted>"),
        // Words.
        ("machine h login u password abc x", "machine h login u password <redacted> x"),
        ("ALTER USER u WITH PASSWORD 'abc';", "ALTER USER u WITH PASSWORD '<redacted>';"),
        ("CREATE USER u IDENTIFIED BY 'abc'", "CREATE USER u IDENTIFIED BY '<redacted>'"),
        ("the password was wrong", "the password was wrong"),
        // Ordinary words that end like a prefix.
        ("git checkout task-1234567890ABCDEFGHIJ", "git checkout task-1234567890ABCDEFGHIJ"),
        ("class sk-folding-cube-container", "class sk-folding-cube-container"),
    ] {
        assert_eq!(redact(text), expected, "{text}");
        assert_eq!(redact(expected), expected, "not stable: {expected}");
    }
}

/// One secret of every kind of the table, and of the kinds that are not in it.
fn catalogue() -> Vec<(String, String)> {
    let body = |token: &tokens::Token| {
        let alphabet = match token.charset {
            tokens::Charset::Hex => "0123456789abcdef",
            tokens::Charset::Capitals => "QWERTY2345UIOP67",
            _ => "aB3dE5gH7jK9mN1pQ2",
        };
        alphabet.chars().cycle().take(token.minimum.max(16)).collect::<String>()
    };
    let mut kinds: Vec<(String, String)> =
        tokens::TOKENS.iter().map(|token| (token.name.to_owned(), format!("{}{}", token.prefix, body(token)))).collect();
    for (name, secret) in [
        ("JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"),
        ("Telegram", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"),
        ("PEM", "-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3\\n-----END RSA PRIVATE KEY-----"),
        ("PEM, cut off", "-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU"),
        ("PGP", "-----BEGIN PGP PRIVATE KEY BLOCK-----\\nlQOYBF\\n-----END PGP PRIVATE KEY BLOCK-----"),
    ] {
        kinds.push((name.to_owned(), secret.to_owned()));
    }
    kinds
}

/// The part of a secret that must not be seen.
fn core(secret: &str) -> &str {
    let tail = secret.rsplit("\\n").find(|part| !part.starts_with("-----END")).unwrap_or(secret);
    tail.get(tail.len().saturating_sub(10)..).unwrap_or(tail)
}

#[test]
fn no_token_of_the_catalogue_survives_anywhere() {
    let places: &[&str] = &[
        "{}",
        "'{}'",
        "\"{}\"",
        "`{}`",
        "echo {}",
        "echo {}; ls",
        "echo {}|cat",
        "x={}",
        "--opt={}",
        "{\"a\":\"{}\"}",
        "{\"command\":\"echo \\\"{}\\\"\"}",
        "{\"command\":\"a\\n{}\\nb\"}",
        "{\"command\":\"a\\t{}\"}",
        "{\"command\":\"\\u0022{}\\u0022\"}",
        "https://h/x?q={}&b=1",
        "https://h/x?q=%22{}%22",
        "https://{}@h/x",
        "https://u:{}@h/x",
        "curl -H 'X-Other: {}' https://h",
        "curl -d '{\"x\": \"{}\"}' https://h",
        "printf '%s\\n' {} > f",
        "a\n{}\nb",
        "({})",
        "[{}]",
        "<{}>",
        "é{}é",
        "$(echo {})",
    ];
    for (name, secret) in catalogue() {
        for place in places {
            let text = place.replacen("{}", &secret, 1);
            // The first `{}` of JSON places is the braces' own only where they are empty, which none is.
            let redacted = redact(&text);
            assert!(!redacted.contains(core(&secret)), "{name} in {place}: {redacted}");
            assert!(redacted.contains(REPLACEMENT), "{name} in {place}");
        }
    }
}

#[test]
fn every_secret_name_hides_its_value_in_every_spelling() {
    let value = "hunter2-Zq81";
    for name in ["TOKEN", "client_secret", "PASSWORD", "dbPassword", "API_KEY", "PGPASSWORD", "aws_secret_access_key", "passphrase"]
    {
        for place in [
            "N=V",
            "N='V'",
            "N=\"V\"",
            "export N=V; ls",
            "\"N\": \"V\"",
            "{\"N\":\"V\"}",
            "{\\\"N\\\":\\\"V\\\"}",
            "--N=V",
            "--N V",
            "N: V",
            "N = V",
            "N => 'V'",
            "https://h/?a=b&N=V&c",
            "\\nN=V\\n",
        ] {
            let text = place.replace('N', name).replace('V', value);
            let redacted = redact(&text);
            assert!(!redacted.contains(value) && redacted.contains(name), "{text}: {redacted}");
        }
    }
}

#[test]
fn work_is_linear() {
    for piece in [
        "a_key=",
        "sk-",
        "eyJ",
        "x://u:p/",
        "\"token\":",
        "-----BEGIN RSA PRIVATE KEY-----",
        "password ",
        "Authorization: ",
        "mysql -p",
        "$(",
        "ghp_",
        "é",
        "\\",
        "'",
        "-u a:",
        "1234567890:",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        let redacted = redact(&text);
        assert!(redacted.len() <= text.len() * 4, "{piece}");
    }
}

#[test]
fn any_bytes_are_survived() {
    let alphabet: Vec<char> = "aé\"'\\ =:-/@$({)}\n%3Dtokenpasswordsk-eyJ.".chars().collect();
    let mut state: u64 = 7;
    for _ in 0..3_000 {
        let text: String = (0..60)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                alphabet[(state >> 33) as usize % alphabet.len()]
            })
            .collect();
        let _ = redact(&text);
    }
}

#[test]
fn terminals_are_not_driven() {
    for (text, shown, line) in [
        ("a\nb\tc", "a\nb\tc", "a\\nb\\tc"),
        ("\u{1b}[2Jx\r\u{7}", "\\u{1b}[2Jx\\r\\u{7}", "\\u{1b}[2Jx\\r\\u{7}"),
        ("a\u{202e}b\u{2066}", "a\\u{202e}b\\u{2066}", "a\\u{202e}b\\u{2066}"),
        ("\u{9b}1m\u{200b}\u{feff}", "\\u{9b}1m\\u{200b}\\u{feff}", "\\u{9b}1m\\u{200b}\\u{feff}"),
        ("é 漢 👩‍💻", "é 漢 👩‍💻", "é 漢 👩‍💻"),
    ] {
        assert_eq!(for_terminal(text), shown);
        assert_eq!(for_terminal_line(text), line);
    }
}
