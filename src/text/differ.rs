//! The words in which two texts differ.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// The words that one text has and the other has not, as byte ranges of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// In the first text. Empty when it only says what the second one says too.
    pub first: Vec<Range<usize>>,
    /// In the second text.
    pub second: Vec<Range<usize>>,
}

/// Cells of the comparison table; of longer texts everything between what they share at both ends counts as different.
const TABLE: usize = 1 << 20;

/// The words in which two texts differ. Letter case, space and punctuation do not count; question marks do, for a
/// question is no statement.
pub fn differ(first: &str, second: &str) -> Difference {
    let (a, b) = (words(first), words(second));
    let head = a.iter().zip(&b).take_while(|(x, y)| x.same(y)).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x.same(y)).count();
    let (a_mid, b_mid) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let (a_kept, b_kept) = shared(a_mid, b_mid);
    Difference { first: joined(first, a_mid, &a_kept), second: joined(second, b_mid, &b_kept) }
}

struct Word {
    range: Range<usize>,
    folded: String,
}

impl Word {
    fn same(&self, other: &Word) -> bool {
        self.folded == other.folded
    }
}

fn words(text: &str) -> Vec<Word> {
    text.split_word_bound_indices()
        .filter(|(_, word)| word.chars().any(|c| c.is_alphanumeric() || c == '?'))
        .map(|(at, word)| Word { range: at..at + word.len(), folded: word.to_lowercase() })
        .collect()
}

/// Which words of each are part of the longest common sequence.
fn shared(a: &[Word], b: &[Word]) -> (Vec<bool>, Vec<bool>) {
    let mut kept = (vec![false; a.len()], vec![false; b.len()]);
    let columns = b.len() + 1;
    if (a.len() + 1).saturating_mul(columns) > TABLE {
        return kept;
    }
    // `longest[i][j]`: the length for what follows word i of a and word j of b.
    let mut longest = vec![0_u32; (a.len() + 1) * columns];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * columns + j] = if a[i].same(&b[j]) {
                longest[(i + 1) * columns + j + 1] + 1
            } else {
                longest[(i + 1) * columns + j].max(longest[i * columns + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].same(&b[j]) {
            kept.0[i] = true;
            kept.1[j] = true;
            i += 1;
            j += 1;
        } else if longest[(i + 1) * columns + j] >= longest[i * columns + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    kept
}

/// The ranges of the words that are not kept; neighbours become one.
fn joined(text: &str, words: &[Word], kept: &[bool]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (word, _) in words.iter().zip(kept).filter(|(_, kept)| !**kept) {
        match ranges.last_mut() {
            Some(last) if !text[last.end..word.range.start].contains(char::is_alphanumeric) => {
                last.end = word.range.end;
            }
            _ => ranges.push(word.range.clone()),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::differ;

    /// The text with the differing words in brackets.
    fn marked(text: &str, ranges: &[std::ops::Range<usize>]) -> String {
        let mut out = String::new();
        let mut at = 0;
        for range in ranges {
            out += &text[at..range.start];
            out += "[";
            out += &text[range.clone()];
            out += "]";
            at = range.end;
        }
        out + &text[at..]
    }

    #[test]
    fn the_deciding_words_are_marked_in_both() {
        let table = [
            ("Use port 8080.", "use port 8081", "Use port [8080].", "use port [8081]"),
            ("Should it be an enum?", "It be an enum", "[Should] it be an enum[?]", "It be an enum"),
            ("it is not a credit hold", "it is a credit hold", "it is [not] a credit hold", "it is a credit hold"),
            ("same words", "Same, words!", "same words", "Same, words!"),
            ("", "all new", "", "[all new]"),
            (
                "cap at 7 retries then stop",
                "cap at 5 retries, then give up",
                "cap at [7] retries then [stop]",
                "cap at [5] retries, then [give up]",
            ),
        ];
        for (a, b, in_a, in_b) in table {
            let difference = differ(a, b);
            assert_eq!(marked(a, &difference.first), in_a);
            assert_eq!(marked(b, &difference.second), in_b);
        }
    }

    #[test]
    fn long_texts_are_compared_at_their_ends_only() {
        let (a, b) = ("a x ".repeat(3000), "b x ".repeat(3000));
        let difference = differ(&format!("same {a} end"), &format!("same {b} end"));
        assert_eq!(difference.first.len(), 1);
        assert_eq!(difference.first[0].start, 5);
    }
}
