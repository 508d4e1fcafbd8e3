//! What the check of one marker against the originals says.

use super::{Finding, Record, Retention, Verdict, Warning};
use crate::session::SourceRef;

/// The outcome for one item of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What the check says.
    pub verdict: Verdict,
    /// Why it is unchecked, or what stands against it.
    pub why: Option<String>,
    /// The better source of one that cites a wrong turn.
    pub better: Option<SourceRef>,
}

/// The outcome for one marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Worst first.
    pub findings: Vec<Finding>,
    /// The record compiled mechanically from the same turns: what matters most first.
    pub compiled: Record,
    /// How much of it was kept.
    pub retention: Retention,
    /// Tokens spent on looking up again what was lost.
    pub refetch_tokens: u64,
    /// What is wrong with the compaction as such.
    pub warnings: Vec<Warning>,
}
