//! What a desk is asked with and what it answers: places wanted, windows, records, entries that are committed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::record::{Checked, Finding, Ledger, LedgerEntry, Record};
use crate::session::{Compaction, Entry, FileNo, Place};

/// Stops background work at its next step, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where a window of entries is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The first entries.
    Start,
    /// The last entries.
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
    /// What stands there, sub-agents and rewound turns folded.
    pub entries: Vec<Entry>,
    /// The session's own file.
    pub file: FileNo,
    /// Where the first line of the window starts.
    pub start: u64,
    /// Where the line after its last would start.
    pub end: u64,
    /// Nothing stands before it.
    pub at_start: bool,
    /// Nothing complete stands after it, for now.
    pub at_end: bool,
    /// Bytes at the end that are not a whole line yet.
    pub pending: u64,
    /// The size of the file, for the scrollbar.
    pub size: u64,
}

/// The record of one marker with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerRecord {
    /// The marker.
    pub compaction: Compaction,
    /// What it kept; whoever holds it shares it.
    pub record: Arc<Record>,
    /// Indexes of items that somebody marked as *checked, right*.
    pub reviewed: Vec<usize>,
    /// What the check against the originals says; `None` while it was not made.
    pub checked: Option<Arc<Checked>>,
    /// Sources are still being looked for.
    pub partial: bool,
}

/// What the check of a session tells of one marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkerCheck {
    /// Its record held against everything before it. What was missed of it later, and what other markers and the ledger
    /// say of it, is not known yet.
    Alone(MarkerRecord),
    /// Everything.
    Whole(MarkerRecord),
}

impl MarkerRecord {
    /// What the check found, worst first; nothing while it was not made.
    pub fn findings(&self) -> &[Finding] {
        self.checked.as_ref().map_or(&[], |checked| &checked.findings)
    }
}

/// Whether the agent will hear of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hearing {
    /// Nothing carries the ledger to the agent yet.
    NoAgentConnected,
}

/// An entry that is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// As it is stored, with its number and its hash.
    pub entry: LedgerEntry,
    /// Whether the agent hears of it.
    pub told: Hearing,
    /// The ledger as it is now.
    pub ledger: Ledger,
}

/// The bytes of one line or row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// The file that holds it.
    pub path: String,
    /// From 1; `None` where lines before it are uncounted.
    pub line: Option<u64>,
    /// Exactly as stored, without the line end.
    pub bytes: Vec<u8>,
}

/// What came of looking for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// It stands there.
    Here(Found),
    /// It stands nowhere in the session.
    Nowhere,
    /// It stands in nothing that is left of the session: texts of closed blocks are gone, and it may have stood there.
    NotInWhatIsLeft {
        /// So many turns from the beginning could not be searched; 0 where nobody counted them.
        unsearched: u32,
    },
}

/// Where a searched text was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The part that holds it.
    pub place: Place,
    /// The search went past the end (or the start) and came round.
    pub wrapped: bool,
    /// So many turns from the beginning could not be searched: their texts are gone. 0: everything was.
    pub unsearched: u32,
}

/// What a person can be told when something did not work: what was tried, on what, and what to do.
pub type Problem = anyhow::Error;
