//! What the originals hold, beside what a record kept of it: one item of the compiled record and why it matters.

use super::Item;
use crate::session::{PartSeq, TurnNo};

/// One thing that the turns before a marker hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// As it stands in the compiled record, with its sources.
    pub item: Item,
    /// Whether a person said it.
    pub by_user: bool,
    /// The turn in which an action of the agent named it first.
    pub used: Option<TurnNo>,
    /// How often it was said before the marker.
    pub times: u32,
    /// Where it was said last before the marker.
    pub last: PartSeq,
    /// Whether it is said with a doubt.
    pub hedged: bool,
    /// Whether it binds or settles something for good, not for one task.
    pub firm: bool,
    /// What makes it matter, as one number: the greater the more.
    pub weight: f32,
}

/// A place behind a marker where something was needed once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The turn.
    pub turn: TurnNo,
    /// In plain words: `read again`, `run again`, `asked again`, ….
    pub what: String,
    /// What it cost, as far as it can be told: four bytes a token.
    pub tokens: u64,
}
