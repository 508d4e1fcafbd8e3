//! Who writes the prose of a record. Whatever a summariser answers is a draft: it is held against the originals before
//! it counts, and nothing else of a record ever passes through one.

mod candidate;
mod command;
mod extractive;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod extractive_tests;
mod http;
mod key;
mod parse;
mod process;
mod prompt;
mod protocol;
mod settings;
#[cfg(test)]
pub(crate) mod world;

use super::heard::Heard;
use crate::session::{Part, PartSeq, Place, SourceRef, TurnNo};

pub use extractive::Extractive;
pub use key::Key;
pub use process::kill_programs;
pub use protocol::Protocol;
pub use settings::{Limits, SummariserKind, SummariserSettings};

/// One original part, as a summariser reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The turn's number, for display.
    pub turn: TurnNo,
    /// The agent's id of the turn's first line; where there is none, the index of the line or row.
    pub turn_id: String,
    /// The agent's id of the line, where it has one.
    pub line_id: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Its sequence in the session.
    pub seq: PartSeq,
    /// Kind, speaker and text.
    pub part: Part,
    /// What was found in its sentences; `None` where nobody looked at all of them yet.
    pub heard: Option<Heard>,
}

/// What a summariser is to read: originals, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a> {
    /// Never a summary.
    pub originals: &'a [Spoken],
    /// At most so many sentences are wanted.
    pub sentences: usize,
}

/// One sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What it says.
    pub text: String,
    /// The originals that hold it word for word; empty for what a model wrote, which is a draft until it is checked.
    pub sources: Vec<SourceRef>,
}

/// Why it wrote no prose.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SummaryError {
    /// The originals are more than it reads at once.
    #[error(
        "{tokens} tokens do not fit the summariser's window of {window} (set a larger one where it reads more, or close shorter blocks: --cap)"
    )]
    TooLong {
        /// What was to be read.
        tokens: u64,
        /// What it reads at once.
        window: u64,
    },
    /// It ran and failed, or took too long; or what it answered cannot be used.
    #[error("{who}: {why}")]
    Failed {
        /// Which summariser.
        who: String,
        /// What happened, and what to do.
        why: String,
    },
    /// The user stopped it.
    #[error("stopped")]
    Cancelled,
}

/// What hears why a try came to nothing.
pub type HearTries = Box<dyn Fn(&str) + Send + Sync>;

/// Writes a few sentences about originals.
pub trait Summariser: Send + Sync {
    /// The word for it on the command line, with what it runs.
    fn name(&self) -> String;

    /// So many tokens it reads at once.
    fn window(&self) -> u64;

    /// Whether it only picks sentences that were said. What was picked from a part need not be picked from the whole again.
    fn picks(&self) -> bool {
        false
    }

    /// From now on this hears of every try that came to nothing and is made once more. One that tries once never says so.
    fn hear_tries(&mut self, _: HearTries) {}

    /// The sentences, at most as many as wanted. `stop` is asked while it waits.
    fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError>;
}
