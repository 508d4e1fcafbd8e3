//! What the check of one marker against the originals says.

use std::sync::Arc;

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

/// How far the check of a marker came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckStage {
    /// Its record was held against everything before it. What was missed of it, and what other markers say, is not known.
    Alone,
    /// Everything.
    #[default]
    Whole,
}

/// The outcome for one marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How far it came: of [`CheckStage::Alone`] there are findings and nothing else.
    pub stage: CheckStage,
    /// Worst first. What was said to be a wrong alarm is not among them.
    pub findings: Vec<Finding>,
    /// For each finding the number of the entry that corrects it: `L3`. None where nobody did.
    pub corrected: Vec<Option<u32>>,
    /// Findings that a person said to be wrong alarms.
    pub wrong_alarms: Vec<Finding>,
    /// The record compiled mechanically from the same turns: what matters most first.
    pub compiled: Arc<Record>,
    /// How much of it was kept.
    pub retention: Retention,
    /// The same by stretch: for this marker and each one before it, how much is kept here of what was first said in the
    /// turns that it covers.
    pub stretches: Vec<(u32, Retention)>,
    /// How much is kept here of what was held before the first marker: over all markers, a curve.
    pub first: Retention,
    /// Tokens spent on looking up again what was lost.
    pub refetch_tokens: u64,
    /// What is wrong with the compaction as such.
    pub warnings: Vec<Warning>,
}

impl Checked {
    /// The entry that corrects the finding with this index; `None` where nobody did.
    pub fn corrected_by(&self, finding: usize) -> Option<u32> {
        self.corrected.get(finding).copied().flatten()
    }
}
