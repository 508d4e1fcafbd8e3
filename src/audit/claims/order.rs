//! Which of two things comes first, `A before B`, and which becomes which, `from A to B`: told the other way round.

use std::ops::Range;

use crate::extract::words;

use super::alignment::Original;
use super::clauses::{Shown, piece_of};
use super::lists::lists;
use super::replies::phrases;
use super::statement::Statement;
use super::synonyms::same;

/// How two things stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// The first comes first.
    Before,
    /// The second comes first.
    After,
    /// The first becomes the second.
    Becomes,
}

/// Two things in one piece of a sentence, as their words.
#[derive(Debug)]
pub struct Order {
    link: Link,
    cue: Range<usize>,
    left: Vec<usize>,
    right: Vec<usize>,
}

/// Fewer words in common say too little.
const FEWEST: usize = 2;
/// Of time and of places, where one word may stand on either side; but in a sentence that holds most of the claim.
const FEWEST_IN_TIME: usize = 3;
/// See `FEWEST_IN_TIME`.
const MOST: f32 = 0.5;

/// All that a sentence says of what comes first.
pub fn orders(statement: &Statement) -> Vec<Order> {
    let links = [(Link::Before, &lists().before), (Link::After, &lists().after), (Link::Becomes, &lists().to)];
    let heard = words(&statement.text);
    let all = links
        .into_iter()
        .flat_map(|(link, list)| phrases(&heard, list).filter_map(move |cue| order(statement, link, cue)));
    all.collect()
}

fn order(statement: &Statement, link: Link, cue: Range<usize>) -> Option<Order> {
    let at = statement.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let behind = statement.tokens.iter().position(|token| token.range.start >= cue.end)?;
    let mut piece = piece_of(statement, at);
    // `…, followed by tenure`: what comes first stands in the piece before.
    if piece.start == at && at > 0 {
        piece.start = piece_of(statement, at - 1).start;
    }
    let from = |at: &usize| lists().from.contains(statement.tokens[*at].lower.as_str());
    let start = match link {
        Link::Becomes => (piece.start..at).rev().find(from)?,
        Link::Before | Link::After => piece.start,
    };
    let telling = |at: &usize| statement.tokens[*at].content;
    let left: Vec<usize> = (start..at).filter(telling).collect();
    // `Before the call instead of after it`: what is denied ends it.
    let meant = |at: &usize| !statement.is_negated(*at);
    let right: Vec<usize> = (behind..piece.end.max(behind)).take_while(meant).filter(telling).collect();
    if statement.is_negated(at) || left.iter().any(|at| statement.is_negated(*at)) {
        return None;
    }
    (!left.is_empty() && !right.is_empty()).then_some(Order { link, cue, left, right })
}

/// How two orders stand to each other.
#[derive(PartialEq, Eq)]
enum Fit {
    /// Both say the same.
    Same,
    /// The one says the other way round what the other says.
    Turned,
    /// They speak of different things.
    Apart,
}

fn fit(claim: &Statement, own: &Order, original: &Original, other: &Order) -> Fit {
    let there = &original.statement;
    let held = |a: &[usize], b: &[usize]| {
        a.iter().filter(|a| b.iter().any(|b| same(&claim.tokens[**a], &there.tokens[*b]))).count()
    };
    let becomes = [own.link, other.link].map(|link| link == Link::Becomes);
    if becomes[0] != becomes[1] {
        return Fit::Apart;
    }
    let least = if becomes[0] || original.cover >= MOST { FEWEST } else { FEWEST_IN_TIME };
    let straight = [held(&own.left, &other.left), held(&own.right, &other.right)];
    let crossed = [held(&own.left, &other.right), held(&own.right, &other.left)];
    let speaks = |[a, b]: [usize; 2]| a > 0 && b > 0 && a + b >= least;
    let alike = own.link == other.link;
    match (speaks(straight), speaks(crossed)) {
        (true, false) => {
            if alike {
                Fit::Same
            } else {
                Fit::Turned
            }
        }
        (false, true) => {
            if alike {
                Fit::Turned
            } else {
                Fit::Same
            }
        }
        (true, true) | (false, false) => Fit::Apart,
    }
}

/// The original that has two things of the claim the other way round, where none has them its way.
pub fn turned(claim: &Statement, originals: &[Original]) -> Option<Shown> {
    if claim.text.trim_end().ends_with('?') {
        return None;
    }
    claim.orders().iter().find_map(|own| {
        let told = || originals.iter().enumerate().filter(|(_, one)| one.is_told());
        let all = || told().flat_map(|(no, one)| one.statement.orders().iter().map(move |order| (no, order)));
        let is = |fits: Fit| move |(no, other): &(usize, &Order)| fit(claim, own, &originals[*no], other) == fits;
        let (original, other) = all().find(is(Fit::Turned))?;
        let other_cue = other.cue.clone();
        (!all().any(|one| is(Fit::Same)(&one))).then(|| Shown {
            original,
            here: vec![own.cue.clone()],
            there: vec![other_cue],
        })
    })
}
