//! What somebody said it is not, and a claim says is the cause: `the lock is not it`, `the cause is the lock`.

use std::ops::Range;

use crate::extract::Certainty;

use super::alignment::Original;
use super::clauses::{Shown, clause_of};
use super::polarity::is_said;
use super::statement::Statement;
use super::synonyms::same;
use super::wording::negates;

/// Words for what something comes from.
const CAUSES: [&str; 4] = ["cause", "culprit", "blame", "fault"];
/// Of a longer claim more is told than what the cause is.
const MOST: usize = 4;

/// The original that denies it last, where nobody blames it later.
pub fn denied(claim: &Statement, originals: &[Original]) -> Option<Shown> {
    let cue = claim.tokens.iter().position(|token| is_cause(&token.lower))?;
    let suspect: Vec<usize> = claim.content().filter(|at| *at != cue && claim.tokens[*at].lower != "root").collect();
    let plain = claim.level() >= Certainty::Believed && !claim.tokens.iter().any(|token| negates(&token.lower));
    if !plain || suspect.is_empty() || suspect.len() > MOST {
        return None;
    }
    let (original, there) = originals.iter().enumerate().rev().find_map(|(no, one)| {
        let there = is_said(one, false).then(|| acquits(claim, &suspect, &one.statement))??;
        Some((no, there))
    })?;
    let later = originals[original + 1..].iter().any(|one| {
        let names = suspect.iter().any(|at| one.statement.has_same(&claim.tokens[*at]));
        names && one.is_told() && acquits(claim, &suspect, &one.statement).is_none()
    });
    let here = std::iter::once(cue).chain(suspect).map(|at| claim.tokens[at].range.clone()).collect();
    (!later).then(|| Shown { original, here, there: vec![there] })
}

fn is_cause(word: &str) -> bool {
    CAUSES.contains(&word) || CAUSES[..2].iter().any(|cause| word.strip_suffix('s') == Some(cause))
}

/// `X is not it`, `it is not X`, `it turned out not to be X`: where the no stands, in bytes.
fn acquits(claim: &Statement, suspect: &[usize], there: &Statement) -> Option<Range<usize>> {
    let word = |at: usize| there.tokens.get(at).map_or("", |token| token.lower.as_str());
    let all = |words: Range<usize>| suspect.iter().all(|own| named_in(claim, *own, there, words.clone()));
    (1..there.tokens.len()).find_map(|no| {
        let is_not = word(no) == "not" && matches!(word(no - 1), "is" | "was" | "it's" | "that's" | "out")
            || matches!(word(no), "isn't" | "wasn't" | "isnt" | "wasnt");
        if !is_not {
            return None;
        }
        let clause = clause_of(there, no);
        let stands_before = matches!(word(no + 1), "it" | "that") && all(clause.start..no);
        let subject = (clause.start..no).rev().find(|at| there.tokens[*at].content || word(*at).starts_with("it"));
        let it =
            subject.is_some_and(|at| word(at).starts_with("it")) || word(no - 1) == "out" && word(clause.start) == "it";
        let stands_behind = it && all(no + 1..clause.end);
        (stands_before || stands_behind).then(|| there.tokens[no].range.clone())
    })
}

/// Whether a word of the claim stands among these words.
fn named_in(claim: &Statement, own: usize, there: &Statement, mut words: Range<usize>) -> bool {
    words.any(|at| same(&claim.tokens[own], &there.tokens[at]))
}
