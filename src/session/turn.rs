//! What a person reads: turns with their results under their calls, markers, notes and folds. How lines become such
//! entries stands in `group`.

use super::{Boundary, FileNo, Part, Place, Role, Summary, TokensSaved, Trouble, TurnNo, Usage};

/// The parts of one message in one role, results under their calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose message it is.
    pub role: Role,
    /// `None` while the outline has not come this far, and for repeats.
    pub no: Option<TurnNo>,
    /// The agent's id of the first line; `None` where the agent gives none.
    pub id: Option<String>,
    /// The time of its first line.
    pub at: Option<i64>,
    /// Its first line.
    pub place: Place,
    /// What was said, in order.
    pub parts: Vec<Said>,
    /// A call still lacks its result.
    pub open: bool,
    /// What the agent reported for it.
    pub usage: Option<Usage>,
    /// Meta and bookkeeping lines that follow it: folded.
    pub noise: Vec<Noise>,
    /// The sub-agents that its results name.
    pub agents: Vec<String>,
    /// A result whose call stands elsewhere: the turn of the call, once the outline knows it.
    pub result_of: Option<TurnNo>,
}

/// One part of a turn with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Where it stands.
    pub place: Place,
    /// The agent's id of its line.
    pub line_id: Option<String>,
    /// What was said.
    pub part: Part,
    /// What was mended while its line was decoded.
    pub lossy: Option<String>,
}

/// A line that carries nothing said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// Where it stands.
    pub place: Place,
    /// A short word: `progress`, `hook`, `meta`.
    pub what: String,
    /// What it holds.
    pub text: String,
}

/// Why entries are folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fold {
    /// A branch that was rewound: nobody's context holds it.
    Abandoned,
    /// The turns of a sub-agent. `file` is 0 where they stand in the session's own file.
    SubAgent {
        /// The sub-agent's id.
        agent: String,
        /// The file that its turns stand in.
        file: FileNo,
    },
    /// The same line ids once more (preserved messages written again, a resumed file).
    Repeat,
    /// Meta and bookkeeping lines before the first turn or after a marker.
    Noise,
}

/// One thing in the transcript, in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Something was said.
    Turn(Turn),
    /// A compaction. What it covers is the outline's to say.
    Marker {
        /// The boundary's line, else the summary's.
        place: Place,
        /// The agent's id of the boundary.
        id: Option<String>,
        /// When it happened.
        at: Option<i64>,
        /// What the boundary says.
        boundary: Boundary,
        /// What took the place of the turns before; `None` where it is not there.
        summary: Option<(Place, Summary)>,
    },
    /// A micro-compaction.
    Note {
        /// Where it stands.
        place: Place,
        /// When it happened.
        at: Option<i64>,
        /// What was cleared.
        saved: TokensSaved,
    },
    /// Entries and noise behind one row.
    Folded {
        /// Why.
        fold: Fold,
        /// Where the first of them stands.
        place: Place,
        /// What is folded.
        entries: Vec<Entry>,
        /// Lines that say nothing.
        noise: Vec<Noise>,
    },
    /// A line that could not be read.
    Unread(Trouble),
}

impl Entry {
    /// The place of its first line.
    pub fn place(&self) -> Place {
        match self {
            Entry::Turn(turn) => turn.place,
            Entry::Marker { place, .. } | Entry::Note { place, .. } | Entry::Folded { place, .. } => *place,
            Entry::Unread(trouble) => Place { file: trouble.file, offset: trouble.offset, part: 0 },
        }
    }
}

/// Whether a tool of this name starts a sub-agent.
pub fn starts_agent(tool: &str) -> bool {
    matches!(tool, "Task" | "Agent" | "task" | "agent" | "subagent" | "dispatch_agent")
}
