//! Turns and prose to records: a summary is lifted into items, and the items are tied to the turns they come from.
//! Nothing is read or stored here.

mod blocks;
mod gather;
mod lift;
mod summarisers;
mod tie;

pub use blocks::{Closed, Recording, Rules, Seams, Triggers, TurnSeen, merged};
pub use gather::{Gather, Look, compiled, look};
pub use lift::{RULES, lift};
#[cfg(test)]
pub(crate) use summarisers::world;
pub use summarisers::{
    Brief, Extractive, Key, Limits, Protocol, Sentence, Spoken, Summariser, SummariserKind, SummariserSettings,
    SummaryError,
};
pub use tie::{Merge, Original, Plan, Scanned, Scanner, Sources, Ties, Tying, View, settle};
