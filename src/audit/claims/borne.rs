//! Whether a sentence says no more than what it rests on. A model's words are not given the benefit of the doubt: each word
//! of them that says something must have been said.

use crate::session::{SourceRef, Speaker};

use super::attribution::{Act, Who, attributions};
use super::bearing::{Witness, bear, is_cut_off};
use super::lists::lists;
use super::statement::{Statement, Token};
use super::terms::Terms;
use super::verdict::{agrees, asks, begins_with};

/// What a sentence says beyond its sources, of which it has some, as a reason; `None` where it adds nothing to them.
pub fn added(sentence: &str, sources: &[SourceRef]) -> Option<String> {
    if let Some(sign) = sentence.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Some(format!("it holds a control character, {}", sign.escape_unicode()));
    }
    let terms = Terms::default();
    let claim = Statement::of(sentence, &terms);
    // What a person did only they say.
    let of_person = begins_with(&claim) == Some(Who::Person);
    let may_say = |source: &&SourceRef| !of_person || source.speaker == Speaker::User;
    let said: Vec<(Statement, Speaker)> =
        sources.iter().filter(may_say).map(|source| (Statement::of(&source.quote, &terms), source.speaker)).collect();
    if said.is_empty() {
        return Some("the user does not say so".to_owned());
    }
    if !asks(&claim) && said.iter().all(|(one, _)| asks(one)) {
        return Some("it is only asked".to_owned());
    }
    let by = |who: Who, act: Act| {
        said.iter().any(|(one, speaker)| match who {
            Who::Person => *speaker == Speaker::User && (act != Act::Approves || agrees(one)),
            Who::Agent => *speaker == Speaker::Assistant,
        })
    };
    // `The user asked for …`: their words need not say so, they do it.
    let attributed: Vec<_> =
        attributions(&claim).into_iter().filter(|one| by(one.who, one.act)).map(|one| one.cue).collect();
    let told = |token: &&Token| {
        attributed.iter().any(|cue| cue.contains(&token.range.start))
            || said.iter().any(|(one, _)| one.tells(token) || one.tokens.iter().any(|own| own.lower == token.lower))
    };
    if is_cut_off(&claim) {
        return Some("it ends in the middle of a sentence".to_owned());
    }
    let new = claim.tokens.iter().filter(|token| token.content || binds(token)).find(|token| !told(token));
    if let Some(new) = new {
        return Some(format!("nobody says “{}” there", &sentence[new.range.clone()]));
    }
    let told = |speaker: Speaker| speaker != Speaker::Tool;
    let witnesses: Vec<Witness> =
        said.iter().map(|(says, speaker)| Witness { says, speaker: *speaker, told: told(*speaker) }).collect();
    (!bear(&claim, &attributions(&claim), &witnesses)).then(|| "no sentence there says all of it".to_owned())
}

/// `must`, `always`, `only`: such a word says nothing by itself, and makes a rule of what is said beside it.
fn binds(token: &Token) -> bool {
    let word = token.lower.as_str();
    lists().duty.contains(word) || lists().only.contains(word)
}
