//! Blocks close while a session is appended to whose texts may not stay: before anything is acknowledged, so that whoever
//! kills the program finds no more of a closed block than before. Their prose is taken from the originals word for word: no
//! model is asked.

use super::Problem;
use super::course::{Course, LastLine};
use super::making::close;
use crate::compile::{Rules, Summariser};
use crate::session::SessionKey;
use crate::store::{Lengths, Store};

/// The rules by which the blocks of a session were closed last; the usual ones where nobody chose others.
pub(super) fn own_rules(store: &Store, key: &SessionKey) -> Result<Rules, Problem> {
    let usual = Rules::default();
    Ok(store.lengths(key)?.map_or(usual, |Lengths { target, cap }| Rules { target, cap, ..usual }))
}

/// Keeps the lengths of these, where they are not those that are known.
pub(super) fn keep_rules(store: &mut Store, key: &SessionKey, rules: Rules) -> Result<(), Problem> {
    let known = own_rules(store, key)?;
    if (known.target, known.cap) != (rules.target, rules.cap) {
        store.keep_lengths(key, Lengths { target: rules.target, cap: rules.cap })?;
    }
    Ok(())
}

pub(super) struct Closing {
    key: SessionKey,
    rules: Rules,
    /// Once it was looked for what is due.
    course: Option<Course>,
}

impl Closing {
    pub fn by(key: SessionKey, rules: Rules) -> Self {
        Self { key, rules, course: None }
    }

    /// Reads what came, and closes what is due behind the last block, whoever closed that.
    pub fn look(&mut self, store: &mut Store, summariser: &dyn Summariser) -> Result<(), Problem> {
        loop {
            let blocks = self.blocks(store)?;
            if self.course.as_ref().is_some_and(|course| course.blocks() != blocks) {
                self.begin_anew(store)?;
            }
            match self.close_next(store, summariser) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // Somebody else closed blocks meanwhile: what was read for these is no longer what is due.
                Err(_) if self.blocks(store)? != blocks => self.begin_anew(store)?,
                Err(why) => {
                    // What was read for these is to be read again.
                    self.course = None;
                    return Err(why);
                }
            }
        }
    }

    /// `false` when nothing is due.
    fn close_next(&mut self, store: &mut Store, summariser: &dyn Summariser) -> Result<bool, Problem> {
        let mut log = store.log(&self.key)?;
        let course = if let Some(course) = &mut self.course {
            course
        } else {
            let last = store.last_block(&self.key)?;
            self.course.insert(Course::behind(last.as_ref(), self.rules, log.as_mut())?)
        };
        let due = course.read_on(log.as_mut(), LastLine::Grows)?;
        let is_due = !due.is_empty();
        close(store, &self.key, due, summariser).1?;
        Ok(is_due)
    }

    /// Blocks that are stored.
    fn blocks(&self, store: &Store) -> Result<u32, Problem> {
        Ok(store.last_block(&self.key)?.map_or(0, |last| last.no))
    }

    /// Others closed blocks: they may not have come to the end of letting their texts go.
    fn begin_anew(&mut self, store: &mut Store) -> Result<(), Problem> {
        self.course = None;
        store.forget_closed(&self.key)?;
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::super::{Cancel, Sought, Spot, Target};
    use super::*;
    use crate::compile::{Brief, Extractive, Sentence, SummaryError, Triggers};
    use crate::session::{FileNo, Place};
    use crate::store::{Access, Quotes};

    #[test]
    fn blocks_close_while_parts_come_where_what_they_said_may_not_stay() {
        for retention in [None, Some(Quotes::Drop)] {
            let world = World::of(&[]);
            let key = SessionKey::new("stet", "live");
            let mut appending = world.bench().append(&key, retention).unwrap();
            appending.forget_by(Rules { target: 5, cap: 5, on: Triggers::NONE }).unwrap();
            for no in 0..23 {
                let part = format!(
                    r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"zq{no}x words"}}"#
                );
                assert_eq!(appending.take(&[part.into_bytes()]).unwrap().acknowledged.len(), 1);
            }
            let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
            let ends: Vec<u64> = store.blocks(&key).unwrap().iter().map(|block| block.run.parts.end).collect();
            assert_eq!(ends, if retention.is_some() { vec![5, 10, 15, 20] } else { vec![] });
            assert_eq!(store.verify(&key).unwrap(), []);
            let named = || world.bench().read(&Target::Kept { db: world.db(), key: key.clone() }, &mut |_| ()).unwrap();
            assert_eq!(named().title(), retention.is_none().then(|| "zq0x words".to_owned()), "it is called the same");
            drop((store, appending));
            // Whoever opens it is told, and reads on.
            let mut desk = world.bench().open(&Target::Kept { db: world.db(), key: key.clone() }).unwrap();
            desk.index(&Cancel::default(), &mut |_| ()).unwrap();
            assert_eq!((desk.outline().main_turns, desk.outline().starts_midway), (23, retention.is_some()));
            assert_eq!(desk.records(&Cancel::default()).unwrap().len(), 0);
            let shown = format!("{:?}", desk.window(Spot::Start, usize::MAX).unwrap());
            assert_eq!(shown.matches("gone, 10 bytes").count(), if retention.is_some() { 10 } else { 0 });
            assert_eq!(shown.contains("zq3x"), retention.is_none());
            // What was said there is not said to have been said nowhere, and its line says why it is not here.
            let first = Place { file: FileNo(0), offset: 0, part: 0 };
            let sought = desk.search("zq3x", first, true, &Cancel::default()).unwrap();
            let raw = desk.raw(Place { offset: 3, ..first }).map(|_| ()).map_err(|problem| format!("{problem:#}"));
            if retention.is_some() {
                assert_eq!(sought, Sought::NotInWhatIsLeft { unsearched: 20 });
                let Sought::Here(found) = desk.search("zq21x", first, true, &Cancel::default()).unwrap() else {
                    panic!("what is left is searched")
                };
                assert_eq!((found.place.offset, found.unsearched), (21, 20));
                assert!(raw.unwrap_err().ends_with("keeps no texts of closed blocks (retention mode)"));
            } else {
                assert!(
                    matches!(sought, Sought::Here(found) if (found.place.offset, found.unsearched) == (3, 0))
                        && raw.is_ok()
                );
            }
            drop(desk);
            let bytes = std::fs::read(world.db()).unwrap();
            let holds = |no: usize| memchr::memmem::find(&bytes, format!("zq{no}x").as_bytes()).is_some();
            assert_eq!((0..20).any(holds), retention.is_none());
        }
    }

    /// Does something once while it is asked.
    struct Meanwhile<'a>(&'a (dyn Fn() + Sync), std::sync::Once);

    impl Summariser for Meanwhile<'_> {
        fn name(&self) -> String {
            "meanwhile".into()
        }

        fn window(&self) -> u64 {
            Extractive.window()
        }

        fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            self.1.call_once(self.0);
            Extractive.summarise(brief, stop)
        }
    }

    fn said(no: u32) -> Vec<u8> {
        let part = format!(r#""id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"zq{no}x words""#);
        format!(r#"{{"type":"part",{part}}}"#).into_bytes()
    }

    #[test]
    fn what_another_program_closes_meanwhile_is_forgotten_and_closing_goes_on_behind_it() {
        for quotes in [Quotes::Keep, Quotes::Drop] {
            let world = World::of(&[]);
            let key = SessionKey::new("stet", "live");
            let rules = |target| Rules { target, cap: target, on: Triggers::NONE };
            let mut appending = world.bench().append(&key, Some(quotes)).unwrap();
            let mut say = |turns: std::ops::Range<u32>| {
                for no in turns {
                    assert_eq!(appending.take(&[said(no)]).unwrap().acknowledged.len(), 1);
                }
            };
            let compile = |target| {
                let kept = Target::Kept { db: world.db(), key: key.clone() };
                world.bench().compile(&kept, rules(target), &Extractive, &mut |_| {}).unwrap();
            };
            let mut store = Store::open(&world.db(), Access::Write).unwrap();
            let mut closing = Closing::by(key.clone(), rules(20));
            say(0..12);
            closing.look(&mut store, &Extractive).unwrap();
            compile(5);
            say(12..45);
            closing.look(&mut store, &Meanwhile(&|| compile(15), std::sync::Once::new())).unwrap();
            say(45..62);
            closing.look(&mut store, &Extractive).unwrap();
            let ends: Vec<u64> = store.blocks(&key).unwrap().iter().map(|block| block.run.parts.end).collect();
            assert_eq!(ends, [5, 10, 25, 40, 60], "{quotes:?}");
            assert_eq!(store.verify(&key).unwrap(), []);
            let is_here = |no: &u64| store.originals(&key, &(*no..no + 1)).unwrap().is_some();
            assert_eq!((0..62).filter(is_here).collect::<Vec<_>>(), [60, 61], "{quotes:?}");
            drop(store);
            let bytes = std::fs::read(world.db()).unwrap();
            // What a record quotes stays, where that may be.
            let holds = |no: &u32| {
                quotes == Quotes::Drop && memchr::memmem::find(&bytes, format!("zq{no}x words").as_bytes()).is_some()
            };
            assert_eq!((0..60).filter(holds).collect::<Vec<_>>(), [0; 0], "{quotes:?}");
        }
    }

    #[test]
    fn nothing_is_acknowledged_where_a_block_cannot_be_closed_and_the_next_run_closes_it() {
        let world = World::of(&[]);
        let key = SessionKey::new("stet", "live");
        let rules = Rules { target: 2, cap: 2, on: Triggers::NONE };
        let append = || {
            let mut appending = world.bench().append(&key, Some(Quotes::Drop)).unwrap();
            appending.forget_by(rules).unwrap();
            appending
        };
        let mut appending = append();
        let other = rusqlite::Connection::open(world.db()).unwrap();
        other
            .execute_batch("CREATE TRIGGER never BEFORE INSERT ON block BEGIN SELECT RAISE(ABORT, 'no block'); END")
            .unwrap();
        // The last turn may still grow, and so may how the one before it is seen.
        assert_eq!(appending.take(&[said(0), said(1), said(2)]).unwrap().acknowledged.len(), 3);
        for no in 3..5 {
            let why = format!("{:#}", appending.take(&[said(no)]).unwrap_err());
            assert!(why.starts_with("cannot close blocks of stet:live, and what was to go is still there "), "{why}");
        }
        drop(appending);
        other.execute_batch("DROP TRIGGER never").unwrap();
        append();
        let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
        assert_eq!(store.blocks(&key).unwrap().len(), 1);
        assert_eq!(store.originals(&key, &(0..2)).unwrap(), None);
    }
}
