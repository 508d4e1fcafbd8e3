//! `… but does not mention the price`: what a claim says was not told, though somebody told it.

use std::ops::Range;

use super::alignment::Original;
use super::lists::lists;
use super::polarity::is_said;
use super::statement::Statement;

/// What was told after all.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The original that tells it.
    pub original: usize,
    /// What the claim denies it with, and the word for telling.
    pub here: Vec<Range<usize>>,
    /// The words of it in that original.
    pub there: Vec<Range<usize>>,
}

/// So far behind a negation the word for telling stands.
const NEAR: usize = 4;
/// So many of the words behind that are what it is about.
const MOST: usize = 5;

/// The original that tells plainly what the claim says was not told, where none denies it.
pub fn spoken(claim: &Statement, originals: &[Original]) -> Option<Spoken> {
    for negation in claim.negations() {
        let first = claim.tokens.iter().position(|token| token.range.start >= negation.cue.end)?;
        let inside = |at: &usize| negation.scope.contains(&claim.tokens[*at].range.start);
        let Some(verb) = (first..(first + NEAR).min(claim.tokens.len()))
            .filter(inside)
            .find(|at| lists().telling.contains(claim.tokens[*at].lower.as_str()))
        else {
            continue;
        };
        let about: Vec<usize> = claim
            .content()
            .filter(|at| *at > verb && inside(at))
            .filter(|at| !lists().general.contains(claim.tokens[*at].lower.as_str()))
            .take_while(|at| !is_parted(claim, verb, *at))
            .take(MOST)
            .collect();
        if about.is_empty() {
            continue;
        }
        let held = |one: &Original| {
            about.iter().filter_map(|at| one.statement.find(claim.tokens[*at].number)).collect::<Vec<_>>()
        };
        let enough = |count: usize| count * 3 >= about.len() * 2;
        let denies = |one: &Original| !held(one).is_empty() && !one.statement.negations().is_empty();
        if originals.iter().any(denies) {
            continue;
        }
        let told = originals.iter().enumerate().filter(|(_, one)| is_said(one, false)).map(|(no, one)| (no, held(one)));
        let Some((original, there)) = told.filter(|(_, held)| enough(held.len())).max_by_key(|(_, held)| held.len())
        else {
            continue;
        };
        let tokens = &originals[original].statement.tokens;
        return Some(Spoken {
            original,
            here: vec![negation.cue.clone(), claim.tokens[verb].range.clone()],
            there: there.into_iter().map(|at| tokens[at].range.clone()).collect(),
        });
    }
    None
}

/// Whether something else begins between two words of a claim.
fn is_parted(claim: &Statement, from: usize, to: usize) -> bool {
    (from..to).any(|at| {
        let gap = &claim.text[claim.tokens[at].range.end..claim.tokens[at + 1].range.start];
        gap.contains([';', '.', ':', '(']) || lists().leaves.contains(claim.tokens[at].lower.as_str())
    })
}
