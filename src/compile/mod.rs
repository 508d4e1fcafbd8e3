//! Turns and prose to records: a summary is lifted into items, and the items are tied to the turns they come from.
//! Nothing is read or stored here.

pub mod cost;
mod gate;
mod gather;
#[cfg(test)]
mod given;
mod lift;
mod render;
mod schedule;
pub mod spans;
mod summarisers;
mod tie;
mod when;
pub mod window;

pub use gate::{
    Cited, DEEPEST_PROSE, GateRegion, HandOver, Idempotence, Kept, Liveness, MOST_MARKERS, Origin, Permit, Provenance,
    Recompiling, Refused, Regions, Validity, Why, gate, gate_prose, idempotence, liveness, may_mark, provenance,
    validity,
};
pub use gather::{Gather, Look, compiled, look};
pub use lift::{RULES, lift};
pub use render::{Amount, RENDERED, Rendered, render, tokens};
pub use schedule::{Job, Millis, Schedule, Stall};
pub use spans::merged;
pub use summarisers::{Brief, Sentence, Spoken, Summariser, SummaryError};
pub use tie::{Merge, Original, Plan, Scanned, Scanner, Sources, Ties, Tying, View, settle};
pub use when::{Limits, Manner, Moment, Next, Share, When};
