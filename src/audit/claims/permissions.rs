//! What the person forbade, and a claim says may be done.

use std::ops::Range;

use crate::extract::Certainty;
use crate::session::Speaker;

use super::alignment::Original;
use super::clauses::{Shown, clause_of, content};
use super::lists::lists;
use super::polarity::is_plain;
use super::replies::phrase;
use super::statement::{Statement, Token};
use super::synonyms::same;
use super::turning::turning;
use super::wording::negates;

/// Of so few words one is enough.
const FEW: usize = 3;

/// The original in which the person forbids it, where they do not allow it later.
pub fn granted(claim: &Statement, originals: &[Original]) -> Option<Shown> {
    if claim.text.trim_end().ends_with('?') {
        return None;
    }
    let heard = claim.words();
    let (from, to) = lists().grants.find(heard)?;
    let cue = heard[from].range.start..heard[to - 1].range.end;
    let at = claim.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let clause = clause_of(claim, at);
    if claim.is_negated(at) || clause.clone().any(|at| negates(&claim.tokens[at].lower)) {
        return None;
    }
    let is_who = |at: usize| lists().selves.iter().any(|(_, names)| names.contains(claim.tokens[at].lower.as_str()));
    let outside = |at: &usize| !cue.contains(&claim.tokens[*at].range.start) && !is_who(*at);
    let act: Vec<usize> = content(claim, clause).into_iter().filter(outside).collect();
    let own =
        |one: &Original| one.speaker() == Speaker::User && one.is_told() && one.statement.level() > Certainty::Asked;
    // `may be repainted`, `fine to repaint`: the act stands behind; `retries are fine`: before.
    let is_lead = |at: usize| claim.tokens.get(at).is_some_and(|token| lists().leads.contains(token.lower.as_str()));
    let behind = claim.tokens.iter().position(|token| token.range.start >= cue.end).unwrap_or(claim.tokens.len());
    let leads = (at..=behind).any(is_lead);
    let key = if leads { act.iter().find(|at| **at >= behind) } else { act.iter().rfind(|act| **act < at) }?;
    let fits = |there: &Statement, at: usize, others: &[usize]| {
        others.iter().any(|other| same(&claim.tokens[at], &there.tokens[*other]))
    };
    let shows = |(no, one): (usize, &Original)| {
        forbidden(&one.statement).into_iter().find_map(|(cue, scope)| {
            let held: Vec<usize> = act.iter().copied().filter(|at| fits(&one.statement, *at, &scope)).collect();
            let enough = held.len() >= 2 || held.len() == 1 && scope.len() <= FEW && act.len() <= FEW;
            // `Do not touch the van`: nothing may be done with it.
            let thing = untouched(&one.statement, &scope);
            let touched = thing.is_some_and(|thing| held.iter().any(|at| fits(&one.statement, *at, &[thing])));
            let here = held.iter().map(|at| claim.tokens[*at].range.clone());
            let here = std::iter::once(heard[from].range.clone()).chain(here).collect();
            (enough && held.contains(key) || touched).then(|| Shown { original: no, here, there: vec![cue] })
        })
    };
    let shown = originals.iter().enumerate().filter(|(_, one)| own(one)).filter_map(shows).next_back()?;
    // What the person says later of the same, and does not forbid, may allow it.
    let later = |one: &&Original| {
        one.seq() > originals[shown.original].seq() && own(one) && forbidden(&one.statement).is_empty()
    };
    let allowed =
        originals.iter().filter(later).any(|one| act.iter().any(|at| one.statement.has_same(&claim.tokens[*at])));
    (!allowed).then_some(shown)
}

/// The thing with which nothing may be done, where that is what these words forbid.
fn untouched(statement: &Statement, scope: &[usize]) -> Option<usize> {
    let [touch, thing, ..] = scope else { return None };
    lists().touches.contains(statement.tokens[*touch].stem.as_str()).then_some(*thing)
}

/// Whether the person forbids something with it.
pub(super) fn forbids(one: &Original) -> bool {
    one.speaker() == Speaker::User && one.is_told() && {
        let there = &one.statement;
        let orders = |(cue, _): &(Range<usize>, Vec<usize>)| {
            let first = there.tokens.iter().take(2).any(|token| token.range.start == cue.start);
            first || there.text.get(cue.clone()).is_some_and(|cue| cue.eq_ignore_ascii_case("never")) || has_duty(there)
        };
        forbidden(there).iter().any(orders)
    }
}

/// `Must`, `may`, `should`: it is told what to do.
fn has_duty(statement: &Statement) -> bool {
    let lists = lists();
    statement.tokens.iter().any(|token| {
        let word = token.lower.as_str();
        lists.duty.contains(word) || lists.option.contains(word) || lists.wish.contains(word)
    })
}

/// What a sentence forbids: the words that do it, and the content words under them.
fn forbidden(statement: &Statement) -> Vec<(Range<usize>, Vec<usize>)> {
    const MOST: usize = 6;
    let plain = statement.negations().iter().filter(|one| is_plain(statement, &one.cue));
    let mut found: Vec<(Range<usize>, Vec<usize>)> = plain
        .map(|one| {
            // `Never promise a date before it is released`: releasing it is not forbidden.
            let bounds =
                |token: &&Token| token.range.start >= one.cue.end && turning().until.contains(token.lower.as_str());
            let end = statement.tokens.iter().find(bounds).map_or(statement.text.len(), |token| token.range.start);
            let inside = |at: &usize| {
                let start = statement.tokens[*at].range.start;
                one.scope.contains(&start) && start < end
            };
            (one.cue.clone(), statement.content().filter(inside).take(MOST).collect::<Vec<_>>())
        })
        // `I don't mind`, `you need not`: it may be done.
        .filter(|(cue, _)| {
            let next = statement.tokens.iter().find(|token| token.range.start >= cue.end);
            let needless = phrase(statement.words(), &lists().needless);
            !next.is_some_and(|token| lists().harmless.contains(token.stem.as_str()))
                && !needless.is_some_and(|phrase| phrase.start < cue.end && cue.start < phrase.end)
        })
        .collect();
    let heard = statement.words();
    if let Some((from, to)) = lists().forbids.find(heard) {
        let cue = heard[from].range.start..heard[to - 1].range.end;
        let at = statement.tokens.iter().position(|token| token.range.start >= cue.start).unwrap_or_default();
        let outside = |at: &usize| !cue.contains(&statement.tokens[*at].range.start);
        found.push((cue.clone(), content(statement, clause_of(statement, at)).into_iter().filter(outside).collect()));
    }
    found
}
