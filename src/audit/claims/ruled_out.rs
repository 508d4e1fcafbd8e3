//! What a record says was ruled out: somebody must have denied it. What was only possible was not.

use crate::extract::{Certainty, Language, words};
use crate::record::Field;

use super::Heard;
use super::alignment::Original;
use super::lists::lists;
use super::statement::Statement;

/// So much of a thing that was ruled out a sentence must hold to speak of it.
const HELD: f32 = 0.6;

/// The original that leaves it possible, where none rules it out.
pub(super) fn only_possible(heard: &Heard) -> Option<(usize, Certainty)> {
    if heard.item.field != Field::RuledOut {
        return None;
    }
    let speaks = |one: &&(usize, &Original)| one.1.cover >= HELD && one.1.is_told();
    let mut about = heard.originals.iter().enumerate().collect::<Vec<_>>();
    about.retain(|one| speaks(&one));
    if about.is_empty() || heard.originals.iter().any(|one| one.cover >= HELD / 2.0 && denies(one, heard.claim)) {
        return None;
    }
    let (level, no) = about.into_iter().map(|(no, one)| (one.statement.level(), no)).min()?;
    (level <= Certainty::Believed).then_some((no, level))
}

/// Whether a sentence rules out, refuses or denies something.
pub(super) fn denies(original: &Original, claim: &Statement) -> bool {
    let language = Language::english();
    let heard = words(&original.statement.text);
    let negated = |at: usize| {
        let stem = original.statement.tokens[at].number;
        original.statement.is_negated(at) && claim.content().any(|own| claim.tokens[own].number == stem)
    };
    original.statement.content().any(negated)
        || heard.first().is_some_and(|word| lists().no.contains(&*word.lower))
        || language.ruled_out.is_in(&heard)
        || language.refusals.is_in(&heard)
        || heard.iter().any(|word| language.denials.contains(&word.lower))
}
