//! What must be done and need not be: the one is told as the other.

use std::ops::Range;

use crate::extract::Lexicon;

use super::alignment::Original;
use super::clauses::{Shown, clause_of, common};
use super::lists::lists;
use super::polarity::is_said;
use super::replies::phrase;
use super::statement::Statement;

/// So much of a clause of the claim must be said.
const HELD: f32 = 0.5;
/// Of what speaks against a claim another must hold so much to bear it out.
const BORNE: f32 = 0.6;

/// The original that says the other of it, where none says the same.
pub fn exchanged(claim: &Statement, originals: &[Original], weight: &dyn Fn(u32) -> f32) -> Option<Shown> {
    if claim.text.trim_end().ends_with('?') {
        return None;
    }
    let (must, may_not) = (clauses(claim, &lists().musts), clauses(claim, &lists().needless));
    let one = |own: &[Cued], others: &Lexicon, likes: &Lexicon| {
        own.iter().find_map(|own| against(claim, own, originals, (others, likes), weight))
    };
    let needless = || one(&may_not, &lists().musts, &lists().needless);
    // `Need not` is also `not … need to`.
    let plain: Vec<Cued> = must.into_iter().filter(|own| !may_not.iter().any(|other| other.1 == own.1)).collect();
    one(&plain, &lists().needless, &lists().musts).or_else(needless)
}

/// Words of a list, and their clause.
type Cued = (Range<usize>, Range<usize>);

/// The clauses of a sentence with words of a list.
fn clauses(statement: &Statement, list: &Lexicon) -> Vec<Cued> {
    let cue = phrase(&statement.text, list);
    let at = |cue: &Range<usize>| statement.tokens.iter().position(|token| token.range.start >= cue.start);
    cue.and_then(|cue| Some((cue.clone(), clause_of(statement, at(&cue)?)))).into_iter().collect()
}

fn against(
    claim: &Statement,
    (cue, clause): &Cued,
    originals: &[Original],
    (others, likes): (&Lexicon, &Lexicon),
    weight: &dyn Fn(u32) -> f32,
) -> Option<Shown> {
    let held = |one: &Original, list: &Lexicon| {
        let of = clauses(&one.statement, list).into_iter();
        of.map(|(cue, there)| (common(claim, clause.clone(), &one.statement, there, weight), cue)).next()
    };
    let shows = |(no, one): (usize, &Original)| {
        let is_meant = is_said(one, false) || !one.is_told();
        let (held, there) = held(one, others).filter(|_| is_meant && held(one, likes).is_none())?;
        let enough = held.pairs.len() >= 3 || held.pairs.len() == 2 && held.here >= HELD && held.there >= HELD;
        (enough && held.here >= HELD).then_some((no, held.here, there))
    };
    let (no, much, there) = originals.iter().enumerate().filter_map(shows).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let borne = |one: &Original| held(one, likes).is_some_and(|(held, _)| held.here >= BORNE * much);
    (!originals.iter().any(borne)).then(|| Shown { original: no, here: vec![cue.clone()], there: vec![there] })
}
