//! A claim that repeats a sentence nearly word for word: what it changes in it is plain to see.

use std::ops::Range;

use crate::extract::Certainty;
use crate::session::Speaker;

use super::alignment::Original;
use super::firmness::is_tag;
use super::lists::lists;
use super::opposites::are;
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
}

/// So much of the shorter of the two must be the same words in the same order.
const SAME: f32 = 0.75;
/// Fewer words say too little.
const FEWEST: usize = 5;
/// Longer sentences are no quotations.
const MOST: usize = 80;

/// Whether a word is a plain no.
pub(super) fn negates(word: &str) -> bool {
    lists().noes.contains(word) || word.ends_with("n't")
}

/// The change, where there is one.
pub fn reworded(claim: &Statement, originals: &[Original]) -> Option<Reworded> {
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
        let (mine, theirs) = unmatched(claim, there);
        let same = claim.tokens.len() - mine.len();
        let least = claim.tokens.len().min(there.tokens.len());
        if (same as f32) < SAME * least as f32 || same < FEWEST - 1 {
            continue;
        }
        if mine.is_empty() && theirs.is_empty() && asks == there.text.ends_with('?') {
            return None;
        }
        let nos = |statement: &Statement, words: &[usize]| -> Vec<usize> {
            words.iter().copied().filter(|at| negates(&statement.tokens[*at].lower)).collect()
        };
        let (mine_no, theirs_no) = (nos(claim, &mine), nos(there, &theirs));
        let ranges = |statement: &Statement, words: &[usize]| {
            words.iter().map(|at| statement.tokens[*at].range.clone()).collect::<Vec<_>>()
        };
        // Words that are put into another place change nothing; of a longer sentence half may be left out.
        let swapped = mine.len() + theirs.len() <= 4.max(claim.tokens.len() / 3);
        let change = match (mine_no.len() % 2, theirs_no.len() % 2) {
            _ if there.text.ends_with('?') => {
                if asks || !is_only_asked(original, originals) {
                    continue;
                }
                Change::Stated
            }
            // `did not fail` is another word for `passed`.
            _ if turns(claim, &mine, there, &theirs) => continue,
            (1, 0) if swapped => Change::Denied,
            (0, 1) if swapped && theirs.len() <= 3 => Change::Asserted,
            _ => continue,
        };
        let (here, shown) = match change {
            Change::Denied => (ranges(claim, &mine_no), Vec::new()),
            Change::Asserted => (Vec::new(), ranges(there, &theirs_no)),
            Change::Stated => (ranges(claim, &mine), std::iter::once(there.text.len() - 1..there.text.len()).collect()),
        };
        if found.as_ref().is_none_or(|(known, _)| same > *known) {
            found = Some((same, Reworded { original: no, change, here, there: shown }));
        }
    }
    found.map(|(_, reworded)| reworded)
}

/// Whether it is a person's question, and nobody says it otherwise.
fn is_only_asked(original: &Original, originals: &[Original]) -> bool {
    let statement = &original.statement;
    let said = |other: &Original| other.is_told() && other.cover >= 0.6 && other.statement.level() > Certainty::Asked;
    statement.level() == Certainty::Asked
        && original.speaker() == Speaker::User
        && !is_tag(&statement.text)
        // `Can you …?` wants something done; `can we …?` asks.
        && !(statement.has_any(&["you"]) && statement.is_request())
        && !originals.iter().any(said)
}

/// Whether some word that only one has turns round a word that only the other has.
fn turns(claim: &Statement, mine: &[usize], there: &Statement, theirs: &[usize]) -> bool {
    mine.iter().any(|a| theirs.iter().any(|b| are(&claim.tokens[*a], &there.tokens[*b])))
}

/// The words of each that the other does not have in the same order.
pub(super) fn unmatched(claim: &Statement, there: &Statement) -> (Vec<usize>, Vec<usize>) {
    let (rows, columns) = (claim.tokens.len(), there.tokens.len());
    let same = |row: usize, column: usize| claim.tokens[row].number == there.tokens[column].number;
    // The longest run of words that both have in this order; both are short.
    let wide = columns + 1;
    let mut best = vec![0_u16; (rows + 1) * wide];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            best[row * wide + column] = if same(row, column) {
                best[(row + 1) * wide + column + 1] + 1
            } else {
                best[(row + 1) * wide + column].max(best[row * wide + column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    while row < rows && column < columns {
        if same(row, column) {
            (row, column) = (row + 1, column + 1);
        } else if best[(row + 1) * wide + column] >= best[row * wide + column + 1] {
            mine.push(row);
            row += 1;
        } else {
            theirs.push(column);
            column += 1;
        }
    }
    mine.extend(row..rows);
    theirs.extend(column..columns);
    (mine, theirs)
}
