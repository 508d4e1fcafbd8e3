//! A claim that repeats a sentence nearly word for word: what it changes in it is plain to see.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use crate::extract::Certainty;

use super::additions::general;
use super::alignment::Original;
use super::statement::Statement;

/// How a sentence that is repeated was changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Reworded {
    /// Which of the originals it repeats.
    pub original: usize,
    /// In which way.
    pub change: Change,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
    /// The words of the original that decide.
    pub there: Vec<Range<usize>>,
}

/// In which way a repeated sentence was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A `not` came in.
    Denied,
    /// A `not` went out.
    Asserted,
    /// A question became a statement.
    Stated,
    /// A word stands in the place of another.
    Replaced,
}

/// So much of the shorter of the two must be the same words in the same order.
const SAME: f32 = 0.75;
/// Fewer words say too little.
const FEWEST: usize = 5;
/// Longer sentences are no quotations.
const MOST: usize = 80;

const NO: [&str; 8] = ["not", "no", "never", "without", "cannot", "neither", "nor", "none"];

/// The change, where there is one.
pub fn reworded(claim: &Statement, originals: &[Original], unheard: &dyn Fn(&str) -> bool) -> Option<Reworded> {
    let asks = claim.text.trim_end_matches(['"', '”', '.', ')', '*']).ends_with('?');
    if claim.tokens.len() < FEWEST || claim.tokens.len() > MOST {
        return None;
    }
    let mut found: Option<(usize, Reworded)> = None;
    for (no, original) in originals.iter().enumerate().filter(|(_, one)| one.cover >= 0.6 && one.is_told()) {
        let there = &original.statement;
        if there.tokens.len() < FEWEST || there.tokens.len() > MOST {
            continue;
        }
        let (mine, theirs, pairs) = unmatched(claim, there);
        let same = claim.tokens.len() - mine.len();
        let least = claim.tokens.len().min(there.tokens.len());
        if (same as f32) < SAME * least as f32 || same < FEWEST - 1 {
            continue;
        }
        if mine.is_empty() && theirs.is_empty() && asks == there.text.ends_with('?') {
            return None;
        }
        let negates = |statement: &Statement, at: &usize| {
            let word = statement.tokens[*at].lower.as_str();
            NO.contains(&word) || word.ends_with("n't")
        };
        let mine_no: Vec<usize> = mine.iter().copied().filter(|at| negates(claim, at)).collect();
        let theirs_no: Vec<usize> = theirs.iter().copied().filter(|at| negates(there, at)).collect();
        let ranges = |statement: &Statement, words: &[usize]| {
            words.iter().map(|at| statement.tokens[*at].range.clone()).collect::<Vec<_>>()
        };
        // Words that are put into another place change nothing; of a longer sentence half may be left out.
        let swapped = mine.len() + theirs.len() <= 4.max(claim.tokens.len() / 3);
        let change = match (mine_no.len() % 2, theirs_no.len() % 2) {
            (1, 0) if swapped => Change::Denied,
            (0, 1) if swapped && theirs.len() <= 3 => Change::Asserted,
            _ if there.text.ends_with('?') && !asks && there.certainty().0 == Certainty::Asked => Change::Stated,
            _ => match replaced(claim, there, &pairs, unheard) {
                Some((at, other)) if mine.len() * 5 <= claim.tokens.len() => {
                    let reworded = Reworded {
                        original: no,
                        change: Change::Replaced,
                        here: vec![claim.tokens[at].range.clone()],
                        there: vec![there.tokens[other].range.clone()],
                    };
                    if found.as_ref().is_none_or(|(known, _)| same > *known) {
                        found = Some((same, reworded));
                    }
                    continue;
                }
                Some(_) | None => continue,
            },
        };
        let (here, shown) = match change {
            Change::Denied => (ranges(claim, &mine_no), Vec::new()),
            Change::Asserted => (Vec::new(), ranges(there, &theirs_no)),
            Change::Stated | Change::Replaced => (ranges(claim, &mine), vec![there.text.len() - 1..there.text.len()]),
        };
        if found.as_ref().is_none_or(|(known, _)| same > *known) {
            found = Some((same, Reworded { original: no, change, here, there: shown }));
        }
    }
    found.map(|(_, reworded)| reworded)
}

/// A name or thing that stands nowhere, between the same two words as another in the original.
fn replaced(
    claim: &Statement,
    there: &Statement,
    pairs: &[(usize, usize)],
    unheard: &dyn Fn(&str) -> bool,
) -> Option<(usize, usize)> {
    pairs.windows(2).find_map(|two| {
        let [(a, b), (c, d)] = *two else { return None };
        if c != a + 2 || d != b + 2 {
            return None;
        }
        let (mine, theirs) = (&claim.tokens[a + 1], &there.tokens[b + 1]);
        let thing = |word: &str| word.len() >= 4 && !["ed", "ing", "ly", "es"].iter().any(|end| word.ends_with(end));
        let both = mine.content && theirs.content && thing(&mine.lower) && thing(&theirs.lower);
        let general = general();
        let telling = !general.contains(mine.lower.as_str()) && !general.contains(theirs.lower.as_str());
        (both && telling && !are_alike(&mine.lower, &theirs.lower) && unheard(&mine.lower)).then_some((a + 1, b + 1))
    })
}

/// Whether two words may stand for each other.
fn are_alike(a: &str, b: &str) -> bool {
    static ALIKE: OnceLock<Vec<HashSet<&'static str>>> = OnceLock::new();
    let groups = ALIKE.get_or_init(|| {
        let lines = include_str!("../../../assets/lexicon/en/alike.txt").lines();
        lines.filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect()
    });
    groups.iter().any(|group| group.contains(a) && group.contains(b))
}

/// The words of each that the other does not have in the same order, and the pairs of words that both have.
fn unmatched(a: &Statement, b: &Statement) -> (Vec<usize>, Vec<usize>, Vec<(usize, usize)>) {
    let (n, m) = (a.tokens.len(), b.tokens.len());
    let same = |i: usize, j: usize| a.tokens[i].stem == b.tokens[j].stem;
    // The longest run of words that both have in this order; both are short.
    let mut best = vec![0_u16; (n + 1) * (m + 1)];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            best[i * (m + 1) + j] = if same(i, j) {
                best[(i + 1) * (m + 1) + j + 1] + 1
            } else {
                best[(i + 1) * (m + 1) + j].max(best[i * (m + 1) + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let (mut mine, mut theirs, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    while i < n && j < m {
        if same(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * (m + 1) + j] >= best[i * (m + 1) + j + 1] {
            mine.push(i);
            i += 1;
        } else {
            theirs.push(j);
            j += 1;
        }
    }
    mine.extend(i..n);
    theirs.extend(j..m);
    (mine, theirs, pairs)
}
