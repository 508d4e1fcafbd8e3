//! Copies sessions into the stet database: agents' own, other stet databases', and files of the interchange format.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::Context;
use rustix::fs::OFlags;

use super::{Problem, Target, Workbench};
use crate::formats;
use crate::store::{Access, Entries, Imported, Store};

/// What came of importing one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// What was imported.
    pub name: String,
    /// What was new in it.
    pub done: Imported,
    /// Ledger entries that were made before the import and came along.
    pub entries: usize,
    /// Its new entries wait for a person, who was not at the terminal.
    pub proposed: bool,
}

/// What came of importing everything that a name stands for.
#[derive(Debug, Default)]
pub struct Imports {
    /// What was imported, in the order of the paths.
    pub done: Vec<Import>,
    /// What could not be looked into or imported.
    pub failed: Vec<Problem>,
    /// Files of a folder that are no session.
    pub passed_over: usize,
}

/// How much of a file tells whether it is in the interchange format.
const START: u64 = 4096;

impl Workbench {
    /// Imports everything that this names; one that cannot be imported does not keep the others from it. `progress` hears
    /// bytes (or rows) done and the whole.
    pub fn import(&self, name: &OsStr, progress: &mut dyn FnMut(u64, u64)) -> Result<Imports, Problem> {
        let path = Path::new(name);
        if let Some(file) = interchange(path)? {
            return Ok(Imports { done: vec![self.import_file(path, file, progress)?], ..Imports::default() });
        }
        let found = self.find_all(name)?;
        let nothing = found.targets.is_empty() && found.troubles.is_empty();
        anyhow::ensure!(!nothing, "cannot import {}: no session is in it", name.display());
        let mut imports = Imports { failed: found.troubles, passed_over: found.passed_over, ..Imports::default() };
        for target in &found.targets {
            match self.import_one(target, progress) {
                Ok(import) => imports.done.push(import),
                Err(problem) => imports.failed.push(problem),
            }
        }
        Ok(imports)
    }

    /// What entries in somebody's file count for: without a person at a terminal all of them wait for one.
    fn standing(&self) -> Entries {
        if self.settings.hand.proposed { Entries::Proposed } else { Entries::AsSaid }
    }

    fn import_file(&self, path: &Path, file: File, progress: &mut dyn FnMut(u64, u64)) -> Result<Import, Problem> {
        let what = || format!("cannot import {}", path.display());
        let size = file.metadata().with_context(what)?.len();
        let mut store = Store::create_or_open(&self.settings.db)?;
        let tell = &mut |done, _| progress(done, size);
        let standing = self.standing();
        let done = store.import_interchange(BufReader::new(file), standing, tell).with_context(what)?;
        let proposed = standing == Entries::Proposed && done.entries_new > 0;
        Ok(Import { name: path.display().to_string(), done, entries: 0, proposed })
    }

    pub(super) fn import_one(&self, target: &Target, progress: &mut dyn FnMut(u64, u64)) -> Result<Import, Problem> {
        let what = || format!("cannot import {}", target.name());
        match target {
            Target::Foreign(path) => {
                let mut log = formats::open(path)?;
                let mut store = Store::create_or_open(&self.settings.db)?;
                let done = store.import_log(log.as_mut(), progress).with_context(what)?;
                let key = log.head().key.clone();
                let mut entries = 0;
                // A ledger that was made before the import comes along.
                let named = self.settings.default_db != self.settings.db;
                let made_in = if named { self.settings.default_db.clone() } else { self.ledger_db(path) };
                if !same_file(&made_in, store.path()) && Store::is_stet(&made_in) {
                    let before = Store::open(&made_in, Access::ReadOnly)?;
                    entries = store.copy_ledger(&before, &key).with_context(what)?;
                }
                Ok(Import { name: target.name(), done, entries, proposed: false })
            }
            Target::Kept { db, key } => {
                let from = Store::open(db, Access::ReadOnly)?;
                let mut store = Store::create_or_open(&self.settings.db)?;
                anyhow::ensure!(
                    from.path() != store.path(),
                    "cannot import {}: it is in {} already",
                    target.name(),
                    store.path().display()
                );
                // What this person's own database holds was entered by them.
                let own = same_file(db, &self.settings.default_db);
                let standing = if own { Entries::AsTheyStand } else { self.standing() };
                let mut lines = tempfile::tempfile().with_context(what)?;
                from.export(key, &mut lines).with_context(what)?;
                lines.rewind().with_context(what)?;
                let size = lines.metadata().with_context(what)?.len();
                let tell = &mut |done, _| progress(done, size);
                let done = store.import_interchange(BufReader::new(lines), standing, tell).with_context(what)?;
                let proposed = standing == Entries::Proposed && done.entries_new > 0;
                Ok(Import { name: target.name(), done, entries: 0, proposed })
            }
        }
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// A file to read; `None` for what is no regular file. A pipe must not keep us waiting, and no terminal may become ours.
pub fn regular_file(path: &Path) -> std::io::Result<Option<File>> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    Ok(if file.metadata()?.is_file() { Some(file) } else { None })
}

/// The file, when it is one of the interchange format: its first line says so.
fn interchange(path: &Path) -> Result<Option<File>, Problem> {
    if !std::fs::metadata(path).is_ok_and(|meta| meta.is_file()) || Store::is_stet(path) {
        return Ok(None);
    }
    let what = || format!("cannot read {}", path.display());
    let Some(mut file) = regular_file(path).with_context(what)? else { return Ok(None) };
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(START).read_to_end(&mut start).with_context(what)?;
    let line = start.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    if !(line.contains("\"stet.interchange/") && line.contains("\"session\"")) {
        return Ok(None);
    }
    file.rewind().with_context(what)?;
    Ok(Some(file))
}
