//! What the rows of an entry need to know besides the entry, and what each row is a row of.

use super::{Row, Run, Signs, Tone, Zone};
use crate::record::Field;
use crate::text::find;

/// What a row belongs to, within its entry. It stays the same when the width changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// Nothing: the cursor passes over it.
    Blank,
    /// Who spoke, and when.
    Head,
    /// Words of the part with this index.
    Text(u32),
    /// Thinking, folded to a line at first.
    Thinking(u32),
    /// A tool call, with its result folded under it.
    Call(u32),
    /// What stands under an unfolded call or thinking.
    Under(u32),
    /// More rows of a part than are shown.
    More(u32),
    /// Meta lines of a turn.
    Noise,
    /// Entries folded away.
    Fold,
    /// A micro-compaction.
    Note,
    /// A line that could not be read.
    Unread,
    /// A compaction's one line.
    Marker,
    /// The head of a field.
    Section(Field),
    /// The item with this index in its record.
    Item(u32),
    /// The correction of that item.
    Correction(u32),
    /// The evidence of that item, where it opens below.
    Evidence(u32),
    /// Items of a field beyond the first few.
    MoreItems(Field),
    /// A correction whose item cannot be found again.
    Orphan(u32),
    /// What the check says of that item, where its row has no room for it.
    Verdict(u32),
    /// A turn that the evidence of an item names: which item, and which of the turns.
    Link(u32, u32),
    /// What is wrong with the compaction as such.
    Warning,
    /// The finding at this place among those of its marker, where it has no row of an item: something forgotten.
    Finding(u32),
    /// The evidence of that finding, where it opens below.
    FindingEvidence(u32),
    /// A turn that it names.
    FindingLink(u32, u32),
    /// What was forgotten beyond the first few.
    MoreForgotten,
}

impl Piece {
    /// Whether the cursor rests on such rows.
    pub fn can_rest(self) -> bool {
        !matches!(
            self,
            Piece::Blank
                | Piece::Evidence(_)
                | Piece::FindingEvidence(_)
                | Piece::Section(_)
                | Piece::Correction(_)
                | Piece::Verdict(_)
                | Piece::Warning
        )
    }

    /// Whether it opens below the row of an item or a finding.
    pub fn is_below(self) -> bool {
        matches!(
            self,
            Piece::Evidence(_)
                | Piece::Correction(_)
                | Piece::Verdict(_)
                | Piece::Link(..)
                | Piece::FindingEvidence(_)
                | Piece::FindingLink(..)
        )
    }
}

/// One row with what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// What is painted.
    pub row: Row,
    /// What it is a row of.
    pub piece: Piece,
    /// Where in the piece: bytes into its text, or a count of rows.
    pub at: u32,
}

impl Laid {
    /// An empty row between two things.
    pub fn blank() -> Self {
        Self { row: Row::blank(), piece: Piece::Blank, at: 0 }
    }
}

/// How entries are looked at.
pub struct Lens<'a> {
    /// Cells of a row.
    pub width: usize,
    /// The signs in use.
    pub signs: &'static Signs,
    /// The reader's time zone.
    pub zone: &'a Zone,
    /// What is unfolded.
    pub open: &'a dyn Fn(Piece) -> bool,
    /// Words to mark: the part's index and a byte range in its text.
    pub marked: Option<(u32, (usize, usize))>,
    /// Show the day, not only the time.
    pub dated: bool,
    /// How deep in folds it stands.
    pub depth: usize,
}

impl Lens<'_> {
    /// Where text starts.
    pub fn indent(&self) -> usize {
        let margin = if self.width < 50 { 3 } else { 6 };
        margin + self.depth * 2
    }

    /// Where text ends: long lines are hard to read, so it never gets very wide.
    pub fn measure(&self) -> usize {
        self.width.saturating_sub(2).clamp(1, 104)
    }

    /// Cells for text between the two.
    pub fn text_width(&self) -> usize {
        self.measure().saturating_sub(self.indent()).max(1)
    }
}

/// Whether the row shows this text, letter case ignored.
pub fn find_in_row(row: &Row, needle: &str) -> bool {
    let text: String = row.runs.iter().map(|run| run.text.as_str()).collect();
    find(&text, needle).next().is_some()
}

/// The row with every occurrence of the needle marked as found.
#[must_use]
pub fn mark_found(row: &Row, needle: &str) -> Row {
    let text: String = row.runs.iter().map(|run| run.text.as_str()).collect();
    let hits: Vec<_> = find(&text, needle).collect();
    if hits.is_empty() {
        return row.clone();
    }
    let mut runs = Vec::new();
    let mut start = 0;
    for run in &row.runs {
        let end = start + run.text.as_str().len();
        let mut at = start;
        for hit in hits.iter().filter(|hit| hit.start < end && start < hit.end) {
            let (from, to) = (hit.start.max(start), hit.end.min(end));
            push(&mut runs, run, &text[at..from], run.tone);
            push(&mut runs, run, &text[from..to], Tone::Found);
            at = to;
        }
        push(&mut runs, run, &text[at..end], run.tone);
        start = end;
    }
    Row { runs, ..row.clone() }
}

fn push(runs: &mut Vec<Run>, like: &Run, text: &str, tone: Tone) {
    if !text.is_empty() {
        runs.push(Run { tone, language: like.language, ..Run::new(text, tone) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_marked_across_runs_and_whatever_their_case() {
        let row = Row::of([Run::text("an or"), Run::new("DERS table", Tone::Code)]);
        let marked = mark_found(&row, "orders");
        let shape: Vec<_> = marked.runs.iter().map(|run| (run.text.as_str(), run.tone)).collect();
        assert_eq!(shape, [("an ", Tone::Text), ("or", Tone::Found), ("DERS", Tone::Found), (" table", Tone::Code)]);
    }
}
