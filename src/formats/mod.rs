//! Readers of other programs' session stores: read-only, forgiving, one file an agent.
//!
//! A reader turns each line into a [`crate::session::Line`]; what the lines mean together is the session room's to
//! say. Nothing here writes, and nothing is believed: every line may be damaged, every id may lie. A new agent is a
//! file here and a line in [`ALL`].

mod arguments;
mod claude;
mod content;
mod find;
mod head;
mod json;
mod lines;
mod parts;
mod pi;
mod refusal;
mod source;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use arguments::arguments;
pub use find::{Found, Search, find, find_in};
pub use refusal::OpenError;

use crate::session::Log;

/// The surroundings that say where agents keep their sessions; passed in, never looked up here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env {
    /// The user's home folder; `None` when there is none.
    pub home: Option<PathBuf>,
    /// The environment's variables.
    pub vars: BTreeMap<String, OsString>,
}

impl Env {
    /// A variable that names a folder; `None` when it is unset or empty.
    fn path(&self, name: &str) -> Option<PathBuf> {
        self.vars.get(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }
}

/// The session files of one agent.
pub trait Format: Sync {
    /// As in session keys: `claude-code`, `pi`.
    fn name(&self) -> &'static str;

    /// Whether the first lines of a file are this agent's, by what stands in them.
    fn recognises(&self, head: &[u8]) -> bool;

    /// Opens a session file of this agent.
    fn open(&self, path: &Path) -> Result<Box<dyn Log>, OpenError>;

    /// The folders in which this agent keeps its sessions, whether they exist or not.
    fn places(&self, env: &Env) -> Vec<PathBuf>;

    /// Whether this is a sub-agent's file, which is listed under its session and not as one.
    fn is_side_file(&self, _path: &Path) -> bool {
        false
    }
}

impl std::fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Every agent that is known.
pub static ALL: &[&dyn Format] = &[&claude::ClaudeCode, &pi::Pi];

/// What a file is, by its content.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A session file of an agent.
    Session(&'static dyn Format),
    /// An SQLite database: the store's to open.
    Sqlite,
}

/// Finds out what a file is.
pub fn detect(path: &Path) -> Result<Kind, OpenError> {
    let name = || path.display().to_string();
    let head = head::head(&source::Source::open(path)?)?;
    if head.starts_with(b"SQLite format 3\0") {
        return Ok(Kind::Sqlite);
    }
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(OpenError::Empty { path: name() });
    }
    if let Some((what, advice)) = refusal::other_kind(&head) {
        return Err(OpenError::OtherKind { path: name(), what, advice });
    }
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
    let of = |lines: &[u8]| ALL.iter().find(|format| format.recognises(lines));
    let text = String::from_utf8_lossy(start);
    match (refusal::other_layout(&text), of(start)) {
        // Laid out anew, it must be a session: else the advice leads nowhere.
        (Some((what, advice)), _) if of(refusal::one_a_line(&text).as_bytes()).is_some() => {
            return Err(OpenError::OtherKind { path: name(), what, advice });
        }
        (None, Some(format)) => return Ok(Kind::Session(*format)),
        (Some(_) | None, _) => {}
    }
    let known: Vec<_> = ALL.iter().map(|format| format.name()).collect();
    Err(OpenError::UnknownFormat { path: name(), hint: format!("known are {} and stet databases", known.join(", ")) })
}

/// Opens a session file of whichever agent; a database is refused, the store opens those.
pub fn open(path: &Path) -> Result<Box<dyn Log>, OpenError> {
    match detect(path)? {
        Kind::Session(format) => format.open(path),
        Kind::Sqlite => Err(OpenError::OtherKind {
            path: path.display().to_string(),
            what: "a SQLite database",
            advice: "only stet databases are read",
        }),
    }
}
