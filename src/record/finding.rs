//! One thing that a compaction did wrong.

use super::{Field, Item};
use crate::session::{SourceRef, TurnNo, names};

/// The kinds, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// Polarity or consent flipped.
    Inverted,
    /// No original holds it.
    Invented,
    /// The originals have another value.
    Altered,
    /// Certainty rose.
    Firmed,
    /// Somebody else said it.
    Misattributed,
    /// It contradicts an active entry.
    Overruled,
    /// Only an earlier summary says so.
    Laundered,
    /// In the originals, needed, and not in the record.
    Lost,
}

names!(FindingKind {
    Inverted = "inverted",
    Invented = "invented",
    Altered = "altered",
    Firmed = "firmed",
    Misattributed = "misattributed",
    Overruled = "overruled",
    Laundered = "laundered",
    Lost = "lost",
});

impl FindingKind {
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
    /// Worth knowing.
    Low,
    /// Worth a look.
    Medium,
    /// Worth a correction.
    High,
}

names!(Severity { Low = "low", Medium = "medium", High = "high" });

/// One thing that a compaction did wrong, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What happened.
    pub kind: FindingKind,
    /// How bad it is.
    pub severity: Severity,
    /// The field that it concerns.
    pub field: Field,
    /// The item's index in its record; `None` for what is not in the record (`lost`).
    pub item: Option<usize>,
    /// What the record says, or what is missing from it.
    pub text: String,
    /// Where in the summary; `None` where it is about the originals.
    pub summary_range: Option<(usize, usize)>,
    /// Every marker that says it, by number.
    pub markers: Vec<u32>,
    /// The originals that show it.
    pub sources: Vec<SourceRef>,
    /// Where it was missed afterwards, and what happened there.
    pub needed_again: Vec<(TurnNo, String)>,
    /// What the agent did on the strength of it after the marker, and where; none where nobody saw it act on it.
    pub acted_on: Vec<(TurnNo, String)>,
    /// The words of `text` that decide, as byte ranges in it.
    pub decisive: Vec<(usize, usize)>,
    /// The words of the first source's quote that decide, as byte ranges in it.
    pub decisive_there: Vec<(usize, usize)>,
    /// One sentence that a user understands.
    pub why: String,
}

impl Finding {
    /// What happened to an item (by its place in its record) at a marker (by its number); there is no evidence yet.
    pub fn of((marker, at, item): (u32, usize, &Item), kind: FindingKind, severity: Severity, why: String) -> Self {
        Self {
            kind,
            severity,
            field: item.field,
            item: Some(at),
            text: item.text.clone(),
            summary_range: item.range,
            markers: vec![marker],
            sources: Vec::new(),
            needed_again: Vec::new(),
            acted_on: Vec::new(),
            decisive: Vec::new(),
            decisive_there: Vec::new(),
            why,
        }
    }
}

impl FindingKind {
    /// Whether it says that the record states something that the originals do not bear out.
    pub fn is_accusing(self) -> bool {
        self <= FindingKind::Misattributed
    }
}
