//! Blocks close while a session is appended to: on a thread with a connection of its own, so that nobody waits for it. Their
//! prose is taken from the originals word for word: no model is asked.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::Problem;
use super::course::{Course, LastLine};
use super::making::close;
use crate::compile::{Extractive, Rules, Summariser};
use crate::session::SessionKey;
use crate::store::Store;

pub(super) struct Closing {
    /// Holds one call at most: who is called while at work looks once more.
    came: SyncSender<()>,
    thread: JoinHandle<Result<(), Problem>>,
}

impl Closing {
    pub fn start(db: PathBuf, key: SessionKey, rules: Rules) -> Self {
        let (came, calls) = sync_channel(1);
        let mut closer = Closer { db, key, rules, course: None };
        let thread = std::thread::spawn(move || {
            while calls.recv().is_ok() {
                closer.look(&Extractive)?;
            }
            closer.look(&Extractive)
        });
        Self { came, thread }
    }

    /// Something was stored.
    pub fn came(&self) {
        // Full: it will look anyway. Gone: `is_over` says so.
        self.came.try_send(()).ok();
    }

    /// Whether it ended before it was to: `finish` tells why.
    pub fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Looks a last time and waits for it.
    pub fn finish(self) -> Result<(), Problem> {
        drop(self.came);
        self.thread.join().map_err(|_| Problem::msg("closing blocks came to an unforeseen end"))?
    }
}

struct Closer {
    db: PathBuf,
    key: SessionKey,
    rules: Rules,
    /// Once there is a session.
    course: Option<Course>,
}

impl Closer {
    /// Reads what came, and closes what is due behind the last block, whoever closed that.
    fn look(&mut self, summariser: &dyn Summariser) -> Result<(), Problem> {
        let mut store = Store::create_or_open(&self.db)?;
        if !store.holds(&self.key)? {
            return Ok(());
        }
        loop {
            let blocks = self.blocks(&store)?;
            if self.course.as_ref().is_some_and(|course| course.blocks() != blocks) {
                self.begin_anew(&mut store)?;
            }
            match self.close_next(&mut store, summariser) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // Somebody else closed blocks meanwhile: what was read for these is no longer what is due.
                Err(_) if self.blocks(&store)? != blocks => self.begin_anew(&mut store)?,
                Err(why) => return Err(why),
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
        // A log that is open stands in the way of writing the file anew.
        drop(log);
        close(store, &self.key, &due, summariser, &mut || ())?;
        Ok(!due.is_empty())
    }

    /// Blocks that are stored.
    fn blocks(&self, store: &Store) -> Result<u32, Problem> {
        Ok(store.last_block(&self.key)?.map_or(0, |last| last.no))
    }

    /// Others closed blocks: they may not have come to the end of letting their texts go.
    fn begin_anew(&mut self, store: &mut Store) -> Result<(), Problem> {
        self.course = None;
        if store.retention(&self.key)?.is_some() {
            store.forget_closed(&self.key)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::super::{Cancel, Sought, Spot, Target};
    use super::*;
    use crate::compile::{Brief, Sentence, SummaryError, Triggers};
    use crate::session::{FileNo, Place};
    use crate::store::{Access, Quotes};

    #[test]
    fn blocks_close_while_parts_come_and_what_they_said_goes_where_it_may_not_stay() {
        for retention in [None, Some(Quotes::Drop)] {
            let world = World::of(&[]);
            let key = SessionKey::new("stet", "live");
            let mut appending = world.bench().append(&key, retention).unwrap();
            appending.close_with(Rules { target: 5, cap: 5, on: Triggers::NONE });
            for no in 0..23 {
                let part = format!(
                    r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"zq{no}x words"}}"#
                );
                assert_eq!(appending.take(&[part.into_bytes()]).unwrap().acknowledged.len(), 1);
            }
            appending.finish().unwrap();
            let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
            let ends: Vec<u64> = store.blocks(&key).unwrap().iter().map(|block| block.run.parts.end).collect();
            assert_eq!(ends, [5, 10, 15, 20]);
            assert_eq!(store.verify(&key).unwrap(), []);
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
                assert_eq!(sought, Sought::NotInWhatIsLeft);
                assert!(raw.unwrap_err().ends_with("keeps no texts of closed blocks (retention mode)"));
            } else {
                assert!(matches!(sought, Sought::Here(found) if found.place.offset == 3) && raw.is_ok());
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
            let mut closer = Closer { db: world.db(), key: key.clone(), rules: rules(20), course: None };
            say(0..12);
            closer.look(&Extractive).unwrap();
            compile(5);
            say(12..45);
            closer.look(&Meanwhile(&|| compile(15), std::sync::Once::new())).unwrap();
            say(45..62);
            closer.look(&Extractive).unwrap();
            let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
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
    fn lines_are_refused_once_nothing_closes_any_more() {
        let world = World::of(&[]);
        let key = SessionKey::new("stet", "live");
        let mut appending = world.bench().append(&key, Some(Quotes::Drop)).unwrap();
        // A folder is no database.
        appending.closing = Some(Closing::start(world.home.path().to_owned(), key, Rules::default()));
        let refused = (0..1000).find_map(|no| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            appending.take(&[said(no)]).err()
        });
        let why = format!("{:#}", refused.unwrap());
        let wanted = "cannot close blocks of stet:live, and what was to go would stay ";
        assert!(why.starts_with(wanted), "{why}");
        assert_eq!(format!("{:#}", appending.take(&[said(9999)]).unwrap_err()), why, "again, every time");
    }
}
