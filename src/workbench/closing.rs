//! Blocks close while a session is appended to: on a thread with a connection of its own, so that nobody waits for it. Their
//! prose is taken from the originals word for word: no model is asked.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::Problem;
use super::course::{Course, LastLine};
use super::making::close;
use crate::compile::{Extractive, Rules};
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
                closer.look()?;
            }
            closer.look()
        });
        Self { came, thread }
    }

    /// Something was stored.
    pub fn came(&self) {
        // Full: it will look anyway. Gone: `finish` tells why.
        self.came.try_send(()).ok();
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
    /// Reads what came, and closes what is due.
    fn look(&mut self) -> Result<(), Problem> {
        let mut store = Store::create_or_open(&self.db)?;
        if !store.holds(&self.key)? {
            return Ok(());
        }
        loop {
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
            if due.is_empty() {
                return Ok(());
            }
            close(&mut store, &self.key, &due, &Extractive, &mut || ())?;
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::super::{Cancel, Spot, Target};
    use super::*;
    use crate::compile::Triggers;
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
            drop(desk);
            let bytes = std::fs::read(world.db()).unwrap();
            let holds = |no: usize| memchr::memmem::find(&bytes, format!("zq{no}x").as_bytes()).is_some();
            assert_eq!((0..20).any(holds), retention.is_none());
        }
    }
}
