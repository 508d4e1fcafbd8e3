//! What would have happened, `it would not have caught the leak`, told as what would not have, or the other way about.

use std::ops::Range;

use super::alignment::Original;
use super::clauses::{Shown, clause_of, common};
use super::replies::phrase;
use super::statement::Statement;
use super::synonyms::same;
use super::turning::turning;

/// Of the same is spoken where both say the same of it, or have so many words in common.
const MANY: usize = 4;

/// What a sentence says would have happened.
struct Imagined {
    cue: Range<usize>,
    verb: usize,
    /// The words behind the verb in its clause.
    what: Range<usize>,
    denied: bool,
}

fn imagined(statement: &Statement) -> Option<Imagined> {
    let cue = phrase(statement.words(), &turning().imagined)?;
    let verb = statement.content().find(|at| statement.tokens[*at].range.start >= cue.end)?;
    let at = statement.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let clause = clause_of(statement, at);
    clause.contains(&verb).then(|| Imagined {
        cue,
        verb,
        what: verb + 1..clause.end,
        denied: statement.is_negated(verb),
    })
}

/// The original in which it would not have happened what the claim says would have, or the other way about.
pub fn turned(claim: &Statement, originals: &[Original]) -> Option<Shown> {
    let own = imagined(claim).filter(|_| !claim.text.trim_end().ends_with('?'))?;
    let of = |one: &Original| {
        let there = imagined(&one.statement).filter(|_| one.is_told())?;
        let same = same(&claim.tokens[own.verb], &one.statement.tokens[there.verb]);
        let held = |here, there| common(claim, here, &one.statement, there, &|_| 1.0).pairs.len();
        let all = held(0..claim.tokens.len(), 0..one.statement.tokens.len());
        let enough = held(own.what.clone(), there.what.clone()) > 0 || all >= MANY;
        (same && enough).then_some(there)
    };
    if originals.iter().filter_map(of).any(|there| there.denied == own.denied) {
        return None;
    }
    let (original, there) = originals.iter().enumerate().find_map(|(no, one)| Some((no, of(one)?)))?;
    Some(Shown { original, here: vec![own.cue], there: vec![there.cue] })
}
