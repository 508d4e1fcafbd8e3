//! A long text in pieces that can be read one after the other.

use std::ops::Range;

use super::{Zone, Zones};

/// Cuts a text into pieces of about this many bytes that hold the same items as the whole: it is cut only at blank lines
/// of prose, so that no sentence, fence, table or log is torn. What cannot be cut stays in one piece.
pub fn pieces(text: &str, size: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0_usize;
    if text.len() > size {
        for range in Zones::of(text).of_kind(Zone::Prose) {
            let mut from = range.start.max(start.saturating_add(size).saturating_sub(1));
            while let Some(at) =
                text.as_bytes().get(from..range.end).and_then(|held| memchr::memmem::find(held, b"\n\n"))
            {
                let cut = from + at + 2;
                pieces.push(start..cut);
                start = cut;
                from = cut.saturating_add(size);
            }
        }
    }
    if start < text.len() {
        pieces.push(start..text.len());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{Extracted, Language, extract};

    fn shifted(items: Vec<Extracted>, by: usize) -> impl Iterator<Item = Extracted> {
        let moved = move |range: std::ops::Range<usize>| range.start + by..range.end + by;
        items.into_iter().map(move |item| Extracted {
            range: moved(item.range),
            cue: item.cue.map(moved),
            evidence: item.evidence.map(moved),
            ..item
        })
    }

    #[test]
    fn pieces_hold_the_items_of_the_whole() {
        let block = "It is not the cache.\n\n```\nnot\n\nnever 7 MB\n```\n\n- may be `a b`\n\n<some-hook>\n\nmust not\n\n</some-hook>\n\n| a | 5 ms |\n\n";
        let text = format!("{}the end of 12 rows", block.repeat(9));
        let english = Language::english();
        let whole = extract(&text, english);
        for size in [1, 10, 100, 1000, 100_000] {
            let cut = pieces(&text, size);
            assert_eq!(cut.first().map(|one| one.start), Some(0));
            assert!(cut.windows(2).all(|two| two[0].end == two[1].start), "{size}");
            assert_eq!(cut.last().map(|one| one.end), Some(text.len()));
            let apart: Vec<_> =
                cut.into_iter().flat_map(|one| shifted(extract(&text[one.clone()], english), one.start)).collect();
            assert_eq!(apart, whole, "{size}");
        }
        assert!(pieces("", 9).is_empty());
    }
}
