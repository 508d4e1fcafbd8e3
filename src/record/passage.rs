//! Original words that may bear on an item, with what stands around them.

use std::sync::Arc;

use crate::session::SourceRef;

/// A source and its surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The words themselves.
    pub source: SourceRef,
    /// What kind of part they stand in.
    pub manner: Manner,
    /// The words with what stands before and behind them in their part, some hundred bytes each way.
    pub around: Arc<str>,
    /// Where the words stand in `around`.
    pub at: (usize, usize),
    /// The share of the item, by the rarity of its words, that the words hold: from 0 to 1.
    pub share: f32,
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
