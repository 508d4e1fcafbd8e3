//! One line of a session file (or one row of a database), read and made sense of, but not yet put in order with others.

use super::{FileNo, Place, names};

/// Who a message is from, as its line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The person's side, the harness included.
    User,
    /// The agent.
    Assistant,
    /// The rules that the agent was started with.
    System,
}

/// Who really spoke. `User` only for what a person typed, or an answer of theirs that the harness delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A person.
    User,
    /// The agent, its thinking included.
    Assistant,
    /// Results, notifications, command and hook output, pasted files, reminders: even in a line whose role is user.
    Tool,
    /// The rules that the agent was started with.
    System,
}

/// What a part is. The text of a call is its arguments, one `name: value` a line, strings decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Plain words.
    Text,
    /// The agent's own thinking.
    Thinking,
    /// `id` pairs it with its result; `None` where the agent gave none.
    ToolCall {
        /// Pairs it with its result.
        id: Option<String>,
        /// The tool's name.
        name: String,
    },
    /// `ok` is false where the agent marked an error.
    ToolResult {
        /// The id of the call that it answers.
        id: Option<String>,
        /// Whether it went well.
        ok: bool,
    },
    /// Something that is not text (an image, encrypted content): `what` says what, in a few words with its size.
    Opaque {
        /// In a few words, with its size.
        what: String,
    },
}

impl PartKind {
    /// Whether its text is sent with the next request: what an agent thought is not, and what is opaque has none. Only
    /// this counts where a size in tokens is told.
    pub fn is_sent(&self) -> bool {
        match self {
            Self::Text | Self::ToolCall { .. } | Self::ToolResult { .. } => true,
            Self::Thinking | Self::Opaque { .. } => false,
        }
    }
}

/// The unit that is stored and never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which block of its line, from 0. With the line's id it is the part's id.
    pub block: u32,
    /// Text, call, result, …
    pub kind: PartKind,
    /// Who really spoke.
    pub speaker: Speaker,
    /// Decoded; empty when the line was read at [`super::Depth::Outline`], and for an opaque part.
    pub text: String,
}

/// Tokens as the agent reports them for one API message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Everything the model read: fresh, written to and read from the cache.
    pub input: u64,
    /// What the model wrote.
    pub output: u64,
}

/// What set a compaction off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The agent, because its window was full.
    Auto,
    /// The person asked for it.
    Manual,
    /// A piece of work was done.
    Seam,
    /// The window was full.
    Pressure,
    /// The turns had become too many.
    Length,
    /// The talk turned to something else.
    Topic,
    /// The file does not say.
    Unknown,
}

names!(Role { User = "user", Assistant = "assistant", System = "system" });
names!(Speaker { User = "user", Assistant = "assistant", Tool = "tool", System = "system" });
names!(Trigger {
    Auto = "auto",
    Manual = "manual",
    Seam = "seam",
    Pressure = "pressure",
    Length = "length",
    Topic = "topic",
    Unknown = "unknown",
});

/// A line that says: here earlier turns were replaced. Its summary may stand in the same line or in the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundary {
    /// `None` where the line does not say.
    pub trigger: Option<Trigger>,
    /// The agent's own figure.
    pub tokens_before: Option<u64>,
    /// The agent's own figure.
    pub tokens_after: Option<u64>,
    /// Line ids that were kept word for word; they stay out of `covers`.
    pub preserved: Vec<String>,
    /// The first and the last line that were kept word for word, where the agent names only those two.
    pub preserved_segment: Option<Segment>,
    /// The first line that was kept word for word, where the agent names only that.
    pub first_kept: Option<FirstKept>,
    /// The last line that was replaced, where the agent names it.
    pub last_covered: Option<String>,
    /// A record in structured form, where the store keeps one: `stet` databases do.
    pub own_record: bool,
}

/// A run of lines, by the ids of its first and its last; which lie between, their links say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first.
    pub head: String,
    /// The last.
    pub tail: String,
}

/// How an agent names the first line that it kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstKept {
    /// By its id.
    Id(String),
    /// The index of the line, the header being 0.
    Line(u64),
}

/// The text that replaced the earlier turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Empty where it is not readable (encrypted or dropped).
    pub text: String,
}

/// What a micro-compaction cleared: a note in the transcript, not a marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokensSaved {
    /// Tokens before it.
    pub before: Option<u64>,
    /// Tokens that it saved.
    pub saved: Option<u64>,
    /// How many tool results were cleared.
    pub cleared: usize,
}

/// What one line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `message` groups lines of one role into one turn: of an assistant the API message's id, of an appended part its
    /// turn key; `None` where the line is a turn of its own.
    Message {
        /// As the line says.
        role: Role,
        /// What groups its lines.
        message: Option<String>,
        /// In the order of the line's blocks.
        parts: Vec<Part>,
        /// The same in every line of a message.
        usage: Option<Usage>,
    },
    /// The boundary of a compaction. Some agents write the summary into it, others into the line that follows.
    Compaction {
        /// What it says of itself.
        boundary: Boundary,
        /// `None` where the summary stands in a line of its own.
        summary: Option<Summary>,
    },
    /// A summary in a line of its own.
    Summary(Summary),
    /// A micro-compaction.
    Note(TokensSaved),
    /// Meta and bookkeeping: folded. `what` is a short word such as `progress`. A `title` names the session.
    Noise {
        /// A short word.
        what: String,
        /// The session's name, in a line that gives one.
        title: Option<String>,
        /// What a person would want of it; empty at outline depth.
        text: String,
    },
    /// Could not be read; the bytes are still there.
    Unread {
        /// What is wrong with it.
        why: String,
    },
}

/// One line, in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which of the session's files.
    pub file: FileNo,
    /// Where it starts, in bytes (in a database: its row's sequence).
    pub offset: u64,
    /// Its length in bytes without the line end.
    pub len: u64,
    /// Blank lines between it and the line before it, as reading forward meets them; they count in line numbers alone.
    pub blanks: u64,
    /// The agent's id; `None` where it gives none.
    pub id: Option<String>,
    /// The id of the line that it says it follows.
    pub parent: Option<String>,
    /// Where a boundary says the chain really goes on.
    pub logical_parent: Option<String>,
    /// Milliseconds since 1970, UTC.
    pub at: Option<i64>,
    /// The sub-agent that this line belongs to, for a line inside the main file; empty text where it has no name.
    pub sidechain: Option<String>,
    /// The sub-agent that this line, a result, says its call started.
    pub started_agent: Option<String>,
    /// What it says.
    pub body: Body,
    /// A decoding loss that was mended (a lone surrogate): the line is shown, and this says what was done.
    pub lossy: Option<String>,
}

impl Line {
    /// The place of the line's part with this block number.
    pub fn place(&self, block: u32) -> Place {
        Place { file: self.file, offset: self.offset, part: block }
    }
}

/// Something that could not be read, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Which of the session's files.
    pub file: FileNo,
    /// Where its line starts.
    pub offset: u64,
    /// From 1; `None` while lines before it are uncounted, and for a row.
    pub line: Option<u64>,
    /// What is wrong with it.
    pub why: String,
}
