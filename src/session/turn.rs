//! What a person reads: turns with their results under their calls, markers, notes and folds. How lines become such
//! entries stands in `group`.

use super::{Boundary, FileNo, Part, Place, Role, Summary, TokensSaved, Trouble, TurnNo, Usage};

/// The parts of one message in one role, results under their calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose turn it is.
    pub role: Role,
    /// `None` while the outline has not come this far, and for repeats.
    pub no: Option<TurnNo>,
    /// The agent's id of the first line; `None` where the agent gives none.
    pub id: Option<String>,
    /// When it began; `None` where nobody says.
    pub at: Option<i64>,
    /// Its first line.
    pub place: Place,
    /// Results stand under their calls.
    pub parts: Vec<Said>,
    /// A call still lacks its result.
    pub open: bool,
    /// Tokens, counted once for a message of several lines.
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
    /// What it is.
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
    /// What a person would want of it.
    pub text: String,
}

/// Why entries are folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fold {
    /// A branch that was rewound: nobody's context holds it.
    Abandoned,
    /// The turns of a sub-agent. `file` is 0 where they stand in the session's own file.
    SubAgent {
        /// Its id; empty where it has none.
        agent: String,
        /// Which of the session's files its lines stand in.
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
    /// What somebody said.
    Turn(Turn),
    /// A compaction. What it covers is the outline's to say.
    Marker {
        /// The line of the boundary, else of the summary.
        place: Place,
        /// The agent's id of that line.
        id: Option<String>,
        /// When it happened.
        at: Option<i64>,
        /// What it says of itself; empty where only a summary stands.
        boundary: Boundary,
        /// The line of the summary and its text.
        summary: Option<(Place, Summary)>,
    },
    /// A micro-compaction.
    Note {
        /// Its line.
        place: Place,
        /// When it happened.
        at: Option<i64>,
        /// What was cleared.
        saved: TokensSaved,
    },
    /// Folded away, and one key from being seen.
    Folded {
        /// Why.
        fold: Fold,
        /// Its first line.
        place: Place,
        /// What was said in it.
        entries: Vec<Entry>,
        /// What was not said in it.
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
