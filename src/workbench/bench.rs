//! The workbench: which sessions there are, and opening one.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::pins::Whose;
use super::{Cancel, Desk, Hand, Problem};
use crate::formats;
use crate::session::{Log, SessionKey, Trouble};
use crate::store::{Access, SessionRow, Store};

/// What the workbench needs from the world around it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The stet database for ledgers of sessions that live in agents' own files, for imports and appends.
    pub db: PathBuf,
    /// The database that is used where none is named: ledgers made before an import are copied from it.
    pub default_db: PathBuf,
    /// In each folder below this one lies a copy of a sample, with a database of its own beside it.
    pub copies: PathBuf,
    /// Where agents keep their sessions on this machine.
    pub places: formats::Env,
    /// Milliseconds since 1970, UTC.
    pub clock: fn() -> i64,
    /// Who enters what is entered.
    pub hand: Hand,
}

/// A session that was found, not yet opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An agent's own file.
    Foreign(PathBuf),
    /// A session in a stet database.
    Kept {
        /// The database.
        db: PathBuf,
        /// The session.
        key: SessionKey,
    },
}

impl Target {
    /// What it is called on a command line.
    pub fn name(&self) -> String {
        match self {
            Target::Foreign(path) => path.display().to_string(),
            Target::Kept { db, key } => format!("{}#{}", db.display(), super::resolve::short(key)),
        }
    }

    /// The file that holds it.
    pub fn path(&self) -> &Path {
        match self {
            Target::Foreign(path) => path,
            Target::Kept { db, .. } => db,
        }
    }
}

/// What a name stands for.
#[derive(Debug, Default)]
pub struct Finds {
    /// The sessions, in the order of their paths.
    pub targets: Vec<Target>,
    /// What could not be looked into.
    pub troubles: Vec<Problem>,
    /// Files of a folder that are no session.
    pub passed_over: usize,
}

/// A session in a few figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// Which conversation.
    pub key: SessionKey,
    /// The agent's own title, where it gave one.
    pub title: Option<String>,
    /// The file that holds it.
    pub path: PathBuf,
    /// The session's own turns.
    pub turns: u32,
    /// How many markers it has.
    pub compactions: u32,
    /// The time of its last line.
    pub modified: Option<i64>,
    /// Lines that could not be read; `None` where nobody counted them.
    pub skipped: Option<usize>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where in its file, and why.
    pub trouble: Trouble,
    /// The sub-agent's file that it stands in; `None` for the session's own.
    pub side: Option<PathBuf>,
}

/// A name for each by which it is found again. Where two have the same, each has its agent's name too.
fn told_apart(targets: &[Target]) -> Vec<String> {
    let names: Vec<String> = targets.iter().map(Target::name).collect();
    let same = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let told = names.iter().zip(targets).map(|(name, target)| match target {
        Target::Kept { db, key } if same(name) => format!("{}#{key}", db.display()),
        Target::Kept { .. } | Target::Foreign(_) => name.clone(),
    });
    told.collect()
}

/// The use cases over all sessions of this machine.
pub struct Workbench {
    pub(super) settings: Settings,
}

impl Workbench {
    /// A workbench on this machine's stores. Nothing is opened yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// The one session that this names: a path, a session id, or `path#id`.
    pub fn find(&self, name: &OsStr) -> Result<Target, Problem> {
        let mut found = self.find_all(name)?;
        if found.targets.len() > 1 {
            let list = told_apart(&found.targets);
            anyhow::bail!(
                "cannot tell which session of {} is meant: it holds {} (name one: {})",
                name.display(),
                found.targets.len(),
                list.join(", ")
            );
        }
        if let Some(trouble) = found.troubles.pop() {
            return Err(trouble.context(format!("cannot tell which session of {} is meant", name.display())));
        }
        found.targets.pop().with_context(|| format!("cannot find a session in {}: it holds none", name.display()))
    }

    /// Every session that this names; of a folder all that are in it.
    pub fn find_all(&self, name: &OsStr) -> Result<Finds, Problem> {
        super::resolve::resolve(&self.settings, name)
    }

    /// Every session in the agents' standard places and in the database, and what could not be read there.
    pub fn sessions(&self) -> (Vec<Target>, Vec<String>) {
        super::resolve::everywhere(&self.settings)
    }

    /// Opens a session.
    pub fn open(&self, target: &Target) -> Result<Desk, Problem> {
        let (log, db): (Box<dyn Log>, PathBuf) = match target {
            Target::Foreign(path) => (formats::open(path)?, self.ledger_db(path)),
            Target::Kept { db, key } => {
                let log = Store::open(db, Access::ReadOnly).and_then(|store| store.log(key));
                (log.with_context(|| format!("cannot open {}", db.display()))?, db.clone())
            }
        };
        let is_own = db == self.settings.db || db == self.settings.default_db;
        let whose = if is_own { Whose::Own } else { Whose::Given };
        Ok(Desk::new(log, (db, whose), self.settings.hand.clone(), self.settings.clock))
    }

    /// The database with the ledger of a session in an agent's own file.
    pub(super) fn ledger_db(&self, path: &Path) -> PathBuf {
        let settings = &self.settings;
        let is_copy = || {
            let (path, copies) = (path.canonicalize().ok()?, settings.copies.canonicalize().ok()?);
            path.starts_with(copies).then(|| path.with_file_name("stet.db"))
        };
        // A database that a person names goes before any.
        let named = settings.db != settings.default_db;
        if named { settings.db.clone() } else { is_copy().unwrap_or_else(|| settings.db.clone()) }
    }

    /// The sessions that [`Workbench::sessions`] names, in a few figures, the last changed first. Those in agents' own
    /// files have to be read for it, which `read` does; of those in the database the figures are kept there.
    pub fn list(&self, read: &mut dyn FnMut(&Target) -> Result<Desk, Problem>) -> (Vec<SessionInfo>, Vec<String>) {
        let (targets, mut troubles) = self.sessions();
        let mut rows = self.kept_rows();
        let mut list = Vec::new();
        for target in targets {
            let info = match &target {
                Target::Kept { db, key } => match rows.remove(key) {
                    Some(row) => self.info_of(row, db, &target),
                    None => read(&target).and_then(|mut desk| desk.info()),
                },
                Target::Foreign(_) => read(&target).and_then(|mut desk| desk.info()),
            };
            match info {
                Ok(info) => list.push(info),
                Err(problem) => {
                    let told = format!("{problem:#}");
                    let named = told.contains(&*target.path().to_string_lossy());
                    troubles.push(if named { told } else { format!("{}: {told}", target.name()) });
                }
            }
        }
        list.sort_by_key(|info| std::cmp::Reverse(info.modified));
        (list, troubles)
    }

    fn kept_rows(&self) -> HashMap<SessionKey, SessionRow> {
        let rows = Store::open(&self.settings.db, Access::ReadOnly).and_then(|store| store.sessions());
        rows.unwrap_or_default().into_iter().map(|row| (row.key.clone(), row)).collect()
    }

    fn info_of(&self, row: SessionRow, db: &Path, target: &Target) -> Result<SessionInfo, Problem> {
        let title = match row.title {
            Some(title) => Some(title),
            None => self.open(target)?.title(),
        };
        Ok(SessionInfo {
            key: row.key,
            title,
            path: db.to_owned(),
            turns: row.turns,
            compactions: row.compactions,
            modified: row.modified,
            skipped: None,
        })
    }

    /// Opens a session and reads it to its end. `tell` hears how far the reading came, in bytes or rows.
    pub fn read(&self, target: &Target, tell: &mut dyn FnMut(u64)) -> Result<Desk, Problem> {
        let mut desk = self.open(target)?;
        desk.index(&Cancel::default(), &mut |batch| tell(batch.read_to))?;
        Ok(desk)
    }
}
