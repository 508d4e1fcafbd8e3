//! What happened: the values of a session. No file, clock, database, serde or screen is known here.
//!
//! A session is read as [`Line`]s in file order. What a line means (turns, markers, ranges) is derived by
//! [`Outline`], which only grows. Nothing here holds the texts of a whole session.

mod ids;
mod line;
mod log;
mod outline;
mod ranges;
mod source;
mod turn;

pub use ids::{Hash, MarkerKey, PartSeq, SessionKey, TurnNo};
pub use line::{
    Body, Boundary, FirstKept, Line, Part, PartKind, Role, Segment, Speaker, Summary, TokensSaved, Trigger, Trouble,
    Usage,
};
pub use log::{Depth, FileNo, Head, Log, LogError, SideFile, Stretch};
pub use outline::{Batch, Compaction, LineMeta, Originals, Outline, TurnMeta};
pub use ranges::Ranges;
pub use source::{Place, SourceRef};
pub use turn::{Entry, Fold, Noise, Said, Turn, clean_start, group, starts_agent};
