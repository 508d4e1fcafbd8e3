//! An `only` that nobody said: the claim leaves out by it what the originals let in.

use std::ops::Range;

use super::alignment::{ALIGNED, Original};
use super::lists::lists;
use super::polarity::is_said;
use super::statement::Statement;
use super::turning::turning;

/// So much of a claim an original must hold that says the same without the `only`.
const MOST: f32 = 0.5;

/// What was made narrower.
#[derive(Clone, Debug, PartialEq)]
pub struct Restricted {
    /// The original that says it without.
    pub original: usize,
    /// The word of the claim that does it.
    pub here: Range<usize>,
    /// What that original says of the same.
    pub there: Range<usize>,
}

/// An `only` before something that an original speaks of in no narrower way.
pub fn restricted(claim: &Statement, originals: &[Original]) -> Option<Restricted> {
    let (here, scope) = (0..claim.tokens.len()).find_map(|at| {
        let token = &claim.tokens[at];
        let before = at.checked_sub(1).map(|before| &claim.tokens[before]);
        let compound = claim.text[..token.range.start].ends_with('-');
        let denied = before.is_some_and(|before| before.lower == "not" || before.lower.ends_with("n't"));
        // `Only once the tests are green`: not before.
        let timed = claim.tokens[at + 1..].iter().any(|token| turning().once.contains(token.lower.as_str()));
        let is_only = lists().only.contains(token.lower.as_str()) && !compound && !denied && !timed && !token.code;
        is_only.then(|| (at, scope(claim, at)))
    })?;
    if scope.is_empty() {
        return None;
    }
    let narrow =
        |one: &Original| one.statement.tokens.iter().any(|token| lists().narrow.contains(token.lower.as_str()));
    let holds = |one: &Original| scope.iter().filter(|at| one.statement.has(claim.tokens[**at].number)).count();
    let near = |one: &Original| one.cover >= ALIGNED || holds(one) > 0 && one.cover >= 0.15;
    if originals.iter().any(|one| near(one) && narrow(one)) {
        return None;
    }
    let whole = |one: &Original| one.cover >= MOST && holds(one) == scope.len();
    let told = originals.iter().enumerate().filter(|(_, one)| whole(one) && is_said(one, false));
    let (original, one) = told.max_by(|a, b| a.1.cover.total_cmp(&b.1.cover))?;
    let at = scope.iter().find_map(|at| one.statement.find(claim.tokens[*at].number))?;
    Some(Restricted { original, here: claim.tokens[here].range.clone(), there: one.statement.tokens[at].range.clone() })
}

/// What an `only` is about: the next words, until something else begins.
fn scope(claim: &Statement, only: usize) -> Vec<usize> {
    const MOST: usize = 3;
    let mut found = Vec::new();
    for at in only + 1..claim.tokens.len() {
        let token = &claim.tokens[at];
        let gap = &claim.text[claim.tokens[at - 1].range.end..token.range.start];
        let ends = gap.contains([',', ';', '.', ':', '(']) || lists().stops.contains(token.lower.as_str());
        if ends || found.len() == MOST || token.digits().is_some() || token.lower == "one" {
            break;
        }
        if token.content {
            found.push(at);
        }
    }
    found
}
