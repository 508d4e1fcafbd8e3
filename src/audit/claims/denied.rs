//! A claim that denies what was said plainly.

use crate::extract::Certainty;
use crate::session::Speaker;

use super::alignment::Original;
use super::lists::lists;
use super::opposites::{are, find};
use super::polarity::{BORNE, CLOSE, How, Turned, has_no, is_bare, is_plain, is_said, next_mark, shared};
use super::statement::{Statement, Token};
use super::turning::turning;

/// The claim denies something that was said plainly and nowhere denied.
pub fn denied(claim: &Statement, originals: &[Original], of_person: bool) -> Option<Turned> {
    for negation in claim.negations().iter().filter(|one| is_plain(claim, &one.cue)) {
        // Behind an `and` something else may begin.
        let behind = |token: &&Token| token.range.start >= negation.cue.end && token.lower == "and";
        let to = claim.tokens.iter().find(behind).map_or(claim.text.len(), |token| token.range.start);
        let cue = claim.tokens.iter().position(|token| token.range.start >= negation.cue.start).unwrap_or_default();
        let contrasts = (cue..claim.tokens.len())
            .take_while(|at| negation.cue.contains(&claim.tokens[*at].range.start))
            .any(|at| is_bare(claim, at) || turning().compared.contains(claim.tokens[at].lower.as_str()));
        let to = if contrasts { to.min(next_mark(claim, cue)) } else { to };
        let scope: Vec<usize> = claim
            .content()
            .filter(|at| claim.tokens[*at].range.start < to && negation.scope.contains(&claim.tokens[*at].range.start))
            .filter(|at| claim.is_negated(*at))
            .take(4)
            .collect();
        let Some(head) = scope.first().copied() else { continue };
        let told = || scope.iter().any(|at| originals.iter().any(|one| one.statement.has(claim.tokens[*at].number)));
        let hushed = || hushed(claim, &scope, originals, of_person);
        if let Some(no) = silent(claim, &scope, originals, of_person).filter(|_| told()).or_else(hushed) {
            return Some(Turned {
                original: no,
                here: vec![negation.cue.clone(), claim.tokens[head].range.clone()],
                there: Vec::new(),
                how: How::Denied,
            });
        }
        if let Some((no, there)) = plain(claim, &scope, originals, of_person)
            && !originals.iter().any(|other| bears(claim, &scope, other, originals[no].cover, of_person))
        {
            return Some(Turned {
                original: no,
                here: vec![negation.cue.clone(), claim.tokens[head].range.clone()],
                there: vec![originals[no].statement.tokens[there].range.clone()],
                how: How::Denied,
            });
        }
    }
    None
}

/// The original that speaks of most of a claim, where nothing that speaks of it denies, doubts or turns round anything.
fn silent(claim: &Statement, scope: &[usize], originals: &[Original], of_person: bool) -> Option<usize> {
    let best = originals.iter().enumerate().filter(|(_, one)| is_said(one, of_person));
    let (no, best) = best.max_by(|a, b| a.1.cover.total_cmp(&b.1.cover))?;
    let held = scope.iter().filter(|at| best.statement.has(claim.tokens[**at].number)).count();
    let quiet = |one: &Original| {
        let there = &one.statement;
        let turned = there.tokens.iter().any(|token| {
            lists().negative.iter().any(|start| token.lower.starts_with(start))
                || claim.tokens.iter().any(|own| are(own, token))
        });
        !has_no(there)
            && !compares(there)
            && !narrows(claim, scope, there)
            && !turned
            && there.level() > Certainty::Asked
    };
    let mut near = originals.iter().filter(|one| one.cover >= BORNE * best.cover * 0.5);
    let enough = best.cover >= 0.5 && held >= 1 || best.cover >= 0.38 && held >= 2 && held * 2 >= scope.len();
    (enough && near.all(quiet)).then_some(no)
}

/// The original that says most of a claim, where the claim is spread over many lines and none of them that shares a word
/// with it denies, doubts or turns round anything.
fn hushed(claim: &Statement, scope: &[usize], originals: &[Original], of_person: bool) -> Option<usize> {
    const SPREAD: usize = 60;
    const BEST: f32 = 0.25;
    let held = |at: &usize| originals.iter().any(|one| one.is_told() && one.statement.has(claim.tokens[*at].number));
    let (all, there) = (claim.content().count(), claim.content().filter(held).count());
    let said = originals.iter().enumerate().filter(|(_, one)| is_said(one, of_person));
    let (no, best) = said.max_by(|a, b| a.1.cover.total_cmp(&b.1.cover))?;
    let quiet = |one: &Original| {
        !has_no(&one.statement)
            && !compares(&one.statement)
            && !narrows(claim, scope, &one.statement)
            && !one.statement.tokens.iter().any(|token| {
                lists().negative.iter().any(|start| token.lower.starts_with(start))
                    || scope.iter().any(|at| are(&claim.tokens[*at], token))
            })
    };
    let mut near = originals.iter().filter(|one| one.cover > 0.0);
    let enough = there * 100 >= all * SPREAD
        && best.cover >= BEST
        && scope.iter().filter(|at| held(at)).count() * 2 > scope.len();
    (enough && near.all(quiet)).then_some(no)
}

/// The original that says best what stands under a negation in the claim, and where in it.
fn plain(claim: &Statement, scope: &[usize], originals: &[Original], of_person: bool) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for (no, original) in originals.iter().enumerate().filter(|(_, one)| is_said(one, of_person)) {
        let there = &original.statement;
        let held: Vec<usize> = scope.iter().filter_map(|at| there.find(claim.tokens[*at].number)).collect();
        let (Some(first), false) = (held.first().copied(), held.iter().any(|at| there.is_negated(*at))) else {
            continue;
        };
        let head = there.has(claim.tokens[scope[0]].number);
        let common = shared(claim, scope[0], there, first);
        let close = common >= 1 && original.cover >= CLOSE;
        let enough = head && (common >= 2 || close || of_person && held.len() >= 2 && held.len() == scope.len())
            || held.len() >= 2 && held.len() * 3 >= scope.len() * 2 && common >= 1;
        let worth = held.len() + common;
        if enough && best.is_none_or(|(_, _, known)| worth > known) {
            best = Some((no, first, worth));
        }
    }
    best.map(|(no, there, _)| (no, there))
}

/// Whether an original denies some of it, or says it with a word that turns it round.
fn bears(claim: &Statement, scope: &[usize], original: &Original, cover: f32, of_person: bool) -> bool {
    if of_person && original.speaker() != Speaker::User {
        return false;
    }
    let there = &original.statement;
    let held: Vec<usize> = scope.iter().filter_map(|at| there.find(claim.tokens[*at].number)).collect();
    held.iter().any(|at| there.is_negated(*at))
        || original.cover >= BORNE * cover
            && (has_no(there)
                || there.tokens.iter().any(is_negative)
                || compares(there)
                || narrows(claim, scope, there)
                || scope.iter().any(|at| find(&claim.tokens[*at], there).is_some()))
}

/// Whether a word says that something is not: `missing`, `refused`.
fn is_negative(token: &Token) -> bool {
    let bounds = turning().limits.contains(token.lower.as_str());
    !bounds && lists().negative.iter().any(|start| token.lower.starts_with(start))
}

/// Whether it is a comparison, which another wording may put as a `not`: `longer than the lift` does not fit into it.
fn compares(statement: &Statement) -> bool {
    statement.tokens.iter().any(|token| turning().compares.contains(token.lower.as_str()))
}

/// `only after the rain` is `not before the rain`.
fn narrows(claim: &Statement, scope: &[usize], there: &Statement) -> bool {
    let inside = scope.first().copied().unwrap_or_default()..claim.tokens.len();
    let bounds = claim.tokens[inside].iter().any(|token| turning().waits.contains(token.lower.as_str()));
    let only = |token: &Token| turning().narrows.contains(token.lower.as_str());
    bounds && there.tokens.iter().any(only)
}
