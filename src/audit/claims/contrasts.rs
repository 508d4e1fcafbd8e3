//! Contrasts turned about: `it is A, not B` told as `it is B, not A`, and `keep A, drop B` as `drop A, keep B`.

use std::ops::Range;

use super::alignment::Original;
use super::clauses::{Shown, content, span};
use super::polarity::{is_bare, is_plain, is_said, may_be_plain};
use super::statement::{Statement, Token};
use super::synonyms::same;
use super::turning::turning;

/// So much of a claim a sentence must hold whose sides are compared with its.
const SOME: f32 = 0.2;

/// The original in which the two sides stand the other way round.
pub fn turned_about(claim: &Statement, originals: &[Original]) -> Option<Shown> {
    let near = || originals.iter().enumerate().filter(|(_, one)| one.cover > 0.0);
    let told = || near().filter(|(_, one)| is_said(one, false));
    let denied = || told().find_map(|(no, one)| denied_sides(claim, no, one, originals));
    // Whether it is said is asked last: few come so far.
    let crossed = |(no, one): (usize, &Original)| crossed(claim, no, originals).filter(|_| is_said(one, false));
    let crossed = || near().filter(|(_, one)| one.cover >= SOME).find_map(crossed);
    let denied = claim.sides().and_then(|_| denied());
    denied.or_else(|| if claim.pieces().len() < 2 { None } else { crossed() })
}

/// What a sentence denies and what it says, as its words.
pub type Sides = (Vec<usize>, Vec<usize>);

/// The words that stand under a plain no, and those that do not. Only a bare `not`, or a `than`, parts two sides.
pub fn sides(statement: &Statement) -> Option<Sides> {
    let contrasts = |cue: &Range<usize>| {
        let inside = |at: &usize| cue.contains(&statement.tokens[*at].range.start);
        let mut words = (0..statement.tokens.len()).filter(inside);
        words.any(|at| is_bare(statement, at) || turning().compared.contains(statement.tokens[at].lower.as_str()))
    };
    if !may_be_plain(statement) {
        return None;
    }
    // `Parked as a ticket and not done`: what stands before it is no side of its own.
    if statement.negations().iter().any(|one| one.scope.start < one.cue.start) {
        return None;
    }
    let plain = statement.negations().iter().any(|one| is_plain(statement, &one.cue) && contrasts(&one.cue));
    let words = content(statement, 0..statement.tokens.len());
    let (denied, said): (Vec<usize>, Vec<usize>) = words.into_iter().partition(|at| statement.is_negated(*at));
    (plain && !denied.is_empty() && !said.is_empty()).then_some((denied, said))
}

/// `A, not B` and `B, not A`: each side of the one is the other side of the other, and nothing stands on the same side.
fn denied_sides(claim: &Statement, no: usize, one: &Original, originals: &[Original]) -> Option<Shown> {
    let there = &one.statement;
    let ((denied, said), (denied_there, said_there)) = (claim.sides()?, there.sides()?);
    let held = |own: &[usize], theirs: &[usize]| -> Vec<(usize, usize)> {
        let pair = |a: &usize| theirs.iter().find(|b| same(&claim.tokens[*a], &there.tokens[**b])).map(|b| (*a, *b));
        own.iter().filter_map(pair).collect()
    };
    if !held(denied, denied_there).is_empty() {
        return None;
    }
    let (now_denied, now_said) = (held(denied, said_there), held(said, denied_there));
    let (first, second) = (now_denied.first()?, now_said.first()?);
    // Who says it the claim's way round bears it out.
    let borne = originals.iter().any(|other| {
        other.statement.sides().is_some_and(|(denied, _)| {
            denied.iter().any(|at| same(&other.statement.tokens[*at], &claim.tokens[first.0]))
        })
    });
    (!borne).then(|| Shown {
        original: no,
        here: vec![claim.tokens[second.0].range.clone(), claim.tokens[first.0].range.clone()],
        there: vec![there.tokens[first.1].range.clone(), there.tokens[second.1].range.clone()],
    })
}

/// A stretch of one of the originals.
type Side<'s> = (&'s Statement, Range<usize>);

/// `keep A, drop B` and `drop A, keep B`: each of two clauses of the claim joins a word of one side of the original with a
/// word of the other, and nobody joins them so.
fn crossed(claim: &Statement, no: usize, originals: &[Original]) -> Option<Shown> {
    let there = &originals[no].statement;
    let whole = |statement: &Statement| 0..statement.tokens.len();
    let own = claim.pieces();
    let next = originals.get(no + 1).filter(|next| next.seq() == originals[no].seq());
    let may_have = |word: &Token| there.may_have(word) || next.is_some_and(|next| next.statement.may_have(word));
    if claim.tokens.iter().filter(|word| may_have(word)).count() < 2 {
        return None;
    }
    let parts = there.pieces();
    let inside = parts.windows(2).map(|pair| ((&**there, pair[0].clone()), (&**there, pair[1].clone()), None));
    // Two sentences that follow each other.
    let follows = next.map(|next| ((&**there, whole(there)), (&*next.statement, whole(&next.statement)), Some(next)));
    for (left, right, next) in inside.chain(follows) {
        let (first, second) = (only(&left, &right), only(&right, &left));
        let held = |clause: &Range<usize>, of: &Statement, words: &[usize]| -> Vec<usize> {
            let fits = |at: &usize| {
                of.may_have(&claim.tokens[*at])
                    && words.iter().any(|other| same(&claim.tokens[*at], &of.tokens[*other]))
            };
            telling(claim, clause.clone()).filter(fits).collect()
        };
        let mixed: Vec<(&Range<usize>, Vec<usize>, Vec<usize>)> = own
            .iter()
            .map(|clause| (clause, held(clause, left.0, &first), held(clause, right.0, &second)))
            .filter(|(_, a, b)| !a.is_empty() && !b.is_empty())
            .collect();
        let [(one, a, b), (other, c, d)] = mixed.as_slice() else { continue };
        if next.is_some_and(|next| !is_said(next, false)) {
            continue;
        }
        if !is_joined(claim, a, b, originals) && !is_joined(claim, c, d, originals) {
            return Some(Shown {
                original: no,
                here: vec![span(claim, one), span(claim, other)],
                there: vec![span(left.0, &left.1)],
            });
        }
    }
    None
}

/// Whether somebody says one of some words of the claim in one clause with one of some others.
fn is_joined(claim: &Statement, some: &[usize], others: &[usize], originals: &[Original]) -> bool {
    originals.iter().filter(|one| is_said(one, false) || !one.is_told()).any(|one| {
        let has = |clause: &Range<usize>, words: &[usize]| {
            let tokens = &one.statement.tokens[clause.clone()];
            words.iter().any(|at| tokens.iter().any(|token| same(token, &claim.tokens[*at])))
        };
        let may_have = |words: &[usize]| words.iter().any(|at| one.statement.may_have(&claim.tokens[*at]));
        let joins = |clause: &Range<usize>| has(clause, some) && has(clause, others);
        may_have(some) && may_have(others) && one.statement.pieces().iter().any(joins)
    })
}

/// The words that say something, and numbers.
fn telling(statement: &Statement, words: Range<usize>) -> impl Iterator<Item = usize> {
    let number = |at: usize| statement.tokens[at].lower.bytes().all(|byte| byte.is_ascii_digit());
    words.filter(move |at| statement.tokens[*at].content || number(*at))
}

/// The telling words of one side that the other does not have.
fn only((statement, words): &Side, (other, there): &Side) -> Vec<usize> {
    let has = |at: &usize| {
        let word = &statement.tokens[*at];
        other.may_have(word) && other.tokens[there.clone()].iter().any(|token| same(token, word))
    };
    telling(statement, words.clone()).filter(|at| !has(at)).collect()
}
