//! Sessions and ledgers out of the program and into it, as lines of the interchange format.

use std::io::{BufReader, Write};
use std::path::Path;

use anyhow::Context;

use super::resolve::short;
use super::{Desk, Problem, Target, Workbench};
use crate::formats;
use crate::record::LedgerEntry;
use crate::store::{Access, Store, StoreError, read_entries};

/// What came of importing another person's entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenEntries {
    /// Entries that were added.
    pub new: usize,
    /// Entries that were here already.
    pub known: usize,
    /// New entries, and ours about the same item that say something else, by number.
    pub conflicts: Vec<(u32, u32)>,
}

impl Workbench {
    /// Writes everything in a session: parts, compactions, records, ledger.
    pub fn export(&self, target: &Target, out: &mut dyn Write) -> Result<(), Problem> {
        let what = || format!("cannot export {}", target.name());
        match target {
            Target::Kept { db, key } => Ok(Store::open(db, Access::ReadOnly)?.export(key, out).with_context(what)?),
            Target::Foreign(path) => {
                // A copy of one session in a database of its own says everything that is to be written.
                let folder = tempfile::tempdir().with_context(what)?;
                let mut log = formats::open(path)?;
                let key = log.head().key.clone();
                let mut copy = Store::create_or_open(&folder.path().join("copy.db"))?;
                copy.import_log(log.as_mut(), &mut |_, _| ()).with_context(what)?;
                let db = self.ledger_db(path);
                if Store::is_stet(&db) {
                    copy.copy_ledger(&Store::open(&db, Access::ReadOnly)?, &key).with_context(what)?;
                }
                Ok(copy.export(&key, out).with_context(what)?)
            }
        }
    }
}

impl Desk {
    /// Writes the entries of the ledger.
    pub fn export_ledger(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        self.pins().export(out)
    }

    /// Takes over another person's entries of this session, chain-checked.
    pub fn import_ledger(&mut self, file: &Path) -> Result<TakenEntries, Problem> {
        let what = || format!("cannot import the entries of {}", file.display());
        let opened = super::regular_file(file).with_context(what)?;
        let Some(opened) = opened else {
            anyhow::bail!("{}: it is no regular file (save the entries to a file first)", what());
        };
        let theirs = match read_entries(BufReader::new(opened), &self.head().key) {
            // The first hash is over the session too.
            Err(StoreError::Chain { no: 1, .. }) => anyhow::bail!(
                "{}: these entries are about another session than {}, or were changed",
                what(),
                short(&self.head().key)
            ),
            read => read.with_context(what)?,
        };
        let before = self.ledger()?;
        let count = theirs.len();
        let new = self.pins().take(theirs).with_context(what)?;
        let after = self.ledger()?;
        let ours: Vec<_> = before.active().collect();
        let conflicts = after.entries[before.entries.len()..]
            .iter()
            .filter(|standing| !standing.entry.draft.act.is_about_an_entry())
            .filter_map(|standing| {
                let anchor = standing.entry.draft.corrects.as_ref()?;
                let same = |entry: &&&LedgerEntry| {
                    entry.draft.corrects.as_ref().is_some_and(|other| anchor.overtakes(other))
                        && (entry.draft.kind, &entry.draft.text)
                            != (standing.entry.draft.kind, &standing.entry.draft.text)
                };
                Some((standing.entry.no, ours.iter().find(same)?.no))
            })
            .collect();
        Ok(TakenEntries { new, known: count - new.min(count), conflicts })
    }
}
