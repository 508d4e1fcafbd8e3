//! What the person is said to have decided or required, and put only loosely: `a name like draft-tiles, if need be`.

use std::ops::Range;

use crate::extract::{Certainty, words};
use crate::session::Speaker;

use super::alignment::Original;
use super::attribution::{Act, Attribution, Who};
use super::consent::Consents;
use super::lists::lists;
use super::own::{keys, squeeze};
use super::replies::phrase;
use super::statement::Statement;

/// Shorter names are words as others are.
const NAME: usize = 6;

/// The original in which it is put loosely, and the words there and in the claim that show it; `None` where the person
/// says it plainly anywhere, or says nothing of it.
pub fn loosely(
    claim: &Statement,
    said: &[Attribution],
    originals: &[Original],
    consents: &Consents,
) -> Option<(usize, Range<usize>, Range<usize>)> {
    let one = said.iter().find(|one| one.who == Who::Person && one.act == Act::Orders && binds(claim, one))?;
    let names = names(claim, one);
    let speaks = |original: &Original| {
        let heard = keys(&original.statement.text);
        names.iter().any(|name| heard.contains(name))
    };
    let about = || originals.iter().enumerate().filter(|(_, one)| one.is_told() && speaks(one));
    // A yes to a long plan is no yes to each name in it; to a proposal it is.
    let proposes = |one: &Original| one.speaker() == Speaker::Assistant && one.statement.level() < Certainty::Decided;
    if about().any(|(_, one)| proposes(one) && consents.follow(one.seq())) {
        return None;
    }
    let mut found = None;
    for (no, original) in about().filter(|(_, one)| one.speaker() == Speaker::User) {
        found = Some((no, one.cue.clone(), looseness(original)?));
    }
    found
}

/// The original in which the person puts off what they are said to want at once, with the words there and in the claim.
pub fn deferred(
    claim: &Statement,
    said: &[Attribution],
    originals: &[Original],
) -> Option<(usize, Range<usize>, Range<usize>)> {
    let wants = |one: &&Attribution| one.who == Who::Person && matches!(one.act, Act::Orders | Act::Approves);
    said.iter().find(wants)?;
    let here = phrase(claim.words(), &lists().at_once)?;
    let about = |one: &Original| {
        one.speaker() == Speaker::User
            && one.is_told()
            && claim.content().any(|at| one.statement.has(claim.tokens[at].number))
    };
    let own = || originals.iter().enumerate().filter(|(_, one)| about(one));
    if own().any(|(_, one)| phrase(one.statement.words(), &lists().soon).is_some()) {
        return None;
    }
    own().find_map(|(no, one)| phrase(one.statement.words(), &lists().later).map(|there| (no, here.clone(), there)))
}

/// Whether it is said to have been settled: `wants` and `asked for` are not.
fn binds(claim: &Statement, said: &Attribution) -> bool {
    let cue = claim.text[said.cue.clone()].to_lowercase();
    lists().settles.iter().any(|start| cue.split(' ').any(|word| word.starts_with(start)))
}

/// The names in what it is about, as they may be said: none of them is a common word.
fn names(claim: &Statement, said: &Attribution) -> Vec<String> {
    let span = &claim.text[said.span.clone()];
    let named = |word: &str, text: &str| {
        let inner = text.chars().skip(1).any(char::is_uppercase) && text.chars().any(char::is_lowercase);
        inner || word.contains(['-', '_', '.'])
    };
    words(span)
        .iter()
        .filter(|word| word.code || named(&word.lower, &span[word.range.clone()]))
        .map(|word| squeeze(&word.lower))
        .filter(|name| name.len() >= NAME)
        .collect()
}

/// What leaves it open in a sentence.
fn looseness(original: &Original) -> Option<Range<usize>> {
    let (level, cue) = original.statement.certainty();
    let heard = words(&original.statement.text);
    let loose = phrase(&heard, &lists().loose);
    let asked = cue.filter(|_| level <= Certainty::Believed);
    loose.or(asked)
}
