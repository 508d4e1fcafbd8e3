//! What a claim says was done, and whoever spoke of it last said was not done yet.

use std::ops::Range;

use crate::extract::{Certainty, Language, words};
use crate::record::Field;

use super::alignment::Original;
use super::clauses::{Shown, clause_of, common, span};
use super::lists::lists;
use super::replies::phrase;
use super::statement::Statement;
use super::synonyms::same;
use super::turning::turning;
use super::wording::negates;

/// So much of what was done the sentence must name in which it is still to be done.
const NAMED: f32 = 0.4;
/// Between `has been` and what was done so many words may stand.
const NEAR: usize = 3;

/// The original in which it is still to be done, where nobody says later that it was.
pub fn unfinished(
    claim: &Statement,
    field: Field,
    originals: &[Original],
    weight: &dyn Fn(u32) -> f32,
) -> Option<Shown> {
    if claim.text.trim_end().ends_with('?') || claim.level() < Certainty::Wanted {
        return None;
    }
    for clause in claim.clauses() {
        let Some(verb) = done(claim, clause, field) else { continue };
        let open = |(no, one): (usize, &Original)| {
            let (there, cue) = still_open(claim, verb, clause, originals, no, weight)?;
            (there >= NAMED && one.is_told()).then_some((no, there, cue))
        };
        let Some((no, named, cue)) = originals.iter().enumerate().filter_map(open).next_back() else { continue };
        // Things get done later.
        let later = |one: &&Original| one.seq() > originals[no].seq() && one.statement.unfinished().is_none();
        let done_later = originals.iter().filter(later).any(|one| {
            let all = 0..one.statement.tokens.len();
            let held = common(claim, clause.clone(), &one.statement, all, weight);
            held.here >= named || held.here >= NAMED && one.statement.has_same(&claim.tokens[verb])
        });
        if !done_later {
            return Some(Shown { original: no, here: vec![span(claim, clause)], there: vec![cue] });
        }
    }
    None
}

/// The word for what was done: behind `has been`, `was` and the like; at the start of what an agent lists as its work; or
/// that something exists.
fn done(claim: &Statement, clause: &Range<usize>, field: Field) -> Option<usize> {
    let word = |at: usize| claim.tokens[at].lower.as_str();
    let open = clause.clone().any(|at| lists().still.contains(word(at)) || claim.is_negated(at));
    if open {
        return None;
    }
    let exists = |at: &usize| word(*at).starts_with("exist") || word(*at) == "there" && *at + 1 < clause.end;
    let first = || (field == Field::Actions && is_participle(word(clause.start)) && clause.start == 0).then_some(0);
    let passive = || {
        let auxiliary = clause.clone().rev().find(|at| lists().auxiliaries.contains(word(*at)))?;
        (auxiliary + 1..clause.end.min(auxiliary + 1 + NEAR)).find(|at| is_participle(word(*at)))
    };
    // What is left open may exist.
    let exists = || clause.clone().find(exists).filter(|_| field != Field::Open);
    passive().or_else(first).or_else(exists)
}

fn is_participle(word: &str) -> bool {
    word.ends_with("ed") || lists().participles.contains(word)
}

/// How much of what was done this original, with the sentence before it, says is still to be done, and the words for it.
fn still_open(
    claim: &Statement,
    verb: usize,
    clause: &Range<usize>,
    originals: &[Original],
    no: usize,
    weight: &dyn Fn(u32) -> f32,
) -> Option<(f32, Range<usize>)> {
    let there = &originals[no].statement;
    let cue = there.unfinished()?.clone();
    let behind = |at: &usize| there.tokens[*at].range.start >= cue.end;
    let made = |at: usize| {
        let (own, word) = (&claim.tokens[verb], &there.tokens[at]);
        // `exists` is what was made.
        same(own, word) || !own.content && lists().makes_it.contains(word.stem.as_str())
    };
    (0..there.tokens.len()).filter(behind).find(|at| made(*at))?;
    let rest = |at: usize| at != verb;
    // `I haven't built it`: the sentence before says what.
    let before = no.checked_sub(1).map(|no| &originals[no]).filter(|one| one.seq() == originals[no].seq());
    let points = there.tokens.iter().any(|token| Language::english().pronouns.contains(token.lower.as_str()));
    let says = |at: usize| {
        let has = |statement: &Statement| statement.has_same(&claim.tokens[at]);
        has(there) || points && before.is_some_and(|one| has(&one.statement))
    };
    let telling = |at: &usize| claim.tokens[*at].content && rest(*at);
    let own: Vec<usize> = clause.clone().filter(telling).collect();
    // `…, and been paid`: the claim before it says what.
    let own = if own.is_empty() { claim.content().filter(telling).collect() } else { own };
    let sum = |some: &mut dyn Iterator<Item = usize>| some.map(|at| weight(claim.tokens[at].number)).sum::<f32>();
    let all = sum(&mut own.iter().copied());
    let held = sum(&mut own.iter().copied().filter(|at| says(*at)));
    Some((if all > 0.0 { held / all } else { 0.0 }, cue))
}

/// The words that say that something was not done yet.
pub fn open_cue(statement: &Statement) -> Option<Range<usize>> {
    // `Is not paid out yet`.
    let not_yet = || {
        let no = statement.tokens.iter().position(|token| negates(&token.lower))?;
        let mut behind = statement.tokens[no..clause_of(statement, no).end.max(no)].iter();
        behind.any(|token| turning().yet.contains(token.lower.as_str())).then(|| statement.tokens[no].range.clone())
    };
    phrase(&words(&statement.text), &lists().unfinished).or_else(not_yet)
}
