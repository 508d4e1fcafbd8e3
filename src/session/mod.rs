//! What happened: the values of a session. No file, clock, database, serde or screen is known here.
//!
//! A session is read as [`Line`]s in file order. What a line means (turns, markers, ranges) is derived by
//! [`Outline`], which only grows. Nothing here holds the texts of a whole session.

mod agents;
mod branches;
mod compaction;
mod group;
mod growth;
mod ids;
mod line;
mod log;
mod names;
#[cfg(test)]
mod notation;
mod outline;
mod ranges;
mod source;
mod talk;
mod turn;

pub use compaction::{Compaction, Originals};
pub use group::{clean_start, group, group_knowing};
pub use ids::{Hash, HashedFields, MarkerKey, PartSeq, SessionKey, TurnNo};
pub use line::{
    Body, Boundary, FirstKept, Line, Part, PartKind, Role, Segment, Speaker, Summary, TokensSaved, Trigger, Trouble,
    Usage,
};
pub use log::{Depth, FileNo, Head, Log, LogError, SideFile, Stretch};
pub(crate) use names::names;
pub use outline::{Batch, LineMeta, Outline, TurnMeta};
pub use ranges::Ranges;
pub use source::{Place, SourceRef};
pub use turn::{Entry, Fold, Noise, Said, Turn, starts_agent};
