//! What a claim adds at its end, or between brackets, that stands nowhere: `…, and rounds each price up`.

use std::ops::Range;

use crate::extract::{Language, words};

use super::alignment::Original;
use super::lists::lists;
use super::statement::{Statement, Token};

/// A stretch of a claim, two telling words at least, none of which stands anywhere; with the words.
pub fn added(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let mut best: Option<(Range<usize>, Vec<Range<usize>>)> = None;
    // What stands near the beginning is what the claim is about.
    let about = claim.text.len() / 3;
    for clause in clauses(claim).into_iter().filter(|clause| clause.start >= about) {
        let inside: Vec<usize> = claim
            .content()
            .filter(|at| clause.contains(&claim.tokens[*at].range.start) && is_concrete(&claim.tokens[*at]))
            .collect();
        let unknown: Vec<usize> = inside.iter().copied().filter(|at| unheard(&claim.tokens[*at].lower)).collect();
        let thing = |at: &usize| !["ed", "ing"].iter().any(|end| claim.tokens[*at].lower.ends_with(end));
        // Where the rest is told in other words as well, new words say nothing.
        let rest: Vec<usize> = claim.content().filter(|at| !clause.contains(&claim.tokens[*at].range.start)).collect();
        let strange = rest.iter().filter(|at| unheard(&claim.tokens[**at].lower)).count();
        let plain = rest.len() >= 2 && strange * 7 <= rest.len();
        if plain && unknown.len() >= 2 && unknown.iter().any(thing) && unknown.len() * 3 >= inside.len() * 2 {
            let ranges = unknown.iter().map(|at| claim.tokens[*at].range.clone()).collect();
            best = best.or(Some((clause, ranges)));
        }
    }
    best
}

/// Whether a word names a thing, an act or a cause: one that only says when, how much or how may be anybody's, and numbers
/// are looked at as such.
pub(super) fn is_concrete(token: &Token) -> bool {
    let lists = lists();
    !lists.general.contains(token.lower.as_str())
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

/// The stretches between `,`, `;`, `(` and words such as `and`, and those inside them that begin with `until` and its like;
/// the first of a sentence is what it is about and no addition.
fn clauses(claim: &Statement) -> Vec<Range<usize>> {
    let marks = [", ", "; ", " ("].into_iter().chain(lists().adds.iter().map(String::as_str));
    let starts = |marks: &mut dyn Iterator<Item = &'static str>| {
        let mut starts: Vec<usize> =
            marks.flat_map(|mark| claim.text.match_indices(mark)).map(|(start, _)| start).collect();
        starts.sort_unstable();
        starts
    };
    let outer = starts(&mut marks.into_iter());
    let inner = starts(&mut lists().adds_inside.iter().map(String::as_str));
    let end = |start: usize| outer.iter().copied().find(|end| *end > start).unwrap_or(claim.text.len());
    outer.iter().chain(&inner).map(|start| *start..end(*start)).collect()
}

/// A channel or an account that stands nowhere: `#boat-club`, `@harbour`.
pub fn handle(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    words(&claim.text).into_iter().find_map(|word| {
        let before = &claim.text[..word.range.start];
        let marked = before.ends_with(['#', '@']) && before[..before.len() - 1].ends_with([' ', '(']);
        let named = word.lower.len() > 3 && word.lower.starts_with(|c: char| c.is_alphabetic());
        (marked && named && unheard(&word.lower)).then(|| (word.range.start - 1..word.range.end, vec![word.range]))
    })
}

/// Who or what a condition or a reason is about, where that stands nowhere: the `landlord` of `until the landlord has signed`.
pub fn cause(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let lists = lists();
    let tokens = &claim.tokens;
    (1..tokens.len()).filter(|at| lists.conditions.contains(tokens[*at].lower.as_str())).find_map(|at| {
        let determined = tokens.get(at + 1).is_some_and(|token| !token.content);
        let subject = tokens.get(at + 1 + usize::from(determined))?;
        let verb = tokens.get(at + 2 + usize::from(determined))?;
        let thing = subject.content && subject.lower.len() > 3 && is_concrete(subject);
        let formed = ["ed", "ing"].iter().any(|end| subject.lower.ends_with(end));
        (thing && !formed && lists.behind_subject.contains(verb.lower.as_str()) && unheard(&subject.lower))
            .then(|| (tokens[at].range.start..claim.text.len(), vec![subject.range.clone()]))
    })
}
