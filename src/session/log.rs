//! What every store offers: lines in file order, forward and backward, from any place, within a budget.
//! Implementations live in `formats` (agents' own stores) and `store` (stet databases).

use std::path::PathBuf;

use super::{Hash, Line, SessionKey};

/// Which file of a session: 0 is its own, the others are its sub-agents', in the order of [`Head::sides`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNo(pub u16);

/// A sub-agent's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideFile {
    /// Its number, from 1.
    pub file: FileNo,
    /// Where it lies.
    pub path: PathBuf,
    /// The sub-agent's id.
    pub agent_id: String,
}

/// What is known of a session as soon as it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Which conversation it is.
    pub key: SessionKey,
    /// Where it was opened from.
    pub path: PathBuf,
    /// The agent's own title, where the first lines hold one.
    pub title: Option<String>,
    /// Empty for most sessions.
    pub sides: Vec<SideFile>,
    /// Whether line numbers mean something to a person: `file:line` for files, `row N` for databases.
    pub rows: bool,
}

/// How much of each line is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Everything that is shown or searched.
    Full,
    /// What an outline needs: kinds, ids and links. Texts stay empty, a summary's text apart.
    Outline,
}

/// Lines that follow each other in one file without a gap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Which of the session's files.
    pub file: FileNo,
    /// In file order; blank lines are none.
    pub lines: Vec<Line>,
    /// Where the first line starts.
    pub start: u64,
    /// Where the next line would start.
    pub end: u64,
    /// Nothing stands before `start`.
    pub at_start: bool,
    /// Nothing complete stands after `end` (for now: a session may grow).
    pub at_end: bool,
    /// Bytes after `end` that do not end in a line end yet.
    pub pending: u64,
}

/// Why a store cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file was cut or replaced since it was opened: reload it.
    #[error("{path} was rewritten since it was opened (open it again)")]
    Rewritten {
        /// The file.
        path: String,
    },
    /// The line is there, and what it said was not to be kept.
    #[error(
        "cannot read {path}: raw line {line} is gone: the session keeps no texts of closed blocks (retention mode)"
    )]
    Gone {
        /// The file.
        path: String,
        /// From 1.
        line: u64,
    },
    /// The system, or the store, says no.
    #[error("cannot read {path}: {why}")]
    Unreadable {
        /// The file.
        path: String,
        /// What it says.
        why: String,
    },
}

/// An open session: read only, and never the whole of it at once.
pub trait Log: Send {
    /// What is known of the session.
    fn head(&self) -> &Head;

    /// Complete lines from `from` (the start of a line) on, until at least `budget` bytes are read or the file ends.
    /// At least one line, however long, unless the file ends.
    fn forward(&mut self, file: FileNo, from: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError>;

    /// Complete lines before `before` (the start of a line, or any place up to the size), in file order.
    fn backward(&mut self, file: FileNo, before: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError>;

    /// The bytes of one line or row, exactly as stored, without the line end.
    fn raw(&mut self, file: FileNo, offset: u64) -> Result<Vec<u8>, LogError>;

    /// The same of a line that was read just now; cheaper for many of them, one after the other.
    fn raw_of(&mut self, line: &Line) -> Result<Vec<u8>, LogError> {
        self.raw(line.file, line.offset)
    }

    /// Where the first line begins that begins at this place or behind it; `None` where that is not known without reading
    /// everything before. Several threads may then read one file.
    fn line_from(&mut self, _file: FileNo, _at: u64) -> Result<Option<u64>, LogError> {
        Ok(None)
    }

    /// Whether its texts are meant to go, from its beginning on.
    fn forgets(&self) -> bool {
        false
    }

    /// Whether texts from its beginning on were meant to go, and went.
    fn has_forgotten(&self) -> bool {
        false
    }

    /// How many turns from its beginning on that are; 0 where none are, or nobody counted them.
    fn gone_turns(&self) -> u32 {
        0
    }

    /// Over everything that these files hold up to these places, so that what was worked out of it can be known again.
    /// `None` where nothing of it may be kept elsewhere, or more stands there by now.
    fn fingerprint(&mut self, _read: &[(FileNo, u64)]) -> Result<Option<Hash>, LogError> {
        Ok(None)
    }

    /// How many bytes (or rows) the file has now.
    fn size(&mut self, file: FileNo) -> Result<u64, LogError>;

    /// Whether its file is no longer where it was: what is open can still be read, and nothing more will come.
    fn is_gone(&self) -> bool {
        false
    }

    /// Looks for sub-agents' files that are new since the session was opened; they join [`Head::sides`] at its end.
    /// Returns how many there are.
    fn look_for_sides(&mut self) -> usize {
        0
    }

    /// The same session, opened once more for another thread.
    fn again(&self) -> Result<Box<dyn Log>, LogError>;
}
