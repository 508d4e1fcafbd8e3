//! Which summariser is wanted, and what it is bounded by: values, checked before anything is run or asked.

use std::time::Duration;

use super::Summariser;
use super::command::Program;
use super::extractive::Extractive;
use super::http::{Address, Service};
use super::key::Key;
use super::protocol::Protocol;

/// Nobody waits longer for one answer.
const LONGEST: Duration = Duration::from_hours(24);

/// What a summariser that leaves the program is bounded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// So many tokens it reads at once.
    pub window: u64,
    /// For one answer.
    pub timeout: Duration,
    /// Of one answer.
    pub max_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { window: 100_000, timeout: Duration::from_mins(2), max_bytes: 256 * 1024 }
    }
}

/// Which one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SummariserKind {
    /// Sentences of the originals, without a model.
    #[default]
    Extractive,
    /// A program of the user's.
    Command,
    /// A service.
    Http,
}

impl SummariserKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Extractive, Self::Command, Self::Http];

    /// The word in settings and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extractive => "extractive",
            Self::Command => "command",
            Self::Http => "http",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What the settings say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummariserSettings {
    /// Which one.
    pub kind: SummariserKind,
    /// The program and its arguments; empty where none is named.
    pub command: Vec<String>,
    /// Where the service is; `None` for the protocol's own maker.
    pub url: Option<String>,
    /// The service's model; needed there.
    pub model: Option<String>,
    /// How the service is spoken to.
    pub protocol: Protocol,
    /// Where its key comes from.
    pub key: Key,
    /// How long, and how much.
    pub limits: Limits,
}

impl SummariserSettings {
    /// The summariser; what is wrong with the settings and what to do.
    pub fn summariser(&self) -> Result<Box<dyn Summariser>, String> {
        if self.limits.window == 0 || self.limits.timeout.is_zero() || self.limits.max_bytes == 0 {
            return Err("window, timeout and max_bytes under [summariser] must be more than 0".to_owned());
        }
        if self.limits.timeout > LONGEST {
            return Err(format!("timeout under [summariser] is at most {} seconds, a day", LONGEST.as_secs()));
        }
        match self.kind {
            SummariserKind::Extractive => Ok(Box::new(Extractive)),
            SummariserKind::Command => {
                let program = self.command.first().filter(|program| !program.trim().is_empty());
                let program = program.ok_or("the summariser is a command and none is named (set command under [summariser], such as [\"claude\", \"-p\"])")?;
                if program.contains('/') && !program.starts_with('/') {
                    return Err(format!(
                        "cannot run {program:?}: it is neither a name on PATH nor a whole path (write it from /)"
                    ));
                }
                Ok(Box::new(Program { argv: self.command.clone(), limits: self.limits.clone() }))
            }
            SummariserKind::Http => {
                let model = self.model.clone().filter(|model| !model.trim().is_empty());
                let model =
                    model.ok_or("the summariser is a service and no model is named (set model under [summariser])")?;
                let url = self.url.as_deref().unwrap_or(self.protocol.maker());
                let address = Address::new(url, self.protocol)?;
                Ok(Box::new(Service::new(address, model, self.protocol, self.key.clone(), self.limits.clone())))
            }
        }
    }

    /// In one line, for people: which one it is and where its key comes from, never the key.
    pub fn told(&self) -> String {
        match self.kind {
            SummariserKind::Extractive => "extractive (sentences of the originals, no model)".to_owned(),
            SummariserKind::Command => {
                format!("command {}", self.command.first().map_or("(none is named)", String::as_str))
            }
            SummariserKind::Http => {
                let url = self.url.as_deref().unwrap_or(self.protocol.maker());
                let host = Address::new(url, self.protocol).map_or_else(|why| format!("({why})"), |at| at.host);
                let model = self.model.as_deref().unwrap_or("(no model is named)");
                format!("http {host}, {model}, protocol {}, {}", self.protocol.name(), self.key.told())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(url: &str) -> SummariserSettings {
        let (url, model) = (Some(url.to_owned()), Some("small".to_owned()));
        SummariserSettings { kind: SummariserKind::Http, url, model, ..SummariserSettings::default() }
    }

    fn refused(settings: &SummariserSettings) -> String {
        settings.summariser().err().unwrap_or_default()
    }

    #[test]
    fn what_cannot_work_is_refused_before_it_runs() {
        let command = |argv: &[&str]| SummariserSettings {
            kind: SummariserKind::Command,
            command: argv.iter().map(|arg| (*arg).to_owned()).collect(),
            ..SummariserSettings::default()
        };
        for (settings, want) in [
            (command(&[]), "none is named"),
            (command(&["bin/x"]), "write it from /"),
            (SummariserSettings { model: None, ..http("https://a.example/v1") }, "no model is named"),
            (http("http://a.example/v1"), "https"),
            (http("ftp://localhost/v1"), "https"),
            (http("https://me:key@a.example/v1"), "key_env"),
            (http("not a url"), "not a url"),
        ] {
            let why = refused(&settings);
            assert!(why.contains(want), "{want}: {why}");
        }
        for settings in [
            SummariserSettings::default(),
            command(&["claude", "-p"]),
            command(&["/bin/cat"]),
            http("https://a.example/v1"),
            http("http://localhost:11434"),
            http("http://127.0.0.1:8080/v1"),
            http("http://[::1]:8080/v1"),
        ] {
            assert_eq!(refused(&settings), "", "{settings:?}");
        }
        let none =
            SummariserSettings { limits: Limits { window: 0, ..Limits::default() }, ..http("https://a.example") };
        assert!(refused(&none).contains("more than 0"));
    }

    #[test]
    fn what_is_configured_is_told_without_arguments_and_keys() {
        let key = Key::Command(vec!["pass".to_owned(), "show".to_owned(), "k-123".to_owned()]);
        let told = SummariserSettings { key, ..http("https://a.example/v1?token=k-123") }.told();
        assert_eq!(told, "http a.example, small, protocol openai, key from the command pass");
    }
}
