//! Stores parts while a session runs, enters what binds in a person's words, and closes blocks whose texts may not stay.

use anyhow::Context as _;

use super::arrival::binding;
use super::closing::{Closing, keep_rules, own_rules};
use super::{Problem, Workbench};
use crate::compile::{Extractive, Rules};
use crate::session::SessionKey;
use crate::store::{Appender, Arrivals, BATCH, Quotes, Stays, Store};

/// A session that is being appended to.
pub struct Appending {
    store: Store,
    key: SessionKey,
    /// Lines that were given so far.
    lines: u64,
    /// The ledger fills itself; not where no word of a person may be kept.
    arrivals: Option<Arrivals>,
    closing: Option<Closing>,
}

/// What came of some lines, after their commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The ids that are on the disk now, in the order in which they came.
    pub acknowledged: Vec<String>,
    /// The first line that was not taken, and why. It and what follows it in the batch are not stored.
    pub refused: Option<String>,
    /// Entries that the ledger made of them.
    pub entered: usize,
}

impl Workbench {
    /// Opens a session of the database for appending; it need not exist. With `retention` it is made as a session whose
    /// texts go when their block closes, and of which so much is kept.
    pub fn append(&self, key: &SessionKey, retention: Option<Quotes>) -> Result<Appending, Problem> {
        let mut store = Store::create_or_open(&self.settings.db)?;
        if let Some(quotes) = retention {
            store.retain(key, quotes)?;
        }
        let quotes = store.retention(key)?;
        if quotes.is_some() {
            // What an interrupted closing left.
            store.forget_closed(key)?;
        }
        let arrivals = Arrivals::new(binding, self.settings.hand.author.clone(), self.settings.clock);
        let arrivals = Some(arrivals).filter(|_| quotes != Some(Quotes::Drop));
        Ok(Appending { store, key: key.clone(), lines: 0, arrivals, closing: None })
    }
}

impl Appending {
    /// The rules by which blocks of this session were closed last.
    pub fn own_rules(&self) -> Result<Rules, Problem> {
        own_rules(&self.store, &self.key)
    }

    /// Where texts go when their block closes, closes blocks by these rules from now on: what is acknowledged has let go of
    /// every block that it closed. Nothing in a session that keeps its texts.
    pub fn forget_by(&mut self, rules: Rules) -> Result<(), Problem> {
        if self.store.retention(&self.key)?.is_some() {
            keep_rules(&mut self.store, &self.key, rules)?;
            self.closing = Some(Closing::by(self.key.clone(), rules));
        }
        self.close()
    }

    fn close(&mut self) -> Result<(), Problem> {
        let Some(closing) = &mut self.closing else { return Ok(()) };
        closing.look(&mut self.store, &Extractive).with_context(|| {
            format!(
                "cannot close blocks of {}, and what was to go is still there (what came last is stored, and not \
                 acknowledged; stet append tries again, without a line too)",
                self.key
            )
        })
    }

    /// The words that stay of texts that went; none in a session that keeps its texts.
    pub fn kept(&self) -> Result<Vec<Stays>, Problem> {
        Ok(match self.store.retention(&self.key)? {
            Some(_) => self.store.stays(&self.key)?,
            None => Vec::new(),
        })
    }

    /// Stores these lines. What is acknowledged is on the disk.
    pub fn take(&mut self, lines: &[Vec<u8>]) -> Result<Taken, Problem> {
        let taken = self.stored(lines);
        self.close().map_err(|why| match &taken.refused {
            Some(refused) => why.context(format!("cannot append {refused}")),
            None => why,
        })?;
        Ok(taken)
    }

    fn stored(&mut self, lines: &[Vec<u8>]) -> Taken {
        let mut appender = self.store.appender(self.key.clone());
        if let Some(arrivals) = &mut self.arrivals {
            appender = appender.listening(arrivals);
        }
        let mut taken = Taken::default();
        // Line numbers count from the first line that was ever given, empty ones too.
        let mut numbers = Vec::new();
        let first = self.lines + 1;
        for (line, no) in lines.iter().zip(first..) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            numbers.push(no);
            let pushed = match std::str::from_utf8(line) {
                Ok(text) => appender.push(text.trim_end_matches(['\n', '\r'])).map_err(|error| error.why),
                Err(_) => Err("it is not UTF-8".to_owned()),
            };
            match pushed {
                Ok(()) if numbers.len() % BATCH > 0 => {}
                Ok(()) => commit(&mut appender, &numbers, &mut taken),
                Err(why) => {
                    // What stands before it is taken, and said first.
                    commit(&mut appender, &numbers, &mut taken);
                    taken.refused.get_or_insert_with(|| format!("line {no}: {why}"));
                }
            }
            if taken.refused.is_some() {
                return taken;
            }
        }
        commit(&mut appender, &numbers, &mut taken);
        self.lines += lines.len() as u64;
        taken
    }
}

/// `numbers` has the number of every line that was pushed. A commit that fails refuses its first line: those before it
/// were committed, and stay acknowledged.
fn commit(appender: &mut Appender, numbers: &[u64], taken: &mut Taken) {
    let Some(first) = appender.waits_from() else { return };
    let refused = |line: u64, why: &dyn std::fmt::Display| {
        let at = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        format!("line {}: {why}", numbers.get(at).copied().unwrap_or(line))
    };
    match appender.commit() {
        Ok(done) => {
            taken.acknowledged.extend(done.acked);
            taken.entered += done.entered;
            taken.refused = done.refused.map(|error| refused(error.line, &error.why));
        }
        Err(error) => taken.refused = Some(refused(first, &error)),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::*;
    use crate::store::Access;

    #[test]
    fn what_was_committed_is_acknowledged_where_a_later_commit_fails() {
        let world = World::of(&[]);
        let key = SessionKey::new("stet", "live");
        let said = |no: usize| {
            let part = format!(r#""id":"p{no}","turn":"t{no}","role":"user","kind":"text","text":"words""#);
            format!(r#"{{"type":"part",{part}}}"#).into_bytes()
        };
        let mut appending = world.bench().append(&key, None).unwrap();
        assert_eq!(appending.take(&[said(0)]).unwrap().acknowledged, ["p0"]);
        let other = rusqlite::Connection::open(world.db()).unwrap();
        let full =
            "CREATE TRIGGER never BEFORE INSERT ON part WHEN NEW.id = 'p1500' BEGIN SELECT RAISE(ABORT, 'no'); END";
        other.execute_batch(full).unwrap();
        let lines: Vec<Vec<u8>> = (1..2001).map(said).collect();
        let taken = appending.take(&lines).unwrap();
        assert_eq!((taken.acknowledged.len(), taken.acknowledged.last().unwrap().as_str()), (BATCH, "p1000"));
        let refused = taken.refused.unwrap();
        assert!(refused.starts_with("line 1002: ") && !refused.contains("nothing was saved"), "{refused}");
        let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
        assert!(store.originals(&key, &(1000..1001)).unwrap().is_some());
        assert_eq!(store.originals(&key, &(1001..1002)).unwrap(), None);
    }
}
