//! What a claim adds at its end, or between brackets, that stands nowhere: `…, and rounds each price up`.

use std::ops::Range;

use super::alignment::Original;
use super::lists::lists;
use super::statement::{Statement, Token};

/// A stretch of a claim, two telling words at least, none of which stands anywhere; with the words.
pub fn added(claim: &Statement, unheard: &dyn Fn(&str) -> bool) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let mut best: Option<(Range<usize>, Vec<Range<usize>>)> = None;
    // What stands near the beginning is what the claim is about.
    let about = claim.text.len() / 3;
    for clause in clauses(&claim.text).into_iter().filter(|clause| clause.start >= about) {
        let inside: Vec<usize> = claim
            .content()
            .filter(|at| clause.contains(&claim.tokens[*at].range.start))
            .filter(|at| !lists().general.contains(claim.tokens[*at].lower.as_str()))
            // How something was done is said in many words.
            .filter(|at| !claim.tokens[*at].lower.ends_with("ly"))
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

/// The stretches between `,`, `;`, `(` and words such as `and`; the first of a sentence is what it is about and no addition.
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    for mark in [", ", "; ", " ("].into_iter().chain(lists().adds.iter().map(String::as_str)) {
        starts.extend(text.match_indices(mark).map(|(at, _)| at));
    }
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}
