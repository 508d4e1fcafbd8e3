//! What must be done and need not be: the one is told as the other.

use std::ops::Range;

use super::alignment::Original;
use super::clauses::{Common, Shown, clause_of, common};
use super::lists::lists;
use super::polarity::is_said;
use super::replies::phrase;
use super::statement::Statement;
use super::wording::negates;

/// So much of a clause must be said in the other.
const HELD: f32 = 0.5;
/// Of what speaks against a claim another must hold so much to bear it out.
const BORNE: f32 = 0.6;

/// Whether something has to be done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duty {
    Must,
    Free,
}

/// What a sentence says of it, where it says anything: the words for it, and their clause.
fn duty(statement: &Statement) -> Option<(Duty, Range<usize>, Range<usize>)> {
    let (duty, cue) = match phrase(statement.words(), &lists().needless) {
        Some(cue) => (Duty::Free, cue),
        None => (Duty::Must, phrase(statement.words(), &lists().musts)?),
    };
    let at = statement.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let next = statement.tokens.iter().find(|token| token.range.start >= cue.end);
    // `Must not` forbids.
    let forbids = duty == Duty::Must && (next.is_some_and(|next| negates(&next.lower)) || statement.is_negated(at));
    (!forbids).then(|| (duty, cue, clause_of(statement, at)))
}

/// The original that says the other of it, where none says the same.
pub fn exchanged(claim: &Statement, originals: &[Original], weight: &dyn Fn(u32) -> f32) -> Option<Shown> {
    let (own, cue, clause) = duty(claim).filter(|_| !claim.text.trim_end().ends_with('?'))?;
    let held = |one: &Original| {
        let (duty, cue, there) = duty(&one.statement)?;
        Some((duty, cue, common(claim, clause.clone(), &one.statement, there, weight)))
    };
    let enough =
        |held: &Common| held.here >= HELD && (held.pairs.len() >= 3 || held.pairs.len() == 2 && held.there >= HELD);
    let against = |(no, one): (usize, &Original)| {
        let (duty, there, held) = held(one).filter(|_| is_said(one, false) || !one.is_told())?;
        (duty != own && enough(&held)).then_some((no, held.here, there))
    };
    let (no, much, there) = originals.iter().enumerate().filter_map(against).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let borne = |one: &Original| held(one).is_some_and(|(duty, _, held)| duty == own && held.here >= BORNE * much);
    (!originals.iter().any(borne)).then(|| Shown { original: no, here: vec![cue], there: vec![there] })
}
