//! What looks like a key, a password or a token, hidden before a text leaves the program. It goes by form alone: what has
//! no form of its own and no label cannot be known, so this lowers a risk and does not end it.

use std::sync::OnceLock;

use regex::Regex;

/// Stands where a secret was.
pub const HIDDEN: &str = "[hidden]";

/// Forms of secrets. Where there is a group named `s` only that is hidden, else the whole.
const FORMS: &[&str] = &[
    // Private keys, to their end or to the end of the text.
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----(?s:.*?)(-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|\z)",
    // Keys with a prefix of their maker.
    r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bglpat-[A-Za-z0-9_-]{16,}",
    r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\bAIza[A-Za-z0-9_-]{30,}",
    r"\bnpm_[A-Za-z0-9]{30,}",
    r"\bhf_[A-Za-z0-9]{20,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    // Signed tokens of three parts.
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    // What a header carries.
    r"(?i)\b(?:bearer|basic)\s+(?P<s>[A-Za-z0-9+/_.=~-]{12,})",
    // A password in an address.
    r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s:/@]{0,80}:(?P<s>[^\s/@]{1,200})@",
    // A label, and what it is of.
    r#"(?i)(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|private[_-]?key|client[_-]?secret|[a-z0-9]_token|[a-z0-9]_pwd)["']?\s{0,3}(?:=|:|:=|=>)\s{0,3}["']?(?P<s>[^\s"',;&]{4,400})"#,
];

/// The text with its secrets hidden, and how many there were.
pub fn without_secrets(text: &str) -> (String, usize) {
    static KNOWN: OnceLock<Vec<Regex>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| FORMS.iter().filter_map(|form| Regex::new(form).ok()).collect());
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for form in known {
        for found in form.captures_iter(text) {
            let Some(secret) = found.name("s").or_else(|| found.get(0)) else { continue };
            // A name that stands for a secret is none: `password: ${DB_PASSWORD}`, `token=<token>`.
            if !secret.as_str().starts_with(['$', '<', '{', '*', '[']) {
                ranges.push((secret.start(), secret.end()));
            }
        }
    }
    ranges.sort_unstable();
    let mut shown = String::with_capacity(text.len());
    let (mut at, mut count) = (0, 0);
    for (start, end) in ranges {
        if end <= at {
            continue;
        }
        // What goes on where the last one ended is one secret with it.
        if start >= at {
            shown.push_str(&text[at..start]);
            shown.push_str(HIDDEN);
            count += 1;
        }
        at = end;
    }
    shown.push_str(&text[at..]);
    (shown, count)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_can_be_read() {
        for form in FORMS {
            Regex::new(form).unwrap();
        }
    }

    #[test]
    fn secrets_are_hidden_and_what_stands_around_them_stays() {
        let long = "x9".repeat(20);
        for (text, want) in [
            (format!("key sk-ant-api03-{long} ends"), "key [hidden] ends"),
            (format!("ghp_{long} and AKIAABCDEFGHIJKLMNOP."), "[hidden] and [hidden]."),
            (format!("Authorization: Bearer {long}"), "Authorization: Bearer [hidden]"),
            ("psql postgres://app:hunter22@db/orders".to_owned(), "psql postgres://app:[hidden]@db/orders"),
            ("DB_PASSWORD=\"correct horse\"".to_owned(), "DB_PASSWORD=\"[hidden] horse\""),
            ("{\"api_key\": \"abcd1234\", \"n\": 7}".to_owned(), "{\"api_key\": \"[hidden]\", \"n\": 7}"),
            ("GITHUB_TOKEN=abcdef01".to_owned(), "GITHUB_TOKEN=[hidden]"),
            (
                "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nb".to_owned(),
                "a\n[hidden]\nb",
            ),
            ("-----BEGIN PRIVATE KEY-----\nnever closed".to_owned(), "[hidden]"),
            ("eyJhbGciOiJI.eyJzdWIiOiIx.c2ln ok".to_owned(), "[hidden] ok"),
            ("password: ${DB_PASSWORD}".to_owned(), "password: ${DB_PASSWORD}"),
            ("the token count is 4096; max_tokens: 512".to_owned(), "the token count is 4096; max_tokens: 512"),
            (
                "commit 9fceb02d0ae598e95dc970b74767f19372d61af8".to_owned(),
                "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
            ),
            ("orders.status stays; retry ceiling is 7".to_owned(), "orders.status stays; retry ceiling is 7"),
            (String::new(), ""),
        ] {
            assert_eq!(without_secrets(&text).0, want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn hiding_once_is_enough_and_never_panics(text in ".{0,300}") {
            let (once, _) = without_secrets(&text);
            prop_assert_eq!(without_secrets(&once).0, once);
        }
    }
}
