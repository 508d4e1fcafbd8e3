//! Original words that may bear on an item, with what stands around them.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::session::{Hash, PartSeq, Place, SourceRef, Speaker, TurnNo};

/// Words of a part, and what stands around them. Very many are held at a time: what they have in common they share.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The part that they stand in.
    pub origin: Arc<Origin>,
    /// Where in its text they stand, in bytes.
    pub range: (usize, usize),
    /// The words with what stands before and behind them in their part, some hundred bytes each way.
    pub around: Excerpt,
    /// Where the words stand in `around`.
    pub at: (usize, usize),
    /// The share of the item, by the rarity of its words, that the words hold: from 0 to 1.
    pub share: f32,
}

impl Passage {
    /// The words themselves.
    pub fn quote(&self) -> &str {
        self.around.get(self.at.0..self.at.1).unwrap_or_default()
    }

    /// Where in the text of its part `around` begins.
    pub fn from(&self) -> usize {
        self.range.0.saturating_sub(self.at.0)
    }

    /// The words as a source.
    pub fn source(&self) -> SourceRef {
        self.origin.source(self.range, self.quote())
    }
}

/// A part as a source needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The number of its turn.
    pub turn: TurnNo,
    /// The id of its turn.
    pub turn_id: String,
    /// The id of its line, where the agent gives one.
    pub line_id: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Its place in file order.
    pub seq: PartSeq,
    /// Who says it.
    pub speaker: Speaker,
    /// What kind of part it is.
    pub manner: Manner,
}

impl Origin {
    /// Words of it, which stand here in its text.
    pub fn source(&self, range: (usize, usize), quote: &str) -> SourceRef {
        SourceRef {
            turn: self.turn.clone(),
            turn_id: self.turn_id.clone(),
            line_id: self.line_id.clone(),
            place: self.place,
            seq: self.seq,
            range,
            quote: quote.to_owned(),
            hash: Hash::of(quote.as_bytes()),
            speaker: self.speaker,
        }
    }
}

/// How something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// Plain words.
    Text,
    /// The agent's own thinking.
    Thinking,
    /// In the arguments of a tool call.
    ToolCall,
    /// In the result of one.
    ToolResult,
}

/// A stretch of a text. Stretches that overlap share the text.
#[derive(Clone, Debug)]
pub struct Excerpt {
    text: Arc<str>,
    range: Range<usize>,
}

impl Excerpt {
    /// This stretch of a text, in bytes; nothing where none stands there.
    pub fn of(text: &Arc<str>, range: Range<usize>) -> Self {
        let range = if text.get(range.clone()).is_some() { range } else { 0..0 };
        Self { text: Arc::clone(text), range }
    }
}

impl Deref for Excerpt {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text[self.range.clone()]
    }
}

impl From<&str> for Excerpt {
    fn from(text: &str) -> Self {
        Self { text: text.into(), range: 0..text.len() }
    }
}

impl PartialEq for Excerpt {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
