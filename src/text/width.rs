//! How many cells a text takes.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::Shown;

/// Cells that a text takes on a terminal; of several lines, the widest counts.
pub fn width(text: &Shown) -> usize {
    text.as_str().split('\n').map(line_width).max().unwrap_or(0)
}

/// The text cut to `cells`, with `…` in the last one when something was left out. Never in the middle of a character.
/// Of several lines the first is left.
pub fn cut(text: &Shown, cells: usize) -> Shown {
    let whole = text.as_str();
    let line = whole.split('\n').next().unwrap_or(whole);
    if line.len() == whole.len() && (line.len() <= cells && line.is_ascii() || line_width(line) <= cells) {
        return text.clone();
    }
    if cells == 0 {
        return Shown::default();
    }
    let mut kept = line[..fitting(line, cells - 1)].to_owned();
    kept.push('…');
    Shown::trusted(kept)
}

/// Cells that one line takes: the sum over the characters a person sees, because a screen sets them one by one.
pub(super) fn line_width(line: &str) -> usize {
    if line.is_ascii() { line.len() } else { line.graphemes(true).map(cluster_width).sum() }
}

/// Cells that one character a person sees takes.
pub(super) fn cluster_width(cluster: &str) -> usize {
    if cluster.len() == 1 { 1 } else { cluster.width() }
}

/// Bytes from the start that fit into the cells.
fn fitting(line: &str, cells: usize) -> usize {
    let mut used = 0;
    for (at, cluster) in line.grapheme_indices(true) {
        used += cluster_width(cluster);
        if used > cells {
            return at;
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::{Shown, cut, width};

    #[test]
    fn cells_are_counted_as_a_person_sees_them() {
        let table = [
            ("", 0),
            ("abc", 3),
            ("日本", 4),
            ("e\u{301}", 1),
            ("👩\u{200d}👩\u{200d}👧", 2),
            ("❤\u{fe0f}", 2),
            ("\u{1b}[0m", 5),
            ("한글", 4),
        ];
        for (text, cells) in table {
            assert_eq!(width(&Shown::line(text)), cells, "{text:?}");
        }
        assert_eq!(width(&Shown::lines("a\nbcd\n")), 3, "the widest line counts");
    }

    #[test]
    fn a_cut_never_splits_a_character_and_says_that_it_cut() {
        let table = [
            ("abcdef", 6, "abcdef"),
            ("abcdef", 5, "abcd…"),
            ("abcdef", 1, "…"),
            ("abcdef", 0, ""),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("日本語", 6, "日本語"),
            ("👩\u{200d}👩\u{200d}👧👧", 3, "👩\u{200d}👩\u{200d}👧…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ];
        for (text, cells, expected) in table {
            assert_eq!(cut(&Shown::line(text), cells).as_str(), expected, "{text:?} at {cells}");
        }
        assert_eq!(cut(&Shown::lines("one\ntwo"), 10).as_str(), "one…");
    }
}
