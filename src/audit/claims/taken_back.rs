//! What was said, and holds no longer: a thing that was ruled out and was it after all, a value in whose place the person
//! gave another.

use std::ops::Range;

use crate::extract::Language;
use crate::record::Field;
use crate::session::Speaker;
use crate::text::sentences;

use super::Heard;
use super::alignment::Original;
use super::bearing::{figure, says};
use super::plain::plain;
use super::replies::phrase;
use super::ruled_out::denies;
use super::section::is_of_person;
use super::statement::{Statement, Token};
use super::verdict::asks;

/// Of a claim that is borne out: why it may hold no longer; `None` where nothing later speaks against it.
pub fn taken_back(heard: &Heard) -> Option<String> {
    let said = heard.originals.iter().filter(|one| one.cover >= 0.6).max_by_key(|one| one.seq())?;
    was_it_after_all(heard).or_else(|| replaced(heard, said))
}

/// `It was the cache after all`, said behind all that rules it out.
fn was_it_after_all(heard: &Heard) -> Option<String> {
    let cue = phrase(heard.claim.words(), &Language::english().ruled_out);
    if cue.is_none() && heard.item.field != Field::RuledOut {
        return None;
    }
    let in_cue = |token: &Token| cue.as_ref().is_some_and(|cue: &Range<usize>| cue.contains(&token.range.start));
    let topic: Vec<&Token> = heard.claim.tokens.iter().filter(|token| token.content && !in_cue(token)).collect();
    let about = |one: &Original| one.is_told() && topic.iter().all(|token| one.statement.has_same(token));
    let last = heard.originals.iter().filter(|one| about(one) && denies(one, heard.claim)).map(Original::seq).max()?;
    let is_it = |one: &&Original| {
        let words = one.statement.words();
        let blamed = || one.statement.tokens.iter().any(|token| plain().causes.contains(token.lower.as_str()));
        one.seq() > last
            && about(one)
            && !asks(&one.statement)
            && !denies(one, heard.claim)
            && (plain().retractions.is_in(words) || blamed())
    };
    let back = heard.originals.iter().find(is_it).filter(|_| !topic.is_empty())?;
    Some(format!("turn {} says otherwise later", back.passage.origin.turn))
}

/// Another value that the person gave later for the same.
fn replaced(heard: &Heard, said: &Original) -> Option<String> {
    // What somebody said at a time they said, whatever they say later.
    if asks(heard.claim) || heard.claim.is_request() || heard.is_quotation() || is_of_person(heard.case, heard.item) {
        return None;
    }
    let (claim, own, before) = (heard.claim, &heard.case.consents.own, heard.case.compaction.place);
    let figures: Vec<usize> = (0..claim.tokens.len()).filter(|at| value(&claim.tokens[*at]).is_some()).collect();
    let values: Vec<&str> = figures.iter().filter_map(|at| value(&claim.tokens[*at])).collect();
    let given = |text: &str, beside: Option<&Token>| {
        let parts = sentences(text).into_iter().map(|range| Statement::of(&text[range], heard.terms));
        parts.into_iter().find_map(|one| gives_another(claim, &one, &values, beside))
    };
    let tells = |at: &usize| says(&claim.tokens[*at]) && figure(&claim.tokens[*at]).is_none();
    let beside = |at: &usize| [(0..*at).rev().find(tells), (at + 1..claim.tokens.len()).find(tells)];
    let mut near = figures.iter().flat_map(beside).flatten().map(|at| &claim.tokens[at]);
    let named = |token: &Token| own.later(said.seq(), before, &token.stem).find_map(|text| given(text, Some(token)));
    let answer = || {
        let text = own.next(said.seq(), before).filter(|text| text.len() <= BRIEF && !values.is_empty())?;
        given(text, None).filter(|_| said.speaker() == Speaker::Assistant)
    };
    let other = near.find_map(named).or_else(answer)?;
    Some(format!("the user said {other} later"))
}

/// A number in digits: in words it is often no value, `the last two`.
fn value(token: &Token) -> Option<&str> {
    figure(token).filter(|_| token.lower.starts_with(|c: char| c.is_ascii_digit()))
}

/// An answer that only gives another value is no longer.
const BRIEF: usize = 60;
/// Between a value and what it is of at most one word stands.
const NEAR: usize = 2;

/// The other value that a sentence gives instead of these: beside the same word, or `Make it 60`.
fn gives_another(claim: &Statement, one: &Statement, values: &[&str], beside: Option<&Token>) -> Option<String> {
    let has = |at: &usize| figure(&one.tokens[*at]).is_some_and(|value| values.contains(&value));
    if asks(one) || (0..one.tokens.len()).any(|at| has(&at)) {
        return None;
    }
    let cue = plain().replaces.is_in(one.words()) || plain().retractions.is_in(one.words());
    let shares = |known: &Token| {
        let own = claim.tokens.iter().filter(|token| token.content && says(token) && token.number != known.number);
        own.into_iter().any(|token| one.has_same(token))
    };
    if !cue && !beside.is_some_and(shares) {
        return None;
    }
    let near = |at: &usize| {
        let Some(known) = beside else { return true };
        let from = at.saturating_sub(NEAR);
        one.tokens[from..(at + NEAR + 1).min(one.tokens.len())].iter().any(|token| token.number == known.number)
    };
    let at = (0..one.tokens.len()).find(|at| value(&one.tokens[*at]).is_some() && near(at))?;
    Some(one.text[one.tokens[at].range.clone()].to_owned())
}
