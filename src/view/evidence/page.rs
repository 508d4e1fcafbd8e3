//! Rows of evidence as they are made: paragraphs, quotations with marked words, turns that can be gone to.

use super::{Evident, Link};
use crate::text::Shown;
use crate::view::{Row, Run, Signs, Tone, prose, unmarked, wrapped};

/// Byte ranges of a text.
pub(in crate::view) type Marks<'a> = &'a [(usize, usize)];

pub(super) struct Page<'a> {
    pub cells: usize,
    pub signs: &'a Signs,
    pub rows: Vec<Evident>,
}

impl<'a> Page<'a> {
    pub fn new(cells: usize, signs: &'a Signs) -> Self {
        Self { cells: cells.max(8), signs, rows: Vec::new() }
    }

    pub fn push(&mut self, row: Row) {
        self.rows.push(Evident { row, link: None });
    }

    fn extend(&mut self, rows: Vec<Row>) {
        self.rows.extend(rows.into_iter().map(|row| Evident { row, link: None }));
    }

    pub fn gap(&mut self) {
        if self.rows.last().is_some_and(|last| !last.row.runs.is_empty()) {
            self.push(Row::blank());
        }
    }

    pub fn plain(&mut self, text: &str, tone: Tone) {
        self.extend(wrapped(text, self.cells, tone));
    }

    /// Rows of which the first leads somewhere.
    pub fn linked(&mut self, pieces: &[(&str, Tone)], hang: &str, link: Link) {
        let rows = prose::flowed(pieces, self.cells, "", hang);
        let first = self.rows.len();
        self.extend(rows);
        if let Some(row) = self.rows.get_mut(first) {
            row.link = Some(link);
        }
    }

    /// A quotation, hanging after its opening mark, with words in it marked.
    pub fn quoted(&mut self, text: &str, marks: Marks<'_>) {
        let (open, close) = self.signs.quotes;
        let parts = parted(text, marks);
        let mut pieces = vec![(open, Tone::Dim)];
        pieces.extend(parts.iter().map(|(text, tone)| (text.as_str(), *tone)));
        pieces.push((close, Tone::Dim));
        self.extend(prose::flowed(&pieces, self.cells, "  ", "   "));
    }

    /// Pieces of one paragraph.
    pub fn flowed(&mut self, pieces: &[(&str, Tone)]) {
        self.extend(prose::flowed(pieces, self.cells, "", ""));
    }

    /// Keys with what they do, on one row where they fit.
    pub fn keys(&mut self, keys: &[(&str, &str)]) {
        let mut runs = Vec::new();
        for (at, (key, does)) in keys.iter().enumerate() {
            let gap = if at > 0 { "     " } else { "" };
            runs.extend([Run::text(gap), Run::new(key, Tone::Accent), Run::text(&format!("  {does}"))]);
        }
        let row = Row::of(runs);
        if row.width() <= self.cells {
            return self.push(row);
        }
        for (key, does) in keys {
            let pieces = [(*key, Tone::Accent), ("  ", Tone::Text), (*does, Tone::Text)];
            self.extend(prose::flowed(&pieces, self.cells, "", "   "));
        }
    }
}

/// A text in pieces: what is marked has its own tone. Ranges that do not fit mark nothing. Markdown's marks are taken out.
pub(in crate::view) fn parted(text: &str, marks: Marks<'_>) -> Vec<(String, Tone)> {
    let mut sorted = marks.to_vec();
    sorted.sort_unstable();
    let mut pieces = Vec::new();
    let mut at = 0;
    for (from, to) in sorted {
        let from = from.max(at);
        let (Some(before), Some(inside)) = (text.get(at..from), text.get(from..to)) else { continue };
        pieces.push((unmarked(before), Tone::Text));
        pieces.push((unmarked(inside), Tone::Marked));
        at = to;
    }
    pieces.push((unmarked(&text[at..]), Tone::Text));
    pieces.retain(|(text, _)| !text.is_empty());
    pieces
}

/// White space folded.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text in so many cells, cut behind a whole word where one fits.
pub(super) fn begun(text: &str, cells: usize) -> String {
    let whole = folded(&unmarked(prose::beginning(text, prose::ONE_LINE)));
    let cut = crate::text::cut(&Shown::line(&whole), cells).as_str().to_owned();
    let Some(kept) = cut.strip_suffix('…').filter(|kept| whole.len() > kept.len()) else { return cut };
    let in_a_word = whole.get(kept.len()..).is_some_and(|rest| !rest.starts_with(' '));
    match kept.rfind(' ') {
        Some(end) if in_a_word => format!("{}…", &kept[..end]),
        Some(_) | None => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::begun;

    #[test]
    fn a_quote_that_is_cut_ends_with_a_whole_word() {
        for (cells, want) in [
            (40, "The lock was never ours."),
            (24, "The lock was never ours."),
            (16, "The lock was…"),
            (13, "The lock was…"),
            (12, "The lock…"),
            (3, "Th…"),
        ] {
            assert_eq!(begun("The lock was\nnever ours.", cells), want, "{cells}");
        }
    }
}
