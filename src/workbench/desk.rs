//! An open session with its ledger: what one worker thread owns. The work itself stands in the files beside.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::audit::Audits;
use super::pins::{Pins, Whose};
use super::records::Records;
use super::resolve::short;
use super::{
    Cancel, Hand, Hearing, MarkerCheck, MarkerRecord, Problem, RawLine, Reading, Saved, SessionInfo, Skipped, Sought,
    Spot, Window, audit, pool, search, turns, verify, window,
};
use crate::handback::{self, LedgerText};
use crate::record::{Act, Anchor, Correction, Ledger, LedgerEntry};
use crate::session::{Batch, FileNo, Head, Log, Outline, Place, SourceRef, Trouble};
use crate::store::Store;

/// An open session with its ledger.
pub struct Desk {
    log: Box<dyn Log>,
    reading: Arc<Reading>,
    records: Arc<Records>,
    audits: Arc<Audits>,
    pins: Pins,
}

impl Desk {
    pub(super) fn new(log: Box<dyn Log>, db: (PathBuf, Whose), hand: Hand, clock: fn() -> i64) -> Self {
        let pins = Pins::new(db, log.head().key.clone(), hand, clock);
        Self { log, reading: Arc::default(), records: Arc::default(), audits: Arc::default(), pins }
    }

    /// What is known without reading on.
    pub fn head(&self) -> &Head {
        self.log.head()
    }

    /// The same session for another thread; both see one outline.
    pub fn again(&self) -> Result<Desk, Problem> {
        Ok(Desk {
            log: self.log.again()?,
            reading: Arc::clone(&self.reading),
            records: Arc::clone(&self.records),
            audits: Arc::clone(&self.audits),
            pins: self.pins.again(),
        })
    }

    /// Enters and withdraws as this hand from now on.
    pub fn hand_over(&mut self, hand: Hand) {
        self.pins.hand_over(hand);
    }

    /// The table of contents as far as it has come. It must not be held across other calls.
    pub fn outline(&self) -> impl Deref<Target = Outline> + '_ {
        self.reading.outline()
    }

    /// Reads the whole session once, in steps, and tells what is new after each.
    pub fn index(&mut self, cancel: &Cancel, tell: &mut dyn FnMut(Batch)) -> Result<(), Problem> {
        self.reading.index(self.log.as_mut(), cancel, tell)
    }

    /// Reads what was appended since; `None` when nothing was.
    pub fn follow(&mut self) -> Result<Option<Batch>, Problem> {
        self.reading.follow(self.log.as_mut())
    }

    /// Whether its file was deleted or moved away since it was opened.
    pub fn is_gone(&self) -> bool {
        self.log.is_gone()
    }

    /// The entries at a spot, about as many as stand in `budget` bytes; works without any outline.
    pub fn window(&mut self, spot: Spot, budget: usize) -> Result<Window, Problem> {
        if let Some(log) = self.reading.newer(self.log.as_ref())? {
            self.log = log;
        }
        window::window(self.log.as_mut(), &self.reading, spot, budget)
    }

    /// The record of marker `no`. Told twice when sources take time: first without them (`partial`), then whole.
    pub fn record(&mut self, no: u32, cancel: &Cancel, tell: &mut dyn FnMut(MarkerRecord)) -> Result<(), Problem> {
        let known = self.reading.outline().compactions.iter().find(|compaction| compaction.no == no).cloned();
        let compaction = known.ok_or_else(|| self.no_marker(no))?;
        self.records.tell(vec![compaction], self.log.as_mut(), &self.reading, &mut self.pins, cancel, tell)
    }

    /// Checks the records of all markers against the originals, in one pass over the session, and tells each: alone as
    /// soon as everything before it has passed, and whole in the end. Fewer when cancelled. The session must be read to
    /// its end. Once more, it reads only what was appended since.
    pub fn audit(&mut self, cancel: &Cancel, tell: &mut dyn FnMut(MarkerCheck)) -> Result<(), Problem> {
        self.audit_on(pool::threads(), cancel, tell)
    }

    /// The same by so many threads, which changes nothing but the time.
    pub fn audit_on(
        &mut self,
        threads: usize,
        cancel: &Cancel,
        tell: &mut dyn FnMut(MarkerCheck),
    ) -> Result<(), Problem> {
        let Self { log, reading, records, audits, pins } = self;
        let session = audit::Session { records, audits, log: log.as_mut(), reading, pins };
        audit::audit(threads.max(1), session, cancel, tell)
    }

    /// The checked records of all markers, in their order. Fewer when cancelled.
    pub fn records(&mut self, cancel: &Cancel) -> Result<Vec<MarkerRecord>, Problem> {
        let mut whole = Vec::new();
        self.audit(cancel, &mut |check| match check {
            MarkerCheck::Alone(_) => {}
            MarkerCheck::Whole(record) => whole.push(record),
        })?;
        whole.sort_by_key(|record| record.compaction.no);
        Ok(whole)
    }

    /// The record of marker `no` among all that are checked.
    pub fn checked(&mut self, no: u32, cancel: &Cancel) -> Result<MarkerRecord, Problem> {
        let found = self.records(cancel)?.into_iter().find(|marked| marked.compaction.no == no);
        found.ok_or_else(|| self.no_marker(no))
    }

    fn no_marker(&self, no: u32) -> Problem {
        let count = self.reading.outline().compactions.len();
        anyhow::anyhow!("cannot find m{no}: {} has {}", short(&self.head().key), markers(count))
    }

    /// The display name of the item that an anchor belongs to, at its own marker or, where it is gone from there, at the
    /// first that says the same; `None` for an orphan. The session must be read to its end.
    pub fn name_of(&mut self, anchor: &Anchor) -> Result<Option<String>, Problem> {
        let mut compactions = self.reading.outline().compactions.clone();
        compactions.sort_by_key(|compaction| compaction.key != anchor.marker);
        let key = self.log.head().key.clone();
        for compaction in compactions {
            let record = self.records.untied(&compaction, self.log.as_mut(), &self.reading, &mut self.pins)?;
            let found = anchor.find(&record, &key, &compaction.key).or_else(|| {
                record.items.iter().position(|item| compaction.key != anchor.marker && item.hash() == anchor.hash)
            });
            if let Some(index) = found {
                return Ok(Some(format!("m{}.{}", compaction.no, record.name(index))));
            }
        }
        Ok(None)
    }

    /// Entries that count and whose item is in no record any more, at whatever marker it was. The session must be read to
    /// its end.
    pub fn orphans(&mut self) -> Result<Vec<LedgerEntry>, Problem> {
        let entries: Vec<LedgerEntry> = self.pins.ledger()?.active().cloned().collect();
        let mut orphans = Vec::new();
        for entry in entries {
            if let Some(anchor) = &entry.draft.corrects
                && self.name_of(anchor)?.is_none()
            {
                orphans.push(entry);
            }
        }
        Ok(orphans)
    }

    /// The ledger as it is now; empty where nothing was entered.
    pub fn ledger(&mut self) -> Result<Ledger, Problem> {
        self.pins.ledger()
    }

    /// The ledger, when anybody entered something since this desk read it last: one look at its last entry.
    pub fn ledger_if_changed(&mut self) -> Result<Option<Ledger>, Problem> {
        self.pins.ledger_if_changed()
    }

    /// Enters a correction of an item (or a pin without one) and returns once it is committed.
    pub fn correct(
        &mut self,
        anchor: Option<Anchor>,
        correction: Correction,
        reason: Option<String>,
    ) -> Result<Saved, Problem> {
        let entry = self.pins.correct(anchor, correction, reason)?;
        Ok(self.saved(entry))
    }

    /// Takes an entry back: by another entry, nothing is deleted.
    pub fn withdraw(&mut self, no: u32, reason: Option<String>) -> Result<Saved, Problem> {
        let entry = self.pins.change(Act::Withdrawn, no, reason)?;
        Ok(self.saved(entry))
    }

    /// Brings a withdrawn entry back.
    pub fn reinstate(&mut self, no: u32, reason: Option<String>) -> Result<Saved, Problem> {
        let entry = self.pins.change(Act::Reinstated, no, reason)?;
        Ok(self.saved(entry))
    }

    /// Lets an entry count that a program proposed.
    pub fn confirm(&mut self, no: u32, reason: Option<String>) -> Result<Saved, Problem> {
        let entry = self.pins.change(Act::Confirmed, no, reason)?;
        Ok(self.saved(entry))
    }

    /// What was committed is said to be saved, whatever happens to the reading after it.
    fn saved(&mut self, entry: LedgerEntry) -> Saved {
        let ledger = self.pins.ledger_after(&entry);
        Saved { entry, told: Hearing::NoAgentConnected, ledger }
    }

    /// Marks an item as *checked, right*, or takes the mark back.
    pub fn review(&mut self, anchor: &Anchor, checked: bool) -> Result<(), Problem> {
        self.pins.review(anchor, checked)
    }

    /// The bytes of the line or row at this place.
    pub fn raw(&mut self, place: Place) -> Result<RawLine, Problem> {
        let head = self.log.head();
        let path = match head.sides.iter().find(|side| side.file == place.file) {
            Some(side) => side.path.display().to_string(),
            None => head.path.display().to_string(),
        };
        let bytes = self.log.raw(place.file, place.offset)?;
        let line = self.reading.outline().line_number(place.file, place.offset);
        Ok(RawLine { path, line, bytes })
    }

    /// The next entry after (or before) a place whose shown text holds the needle, letter case ignored.
    pub fn search(&mut self, needle: &str, from: Place, forward: bool, cancel: &Cancel) -> Result<Sought, Problem> {
        Ok(match search::search(self.log.as_mut(), needle, from, forward, cancel)? {
            Some(found) => Sought::Here(found),
            None if self.log.has_forgotten() => Sought::NotInWhatIsLeft { unsearched: self.log.gone_turns() },
            None => Sought::Nowhere,
        })
    }

    /// What an agent would be told now, in at most so many tokens.
    pub fn told(&mut self, max_tokens: u64) -> Result<LedgerText, Problem> {
        Ok(handback::told(&self.pins.ledger()?, max_tokens))
    }

    /// The words of a turn that say `text`; without a text, or where none of its parts holds it, the turn's first words.
    /// The session must be read to its end.
    pub fn words_of(&mut self, turn: &str, text: Option<&str>) -> Result<SourceRef, Problem> {
        turns::words_of(self.log.as_mut(), &self.reading, turn, text)
    }

    /// The sentence of a turn that has most words in common with a text; without any, the turn's first words. The session
    /// must be read to its end.
    pub fn words_about(&mut self, turn: &str, text: &str) -> Result<SourceRef, Problem> {
        turns::words_about(self.log.as_mut(), &self.reading, turn, text)
    }

    /// Checks the ledger's chain, its quotes against the session, and the database, and whether texts are still here that
    /// should be gone. Empty when all is well.
    pub fn verify(&mut self) -> Result<Vec<String>, Problem> {
        let mut wrong = verify::verify(self.log.as_mut(), &self.reading, &mut self.pins)?;
        wrong.extend(self.overdue()?.iter().map(ToString::to_string));
        Ok(wrong)
    }

    /// Entries that are not here yet, by number, whose quotes do not stand in the session, and what is wrong with them.
    pub(super) fn misquoted(&mut self, entries: &[LedgerEntry]) -> Result<Vec<(u32, String)>, Problem> {
        verify::misquoted(self.log.as_mut(), &self.reading, &mut self.pins, entries)
    }

    /// What cannot be checked of a session in retention mode: what was made before it was sealed, and words whose text was
    /// erased. Empty where all can.
    pub fn unchecked(&self) -> Result<Vec<String>, Problem> {
        let Some(store) = self.pins.database()? else { return Ok(Vec::new()) };
        let key = &self.head().key;
        let mut notes = Vec::new();
        if store.is_unsealed(key)? {
            notes.push(
                "what is kept of its texts is not sealed: the session was made before version 7 of the database, and nothing \
                 tells whether that was changed since"
                    .to_owned(),
            );
        }
        let erased = store.unquotable(key, &store.ledger(key)?)?;
        if !erased.is_empty() {
            let entries: Vec<String> = erased.iter().map(|no| format!("L{no}")).collect();
            notes.push(format!(
                "the words that {} quotes cannot be checked: their text was erased (retention mode); who said them was checked",
                entries.join(", ")
            ));
        }
        Ok(notes)
    }

    /// What the session is called: by a person or its agent, else in the words that it began with.
    pub fn title(&mut self) -> Option<String> {
        self.reading.title(self.log.as_mut())
    }

    /// The session in a few figures, as far as it was read.
    pub fn info(&mut self) -> Result<SessionInfo, Problem> {
        let title = self.title();
        let head = self.log.head();
        let outline = self.reading.outline();
        Ok(SessionInfo {
            key: head.key.clone(),
            title,
            path: head.path.clone(),
            turns: outline.main_turns,
            compactions: outline.compactions.len() as u32,
            modified: outline.last_at.or_else(|| written(&head.path)),
            skipped: Some(outline.troubles.len()),
        })
    }

    /// What could not be read, with its places, as far as the session was read.
    pub fn skipped(&self) -> Vec<Skipped> {
        self.placed(&self.reading.outline().troubles)
    }

    /// Lines that were read with a loss, such as bytes that are not UTF-8, as far as the session was read.
    pub fn mended(&self) -> Vec<Skipped> {
        self.placed(&self.reading.outline().mended)
    }

    fn placed(&self, troubles: &[Trouble]) -> Vec<Skipped> {
        let sides = &self.log.head().sides;
        let side = |file: FileNo| sides.iter().find(|side| side.file == file).map(|side| side.path.clone());
        troubles.iter().map(|trouble| Skipped { side: side(trouble.file), trouble: trouble.clone() }).collect()
    }

    /// The session's log for another reader.
    pub(super) fn log_again(&self) -> Result<Box<dyn Log>, Problem> {
        Ok(self.log.again()?)
    }

    /// The session as it is in the database, for a reader of its own: itself, or the copy that an agent's own file has in
    /// the database of its ledger, once blocks of it are closed; `None` where there is neither.
    pub(super) fn kept(&self) -> Result<Option<(Store, Desk)>, Problem> {
        let Some(store) = self.pins.database()? else { return Ok(None) };
        if self.head().path == store.path() {
            return Ok(Some((store, self.again()?)));
        }
        let shelved = store.shelved(&self.head().key)?;
        if shelved.is_none_or(|shelved| shelved.blocks.is_empty()) {
            return Ok(None);
        }
        let log = store.log(&self.head().key)?;
        let (reading, records, audits) = Default::default();
        Ok(Some((store, Desk { log, reading, records, audits, pins: self.pins.again() })))
    }

    pub(super) fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }
}

/// When a file was last written, where its lines do not say.
fn written(path: &Path) -> Option<i64> {
    let since = std::fs::metadata(path).ok()?.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

fn markers(count: usize) -> String {
    match count {
        0 => "no compaction that was read yet".to_owned(),
        1 => "one marker, m1".to_owned(),
        many => format!("{many} markers, m1 to m{many}"),
    }
}
