//! Where lines break.

use std::ops::Range;

use memchr::{memchr, memrchr};
use unicode_segmentation::UnicodeSegmentation;

use super::Shown;
use super::width::cluster_width;

/// Byte ranges of the lines that a text breaks into at this width: at spaces where possible, never inside a character
/// a person sees; one range for each empty line. A width of 0 counts as 1.
///
/// Spaces at a break belong to no line. A character wider than the width has a line of its own.
pub fn wrap(text: &Shown, cells: usize) -> Vec<Range<usize>> {
    let text = text.as_str();
    let cells = cells.max(1);
    let mut lines = Vec::new();
    let mut start = 0;
    loop {
        let end = memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |at| start + at);
        paragraph(text, start..end, cells, &mut lines);
        if end == text.len() {
            return lines;
        }
        start = end + 1;
    }
}

fn paragraph(text: &str, range: Range<usize>, cells: usize, lines: &mut Vec<Range<usize>>) {
    let ascii = text[range.clone()].is_ascii();
    let mut start = range.start;
    loop {
        let rest = &text[start..range.end];
        let fits = if ascii { rest.len().min(cells) } else { fitting(rest, cells) };
        if fits == rest.len() {
            lines.push(start..range.end);
            return;
        }
        let line = broken(rest, fits);
        lines.push(start..start + line);
        // A line that was broken inside a word starts with that word's rest, not with a space.
        let spaces = rest.as_bytes()[line..].iter().take_while(|b| **b == b' ').count();
        start += line + spaces;
        if start == range.end {
            return;
        }
    }
}

/// Where a line ends of which `fits` bytes have room, when there is more.
fn broken(rest: &str, fits: usize) -> usize {
    let bytes = rest.as_bytes();
    let space = if bytes[fits] == b' ' { Some(fits) } else { memrchr(b' ', &bytes[..fits]) };
    let words = space.map_or(0, |at| bytes[..at].iter().rposition(|b| *b != b' ').map_or(0, |last| last + 1));
    // Only spaces before it: an indent, and no place to break.
    if words > 0 { words } else { fits }
}

/// Bytes from the start that fit into the cells; at least one character.
fn fitting(rest: &str, cells: usize) -> usize {
    let mut used = 0;
    for (at, cluster) in rest.grapheme_indices(true) {
        used += cluster_width(cluster);
        if used > cells && at > 0 {
            return at;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Shown, wrap};
    use crate::text::width::line_width;
    use unicode_segmentation::UnicodeSegmentation;

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        let table = [
            ("", 10, "[]"),
            ("one two three", 20, "[one two three]"),
            ("one two three", 8, "[one two][three]"),
            ("one two three", 7, "[one two][three]"),
            ("one two three", 3, "[one][two][thr][ee]"),
            ("a\n\nb\n", 5, "[a][][b][]"),
            ("one   two", 4, "[one][two]"),
            ("one two   ", 7, "[one two]"),
            ("    indented text", 9, "[    inden][ted text]"),
            ("      ", 3, "[   ]"),
            ("日本語", 4, "[日本][語]"),
            ("日本語", 1, "[日][本][語]"),
            ("ab 日本", 5, "[ab][日本]"),
            ("e\u{301}e\u{301}", 1, "[e\u{301}][e\u{301}]"),
            ("abc", 0, "[a][b][c]"),
            ("👩\u{200d}👩\u{200d}👧x", 2, "[👩\u{200d}👩\u{200d}👧][x]"),
        ];
        for (text, cells, expected) in table {
            let text = Shown::lines(text);
            let lines: Vec<&str> = wrap(&text, cells).into_iter().map(|r| &text.as_str()[r]).collect();
            assert_eq!(format!("[{}]", lines.join("][")), expected, "{text:?} at {cells}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_byte_is_in_one_line_and_no_line_is_too_wide(
            chars in proptest::collection::vec(proptest::sample::select(vec![
                'a', 'b', ' ', ' ', '\n', 'é', '日', '\u{301}', '👩', '\u{200d}', '❤', '\u{fe0f}', '\t', '\u{1b}', 'ा', '한', '🇩', '🇪',
            ]), 0..60),
            cells in 0_usize..=40,
        ) {
            let text = Shown::lines(&chars.into_iter().collect::<String>());
            let lines = wrap(&text, cells);
            let whole = text.as_str();
            let mut at = 0;
            for line in &lines {
                proptest::prop_assert!(line.start >= at);
                let between = &whole[at..line.start];
                proptest::prop_assert!(between.chars().all(|c| c == ' ' || c == '\n'), "{between:?} was lost");
                let shown = &whole[line.clone()];
                proptest::prop_assert!(!shown.contains('\n'));
                let clusters = shown.graphemes(true).count();
                proptest::prop_assert!(line_width(shown) <= cells.max(1) || clusters == 1, "{shown:?} at {cells}");
                at = line.end;
            }
            proptest::prop_assert!(whole[at..].chars().all(|c| c == ' '), "the end was lost");
            let empty_lines = whole.split('\n').count();
            proptest::prop_assert!(lines.len() >= empty_lines);
        }
    }
}
