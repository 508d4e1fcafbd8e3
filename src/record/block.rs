//! Closed runs of turns with their own records: blocks, and spans over several blocks.

use std::ops::Range;
use std::sync::Arc;

use super::Record;
use crate::session::{Hash, names};

/// Why a block was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClosedBy {
    /// The agent had just reported that a piece of work is done.
    Step,
    /// A run of tool calls had come to its answer.
    ToolLoop,
    /// The talk turned to something else.
    Topic,
    /// It had become too long; where a call was open, [`Block::cut`] names it.
    HardCap,
}

names!(ClosedBy { Step = "step", ToolLoop = "tool-loop", Topic = "topic", HardCap = "hard-cap" });

/// What told that the talk turned, where a block was closed for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turned {
    /// The words before and behind have little in common.
    Words,
    /// They have less in common than usual, and somebody says that something else comes.
    Cue,
    /// Other files and names are spoken of.
    Things,
    /// There was a long silence, and it went on with something else.
    Pause,
}

names!(Turned { Words = "words", Cue = "cue", Things = "things", Pause = "pause" });

/// Turns that follow each other without a gap, and what they weigh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their parts, by sequence, half-open. A repeated line's parts have none, and are not among them.
    pub parts: Range<u64>,
    /// The first and the last turn number, for display.
    pub turns: (u32, u32),
    /// The agent's id of the first turn; where there is none, the index of its line or row.
    pub from_id: String,
    /// Tokens of the originals, four bytes for one: what was said, called and answered, without what an agent thought.
    pub tokens: u64,
    /// Over the hashes of the parts in their order. The run's source is live only while the originals give this hash.
    pub originals: Hash,
}

impl Run {
    /// What [`Run::originals`] is: over the hashes of the texts of all parts of `parts`, in their order, whoever spoke.
    pub fn originals_of(parts: &[Hash]) -> Hash {
        Hash::of_fields(parts.iter().map(|hash| hash.0.as_slice()))
    }
}

/// A closed run of turns. Its record was made once, from the originals, when it closed, and never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// From 1, without a gap.
    pub no: u32,
    /// The turns.
    pub run: Run,
    /// Why it ends here.
    pub closed_by: ClosedBy,
    /// What told that the talk turned; `None` where it was closed for another reason, or before that was stored.
    pub turned: Option<Turned>,
    /// The ids of calls whose results come behind it. Empty unless it was closed by the hard cap.
    pub cut: Vec<String>,
    /// Summarising steps between the originals and the record: 1.
    pub generation: u32,
    /// What was kept.
    pub record: Arc<Record>,
}

/// Several blocks under one record, made from their originals; only its prose may come from their records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// From 1, in the order in which they were made.
    pub no: u32,
    /// The first and the last block.
    pub blocks: (u32, u32),
    /// The turns of all of them.
    pub run: Run,
    /// 1 where its prose was made from originals, 2 where it was made from the prose of blocks.
    pub generation: u32,
    /// What was kept.
    pub record: Arc<Record>,
}
