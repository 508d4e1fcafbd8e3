//! Where the key of a service comes from: a variable of the environment, or what a command prints. It is read when it is
//! needed and kept nowhere.

use std::time::Duration;

use super::process::{Bounds, Ended, run};

/// A key is no longer than this, and whatever gives it is quick.
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(20), bytes: 16 * 1024 };

/// Where a key comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Key {
    /// None is sent: a server of one's own.
    #[default]
    None,
    /// The variable of this name.
    Env(String),
    /// What this program prints.
    Command(Vec<String>),
}

impl Key {
    /// Where it comes from, never what it is.
    pub fn told(&self) -> String {
        match self {
            Key::None => "no key".to_owned(),
            Key::Env(name) => format!("key from the variable {name}"),
            Key::Command(argv) => format!("key from the command {}", argv.first().map_or("", String::as_str)),
        }
    }

    /// The key; `None` where none is sent.
    pub(super) fn read(&self, stop: &dyn Fn() -> bool) -> Result<Option<String>, Ended> {
        let key = match self {
            Key::None => return Ok(None),
            Key::Env(name) => match std::env::var(name) {
                Ok(key) => key,
                Err(_) => {
                    return Err(Ended::Failed(format!(
                        "the variable {name} is not set (export it, or set key_command)"
                    )));
                }
            },
            Key::Command(argv) => {
                let out = run(argv, String::new(), BOUNDS, stop).map_err(|ended| match ended {
                    Ended::Stopped => Ended::Stopped,
                    Ended::Failed(why) => Ended::Failed(format!("key_command: {why}")),
                })?;
                String::from_utf8(out).map_err(|_| Ended::Failed("key_command printed no text".to_owned()))?
            }
        };
        let key = key.trim();
        if key.is_empty() || !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(Ended::Failed(format!(
                "{} holds no key: one line of letters, digits and marks is wanted",
                self.told()
            )));
        }
        Ok(Some(key.to_owned()))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn command(script: &str) -> Result<Option<String>, String> {
        let key = Key::Command(["sh", "-c", script].map(str::to_owned).to_vec());
        key.read(&|| false).map_err(|ended| format!("{ended:?}"))
    }

    #[test]
    fn a_key_is_read_where_it_is_kept_and_told_nowhere() {
        assert_eq!(command("echo k-123"), Ok(Some("k-123".to_owned())));
        assert!(command("echo two words").unwrap_err().contains("holds no key"));
        assert!(command("true").unwrap_err().contains("holds no key"));
        assert!(
            command("echo locked >&2; exit 1").unwrap_err().contains("key_command: it ended with exit code 1: locked")
        );
        let unset = Key::Env("STET_NO_SUCH_VARIABLE".to_owned());
        let Err(Ended::Failed(why)) = unset.read(&|| false) else { panic!("it is not set") };
        assert!(why.contains("STET_NO_SUCH_VARIABLE is not set"), "{why}");
        assert!(Key::Env("HOME".to_owned()).read(&|| false).unwrap().is_some());
    }
}
