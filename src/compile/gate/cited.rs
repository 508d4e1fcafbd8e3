//! Whether every fact of a record can still be looked up: turn, bytes and hash. Prose is checked elsewhere, as claims are.

use crate::record::{Field, Record};
use crate::session::{Hash, SourceRef};

/// What stands where a source points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cited<'a> {
    /// The text of an original part.
    Original(&'a str),
    /// An original whose text was meant to go; its hash is still there.
    Closed,
    /// The text of a summary.
    Summary,
    /// Nothing.
    Nothing,
}

/// How the facts of a record are held up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// Items that state or name something, prose apart.
    pub facts: usize,
    /// Facts with a turn, a byte range and a hash that all fit an original.
    pub held: usize,
    /// Facts whose originals were meant to go: their quote and its hash are what is left, or the hash alone.
    pub closed: usize,
    /// Indexes of facts that cite nothing that is there.
    pub dangling: Vec<usize>,
    /// Indexes of facts whose only citation is a summary.
    pub only_summaries: Vec<usize>,
}

impl Provenance {
    /// Whether no fact hangs in the air or on a summary.
    pub fn is_whole(&self) -> bool {
        self.dangling.is_empty() && self.only_summaries.is_empty()
    }
}

/// Looks up every source of every fact. `cited` says what stands where one points.
pub fn provenance<'a>(record: &Record, cited: &dyn Fn(&SourceRef) -> Cited<'a>) -> Provenance {
    let mut found = Provenance::default();
    for (at, item) in record.items.iter().enumerate().filter(|(_, item)| item.field != Field::Narrative) {
        found.facts += 1;
        let (mut closed, mut summary) = (false, false);
        let held = item.sources.iter().any(|source| {
            let kept = !source.turn_id.is_empty() && Hash::of(source.quote.as_bytes()) == source.hash;
            match cited(source) {
                Cited::Original(text) => kept && text.get(source.range.0..source.range.1) == Some(&*source.quote),
                Cited::Closed => {
                    closed |= kept || source.quote.is_empty();
                    false
                }
                Cited::Summary => {
                    summary = true;
                    false
                }
                Cited::Nothing => false,
            }
        });
        match (held, closed, summary) {
            (true, _, _) => found.held += 1,
            (false, true, _) => found.closed += 1,
            (false, false, true) => found.only_summaries.push(at),
            (false, false, false) => found.dangling.push(at),
        }
    }
    found
}
