//! What a claim adds at its end, or between brackets, that stands nowhere: `…, and rounds each price up`.

use std::ops::Range;

use crate::extract::Language;

use super::alignment::Original;
use super::clauses::span;
use super::lists::lists;
use super::statement::{Statement, Token};

/// A stretch of a claim, with the words in it that stand nowhere.
type Addition = (Range<usize>, Vec<Range<usize>>);

/// A stretch of a claim, two telling words at least, none of which stands anywhere; with the words.
pub fn added(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<Addition> {
    // What stands near the beginning is what the claim is about.
    let about = claim.text.len() / 3;
    parts(claim).into_iter().filter(|part| span(claim, part).start >= about).find_map(|part| {
        let inside: Vec<usize> =
            part.clone().filter(|at| claim.tokens[*at].content && is_concrete(&claim.tokens[*at])).collect();
        let unknown: Vec<usize> = inside.iter().copied().filter(|at| unheard(&claim.tokens[*at].lower)).collect();
        let (rest, strange) = beside(claim, &part, unheard);
        // Where the rest is told in other words as well, new words say nothing.
        let plain = rest >= 2 && strange * 7 <= rest;
        let several = unknown.len() >= 2 && unknown.iter().any(|at| is_thing(&claim.tokens[*at]));
        let new = plain && several && unknown.len() * 3 >= inside.len() * 2;
        new.then(|| (span(claim, &part), ranges(claim, &unknown)))
    })
}

/// Why or when something was so, where no original holds half of it and a thing in it stands nowhere: `after a new moon`.
pub fn reason(claim: &Statement, originals: &[Original], unheard: &dyn Fn(&str) -> bool) -> Option<Addition> {
    let begins = |at: usize| {
        let word = claim.tokens[at].lower.as_str();
        lists().conditions.contains(word) || lists().circumstances.contains(word)
    };
    parts(claim).into_iter().filter(|part| begins(part.start)).find_map(|part| {
        let what: Vec<usize> = part.clone().skip(1).filter(|at| claim.tokens[*at].content).collect();
        let is_told = |at: &usize| is_concrete(&claim.tokens[*at]);
        let what: Vec<usize> = what.into_iter().filter(is_told).collect();
        let articled = |at: usize| {
            let article = |at: Option<usize>| at.is_some_and(|at| is_article(&claim.tokens[at]));
            article(at.checked_sub(1)) || article(at.checked_sub(2))
        };
        let new = |at: &usize| {
            let token = &claim.tokens[*at];
            is_thing(token) && !is_made(token) && articled(*at) && unheard(&token.lower)
        };
        let new: Vec<usize> = what.iter().copied().filter(new).collect();
        let held = |one: &Original| what.iter().filter(|at| one.statement.tells(&claim.tokens[**at])).count();
        let (rest, strange) = beside(claim, &part, unheard);
        let sought = !new.is_empty() && what.len() >= 2 && rest >= 2 && strange * 3 <= rest;
        let said = || originals.iter().any(|one| held(one) * 2 >= what.len());
        (sought && !said()).then(|| (span(claim, &part), ranges(claim, &new)))
    })
}

/// What may be added: all clauses but the first, and what begins inside one with `until` and its like.
fn parts(claim: &Statement) -> Vec<Range<usize>> {
    let pieces = claim.pieces();
    let inner = pieces.iter().flat_map(|piece| {
        let begins = |at: &usize| lists().adds_inside.contains(claim.tokens[*at].lower.as_str());
        (piece.start + 1..piece.end).filter(begins).map(|at| at..piece.end)
    });
    pieces.iter().skip(1).cloned().chain(inner).collect()
}

/// How many words of a claim stand outside a part of it, and how many of them stand nowhere.
fn beside(claim: &Statement, part: &Range<usize>, unheard: &dyn Fn(&str) -> bool) -> (usize, usize) {
    let rest: Vec<usize> = claim.content().filter(|at| !part.contains(at)).collect();
    (rest.len(), rest.iter().filter(|at| unheard(&claim.tokens[**at].lower)).count())
}

fn ranges(claim: &Statement, words: &[usize]) -> Vec<Range<usize>> {
    words.iter().map(|at| claim.tokens[*at].range.clone()).collect()
}

/// Whether a word may be a noun.
fn is_thing(token: &Token) -> bool {
    !["ed", "ing"].iter().any(|end| token.lower.ends_with(end))
}

/// Whether a word may be made of a verb or an adjective that somebody used in another form: `supervision`.
fn is_made(token: &Token) -> bool {
    lists().made_endings.iter().any(|end| token.lower.ends_with(end))
}

fn is_article(token: &Token) -> bool {
    lists().articles.contains(token.lower.as_str())
}

/// Whether a word names a thing, an act or a cause: one that only says when, how much or how may be anybody's, and numbers
/// are looked at as such.
pub(super) fn is_concrete(token: &Token) -> bool {
    let lists = lists();
    let joins = [&lists.conditions, &lists.adds_inside].iter().any(|list| list.contains(token.lower.as_str()));
    !joins
        && !lists.general.contains(token.lower.as_str())
        && !lists.abstracts.contains(token.stem.as_str())
        && !token.lower.ends_with("ly")
        && !token.lower.starts_with(|c: char| c.is_ascii_digit())
        && !Language::english().numbers.contains(&token.lower)
}

/// A number of things that are said to pass or fail, and no original that has the number beside such words.
pub fn untold(claim: &Statement, originals: &[Original]) -> Option<Vec<Range<usize>>> {
    let lists = lists();
    let ends = |token: &Token| [&lists.passes, &lists.fails].iter().any(|list| list.contains(token.stem.as_str()));
    let counts = |token: &Token| token.lower.len() <= 4 && token.lower.bytes().all(|byte| byte.is_ascii_digit());
    let (number, end) = (0..claim.tokens.len()).find_map(|at| {
        let number = Some(&claim.tokens[at]).filter(|token| counts(token))?;
        let near = claim.tokens.get(at + 1..(at + 5).min(claim.tokens.len()))?;
        near.iter().find(|token| ends(token)).map(|end| (number, end))
    })?;
    let reports = |statement: &Statement| {
        statement.tokens.iter().any(|token| token.lower == number.lower)
            && statement.tokens.iter().any(|token| ends(token) || lists.tests.contains(token.stem.as_str()))
    };
    let told = originals.iter().any(|one| reports(&one.statement) || one.passage.around.contains(&number.lower));
    (!told && !originals.is_empty()).then(|| vec![number.range.clone(), end.range.clone()])
}

/// A channel or an account that stands nowhere: `#boat-club`, `@harbour`.
pub fn handle(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<Addition> {
    claim.words().iter().find_map(|word| {
        let before = &claim.text[..word.range.start];
        let marked = before.ends_with(['#', '@']) && before[..before.len() - 1].ends_with([' ', '(']);
        let named = word.lower.len() > 3 && word.lower.starts_with(|c: char| c.is_alphabetic());
        (marked && named && unheard(&word.lower))
            .then(|| (word.range.start - 1..word.range.end, vec![word.range.clone()]))
    })
}

/// Who or what a condition or a reason is about, where that stands nowhere: the `landlord` of `until the landlord has signed`.
pub fn cause(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<Addition> {
    let lists = lists();
    let tokens = &claim.tokens;
    (1..tokens.len()).filter(|at| lists.conditions.contains(tokens[*at].lower.as_str())).find_map(|at| {
        let determined = tokens.get(at + 1).is_some_and(|token| !token.content);
        let subject = tokens.get(at + 1 + usize::from(determined))?;
        let verb = tokens.get(at + 2 + usize::from(determined))?;
        let thing = subject.content && subject.lower.len() > 3 && is_concrete(subject);
        (thing && is_thing(subject) && lists.behind_subject.contains(verb.lower.as_str()) && unheard(&subject.lower))
            .then(|| (tokens[at].range.start..claim.text.len(), vec![subject.range.clone()]))
    })
}
