//! What a claim says was settled, `was accepted`, `as agreed`, and the person left open or said no to.

use std::ops::Range;

use crate::extract::Certainty;
use crate::session::Speaker;

use super::alignment::Original;
use super::clauses::{Shown, piece_of, sentence_part};
use super::consent::Consents;
use super::lists::lists;
use super::replies::{Said, answer, phrase, said};
use super::statement::Statement;
use super::wording::negates;

/// So much of what was settled the words must name that leave it open, or that propose it.
const NAMED: f32 = 0.4;

/// The words by which a claim says that something was settled; `None` where it denies it, or tells of a no.
pub fn cue(claim: &Statement) -> Option<Range<usize>> {
    if claim.text.trim_end().ends_with('?') {
        return None;
    }
    let cue = phrase(claim.words(), &lists().settled)?;
    let at = claim.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let piece = piece_of(claim, at);
    let turned = |at: usize| {
        let word = claim.tokens[at].lower.as_str();
        negates(word) || lists().negative.iter().any(|start| word.starts_with(start)) || lists().still.contains(word)
    };
    (!claim.is_negated(at) && !piece.into_iter().any(turned)).then_some(cue)
}

/// The original in which the person leaves it open, where they settle it nowhere.
pub fn unsettled(
    claim: &Statement,
    originals: &[Original],
    consents: &Consents,
    weight: &dyn Fn(u32) -> f32,
) -> Option<Shown> {
    let cue = cue(claim)?;
    let topic = topic(claim, &cue)?;
    let all: f32 = topic.iter().map(|at| weight(claim.tokens[*at].number)).sum();
    let share = |holds: &dyn Fn(usize) -> bool| {
        let held = topic.iter().filter(|at| holds(**at));
        held.map(|at| weight(claim.tokens[*at].number)).sum::<f32>() / all
    };
    let proposed = || {
        let named = |one: &&Original| share(&|at| one.statement.has_same(&claim.tokens[at]));
        originals.iter().filter(|one| proposes(one)).filter(move |one| named(one) >= NAMED)
    };
    let persons = (0..originals.len()).filter(|no| {
        let one = &originals[*no];
        one.is_told() && one.speaker() == Speaker::User
    });
    // Of a proposal the answer need not repeat a word.
    let answers = proposed().flat_map(|one| answer(one, originals));
    let named = |one: &Said| share(&|at| one.has(originals, &claim.tokens[at])) >= NAMED;
    let own = persons.flat_map(|no| said(originals, no)).filter(named);
    let mut speak: Vec<Said> = answers.chain(own).collect();
    speak.sort_unstable_by_key(|one| (one.original, one.part.start));
    let (shown, there) = speak.iter().rev().find_map(|one| Some((one, one.held_back(claim, &cue, originals)?)))?;
    let settled = |one: &Said| one.held_back(claim, &cue, originals).is_none() && one.is_plain(originals);
    let agreed = |one: &Original| {
        let next = answer(one, originals);
        next.iter().all(|no| no.held_back(claim, &cue, originals).is_none()) && consents.follow(one.seq())
    };
    // A result or the agent tells later that somebody else has settled it.
    let told = |one: &Original| {
        let heard =
            phrase(one.statement.words(), &lists().settled).is_some() && one.statement.level() >= Certainty::Wanted;
        let later = one.seq() > originals[shown.original].seq() && one.speaker() != Speaker::User;
        later && heard && share(&|at| one.statement.has_same(&claim.tokens[at])) >= NAMED
    };
    let open = !originals.iter().any(told) && !proposed().any(agreed) && !speak.iter().any(settled);
    open.then(|| Shown { original: shown.original, here: vec![cue], there: vec![there] })
}

/// The words that say what was settled: those around the cue, or of its whole part of the claim where those name nothing.
fn topic(claim: &Statement, cue: &Range<usize>) -> Option<Vec<usize>> {
    let at = claim.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let telling = |at: &usize| {
        let token = &claim.tokens[*at];
        let word = token.lower.as_str();
        let who = lists().selves.iter().chain(&lists().owners).any(|(_, names)| names.contains(word));
        let digits = word.bytes().any(|byte| byte.is_ascii_digit());
        (token.content || digits) && !who && !lists().thoughts.contains(word) && !cue.contains(&token.range.start)
    };
    let own: Vec<usize> = piece_of(claim, at).filter(telling).collect();
    let part = sentence_part(&claim.text, cue);
    let whole = || (0..claim.tokens.len()).filter(|at| part.contains(&claim.tokens[*at].range.start)).filter(telling);
    let topic = if own.is_empty() { whole().collect() } else { own };
    (!topic.is_empty()).then_some(topic)
}

/// Whether the agent offers something.
fn proposes(one: &Original) -> bool {
    let level = one.statement.level();
    one.is_told() && one.speaker() == Speaker::Assistant && level <= Certainty::Proposed && level != Certainty::Believed
}
