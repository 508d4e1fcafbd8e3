//! `[summariser]` of the file of settings. A key never stands there: only where it is kept.

use std::time::Duration;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::workbench::{Key, Limits, Protocol, SummariserKind, SummariserSettings};

/// `[summariser]`. Names that are not known are refused: a mistyped limit would be none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SummariserConfig {
    /// `extractive`, `command` or `http`.
    pub kind: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where the service is.
    pub url: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// `openai` or `anthropic`.
    pub protocol: Option<String>,
    /// The name of the variable that holds the key.
    pub key_env: Option<String>,
    /// The program that prints the key, and its arguments.
    pub key_command: Vec<String>,
    /// Tokens that it reads at once.
    pub window: Option<u64>,
    /// Seconds for an answer.
    pub timeout: Option<u64>,
    /// Bytes of an answer.
    pub max_bytes: Option<usize>,
    /// Is read only so that it can be refused without being shown.
    #[serde(alias = "api_key", alias = "token")]
    key: Option<toml::Value>,
}

impl SummariserConfig {
    /// What it says, checked for what it says of itself.
    pub fn settings(&self) -> Result<SummariserSettings> {
        if self.key.is_some() {
            bail!(
                "a key must not stand under [summariser]: name the variable that holds it with key_env, or the command that prints it with key_command"
            );
        }
        let kind = one_of(
            "kind",
            self.kind.as_deref(),
            SummariserKind::named,
            &SummariserKind::ALL.map(SummariserKind::name),
        )?;
        let protocol =
            one_of("protocol", self.protocol.as_deref(), Protocol::named, &Protocol::ALL.map(Protocol::name))?;
        let key = match (&self.key_env, self.key_command.is_empty()) {
            (Some(_), false) => bail!("both key_env and key_command stand under [summariser]: name one of them"),
            (Some(name), true) if is_name(name) => Key::Env(name.clone()),
            // It may be the key itself.
            (Some(_), true) => {
                bail!("key_env under [summariser] is not the name of a variable (letters, digits and _)")
            }
            (None, false) => Key::Command(self.key_command.clone()),
            (None, true) if self.url.is_none() => Key::Env(protocol.usual_key().to_owned()),
            (None, true) => Key::None,
        };
        let usual = Limits::default();
        let limits = Limits {
            window: self.window.unwrap_or(usual.window),
            timeout: self.timeout.map_or(usual.timeout, Duration::from_secs),
            max_bytes: self.max_bytes.unwrap_or(usual.max_bytes),
        };
        let (command, url, model) = (self.command.clone(), self.url.clone(), self.model.clone());
        Ok(SummariserSettings { kind, command, url, model, protocol, key, limits })
    }
}

/// The value with this name; the usual one where none is given.
fn one_of<T: Default>(what: &str, name: Option<&str>, named: impl Fn(&str) -> Option<T>, known: &[&str]) -> Result<T> {
    let Some(name) = name else { return Ok(T::default()) };
    let Some(found) = named(name) else {
        bail!("cannot use the {what} {name:?} under [summariser]: there are {} (name one of them)", known.join(", "));
    };
    Ok(found)
}

fn is_name(name: &str) -> bool {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    plain && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SummariserSettings, String> {
        let config: SummariserConfig = toml::from_str(text).map_err(|error| error.to_string())?;
        config.settings().map_err(|error| error.to_string())
    }

    #[test]
    fn every_key_is_read() {
        let text = "kind = \"http\"\nurl = \"https://a.example\"\nmodel = \"small\"\nprotocol = \"anthropic\"\n\
                    key_env = \"A_KEY\"\nwindow = 5\ntimeout = 6\nmax_bytes = 7\n";
        let want = SummariserSettings {
            kind: SummariserKind::Http,
            command: Vec::new(),
            url: Some("https://a.example".to_owned()),
            model: Some("small".to_owned()),
            protocol: Protocol::Anthropic,
            key: Key::Env("A_KEY".to_owned()),
            limits: Limits { window: 5, timeout: Duration::from_secs(6), max_bytes: 7 },
        };
        assert_eq!(read(text), Ok(want));
        assert_eq!(read("command = [\"claude\", \"-p\"]").unwrap().command, ["claude", "-p"]);
        assert_eq!(read("").unwrap().key, Key::Env("OPENAI_API_KEY".to_owned()));
        assert_eq!(read("url = \"http://localhost:1\"").unwrap().key, Key::None);
        assert_eq!(read("key_command = [\"pass\", \"x\"]").unwrap().key.told(), "key from the command pass");
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        for (text, want) in [
            ("kin = \"http\"", "expected one of `kind`, `command`, `url`"),
            ("kind = \"model\"", "there are extractive, command, http"),
            ("protocol = \"x\"", "there are openai, anthropic"),
            ("key_env = \"A\"\nkey_command = [\"b\"]", "name one of them"),
            ("window = \"many\"", "invalid type"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(want), "{text}: {why}");
        }
    }

    #[test]
    fn a_key_that_stands_there_is_refused_and_not_shown() {
        for text in ["key = \"k-123\"", "api_key = \"k-123\"", "key_env = \"k-123\""] {
            let why = read(text).unwrap_err();
            assert!(why.contains("key_env") && !why.contains("k-123"), "{why}");
        }
    }
}
