//! Where something stands: a place in a store, and the words an item rests on.

use super::{FileNo, Hash, PartSeq, Speaker, TurnNo};

/// A place in an open session: which of its files, the byte where the line starts (or the row's sequence), the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Which of the session's files.
    pub file: FileNo,
    /// Where the line starts.
    pub offset: u64,
    /// Which of its parts.
    pub part: u32,
}

/// The original words that an item comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRef {
    /// For display; stored nowhere.
    pub turn: TurnNo,
    /// The agent's id of the turn's first line; where there is none, the index of the line or row, from 0.
    pub turn_id: String,
    /// The agent's id of the line that holds the words, where it has one.
    pub line_id: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Its sequence in the session.
    pub seq: PartSeq,
    /// Byte range in the part's decoded text, half-open.
    pub range: (usize, usize),
    /// Exactly those bytes.
    pub quote: String,
    /// The hash of the quote.
    pub hash: Hash,
    /// Who said it.
    pub speaker: Speaker,
}
