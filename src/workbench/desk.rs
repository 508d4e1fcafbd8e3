//! An open session with its ledger: what one worker thread owns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::record::{Anchor, Correction, Ledger, LedgerEntry, Record};
use crate::session::{Batch, Compaction, Entry, FileNo, Head, Place};

/// Stops background work at its next step, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where a window of entries is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Start,
    End,
    /// The entry that holds this place, with some before it and after it.
    Around(Place),
    /// The session's own turn with this number; its end when there is no such turn.
    Turn(u32),
    /// Entries before this line start.
    Before(FileNo, u64),
    /// Entries from this line start on.
    After(FileNo, u64),
}

/// Entries that follow each other without a gap, numbered as far as the outline has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub entries: Vec<Entry>,
    pub file: FileNo,
    pub start: u64,
    pub end: u64,
    pub at_start: bool,
    pub at_end: bool,
    /// Bytes at the end that are not a whole line yet.
    pub pending: u64,
    /// The size of the file, for the scrollbar.
    pub size: u64,
}

/// The record of one marker with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerRecord {
    pub compaction: Compaction,
    pub record: Record,
    /// Indexes of items that somebody marked as *checked, right*.
    pub reviewed: Vec<usize>,
    /// Sources are still being looked for.
    pub partial: bool,
}

/// Whether the agent will hear of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    NoAgentConnected,
}

/// An entry that is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub entry: LedgerEntry,
    pub told: Told,
    /// The ledger as it is now.
    pub ledger: Ledger,
}

/// The bytes of one line or row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    pub path: String,
    /// From 1; `None` where lines before it are uncounted.
    pub line: Option<u64>,
    pub bytes: Vec<u8>,
}

/// Where a searched text was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub place: Place,
    /// The search went past the end (or the start) and came round.
    pub wrapped: bool,
}

/// What a person can be told when something did not work: what was tried, on what, and what to do.
pub type Problem = anyhow::Error;

/// An open session with its ledger.
pub struct Desk {}

#[expect(unused_variables, clippy::needless_pass_by_ref_mut, reason = "the contract; bodies follow")]
impl Desk {
    pub fn head(&self) -> &Head {
        unimplemented!()
    }

    /// The same session for another thread; both see one outline.
    pub fn again(&self) -> Result<Desk, Problem> {
        unimplemented!()
    }

    /// Reads the whole session once, in steps, and tells what is new after each.
    pub fn index(&mut self, cancel: &Cancel, tell: &mut dyn FnMut(Batch)) -> Result<(), Problem> {
        unimplemented!()
    }

    /// Reads what was appended since; `None` when nothing was.
    pub fn follow(&mut self) -> Result<Option<Batch>, Problem> {
        unimplemented!()
    }

    pub fn window(&mut self, spot: Spot, budget: usize) -> Result<Window, Problem> {
        unimplemented!()
    }

    /// The record of marker `no`. Told twice when sources take time: first without them (`partial`), then whole.
    pub fn record(&mut self, no: u32, cancel: &Cancel, tell: &mut dyn FnMut(MarkerRecord)) -> Result<(), Problem> {
        unimplemented!()
    }

    pub fn ledger(&mut self) -> Result<Ledger, Problem> {
        unimplemented!()
    }

    /// Enters a correction of an item (or a pin without one) and returns once it is committed.
    pub fn correct(
        &mut self,
        anchor: Option<Anchor>,
        correction: Correction,
        reason: Option<String>,
    ) -> Result<Saved, Problem> {
        unimplemented!()
    }

    pub fn withdraw(&mut self, no: u32, reason: Option<String>) -> Result<Saved, Problem> {
        unimplemented!()
    }

    pub fn reinstate(&mut self, no: u32, reason: Option<String>) -> Result<Saved, Problem> {
        unimplemented!()
    }

    pub fn confirm(&mut self, no: u32, reason: Option<String>) -> Result<Saved, Problem> {
        unimplemented!()
    }

    /// Marks an item as *checked, right*, or takes the mark back.
    pub fn review(&mut self, anchor: &Anchor, checked: bool) -> Result<(), Problem> {
        unimplemented!()
    }

    pub fn raw(&mut self, place: Place) -> Result<RawLine, Problem> {
        unimplemented!()
    }

    /// The next entry after (or before) a place whose shown text holds the needle, letter case ignored.
    pub fn search(
        &mut self,
        needle: &str,
        from: Place,
        forward: bool,
        cancel: &Cancel,
    ) -> Result<Option<Found>, Problem> {
        unimplemented!()
    }

    /// What an agent would be told now, and how many tokens it takes.
    pub fn told(&mut self) -> Result<(String, u64), Problem> {
        unimplemented!()
    }
}
