//! Where things live on this machine, what the person's settings say, and what time it is. The clock is read here only.

mod summariser;

use std::collections::BTreeMap;
use std::env;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::formats;
use crate::workbench::{SummariserSettings, regular_file};

pub use summariser::SummariserConfig;

/// What the command line works with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The person's home; `None` where the environment names none.
    pub home: Option<PathBuf>,
    /// `$XDG_DATA_HOME/stet`, on every system.
    pub data: PathBuf,
    /// `$XDG_CONFIG_HOME/stet/config.toml`.
    pub config_file: PathBuf,
    /// The default database, or the one that `--db` names.
    pub db: PathBuf,
    /// What the file of settings says; the defaults where there is none.
    pub config: Config,
    /// The name that entries carry.
    pub author: String,
}

/// The file of settings. Names that are not known are refused, with those that are: a mistyped one would do nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What holds for the ledger.
    pub ledger: LedgerConfig,
    /// Command -> key.
    pub keys: BTreeMap<String, String>,
    /// The looks.
    pub ui: UiConfig,
    /// Who writes the prose of records.
    pub summariser: SummariserConfig,
}

/// `[ledger]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LedgerConfig {
    /// Entries by a command with no person at a terminal count at once.
    pub cli_may_pin: bool,
    /// The name that entries carry, instead of the user's.
    pub author: Option<String>,
}

/// `[ui]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UiConfig {
    /// The name of a theme.
    pub theme: Option<String>,
    /// Only ASCII signs.
    pub ascii: bool,
}

impl Settings {
    /// Reads the environment and the file of settings.
    pub fn load(db: Option<PathBuf>) -> Result<Self> {
        let (settings, mut troubles) = Self::as_far_as_known(db);
        if troubles.is_empty() { Ok(settings) } else { Err(troubles.swap_remove(0)) }
    }

    /// The same with what stands against it: a place that is not known is empty, and settings that cannot be read are the
    /// defaults.
    pub fn as_far_as_known(db: Option<PathBuf>) -> (Self, Vec<anyhow::Error>) {
        let home = absolute("HOME");
        let mut troubles = Vec::new();
        let mut below = |variable, rest: &str, file: &str| {
            let folder = absolute(variable).or_else(|| home.as_ref().map(|home| home.join(rest)));
            if folder.is_none() {
                troubles.push(anyhow::anyhow!(
                    "cannot tell where {variable} is: neither it nor HOME is an absolute path (set HOME)"
                ));
            }
            folder.map_or_else(PathBuf::new, |folder| folder.join(file))
        };
        let data = below("XDG_DATA_HOME", ".local/share", "stet");
        let config_file = below("XDG_CONFIG_HOME", ".config", "stet/config.toml");
        let is_known = !config_file.as_os_str().is_empty();
        let config = if is_known { read_config(&config_file) } else { Ok(Config::default()) };
        let config = config.unwrap_or_else(|error| {
            troubles.push(error);
            Config::default()
        });
        let is_known = !data.as_os_str().is_empty();
        let db = db.unwrap_or_else(|| if is_known { data.join("stet.db") } else { PathBuf::new() });
        let author = config.ledger.author.clone().unwrap_or_else(user_name);
        (Self { home, data, config_file, db, config, author }, troubles)
    }

    /// Where agents keep their sessions here.
    pub fn places(&self) -> formats::Env {
        // A variable whose name is no text names no place of an agent.
        let vars = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect();
        formats::Env { home: self.home.clone(), vars }
    }

    /// Who writes the prose of records, as the file of settings says.
    pub fn summariser(&self) -> Result<SummariserSettings> {
        let what = || format!("cannot understand the settings {}", self.config_file.display());
        self.config.summariser.settings().with_context(what)
    }

    /// Whether an entry by a command must wait for a person: nobody sits at stdin, and the settings do not allow it.
    pub fn must_confirm(&self) -> bool {
        !std::io::stdin().is_terminal() && !self.config.ledger.cli_may_pin
    }
}

fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn read_config(path: &Path) -> Result<Config> {
    let what = || format!("cannot read the settings {}", path.display());
    let file = match regular_file(path) {
        Ok(file) => file.with_context(|| format!("{}: it is no regular file (move it)", what()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(error).with_context(what),
    };
    let text = std::io::read_to_string(file).with_context(what)?;
    toml::from_str(&text).map_err(|error| {
        // Without the line itself, which may hold a key.
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let (line, why) = (before.matches('\n').count() + 1, error.message());
        anyhow::anyhow!("cannot understand the settings {}: line {line}: {why} (mend or move the file)", path.display())
    })
}

fn user_name() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .filter_map(|name| env::var(name).ok())
        .find(|name| !name.trim().is_empty())
        .or_else(account_name)
        .unwrap_or_else(|| "somebody".to_owned())
}

/// The name of the account that runs this: services and containers often set no variable.
fn account_name() -> Option<String> {
    let uid = rustix::process::getuid().to_string();
    let accounts = std::fs::read_to_string("/etc/passwd").ok()?;
    let account = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
    account
        .filter(|fields| fields.get(2) == Some(&uid.as_str()))
        .find_map(|fields| fields.first().map(|name| (*name).into()))
}

/// Milliseconds since 1970, UTC. `STET_NOW` (milliseconds too) stops the clock, for tests and for pictures.
pub fn now() -> i64 {
    if let Some(fixed) = env::var("STET_NOW").ok().and_then(|text| text.parse().ok()) {
        return fixed;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
