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

    /// Takes over another person's entries of this session: all of them, or none where the chain does not hold or an entry
    /// rests on words that the session does not hold.
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
        if let Some((no, why)) = self.misquoted(&theirs).with_context(what)?.first() {
            anyhow::bail!(
                "{}: entry L{no}: {why} (nothing was saved: what an entry quotes has to stand in the session; a person's own \
                 words need no quote: stet ledger add)",
                what()
            );
        }
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::{World, agent, user};
    use super::*;
    use crate::record::{Act, Correction, EntryKind};
    use crate::session::SessionKey;

    /// Who said what, each line under its id.
    type Said = [(&'static str, &'static str, &'static str)];

    fn in_an_agents_file(said: &Said) -> (World, Target) {
        let line = |at: usize| {
            let (id, role, text) = said[at];
            let parent = at.checked_sub(1).map(|before| said[before].0);
            if role == "user" { user(id, parent, text) } else { agent(id, parent, text) }
        };
        let world = World::of(&(0..said.len()).map(line).collect::<Vec<_>>());
        let target = Target::Foreign(world.session());
        (world, target)
    }

    fn in_our_database(said: &Said) -> (World, Target) {
        let (world, key) = (World::of(&[]), SessionKey::new("stet", "live"));
        let mut store = Store::create_or_open(&world.db()).unwrap();
        let mut appender = store.appender(key.clone());
        for (id, role, text) in said {
            let part = format!(r#""id":"{id}","turn":"{id}","role":"{role}","kind":"text","text":"{text}""#);
            appender.push(&format!(r#"{{"type":"part",{part}}}"#)).unwrap();
        }
        assert_eq!(appender.commit().unwrap().refused, None);
        let target = Target::Kept { db: world.db(), key };
        (world, target)
    }

    /// One entry in a file: pinned in this session, with the words of this turn as its source.
    fn exported(world: &World, target: &Target, turn: Option<&str>) -> std::path::PathBuf {
        let mut desk = world.bench().read(target, &mut |_| ()).unwrap();
        let source = turn.map(|turn| desk.words_of(turn, None).unwrap());
        let text = "Never deploy on Friday.".to_owned();
        let pinned =
            Correction { act: Act::Pinned, kind: EntryKind::Constraint, outcome: None, text, source, note: None };
        desk.correct(None, pinned, None).unwrap();
        let mut entries = Vec::new();
        desk.export_ledger(&mut entries).unwrap();
        let file = world.home.path().join("theirs.jsonl");
        std::fs::write(&file, entries).unwrap();
        file
    }

    #[test]
    fn entries_that_quote_what_was_not_said_are_not_imported() {
        let theirs = [("u1", "user", "hello"), ("u2", "user", "Never deploy on Friday.")];
        for (ours, turn, want) in [
            (vec![theirs[0], theirs[1]], Some("2"), None),
            (vec![theirs[0], ("u2", "user", "Always deploy.")], Some("2"), Some("its quote is not in turn u2 where")),
            (vec![theirs[0], ("u2", "assistant", theirs[1].2)], Some("2"), Some("in turn u2 was not said by a person")),
            (vec![theirs[0]], Some("2"), Some("the turn u2 that it quotes is not here")),
            // A person's own words need no turn.
            (vec![theirs[0]], None, None),
        ] {
            for world_of in [in_an_agents_file, in_our_database] {
                let (them, their_target) = world_of(&theirs);
                let (us, our_target) = world_of(&ours);
                let file = exported(&them, &their_target, turn);
                let mut desk = us.bench().read(&our_target, &mut |_| ()).unwrap();
                let taken = desk.import_ledger(&file).map_err(|why| format!("{why:#}"));
                match (want, &taken) {
                    (None, Ok(taken)) => assert_eq!(taken.new, 1),
                    (Some(want), Err(why)) => assert!(why.contains("entry L1: ") && why.contains(want), "{why}"),
                    (None, Err(_)) | (Some(_), Ok(_)) => panic!("{ours:?}: {taken:?}"),
                }
                assert_eq!(desk.ledger().unwrap().entries.len(), usize::from(want.is_none()));
            }
        }
    }
}
