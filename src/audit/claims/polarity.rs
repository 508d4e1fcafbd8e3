//! Whether a claim says the opposite of what was said: a negation more or less, or a word turned round.

use std::ops::Range;

use crate::extract::{Certainty, Negation};

use crate::session::Speaker;

use super::alignment::{ALIGNED, Original};
use super::clauses::{clause_of, content, is_reported};
use super::lists::lists;
use super::opposed::opposite;
use super::opposites::{are, find};
use super::statement::Statement;
use super::synonyms::same;
use super::wording::negates;

/// What turns a claim round.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// Which of the originals shows it.
    pub original: usize,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
    /// The words of that original that decide.
    pub there: Vec<Range<usize>>,
    /// In which way.
    pub how: How,
}

/// In which way a claim is turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The claim denies what was said.
    Denied,
    /// The claim says what was denied.
    Asserted,
    /// A word and its opposite.
    Opposite,
}

/// What bears a claim out must hold so much of it, as a share of what speaks against it.
const BORNE: f32 = 0.6;
/// So much of a claim a sentence holds that says nearly the same.
pub(super) const CLOSE: f32 = 0.28;
/// Of which a sentence must hold so much to deny a clause of it.
const SOME: f32 = 0.08;
/// So far around a word its neighbours are compared.
const NEAR: usize = 4;

/// The first original that shows it; `None` when nothing does.
///
/// What a person is said to want or say is held against their own words alone.
pub fn turned(claim: &Statement, originals: &[Original], of_person: bool, asserts: bool) -> Option<Turned> {
    // What the claim itself leaves open it does not turn round.
    if claim.text.trim_end().ends_with('?') || claim.level() < Certainty::Believed {
        return None;
    }
    let asserts = asserts && !is_reported(claim);
    let denied = || denied(claim, originals, of_person);
    let asserted = || if asserts { asserted(claim, originals, of_person) } else { None };
    denied().or_else(asserted).or_else(|| opposite(claim, originals, of_person))
}

/// How many content words around one stand around the other as well.
pub(super) fn shared(claim: &Statement, here: usize, original: &Statement, there: usize) -> usize {
    let near: Vec<u32> = original.around(there, NEAR + 2).iter().map(|at| original.tokens[*at].number).collect();
    let own = claim.around(here, NEAR);
    own.iter().filter(|at| near.contains(&claim.tokens[**at].number)).count()
}

/// Whether somebody may have meant what they said: not a question, not on a condition.
pub(super) fn is_said(original: &Original, of_person: bool) -> bool {
    let level = original.statement.level();
    // A person's `I would only want` is on no condition.
    let meant = level > Certainty::Conditional || of_person && level == Certainty::Conditional;
    meant && original.is_told() && (!of_person || original.speaker() == Speaker::User)
}

/// Whether a negation is meant: what leaves open another clause says nothing of it, and whoever has something checked does
/// not say it.
fn is_meant(original: &Original, negation: &Negation, of_person: bool) -> bool {
    let there = &original.statement;
    let at = |byte: usize| there.tokens.iter().position(|token| token.range.start >= byte).unwrap_or_default();
    let clause = clause_of(there, at(negation.cue.start));
    let checks = |token: &super::statement::Token| {
        lists().checking.contains(token.lower.as_str()) && token.range.end <= negation.cue.start
    };
    if there.tokens[clause.clone()].iter().any(checks) {
        return false;
    }
    let elsewhere = || {
        let cue = there.certainty().1.filter(|_| there.level() > Certainty::Asked);
        cue.is_some_and(|cue| !clause.contains(&at(cue.start)))
    };
    is_said(original, of_person) || original.is_told() && !of_person && elsewhere()
}

/// Whether a sentence holds a negation or a word turned round that another does not.
fn has_no(statement: &Statement) -> bool {
    !statement.negations().is_empty()
}

/// Whether a word is negated; two negations that cancel each other, `did not fail`, still negate each its own word.
pub(super) fn is_denied(statement: &Statement, at: usize) -> bool {
    let near = &statement.tokens[at.saturating_sub(2)..at];
    statement.is_negated(at) || near.iter().any(|token| token.lower == "not" || token.lower.ends_with("n't"))
}

/// Whether it is a plain no: `failing` and `lacks` say what is, and turn nothing else round.
pub(super) fn is_plain(statement: &Statement, cue: &Range<usize>) -> bool {
    let inside = |token: &&super::statement::Token| cue.start <= token.range.start && token.range.end <= cue.end;
    // `I'd rather call it level than faster`.
    statement.tokens.iter().filter(inside).any(|token| negates(&token.lower) || token.lower == "than")
}

/// Whether a word says that something is not: `missing`, `refused`.
fn is_negative(token: &super::statement::Token) -> bool {
    let bounds = matches!(token.lower.as_str(), "only" | "instead" | "too" | "hard" | "difficult");
    !bounds && lists().negative.iter().any(|start| token.lower.starts_with(start))
}

/// Whether it is a comparison, which another wording may put as a `not`: `longer than the lift` does not fit into it.
fn compares(statement: &Statement) -> bool {
    statement.tokens.iter().any(|token| matches!(token.lower.as_str(), "than" | "too"))
}

/// `only after the rain` is `not before the rain`.
fn narrows(claim: &Statement, scope: &[usize], there: &Statement) -> bool {
    let inside = scope.first().copied().unwrap_or_default()..claim.tokens.len();
    let bounds = claim.tokens[inside]
        .iter()
        .any(|token| matches!(token.lower.as_str(), "before" | "until" | "unless" | "without" | "except"));
    let only = |token: &super::statement::Token| {
        matches!(token.lower.as_str(), "only" | "once" | "after" | "until" | "when" | "first")
    };
    bounds && there.tokens.iter().any(only)
}

/// The claim denies something that was said plainly and nowhere denied.
fn denied(claim: &Statement, originals: &[Original], of_person: bool) -> Option<Turned> {
    for negation in claim.negations().iter().filter(|one| is_plain(claim, &one.cue)) {
        // Behind an `and` something else may begin.
        let behind = |token: &&super::statement::Token| token.range.start >= negation.cue.end && token.lower == "and";
        let to = claim.tokens.iter().find(behind).map_or(claim.text.len(), |token| token.range.start);
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

/// The claim says plainly what was denied and nowhere said.
fn asserted(claim: &Statement, originals: &[Original], of_person: bool) -> Option<Turned> {
    // `never. send a reminder`: a no right before it counts as well; what still has to be done is not done.
    let denies = |at: usize| {
        let clause = clause_of(claim, at);
        let word = |at: usize| claim.tokens[at].lower.as_str();
        let negative = |at: usize| lists().negative.iter().any(|start| word(at).starts_with(start));
        clause.clone().any(|at| claim.is_negated(at) || negative(at) || lists().still.contains(word(at)))
            || (clause.start.min(at.saturating_sub(3))..clause.end).any(|at| negates(word(at)))
    };
    let mut found: Option<Turned> = None;
    for (no, original) in originals.iter().enumerate().filter(|(_, one)| one.cover >= SOME) {
        let there = &original.statement;
        for negation in there.negations().iter().filter(|one| is_plain(there, &one.cue)) {
            if !is_meant(original, negation, of_person) {
                continue;
            }
            // `Nothing here reads it`: somebody else may.
            if matches!(&there.text[negation.cue.clone()].to_lowercase()[..], "nothing" | "nobody" | "no one" | "none")
            {
                continue;
            }
            // `Without it the gate is open`: under a condition. `My no 1`: the first.
            let cue = there.tokens.iter().position(|token| token.range.start >= negation.cue.start).unwrap_or_default();
            let clause = clause_of(there, cue);
            let counts =
                |at: usize| there.tokens.get(at).is_some_and(|next| matches!(next.lower.as_bytes(), [b'1'..=b'9']));
            let ranks = there.tokens[cue].lower == "no" && counts(cue + 1);
            if ranks || there.tokens[cue].lower == "without" && cue == clause.start {
                continue;
            }
            // `I don't know why the gate sticks`: it does.
            let asks = |at: &usize| lists().presuming.contains(there.tokens[*at].lower.as_str());
            let bare = is_bare(there, cue);
            // `Today, not tomorrow`: whoever says the one as well says the same.
            if bare && (clause.start..cue).any(|at| there.tokens[at].content && claim.has(there.tokens[at].number)) {
                continue;
            }
            let end = if bare { next_mark(there, cue) } else { there.text.len() };
            let scope: Vec<usize> = (0..there.tokens.len())
                .filter(|at| negation.scope.contains(&there.tokens[*at].range.start))
                .take_while(|at| !asks(at) && there.tokens[*at].range.start < end)
                .filter(|at| clause.contains(at) && there.tokens[*at].content)
                .take(4)
                .collect();
            if !scope.first().is_some_and(|at| there.is_negated(*at)) {
                continue;
            }
            let pair = |at: &usize| {
                let here = claim.content().find(|own| same(&claim.tokens[*own], &there.tokens[*at]))?;
                Some((*at, here))
            };
            let held: Vec<(usize, usize)> = scope.iter().filter_map(pair).collect();
            let Some((head, here)) = held.first().copied() else { continue };
            let near = original.cover >= ALIGNED
                && head == scope[0]
                && shared(claim, here, there, head) >= 2
                && !has_no(claim);
            // Most of what was denied, in one clause, is enough; and all of it with half of the clause.
            let own = clause_of(claim, here);
            let inside = held.iter().all(|(_, at)| own.contains(at));
            let words = content(claim, own.clone());
            let told = words.iter().filter(|at| there.tokens.iter().any(|one| same(one, &claim.tokens[**at]))).count();
            let most = inside && held.len() >= 2 && held.len() * 3 >= scope.len() * 2;
            let all = inside && held.len() == scope.len() && told >= 2 && told * 2 >= words.len();
            let turned = |at: &usize| own.clone().any(|own| are(&claim.tokens[own], &there.tokens[*at]));
            // `Handle the case`: work to be done says nothing.
            let is_order = here == 0 && !claim.tokens[0].lower.ends_with("ed") && !claim.tokens[0].lower.ends_with('s');
            if !near && (is_order || !most && !all) || denies(here) || clause_of(there, head).any(|at| turned(&at)) {
                continue;
            }
            let says = |other: &Statement, (_, own): &(usize, usize)| {
                other
                    .tokens
                    .iter()
                    .position(|token| same(token, &claim.tokens[*own]))
                    .is_some_and(|at| !other.is_negated(at))
            };
            let borne = originals.iter().any(|other| {
                // What the agent had not done yet it did later.
                let later = other.seq() > original.seq() && !other.is_told() && original.speaker() != Speaker::User;
                if later
                    && held.iter().all(|(at, _)| other.statement.tokens.iter().any(|one| same(one, &there.tokens[*at])))
                {
                    return true;
                }
                let close = other.is_told() && other.cover >= BORNE * original.cover;
                let alone = close && common_near(claim, here, &other.statement);
                let meant = other.statement.level() > Certainty::Asked;
                if near {
                    return alone && says(&other.statement, &held[0]);
                }
                held.iter().all(|one| says(&other.statement, one)) && (alone || held.len() >= 2 && meant)
            });
            if !borne {
                found = Some(Turned {
                    original: no,
                    here: vec![claim.tokens[here].range.clone()],
                    there: vec![negation.cue.clone(), there.tokens[head].range.clone()],
                    how: How::Asserted,
                });
            }
        }
    }
    found
}

/// Whether a `not` denies only what stands right behind it, `today, not tomorrow`, and no verb before it.
pub(super) fn is_bare(statement: &Statement, cue: usize) -> bool {
    let verb = |word: &str| lists().auxiliaries.contains(word) || lists().modals.contains(word);
    let before = cue.checked_sub(1).map(|at| statement.tokens[at].lower.as_str());
    statement.tokens[cue].lower == "not" && before.is_none_or(|word| !verb(word))
}

/// Where the next comma or the like stands behind a word, or the sentence ends.
fn next_mark(statement: &Statement, word: usize) -> usize {
    let from = statement.tokens[word].range.end;
    statement.text[from..].find([',', ';', ':', '.', '(']).map_or(statement.text.len(), |at| from + at)
}

/// Whether a sentence has a word of the claim, and one that stands around it there.
fn common_near(claim: &Statement, here: usize, other: &Statement) -> bool {
    other.find(claim.tokens[here].number).is_some_and(|at| shared(claim, here, other, at) > 0)
}
