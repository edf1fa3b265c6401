//! Secrets that are known by their own shape.

use super::Span;

/// Characters the body of a token may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    /// Letters, digits, `_`.
    Word,
    /// Letters, digits, `_`, `-`.
    Dashed,
    /// Letters, digits, `_`, `-`, `.`, `=`.
    Dotted,
    /// Letters, digits, `+`, `/`, `=`, `_`, `-`.
    Base64,
    /// `0`–`9`, `a`–`f`.
    Hex,
    /// Capitals and digits.
    Capitals,
    /// Letters, digits, `_`, `-`, `/`, `.`, `@`, `=`.
    Path,
}

impl Charset {
    const fn has(self, byte: u8) -> bool {
        match self {
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'='),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'='),
            Self::Hex => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'.' | b'@' | b'='),
        }
    }
}

/// Where in a word a token may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// Anywhere: the prefix says enough.
    Anywhere,
    /// Not behind a letter or digit, and its body needs a capital or a digit: the prefix is also the end of ordinary words
    /// (`task-`, `disk-`).
    WordStart,
}

/// One kind of token.
pub(super) struct Token {
    /// Who issues it.
    #[cfg_attr(not(test), expect(dead_code, reason = "says what the line is; tests print it"))]
    pub name: &'static str,
    /// How it begins.
    pub prefix: &'static str,
    /// What follows.
    pub charset: Charset,
    /// How much of it at least; real tokens are longer.
    pub minimum: usize,
    /// Where it may begin.
    pub begins: Begins,
    /// The prefix is an address or word that stays.
    pub keeps_prefix: bool,
}

const fn token(name: &'static str, prefix: &'static str, charset: Charset, minimum: usize) -> Token {
    Token { name, prefix, charset, minimum, begins: Begins::Anywhere, keeps_prefix: false }
}

const fn short(name: &'static str, prefix: &'static str, charset: Charset, minimum: usize) -> Token {
    Token { begins: Begins::WordStart, ..token(name, prefix, charset, minimum) }
}

const fn hook(name: &'static str, prefix: &'static str) -> Token {
    Token { keeps_prefix: true, ..token(name, prefix, Charset::Path, 10) }
}

use Charset::{Base64, Capitals, Dashed, Dotted, Hex, Word};

/// The token kinds known. Source: the issuers' own documentation of their formats, and the public list of GitHub secret scanning
/// ("Supported secret scanning patterns").
#[rustfmt::skip]
pub(super) const TOKENS: &[Token] = &[
    token("GitHub personal", "ghp_", Word, 16),
    token("GitHub OAuth", "gho_", Word, 16),
    token("GitHub user-to-server", "ghu_", Word, 16),
    token("GitHub server-to-server", "ghs_", Word, 16),
    token("GitHub refresh", "ghr_", Word, 16),
    token("GitHub fine-grained", "github_pat_", Word, 16),
    token("GitLab personal", "glpat-", Dotted, 12),
    token("GitLab deploy", "gldt-", Dashed, 12),
    token("GitLab runner", "glrt-", Dotted, 12),
    token("GitLab trigger", "glptt-", Dashed, 12),
    token("GitLab job", "glcbt-", Dotted, 12),
    token("GitLab feed", "glft-", Dotted, 12),
    token("GitLab OAuth", "gloas-", Dashed, 12),
    token("GitLab agent", "glagent-", Dashed, 12),
    token("GitLab SCIM", "glsoat-", Dashed, 12),
    token("Slack bot", "xoxb-", Dashed, 8),
    token("Slack user", "xoxp-", Dashed, 8),
    token("Slack legacy", "xoxa-", Dashed, 8),
    token("Slack refresh", "xoxr-", Dashed, 8),
    token("Slack workspace", "xoxs-", Dashed, 8),
    token("Slack configuration", "xoxe-", Dashed, 8),
    token("Slack configuration access", "xoxe.", Dotted, 8),
    token("Slack client", "xoxc-", Dashed, 8),
    token("Slack cookie", "xoxd-", Base64, 8),
    token("Slack app", "xapp-", Dashed, 8),
    token("npm", "npm_", Word, 20),
    token("PyPI", "pypi-", Dashed, 16),
    token("RubyGems", "rubygems_", Hex, 20),
    token("crates.io", "cio", Word, 32),
    token("Docker Hub", "dckr_pat_", Dashed, 12),
    token("Docker organisation", "dckr_oat_", Dashed, 12),
    token("Stripe live secret", "sk_live_", Word, 8),
    token("Stripe test secret", "sk_test_", Word, 8),
    token("Stripe live restricted", "rk_live_", Word, 8),
    token("Stripe test restricted", "rk_test_", Word, 8),
    token("Stripe webhook", "whsec_", Base64, 16),
    token("Anthropic", "sk-ant-", Dashed, 8),
    token("OpenAI project", "sk-proj-", Dashed, 8),
    token("OpenAI service account", "sk-svcacct-", Dashed, 8),
    token("OpenRouter", "sk-or-", Dashed, 8),
    short("OpenAI and compatible", "sk-", Dashed, 16),
    short("Groq", "gsk_", Word, 16),
    short("xAI", "xai-", Dashed, 16),
    short("Perplexity", "pplx-", Dashed, 16),
    token("Together", "tgp_v1_", Dashed, 16),
    short("Hugging Face", "hf_", Word, 16),
    short("Hugging Face organisation", "api_org_", Word, 16),
    short("Replicate", "r8_", Word, 16),
    token("NVIDIA", "nvapi-", Dashed, 16),
    short("Fireworks", "fw_", Word, 20),
    token("Google API key", "AIza", Dashed, 30),
    token("Google OAuth access", "ya29.", Dotted, 16),
    token("Google OAuth client secret", "GOCSPX-", Dashed, 12),
    token("Google refresh", "1//0", Dashed, 20),
    token("AWS access key", "AKIA", Capitals, 12),
    token("AWS temporary access key", "ASIA", Capitals, 12),
    token("AWS bearer", "ABSK", Base64, 40),
    token("Amazon MWS", "amzn.mws.", Dashed, 16),
    token("DigitalOcean personal", "dop_v1_", Hex, 16),
    token("DigitalOcean OAuth", "doo_v1_", Hex, 16),
    token("DigitalOcean refresh", "dor_v1_", Hex, 16),
    token("Shopify access", "shpat_", Word, 16),
    token("Shopify custom app", "shpca_", Word, 16),
    token("Shopify private app", "shppa_", Word, 16),
    token("Shopify shared secret", "shpss_", Word, 16),
    short("SendGrid", "SG.", Dotted, 16),
    token("Brevo", "xkeysib-", Dashed, 16),
    short("Mailgun", "key-", Hex, 32),
    token("Mailchimp transactional", "md-", Word, 22),
    token("age secret key", "AGE-SECRET-KEY-1", Capitals, 16),
    token("age plugin key", "AGE-PLUGIN-", Dashed, 16),
    token("OpenSSH private key body", "b3BlbnNzaC1rZXktdjE", Base64, 0),
    token("HashiCorp Vault service", "hvs.", Dotted, 16),
    token("HashiCorp Vault batch", "hvb.", Dotted, 16),
    token("HashiCorp Vault recovery", "hvr.", Dotted, 16),
    token("Terraform Cloud", ".atlasv1.", Dotted, 16),
    token("Pulumi", "pul-", Hex, 32),
    token("Doppler", "dp.pt.", Word, 16),
    token("Doppler service", "dp.st.", Dotted, 16),
    token("1Password service account", "ops_eyJ", Base64, 16),
    token("Linear", "lin_api_", Word, 16),
    token("Linear OAuth", "lin_oauth_", Word, 16),
    short("Notion", "ntn_", Word, 16),
    short("Notion, older", "secret_", Word, 32),
    token("Figma", "figd_", Dashed, 16),
    token("Postman", "PMAK-", Dashed, 16),
    token("New Relic", "NRAK-", Word, 16),
    token("Grafana service account", "glsa_", Word, 16),
    token("Grafana cloud", "glc_", Base64, 16),
    token("Sentry user", "sntryu_", Word, 16),
    token("Sentry organisation", "sntrys_", Base64, 16),
    token("Supabase", "sbp_", Word, 16),
    token("Supabase secret", "sb_secret_", Dashed, 12),
    token("PlanetScale", "pscale_tkn_", Dotted, 12),
    token("PlanetScale password", "pscale_pw_", Dotted, 12),
    token("Tailscale", "tskey-", Dashed, 12),
    token("Atlassian", "ATATT3", Base64, 16),
    token("Atlassian server", "ATCTT3", Base64, 16),
    token("Bitbucket app password", "ATBB", Word, 20),
    short("Databricks", "dapi", Hex, 32),
    token("Fly.io", "fo1_", Dashed, 16),
    token("Fly.io macaroon", "fm2_", Base64, 16),
    token("CircleCI", "CCIPAT_", Word, 16),
    token("Buildkite", "bkua_", Word, 16),
    token("Heroku", "HRKU-", Dashed, 16),
    token("Contentful", "CFPAT-", Dashed, 16),
    token("Square", "sq0atp-", Dashed, 16),
    token("Square OAuth", "sq0csp-", Dashed, 16),
    token("EasyPost", "EZAK", Word, 40),
    token("Duffel", "duffel_live_", Dashed, 16),
    token("Typeform", "tfp_", Dashed, 16),
    token("Airtable", "pat", AIRTABLE, 60),
    token("Shippo", "shippo_live_", Hex, 16),
    token("Artifactory", "AKCp", Word, 40),
    token("Vercel blob", "vercel_blob_rw_", Word, 16),
    token("PostHog personal", "phx_", Word, 20),
    token("Cursor", "crsr_", Word, 20),
    hook("Slack webhook", "hooks.slack.com/services/"),
    hook("Slack workflow", "hooks.slack.com/workflows/"),
    hook("Slack trigger", "hooks.slack.com/triggers/"),
    hook("Discord webhook", "discord.com/api/webhooks/"),
    hook("Discord webhook, older", "discordapp.com/api/webhooks/"),
    hook("Teams webhook", ".webhook.office.com/webhookb2/"),
    hook("Telegram bot", "api.telegram.org/bot"),
];

/// `pat` + 14 characters + `.` + 64: long enough that no ordinary word is meant.
const AIRTABLE: Charset = Dotted;

/// How far into a body the capital or digit may be, and at least the longest minimum.
const EVIDENCE_BYTES: usize = 64;
/// JSON web tokens: characters of the first part at least.
const JWT_HEADER: usize = 10;

/// Tokens of the table, JSON web tokens and Telegram bot tokens.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    // The end of a run of base64 that is known not to be a JSON web token.
    let mut no_jwt_before = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let found = bytes.get(at + 1).filter(|second| may_begin(byte, **second)).and_then(|_| table_token(bytes, at));
        if let Some(span) = found {
            at = span.end.max(at + 1);
            spans.push(span);
            continue;
        }
        if byte == b'e' && at >= no_jwt_before && bytes.get(at..).is_some_and(|rest| rest.starts_with(b"eyJ")) {
            let (end, is_token) = jwt(bytes, at);
            if is_token {
                spans.push(at..end);
                at = end;
                continue;
            }
            no_jwt_before = end;
        }
        if byte == b':'
            && let Some(span) = telegram(bytes, at)
        {
            at = span.end;
            spans.push(span);
            continue;
        }
        at += 1;
    }
}

/// For each first byte of a prefix, which second bytes follow it, by their lower five bits: almost every place of a text is
/// dismissed by one look at this.
const BEGINNINGS: [u32; 256] = beginnings();

const fn beginnings() -> [u32; 256] {
    let mut beginnings = [0; 256];
    let mut rest = TOKENS;
    while let [token, others @ ..] = rest {
        if let [first, second, ..] = token.prefix.as_bytes() {
            #[expect(clippy::indexing_slicing, reason = "a byte indexes 256 places, and iterators cannot run at compile time")]
            {
                beginnings[*first as usize] |= 1 << (*second & 31);
            }
        }
        rest = others;
    }
    beginnings
}

fn may_begin(first: u8, second: u8) -> bool {
    BEGINNINGS.get(usize::from(first)).is_some_and(|seconds| seconds & (1 << (second & 31)) != 0)
}

fn table_token(bytes: &[u8], at: usize) -> Option<Span> {
    let rest = bytes.get(at..)?;
    TOKENS.iter().filter(|token| rest.starts_with(token.prefix.as_bytes())).find_map(|token| {
        let body = at + token.prefix.len();
        // The whole body is measured only once it is known to be one: many refused bodies must not cost their length each.
        let evidence = bytes.get(body..bytes.len().min(body + EVIDENCE_BYTES))?;
        let evidence = evidence.get(..run(evidence, 0, token.charset))?;
        if evidence.len() < token.minimum {
            return None;
        }
        if token.begins == Begins::WordStart {
            let random = evidence.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
            if !random || !starts_word(bytes, at) {
                return None;
            }
        }
        Some(if token.keeps_prefix { body } else { at }..body + run(bytes, body, token.charset))
    })
}

fn run(bytes: &[u8], from: usize, charset: Charset) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|byte| charset.has(**byte)).count()
}

/// Whether a word may begin here: no letter or digit before, unless that belongs to an escape (`\n`, `\u0022`, `%22`).
fn starts_word(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|index| bytes.get(index)).copied();
    let Some(last) = before(1) else { return true };
    !last.is_ascii_alphanumeric()
        || before(2) == Some(b'\\')
        || (before(3) == Some(b'%') && last.is_ascii_hexdigit())
        || (before(6) == Some(b'\\') && before(5) == Some(b'u'))
        || (before(4) == Some(b'\\') && before(3) == Some(b'x'))
}

/// Source: RFC 7519 and RFC 7516, compact serialisation: base64url parts with dots between; the first begins with `{"`.
fn jwt(bytes: &[u8], at: usize) -> (usize, bool) {
    let header = run(bytes, at, Charset::Dashed);
    let dot = at + header;
    if header < JWT_HEADER || bytes.get(dot) != Some(&b'.') || run(bytes, dot + 1, Charset::Dashed) < 2 {
        return (dot, false);
    }
    (at + run(bytes, at, Charset::Dotted), true)
}

/// `<digits>:<35 characters>`. Source: Telegram Bot API, "Authorizing your bot".
fn telegram(bytes: &[u8], colon: usize) -> Option<Span> {
    let digits = bytes.get(..colon)?.iter().rev().take(20).take_while(|byte| byte.is_ascii_digit()).count();
    let body = run(bytes.get(..bytes.len().min(colon + 50))?, colon + 1, Charset::Dashed);
    (digits >= 8 && (34..=36).contains(&body)).then(|| colon - digits..colon + 1 + body)
}
