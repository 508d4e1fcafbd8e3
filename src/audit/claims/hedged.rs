//! A clause that somebody left open, `maybe for the backup`, and that a claim tells as a fact.

use std::ops::Range;

use crate::extract::{Certainty, Language, words};
use crate::record::Field;

use super::alignment::Original;
use super::clauses::{
    Common, Shown, clause_of, common, content, ended_by, has_figure, is_reported, sentence_part, span,
};
use super::lists::lists;
use super::replies::phrase;
use super::statement::Statement;
use super::wording::negates;

/// So many words of a clause of the claim must be left open.
const FEWEST: usize = 2;
/// And so much of it.
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
    if !facts || claim.text.trim_end().ends_with('?') || is_reported(claim) {
        return None;
    }
    let open_here = left_open(claim);
    let mut best: Option<(f32, Shown)> = None;
    for clause in claim.pieces() {
        let is_open = |range: &Range<usize>| range.contains(&claim.tokens[clause.start].range.start);
        let words = content(claim, clause.clone());
        if words.len() < FEWEST || open_here.iter().any(is_open) {
            continue;
        }
        // Most sentences have too few of its words, and need not be asked what they leave open.
        let may_be = |one: &Original| {
            one.is_told() && words.iter().filter(|at| one.statement.may_have(&claim.tokens[**at])).count() >= FEWEST
        };
        for (no, one) in originals.iter().enumerate().filter(|(_, one)| may_be(one)) {
            // An answer names something else than what was asked.
            let new = |at: &usize| !one.statement.has_same(&claim.tokens[*at]);
            let answers = || words.iter().any(new);
            let denies = || clause.clone().any(|at| claim.is_negated(at) || negates(&claim.tokens[at].lower));
            let unknown = one.statement.unknown().filter(|_| answers() && !denies());
            for (scope, cue) in one.statement.open().iter().chain(unknown) {
                let held = common(claim, clause.clone(), &one.statement, scope.clone(), weight);
                let better = best.as_ref().is_none_or(|(known, _)| held.here > *known);
                if !is_enough(&held) || !better || is_named_alone(&held, &one.statement) {
                    continue;
                }
                // A figure that is told only later had a result.
                let later =
                    |other: &Original| other.seq() > one.seq() && has_figure(claim, &other.statement, &one.statement);
                if !originals.iter().any(|other| later(other) || bears(claim, clause, &held, other, weight)) {
                    let shown = Shown { original: no, here: vec![span(claim, clause)], there: vec![cue.clone()] };
                    best = Some((held.here, shown));
                }
            }
        }
    }
    best.map(|(_, shown)| shown)
}

/// The stretches of a claim that it leaves open itself: around each word that does it, as far as that reaches.
fn left_open(claim: &Statement) -> Vec<Range<usize>> {
    let heard = claim.words();
    let phrase = |at: usize| {
        let lists = [&lists().ponders, &Language::english().doubts];
        let end = lists.iter().find_map(|list| list.at(heard, at))?;
        Some(heard[at].range.start..heard[end - 1].range.end)
    };
    let unsure = Some(claim.certainty()).filter(|(level, _)| *level < Certainty::Wanted).and_then(|(_, cue)| cue);
    let hedges = claim.hedges().iter().map(|hedge| hedge.cue.clone());
    let cues = (0..heard.len()).filter_map(phrase).chain(hedges).chain(unsure);
    cues.map(|cue| sentence_part(&claim.text, &cue)).collect()
}

/// `Mr Petrov says it may be so`: who says it is not what is left open.
fn is_named_alone(held: &Common, there: &Statement) -> bool {
    let word = |at: usize| there.text.get(there.tokens[at].range.clone()).unwrap_or_default();
    held.pairs.iter().all(|(_, at)| word(*at).starts_with(char::is_uppercase))
}

fn is_enough(held: &Common) -> bool {
    held.pairs.len() >= FEWEST
        && (held.here >= HELD && held.there >= LEAST || held.here >= SOME && held.there >= NEARLY_ALL)
}

/// Words that are left open, and the words that do it.
pub type Open = (Range<usize>, Range<usize>);

/// What a sentence says is not known, `I don't know which of the two counts`: behind the word that asks.
pub fn unknown(statement: &Statement) -> Option<Open> {
    let cue = phrase(&words(&statement.text), &lists().unknown)?;
    let from = statement.tokens.iter().position(|token| token.range.start >= cue.end)?;
    let clause = clause_of(statement, from - 1);
    (from < clause.end).then_some((from..clause.end, cue))
}

/// All that a sentence leaves open.
pub fn open(statement: &Statement) -> Vec<Open> {
    let (level, cue) = statement.certainty();
    // `could` leaves open as well, and is no hedge.
    let cue = cue.filter(|_| level > Certainty::Conditional && level < Certainty::Wanted);
    let hedges = statement.hedges().iter().filter(|hedge| hedge.certainty != Certainty::Conditional);
    // A question proposes.
    let hedges = hedges.filter(|hedge| level > Certainty::Asked || hedge.certainty < Certainty::Proposed);
    let cues = cue.into_iter().chain(hedges.map(|hedge| hedge.cue.clone()));
    cues.flat_map(|cue| left_open_by(statement, &cue)).collect()
}

/// What these words of a sentence leave open. Nothing where somebody proposes to do something: what was done since may be
/// told as done.
fn left_open_by(statement: &Statement, cue: &Range<usize>) -> Vec<Open> {
    let doubt = statement.text.get(cue.clone()).unwrap_or_default().to_lowercase();
    let doubts = lists().doubting.iter().any(|word| doubt.contains(word)) || doubt.contains("could");
    let Some(at) = statement.tokens.iter().position(|token| token.range.start >= cue.start) else { return Vec::new() };
    let ended = ended_by(statement, cue);
    let is_ended = ended.is_some();
    let clause = ended.unwrap_or_else(|| clause_of(statement, at));
    let proposes = lists().proposing.is_in(&words(&statement.text[span(statement, &clause)]));
    if !doubts || proposes {
        return Vec::new();
    }
    let said = content(statement, clause.clone())
        .into_iter()
        .filter(|at| !(cue.start..cue.end).contains(&statement.tokens[*at].range.start));
    // `It is likely, but unproven, that …`: the words that leave it open stand in a clause of their own.
    if !is_ended && said.count() < 2 {
        return vec![(0..statement.tokens.len(), cue.clone())];
    }
    // `Whether it leaks or the window was open`: the one or the other.
    let mut sides: Vec<Range<usize>> = Vec::new();
    let outside = |at: &usize| !cue.contains(&statement.tokens[*at].range.start);
    for at in clause.filter(outside) {
        let parts = lists().sides.contains(statement.tokens[at].lower.as_str());
        match sides.last_mut().filter(|side| !parts && side.end == at) {
            Some(side) => side.end = at + 1,
            None => sides.push(at..at + 1),
        }
    }
    sides.into_iter().map(|side| (side, cue.clone())).collect()
}

/// Whether an original says the same and leaves nothing open in it.
fn bears(claim: &Statement, clause: &Range<usize>, held: &Common, one: &Original, weight: &dyn Fn(u32) -> f32) -> bool {
    if one.is_told() && one.statement.level() == Certainty::Asked {
        return false;
    }
    let left = one.is_told().then(|| one.statement.open().iter().chain(one.statement.unknown()));
    let soft: Vec<&Open> = left.into_iter().flatten().collect();
    one.statement.clauses().iter().cloned().chain(std::iter::once(0..one.statement.tokens.len())).any(|there| {
        let plain = soft.iter().all(|(scope, _)| scope.end <= there.start || there.end <= scope.start);
        plain && common(claim, clause.clone(), &one.statement, there, weight).here >= BORNE * held.here
    })
}
