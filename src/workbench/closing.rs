//! Blocks close while a session is appended to: on a thread with a connection of its own, so that nobody waits for it.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::Problem;
use crate::record::Block;
use crate::session::{Log, SessionKey};
use crate::store::Store;

/// Gives the next block that has closed in a session, behind the last one that is stored; `None` where none has. It reads
/// no further back than that block's end, for the texts before it may be gone.
pub type Closer = Box<dyn FnMut(&mut dyn Log, Option<&Block>) -> Result<Option<Block>, Problem> + Send>;

pub(super) struct Closing {
    /// Holds one call at most: who is called while at work looks once more.
    came: SyncSender<()>,
    thread: JoinHandle<Result<(), Problem>>,
}

impl Closing {
    pub fn start(db: PathBuf, key: SessionKey, mut closer: Closer) -> Self {
        let (came, calls) = sync_channel(1);
        let thread = std::thread::spawn(move || {
            while calls.recv().is_ok() {
                close(&db, &key, &mut closer)?;
            }
            close(&db, &key, &mut closer)
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

fn close(db: &std::path::Path, key: &SessionKey, closer: &mut Closer) -> Result<(), Problem> {
    let mut store = Store::create_or_open(db)?;
    if !store.holds(key)? {
        return Ok(());
    }
    loop {
        let last = store.last_block(key)?;
        // A log that is open stands in the way of writing the file anew.
        let block = closer(store.log(key)?.as_mut(), last.as_ref())?;
        let Some(block) = block else { return Ok(()) };
        store.close_block(key, &block)?;
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::*;
    use crate::record::{ClosedBy, Record, Run};
    use crate::session::{Body, Depth, FileNo, Hash};
    use crate::store::{Access, Quotes};

    /// Closes a block after every fifth part.
    fn by_five() -> Closer {
        Box::new(|log, last| {
            let (no, start) = last.map_or((1, 0), |last| (last.no + 1, last.run.parts.end));
            let lines = log.forward(FileNo(0), start, usize::MAX, Depth::Full)?.lines;
            if lines.len() <= 5 {
                return Ok(None);
            }
            let hash = |line: &crate::session::Line| match &line.body {
                Body::Message { parts, .. } => Hash::of(parts[0].text.as_bytes()),
                _ => Hash::ZERO,
            };
            let run = Run {
                parts: start..start + 5,
                turns: (start as u32 + 1, start as u32 + 5),
                from_id: lines[0].id.clone().unwrap_or_default(),
                tokens: 1,
                originals: Run::originals_of(&lines[..5].iter().map(hash).collect::<Vec<_>>()),
            };
            let record = std::sync::Arc::new(Record::default());
            Ok(Some(Block { no, run, closed_by: ClosedBy::Step, cut: Vec::new(), generation: 1, record }))
        })
    }

    #[test]
    fn blocks_close_while_parts_come_and_what_they_said_goes_where_it_may_not_stay() {
        for retention in [None, Some(Quotes::Drop)] {
            let world = World::of(&[]);
            let key = SessionKey::new("stet", "live");
            let mut appending = world.bench().append(&key, retention).unwrap();
            appending.close_with(by_five());
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
            let bytes = std::fs::read(world.db()).unwrap();
            let holds = |no: usize| memchr::memmem::find(&bytes, format!("zq{no}x").as_bytes()).is_some();
            assert_eq!((0..20).any(holds), retention.is_none());
        }
    }
}
