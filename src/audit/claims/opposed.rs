//! A word of a claim that excludes the word which the originals have in its place: `rose` for `fell`.

use super::alignment::Original;
use super::opposites::{are_alike, find, has_other_sense};
use super::polarity::{CLOSE, How, Turned, is_denied, is_said, shared};
use super::statement::Statement;

/// A sentence that says so much of a claim speaks of the same with one word around both.
const MOST: f32 = 0.5;

/// Words of one saying stand no further apart.
const BESIDE: usize = 3;

/// A word of the claim is the opposite of the word that stands in its place in the originals.
pub fn opposite(claim: &Statement, originals: &[Original], of_person: bool) -> Option<Turned> {
    let mut best: Option<(usize, Turned)> = None;
    for (here, token) in claim.tokens.iter().enumerate() {
        if token.sides.is_empty() && token.lower.len() < 5 || token.code || has_other_sense(claim, here) {
            continue;
        }
        let mut seen: Option<(usize, usize, usize)> = None;
        let mut borne = false;
        for (no, original) in originals.iter().enumerate() {
            let there = &original.statement;
            let alike = there.turning.iter().copied().find(|at| are_alike(&there.tokens[*at], token));
            let same = there.find(token.number).into_iter().chain(alike).min();
            if let Some(same) = same
                && (original.cover >= 0.2 && there.tokens[same].number == token.number
                    || shared(claim, here, there, same) > 0)
            {
                borne = true;
                break;
            }
            let Some(at) = find(token, there).filter(|at| !has_other_sense(there, *at)) else { continue };
            let next = |statement: &Statement, at: usize| {
                statement.tokens.iter().skip(at + 1).take(3).find(|one| one.content).map(|one| one.number)
            };
            // `with` and `without`, `on` and `off` turn round only what stands right behind them, of the same.
            let before = |statement: &Statement, at: usize| {
                statement.tokens[..at].iter().rev().take(3).find(|one| one.content).map(|one| one.number)
            };
            let stands_alike = next(claim, here).is_some()
                && next(claim, here) == next(there, at)
                && before(claim, here) == before(there, at);
            if !token.content && !stands_alike {
                continue;
            }
            let common = shared(claim, here, there, at);
            let parity = is_denied(there, at) == is_denied(claim, here);
            // One word around both is said of many things: then the sentence must say most of the claim.
            let least = match common {
                0 => f32::INFINITY,
                1 => MOST,
                2 => CLOSE,
                _ => 0.0,
            };
            let enough = original.cover >= least && !is_turned_twice(claim, here, there, at);
            if enough && parity && is_said(original, of_person) && seen.is_none_or(|(_, _, known)| common > known) {
                seen = Some((no, at, common));
            }
        }
        if let (Some((no, at, common)), false) = (seen, borne)
            && best.as_ref().is_none_or(|(known, _)| common > *known)
        {
            best = Some((
                common,
                Turned {
                    original: no,
                    here: vec![token.range.clone()],
                    there: vec![originals[no].statement.tokens[at].range.clone()],
                    how: How::Opposite,
                },
            ));
        }
    }
    best.map(|(_, turned)| turned)
}

/// Whether another word beside it is turned round as well, `left everything unchanged` for `changed nothing`: then both say
/// the same.
pub(super) fn is_turned_twice(claim: &Statement, here: usize, original: &Statement, there: usize) -> bool {
    let beside = here.saturating_sub(BESIDE)..claim.tokens.len().min(here + BESIDE + 1);
    beside.filter(|at| *at != here).any(|at| {
        let other = find(&claim.tokens[at], original).filter(|other| *other != there);
        other.is_some_and(|other| other.abs_diff(there) <= BESIDE && !original.has(claim.tokens[at].number))
    })
}
