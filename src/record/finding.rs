//! One thing that a compaction did wrong.

use super::Field;
use crate::session::{SourceRef, TurnNo};

/// The kinds, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    Inverted,
    Invented,
    Altered,
    Firmed,
    Misattributed,
    Overruled,
    Laundered,
    Lost,
}

impl FindingKind {
    /// The value in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Inverted => "inverted",
            FindingKind::Invented => "invented",
            FindingKind::Altered => "altered",
            FindingKind::Firmed => "firmed",
            FindingKind::Misattributed => "misattributed",
            FindingKind::Overruled => "overruled",
            FindingKind::Laundered => "laundered",
            FindingKind::Lost => "lost",
        }
    }

    /// The words that the screen uses.
    pub fn plain(self) -> &'static str {
        match self {
            FindingKind::Inverted => "turned round",
            FindingKind::Invented => "never said",
            FindingKind::Altered => "changed",
            FindingKind::Firmed => "made firmer",
            FindingKind::Misattributed => "someone else said it",
            FindingKind::Overruled => "said again after it was corrected",
            FindingKind::Laundered => "only a summary says so",
            FindingKind::Lost => "forgotten",
        }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Low,
    Medium,
    High,
}

/// One thing that a compaction did wrong, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    pub severity: Severity,
    pub field: Field,
    /// The item's index in its record; `None` for what is not in the record (`lost`).
    pub item: Option<usize>,
    pub text: String,
    pub summary_range: Option<(usize, usize)>,
    /// Every marker that says it, by number.
    pub markers: Vec<u32>,
    pub sources: Vec<SourceRef>,
    /// Where it was missed afterwards, and what happened there.
    pub needed_again: Vec<(TurnNo, String)>,
    /// One sentence that a user understands.
    pub why: String,
}
