//! What of a session in retention mode should be gone by now and is still here: whoever closed its blocks was stopped. It
//! is told from what is stored, and nothing is written.

use super::course::{Course, LastLine};
use super::overview::quoted;
use super::{Desk, Problem, Target, Workbench};
use crate::compile::Rules;
use crate::store::{Access, Store};

/// Turns whose texts should be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// The first and the last of them.
    pub turns: (u32, u32),
    /// What the session is called on a command line.
    pub name: String,
}

impl std::fmt::Display for Overdue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Overdue { turns: (from, to), name } = self;
        write!(
            f,
            "the texts of turns {from}–{to} should be gone and are still here: whoever closes their blocks was stopped, or \
             is at it (stet compile {name} lets them go)"
        )
    }
}

impl Desk {
    /// What of this session should be gone and is still here; `None` where nothing is, and of a session that keeps its
    /// texts.
    pub fn overdue(&self) -> Result<Option<Overdue>, Problem> {
        let Some((store, _)) = self.kept()? else { return Ok(None) };
        let key = &self.head().key;
        if store.retention(key)?.is_none() {
            return Ok(None);
        }
        let blocks = store.shelved(key)?.unwrap_or_default().blocks;
        let last = blocks.last();
        let closed = match store.unforgotten(key)? {
            Some(no) => blocks.iter().find(|block| block.no == no).map(|block| block.run.turns.0),
            None => None,
        };
        let mut log = store.log(key)?;
        let due = Course::behind(last, Rules::default(), log.as_mut())?.read_on(log.as_mut(), LastLine::Grows)?;
        let from = closed.or(due.first().map(|due| due.of.turns.0));
        let to = due.last().map(|due| due.of.turns.1).or(last.map(|last| last.run.turns.1));
        let name = quoted(&Target::Kept { db: store.path().to_owned(), key: key.clone() }.name());
        Ok(from.zip(to).map(|turns| Overdue { turns, name }))
    }
}

impl Workbench {
    /// The same of every session in the database.
    pub(super) fn all_overdue(&self) -> Result<Vec<Overdue>, Problem> {
        let db = &self.settings.db;
        let store = Store::open(db, Access::ReadOnly)?;
        let mut all = Vec::new();
        for session in store.sessions()? {
            if store.retention(&session.key)?.is_some() {
                all.extend(self.open(&Target::Kept { db: db.clone(), key: session.key })?.overdue()?);
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::super::{Cancel, Target};
    use crate::session::SessionKey;
    use crate::store::Quotes;

    fn said(no: u32) -> Vec<u8> {
        let text = format!("words zq{no}x");
        format!(r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"{text}"}}"#)
            .into_bytes()
    }

    #[test]
    fn turns_of_a_block_that_was_never_closed_are_said_to_be_here_until_they_go() {
        for (quotes, turns, told) in
            [(None, 70, None), (Some(Quotes::Drop), 59, None), (Some(Quotes::Drop), 70, Some((1, 60)))]
        {
            let world = World::of(&[]);
            let (bench, key) = (world.bench(), SessionKey::new("stet", "quiet"));
            // Who stores lines is stopped before a block closes.
            let mut appending = bench.append(&key, quotes).unwrap();
            let lines: Vec<Vec<u8>> = (0..turns).map(said).collect();
            assert_eq!(appending.take(&lines).unwrap().acknowledged.len(), turns as usize);
            let mut desk = bench.open(&Target::Kept { db: world.db(), key: key.clone() }).unwrap();
            assert_eq!(desk.overdue().unwrap().map(|overdue| overdue.turns), told, "{quotes:?}, {turns}");
            let wrong = desk.verify().unwrap();
            assert_eq!(wrong.iter().any(|why| why.contains("turns 1–60 should be gone")), told.is_some(), "{wrong:?}");
            assert_eq!(bench.examine().problems.iter().any(|why| why.contains("turns 1–60")), told.is_some());
            desk.index(&Cancel::default(), &mut |_| ()).unwrap();
            assert_eq!(desk.overview(&Cancel::default()).unwrap().overdue.is_some(), told.is_some());
            appending.forget_by(crate::compile::Rules::default()).unwrap();
            assert_eq!((desk.overdue().unwrap(), desk.verify().unwrap()), (None, vec![]));
        }
    }
}
