//! A claim that says plainly what was denied.

use std::ops::Range;

use crate::extract::{Certainty, Negation};
use crate::session::Speaker;

use super::alignment::{ALIGNED, Original};
use super::clauses::{clause_of, content, has_figure, piece_of};
use super::lists::lists;
use super::opposites::are;
use super::polarity::{BORNE, How, Turned, has_no, is_bare, is_plain, is_said, may_be_plain, next_mark, shared};
use super::statement::{Statement, Token};
use super::synonyms::same;
use super::turning::turning;
use super::wording::negates;

/// Of which a sentence must hold so much to deny a clause of it.
const SOME: f32 = 0.08;

/// The claim says plainly what was denied and nowhere said.
pub fn asserted(claim: &Statement, originals: &[Original], of_person: bool) -> Option<Turned> {
    let mut found: Option<Turned> = None;
    for (no, original) in
        originals.iter().enumerate().filter(|(_, one)| one.cover >= SOME && may_be_plain(&one.statement))
    {
        let there = &original.statement;
        for negation in there.negations().iter().filter(|one| is_plain(there, &one.cue)) {
            if !is_meant(original, negation, of_person) {
                continue;
            }
            let Some(denied) = Denied::by(negation, there, claim) else { continue };
            let Some(taken) = denied.taken_up(claim, original) else { continue };
            if !denied.is_borne(&taken, claim, original, originals) {
                let (head, here) = taken.held[0];
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

/// What a negation denies in so many words.
struct Denied<'a> {
    there: &'a Statement,
    /// Where the negation stands, and in what clause.
    cue: usize,
    clause: Range<usize>,
    /// The words that are denied: the first few that say something.
    scope: Vec<usize>,
}

/// What of it the claim says.
struct Taken {
    /// Words that are denied, each with its place in the claim; the first is the first that is denied.
    held: Vec<(usize, usize)>,
    /// They are taken up in a sentence about much the same.
    near: bool,
}

impl<'a> Denied<'a> {
    /// `None` where nothing is plainly denied.
    fn by(negation: &Negation, there: &'a Statement, claim: &Statement) -> Option<Self> {
        // `Nothing here reads it`: somebody else may.
        if turning().empty.contains(&&*there.text[negation.cue.clone()].to_lowercase()) {
            return None;
        }
        // `Without it the gate is open`: under a condition. `My no 1`: the first.
        let cue = there.tokens.iter().position(|token| token.range.start >= negation.cue.start).unwrap_or_default();
        let clause = clause_of(there, cue);
        let counts =
            |at: usize| there.tokens.get(at).is_some_and(|next| matches!(next.lower.as_bytes(), [b'1'..=b'9']));
        let ranks = there.tokens[cue].lower == "no" && counts(cue + 1);
        if ranks || there.tokens[cue].lower == "without" && cue == clause.start {
            return None;
        }
        // `I don't know why the gate sticks`: it does.
        let asks = |at: &usize| lists().presuming.contains(there.tokens[*at].lower.as_str());
        let bare = is_bare(there, cue);
        // `Today, not tomorrow`: whoever says the one as well says the same.
        if bare && (clause.start..cue).any(|at| there.tokens[at].content && claim.has(there.tokens[at].number)) {
            return None;
        }
        let end = if bare { next_mark(there, cue) } else { there.text.len() };
        let scope: Vec<usize> = (0..there.tokens.len())
            .filter(|at| negation.scope.contains(&there.tokens[*at].range.start))
            .take_while(|at| !asks(at) && there.tokens[*at].range.start < end)
            .filter(|at| clause.contains(at) && there.tokens[*at].content)
            .take(4)
            .collect();
        scope.first().is_some_and(|at| there.is_negated(*at)).then_some(Self { there, cue, clause, scope })
    }

    /// What the claim says of it without a no; `None` where it says it of something else, or not plainly.
    fn taken_up(&self, claim: &Statement, original: &Original) -> Option<Taken> {
        let Self { there, cue, clause, scope } = self;
        let pair = |at: &usize| {
            let here = claim.content().find(|own| same(&claim.tokens[*own], &there.tokens[*at]))?;
            Some((*at, here))
        };
        let held: Vec<(usize, usize)> = scope.iter().filter_map(pair).collect();
        // What was denied is the first of it: `don't change the chart` says nothing of whoever speaks of the chart.
        let (head, here) = held.first().copied().filter(|(head, _)| *head == scope[0])?;
        let own = clause_of(claim, here);
        let words = content(claim, own.clone());
        // `The parcel never came`: who speaks of what came besides speaks of something else.
        let subject = (clause.start..*cue).rev().find(|at| there.tokens[*at].content);
        let of_same = scope.len() > 1
            || subject.is_none_or(|at| words.iter().any(|own| same(&claim.tokens[*own], &there.tokens[at])));
        let near = original.cover >= ALIGNED && shared(claim, here, there, head) >= 2 && of_same && !has_no(claim);
        // Most of what was denied, in one clause, is enough; and all of it with half of the clause.
        let inside = held.iter().all(|(_, at)| own.contains(at));
        let told = words.iter().filter(|at| there.has_same(&claim.tokens[**at])).count();
        let most = inside && held.len() >= 2 && held.len() * 3 >= scope.len() * 2;
        let all = inside && held.len() == scope.len() && told >= 2 && told * 2 >= words.len() && of_same;
        let turned = |at: usize| own.clone().any(|own| are(&claim.tokens[own], &there.tokens[at]));
        // `Handle the case`: work to be done says nothing.
        let is_order = here == 0 && !claim.tokens[0].lower.ends_with("ed") && !claim.tokens[0].lower.ends_with('s');
        let says = near || !is_order && (most || all);
        (says && !denies(claim, here) && !clause_of(there, head).any(turned)).then_some(Taken { held, near })
    }

    /// Whether something else that was said, or came later, says what the claim says.
    fn is_borne(&self, taken: &Taken, claim: &Statement, original: &Original, originals: &[Original]) -> bool {
        let (there, Taken { held, near }) = (self.there, taken);
        let says = |other: &Statement, (_, own): &(usize, usize)| {
            let at = other.tokens.iter().position(|token| same(token, &claim.tokens[*own]));
            at.is_some_and(|at| !other.is_negated(at))
        };
        originals.iter().any(|other| {
            // What the agent had not done yet it did later, or it had a result later.
            let later = other.seq() > original.seq() && original.speaker() != Speaker::User;
            let did = || {
                let has = |at: usize| other.statement.has_same(&there.tokens[at]);
                !other.is_told() && held.iter().all(|(at, _)| has(*at))
            };
            if later && (did() || has_figure(claim, &other.statement, there)) {
                return true;
            }
            let close = other.is_told() && other.cover >= BORNE * original.cover;
            let alone = close && common_near(claim, held[0].1, &other.statement);
            let meant = other.statement.level() > Certainty::Asked;
            if *near {
                return alone && says(&other.statement, &held[0]);
            }
            held.iter().all(|one| says(&other.statement, one)) && (alone || held.len() >= 2 && meant)
        })
    }
}

/// Whether the claim denies what it says here. `never. send a reminder`: a no right before it counts as well; what still
/// has to be done is not done.
fn denies(claim: &Statement, at: usize) -> bool {
    let clause = piece_of(claim, at);
    let word = |at: usize| claim.tokens[at].lower.as_str();
    let negative = |at: usize| lists().negative.iter().any(|start| word(at).starts_with(start));
    let is_no = |at: usize| claim.is_negated(at) || negative(at) || lists().still.contains(word(at));
    // `To be listed only`: nothing else is done with it.
    clause.clone().any(|at| is_no(at) || lists().only.contains(word(at)))
        || (clause.start.min(at.saturating_sub(3))..clause.end).any(|at| negates(word(at)))
}

/// Whether a negation is meant: what leaves open another clause says nothing of it, and whoever has something checked does
/// not say it.
fn is_meant(original: &Original, negation: &Negation, of_person: bool) -> bool {
    let there = &original.statement;
    let at = |byte: usize| there.tokens.iter().position(|token| token.range.start >= byte).unwrap_or_default();
    let clause = clause_of(there, at(negation.cue.start));
    let checks =
        |token: &Token| lists().checking.contains(token.lower.as_str()) && token.range.end <= negation.cue.start;
    if there.tokens[clause.clone()].iter().any(checks) {
        return false;
    }
    let elsewhere = || {
        let cue = there.certainty().1.filter(|_| there.level() > Certainty::Asked);
        cue.is_some_and(|cue| !clause.contains(&at(cue.start)))
    };
    is_said(original, of_person) || original.is_told() && !of_person && elsewhere()
}

/// Whether a sentence has a word of the claim, and one that stands around it there.
fn common_near(claim: &Statement, here: usize, other: &Statement) -> bool {
    other.find(claim.tokens[here].number).is_some_and(|at| shared(claim, here, other, at) > 0)
}
