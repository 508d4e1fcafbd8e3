//! A clause that somebody left open, `maybe for the backup`, and that a claim tells as a fact.

use std::ops::Range;

use crate::extract::{Certainty, Language, words};
use crate::record::Field;

use super::alignment::Original;
use super::clauses::{Common, Shown, clause_of, common, content, is_reported, span};
use super::lists::lists;
use super::statement::Statement;

/// So much of a clause of the claim must be left open.
const HELD: f32 = 0.5;
/// See `HELD`: and so much of what was said.
const LEAST: f32 = 0.25;
/// Or so much, where it is nearly all that was said.
const SOME: f32 = 0.33;
/// See `SOME`.
const NEARLY_ALL: f32 = 0.6;
/// A sentence that holds so much of what the open one holds, and leaves nothing open, bears it out.
const BORNE: f32 = 0.75;

/// The original that leaves it open, where none says it plainly.
pub fn hedged(claim: &Statement, field: Field, originals: &[Original], weight: &dyn Fn(u32) -> f32) -> Option<Shown> {
    let facts = !matches!(field, Field::Open | Field::Actions | Field::RuledOut);
    let heard = words(&claim.text);
    let ponders =
        lists().ponders.is_in(&heard) || Language::english().doubts.is_in(&heard) || !claim.hedges().is_empty();
    if !facts
        || ponders
        || claim.text.trim_end().ends_with('?')
        || claim.level() < Certainty::Wanted
        || is_reported(claim)
    {
        return None;
    }
    let mut best: Option<(f32, Shown)> = None;
    for clause in claim.pieces() {
        if content(claim, clause.clone()).len() < 2 {
            continue;
        }
        for (no, one) in originals.iter().enumerate().filter(|(_, one)| one.is_told()) {
            let Some((scope, cue)) = open(&one.statement) else { continue };
            let held = common(claim, clause.clone(), &one.statement, scope, weight);
            if !is_enough(&held) || best.as_ref().is_some_and(|(known, _)| held.here <= *known) {
                continue;
            }
            if !originals.iter().any(|other| bears(claim, clause, &held, other, weight)) {
                let shown = Shown { original: no, here: vec![span(claim, clause)], there: vec![cue] };
                best = Some((held.here, shown));
            }
        }
    }
    best.map(|(_, shown)| shown)
}

fn is_enough(held: &Common) -> bool {
    held.pairs.len() >= 2 && (held.here >= HELD && held.there >= LEAST || held.here >= SOME && held.there >= NEARLY_ALL)
}

/// The words of a sentence that are left open, and the words that do it. Nothing where
/// somebody proposes to do something: what was done since may be told as done.
fn open(statement: &Statement) -> Option<(Range<usize>, Range<usize>)> {
    let (level, mut cue) = statement.certainty();
    if level >= Certainty::Wanted || level == Certainty::Conditional {
        return None;
    }
    if level == Certainty::Asked {
        let hedge = statement.hedges().iter().find(|hedge| hedge.certainty < Certainty::Proposed)?;
        cue = Some(hedge.cue.clone());
    }
    let cue = cue?;
    let doubt = statement.text.get(cue.clone())?.to_lowercase();
    let doubts = lists().doubting.iter().any(|word| doubt.contains(word)) || doubt.contains("could");
    let at = statement.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let clause = clause_of(statement, at);
    let proposes =
        statement.tokens[clause.clone()].iter().any(|token| lists().proposing.contains(token.lower.as_str()));
    if !doubts || proposes {
        return None;
    }
    let said = content(statement, clause.clone())
        .into_iter()
        .filter(|at| !(cue.start..cue.end).contains(&statement.tokens[*at].range.start));
    // `It is likely, but unproven, that …`: the words that leave it open stand in a clause of their own.
    let scope = if said.count() < 2 { 0..statement.tokens.len() } else { clause };
    Some((scope, cue))
}

/// Whether an original says the same and leaves nothing open in it.
fn bears(claim: &Statement, clause: &Range<usize>, held: &Common, one: &Original, weight: &dyn Fn(u32) -> f32) -> bool {
    if one.is_told() && one.statement.level() == Certainty::Asked {
        return false;
    }
    let soft = open(&one.statement).filter(|_| one.is_told());
    one.statement.clauses().iter().cloned().chain(std::iter::once(0..one.statement.tokens.len())).any(|there| {
        let plain = soft.as_ref().is_none_or(|(scope, _)| scope.end <= there.start || there.end <= scope.start);
        plain && common(claim, clause.clone(), &one.statement, there, weight).here >= BORNE * held.here
    })
}
