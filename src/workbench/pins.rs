//! Where the ledger and the review marks of one session live, and who writes there. Nothing is created for reading.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::Problem;
use super::guard::is_blank;
use super::resolve::short;
use crate::record::{Act, Alarm, Anchor, Correction, Draft, Ledger, LedgerEntry, Quote, Status, Via, rechained};
use crate::session::{MarkerKey, SessionKey, SourceRef};
use crate::store::{Access, Store, StoreError};

/// Who enters something, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The way in.
    pub via: Via,
    /// Whose name the entries carry.
    pub author: String,
    /// No person is at a terminal: what is entered waits for one.
    pub proposed: bool,
}

/// Whose database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// The one that this program writes to of its own accord.
    Own,
    /// One that was opened because a session lies in it: it may come from anybody.
    Given,
}

/// The pinned things of one session.
pub(super) struct Pins {
    db: PathBuf,
    whose: Whose,
    key: SessionKey,
    hand: Hand,
    clock: fn() -> i64,
    store: Option<Store>,
    /// The entries as they were read last.
    known: Vec<LedgerEntry>,
}

impl Pins {
    pub fn new((db, whose): (PathBuf, Whose), key: SessionKey, hand: Hand, clock: fn() -> i64) -> Self {
        Self { db, whose, key, hand, clock, store: None, known: Vec::new() }
    }

    /// Whether what is derived may be taken from the database: nobody else wrote it.
    pub fn is_own(&self) -> bool {
        self.whose == Whose::Own
    }

    /// The same for another thread: with a connection of its own.
    pub fn again(&self) -> Self {
        Self::new((self.db.clone(), self.whose), self.key.clone(), self.hand.clone(), self.clock)
    }

    /// Writes as this hand from now on.
    pub fn hand_over(&mut self, hand: Hand) {
        self.hand = hand;
    }

    /// `None` where there is no database yet.
    pub fn store(&mut self) -> Result<Option<&mut Store>, Problem> {
        if self.store.is_none() {
            self.store = self.database()?;
        }
        Ok(self.store.as_mut())
    }

    /// The same with a connection of its own.
    pub fn database(&self) -> Result<Option<Store>, Problem> {
        match std::fs::symlink_metadata(&self.db) {
            Ok(_) => self.open().map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Problem::new(error).context(format!("cannot look at {}", self.db.display()))),
        }
    }

    fn open(&self) -> Result<Store, Problem> {
        Store::open(&self.db, Access::ReadOnly)
            .with_context(|| format!("cannot read the ledger in {}", self.db.display()))
    }

    fn writer(&mut self) -> Result<&mut Store, Problem> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::create_or_open(&self.db)?,
        };
        Ok(self.store.insert(store))
    }

    pub fn ledger(&mut self) -> Result<Ledger, Problem> {
        let key = self.key.clone();
        self.known = match self.store()? {
            Some(store) => store.ledger(&key)?,
            None => Vec::new(),
        };
        Ok(Ledger::replay(self.known.iter().cloned()))
    }

    /// The ledger as it is now, for work behind the screen: [`Pins::ledger_if_changed`] still tells what is new.
    pub fn ledger_aside(&mut self) -> Result<Ledger, Problem> {
        let key = self.key.clone();
        Ok(match self.store()? {
            Some(store) => Ledger::replay(store.ledger(&key)?),
            None => Ledger::default(),
        })
    }

    /// The ledger, when somebody entered something since it was read last.
    pub fn ledger_if_changed(&mut self) -> Result<Option<Ledger>, Problem> {
        let key = self.key.clone();
        let head = match self.store()? {
            Some(store) => store.ledger_head(&key)?,
            None => None,
        };
        let known = self.known.last().map(|entry| (entry.no, entry.hash));
        if head == known { Ok(None) } else { self.ledger().map(Some) }
    }

    /// The ledger behind an entry that was committed just now; where it cannot be read, it is worked out from what was
    /// read before.
    pub fn ledger_after(&mut self, entry: &LedgerEntry) -> Ledger {
        let before = std::mem::take(&mut self.known);
        self.ledger().unwrap_or_else(|_| {
            self.known = before;
            self.known.push(entry.clone());
            Ledger::replay(self.known.iter().cloned())
        })
    }

    /// Returns once the entry is committed. One that says nothing is none.
    pub fn correct(
        &mut self,
        anchor: Option<Anchor>,
        correction: Correction,
        reason: Option<String>,
    ) -> Result<LedgerEntry, Problem> {
        anyhow::ensure!(
            !is_blank(&correction.text),
            "cannot save an entry with an empty text (give it something to say)"
        );
        let draft = Draft {
            kind: correction.kind,
            act: correction.act,
            outcome: correction.outcome,
            text: correction.text,
            corrects: anchor,
            target: None,
            source: correction.source.as_ref().map(quote),
            via: self.hand.via,
            author: self.hand.author.clone(),
            reason,
            proposed: self.hand.proposed,
            origin: None,
        };
        self.enter(draft)
    }

    /// Withdraws, reinstates or confirms an entry.
    pub fn change(&mut self, act: Act, no: u32, reason: Option<String>) -> Result<LedgerEntry, Problem> {
        let ledger = self.ledger()?;
        let Some(target) = ledger.no(no) else {
            anyhow::bail!(
                "cannot find L{no}: the ledger of {} has {} (stet ledger list shows them)",
                short(&self.key),
                entries(ledger.entries.len())
            );
        };
        if act != Act::Confirmed && target.entry.draft.act.is_about_an_entry() {
            anyhow::bail!(
                "cannot change L{no}: it says something about another entry, not about the session (name that entry)"
            );
        }
        if act == Act::Confirmed && self.hand.proposed {
            anyhow::bail!("cannot confirm L{no}: only a person at a terminal confirms (run this in a terminal)");
        }
        if act == Act::Confirmed && !target.entry.draft.proposed {
            anyhow::bail!("cannot confirm L{no}: nothing waits to be confirmed in it");
        }
        if let Some(why) = idle(act, target.status) {
            anyhow::bail!("cannot {} L{no}: {why}", if act == Act::Withdrawn { "withdraw" } else { "reinstate" });
        }
        let draft = Draft {
            kind: target.entry.draft.kind,
            act,
            outcome: None,
            text: target.entry.draft.text.clone(),
            corrects: None,
            target: Some(target.entry.hash),
            source: None,
            via: self.hand.via,
            author: self.hand.author.clone(),
            reason,
            proposed: self.hand.proposed,
            origin: None,
        };
        self.enter(draft)
    }

    fn enter(&mut self, draft: Draft) -> Result<LedgerEntry, Problem> {
        let (key, at) = (self.key.clone(), (self.clock)());
        Ok(self.writer()?.enter(&key, draft, at)?)
    }

    /// Writes the entries as lines of the interchange format.
    pub fn export(&mut self, out: &mut dyn Write) -> Result<(), Problem> {
        let key = self.key.clone();
        match self.store()? {
            Some(store) => Ok(store.export_ledger(&key, out)?),
            None => Ok(()),
        }
    }

    /// Takes over entries that are not here yet, and says how many. They keep their authors and times; without a person
    /// at a terminal they wait for one, like everything that a program enters.
    pub fn take(&mut self, theirs: Vec<LedgerEntry>) -> Result<usize, Problem> {
        let (key, proposed) = (self.key.clone(), self.hand.proposed);
        let theirs = rechained(theirs, |draft| {
            draft.via = Via::Import;
            draft.proposed |= proposed;
        });
        Ok(self.writer()?.take_entries(&key, &theirs)?)
    }

    /// Anchors of items that are marked as *checked, right*.
    pub fn reviews(&mut self) -> Result<Vec<Anchor>, Problem> {
        let key = self.key.clone();
        match self.store()? {
            Some(store) => Ok(store.reviews(&key)?.into_iter().map(|review| review.anchor).collect()),
            None => Ok(Vec::new()),
        }
    }

    /// What is said to be a wrong alarm now.
    pub fn wrong_alarms(&mut self) -> Result<Vec<Alarm>, Problem> {
        let key = self.key.clone();
        match self.store()? {
            Some(store) => Ok(store.wrong_alarms(&key)?),
            None => Ok(Vec::new()),
        }
    }

    pub fn wrong_alarm(&mut self, alarm: &Alarm, wrong: bool) -> Result<(), Problem> {
        let (at, author) = ((self.clock)(), self.hand.author.clone());
        Ok(self.writer()?.wrong_alarm(alarm, &author, at, wrong)?)
    }

    /// Counts that a marker was opened, where there is a database that can be written. Nothing is made for that.
    pub fn opened(&mut self, marker: &MarkerKey) -> Result<(), Problem> {
        let key = self.key.clone();
        match self.store()? {
            Some(store) if store.notice().is_none() => match store.marker_opened(&key, marker) {
                Err(StoreError::ReadOnly(_) | StoreError::Newer { .. } | StoreError::Unguarded(_)) => Ok(()),
                other => Ok(other?),
            },
            Some(_) | None => Ok(()),
        }
    }

    pub fn review(&mut self, anchor: &Anchor, checked: bool) -> Result<(), Problem> {
        let (at, author) = ((self.clock)(), self.hand.author.clone());
        Ok(self.writer()?.review(anchor, &author, at, checked)?)
    }
}

/// Why taking an entry back, or bringing it back, would change nothing; `None` where it changes something.
fn idle(act: Act, status: Status) -> Option<&'static str> {
    match (act, status) {
        (Act::Withdrawn, Status::Withdrawn) => Some("it is withdrawn already (stet ledger reinstate brings it back)"),
        (Act::Reinstated, Status::Active) => Some("it counts already"),
        (Act::Reinstated, Status::Proposed) => Some("it only waits for a person (stet ledger confirm lets it count)"),
        (Act::Reinstated, Status::Superseded) => Some("a newer entry counts in its place (withdraw that one)"),
        _ => None,
    }
}

fn entries(count: usize) -> String {
    match count {
        0 => "no entries".to_owned(),
        1 => "one entry, L1".to_owned(),
        many => format!("{many} entries, L1 to L{many}"),
    }
}

/// The words that an entry rests on, as they stand now.
fn quote(source: &SourceRef) -> Quote {
    Quote {
        turn: source.turn.to_string(),
        turn_id: source.turn_id.clone(),
        line_id: source.line_id.clone(),
        part: source.place.part,
        range: source.range,
        quote: source.quote.clone(),
        hash: source.hash,
        speaker: source.speaker,
    }
}
