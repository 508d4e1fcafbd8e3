//! Whether a claim says the opposite of what was said: a negation more or less, or a word turned round.

use std::ops::Range;

use crate::extract::Certainty;
use crate::session::Speaker;

use super::alignment::Original;
use super::asserted::asserted;
use super::clauses::is_reported;
use super::denied::denied;
use super::lists::lists;
use super::opposed::opposite;
use super::statement::Statement;
use super::turning::turning;
use super::wording::negates;

/// What turns a claim round.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// Which of the originals shows it.
    pub original: usize,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
    /// The words of that original that decide.
    pub there: Vec<Range<usize>>,
    /// In which way.
    pub how: How,
}

/// In which way a claim is turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The claim denies what was said.
    Denied,
    /// The claim says what was denied.
    Asserted,
    /// A word and its opposite.
    Opposite,
}

/// What bears a claim out must hold so much of it, as a share of what speaks against it.
pub(super) const BORNE: f32 = 0.6;
/// So much of a claim a sentence holds that says nearly the same.
pub(super) const CLOSE: f32 = 0.28;
/// So far around a word its neighbours are compared.
const NEAR: usize = 4;

/// The first original that shows it; `None` when nothing does.
///
/// What a person is said to want or say is held against their own words alone.
pub fn turned(claim: &Statement, originals: &[Original], of_person: bool, asserts: bool) -> Option<Turned> {
    // What the claim itself leaves open it does not turn round.
    if claim.text.trim_end().ends_with('?') || claim.level() < Certainty::Believed {
        return None;
    }
    let asserts = asserts && !is_reported(claim);
    let denied = || denied(claim, originals, of_person);
    let asserted = || if asserts { asserted(claim, originals, of_person) } else { None };
    denied().or_else(asserted).or_else(|| opposite(claim, originals, of_person))
}

/// How many content words around one stand around the other as well.
pub(super) fn shared(claim: &Statement, here: usize, original: &Statement, there: usize) -> usize {
    let near: Vec<u32> = original.around(there, NEAR + 2).iter().map(|at| original.tokens[*at].number).collect();
    let own = claim.around(here, NEAR);
    own.iter().filter(|at| near.contains(&claim.tokens[**at].number)).count()
}

/// Whether somebody may have meant what they said: not a question, not on a condition, and not what they only look for.
pub(super) fn is_said(original: &Original, of_person: bool) -> bool {
    let level = original.statement.level();
    // A person's `I would only want` is on no condition.
    let meant = level > Certainty::Conditional || of_person && level == Certainty::Conditional;
    let seeks = || lists().seeks.at(original.statement.words(), 0).is_some();
    meant && original.is_told() && (!of_person || original.speaker() == Speaker::User) && !seeks()
}

/// Whether a sentence holds a negation or a word turned round that another does not.
pub(super) fn has_no(statement: &Statement) -> bool {
    // What is quoted says no in its own name.
    let quoted = || statement.text.starts_with('>') && statement.tokens.iter().any(|token| negates(&token.lower));
    !statement.negations().is_empty() || quoted()
}

/// Whether a word is negated, or what is left out; two negations that cancel each other, `did not fail`, still negate each
/// its own word.
pub(super) fn is_denied(statement: &Statement, at: usize) -> bool {
    let near = &statement.tokens[at.saturating_sub(2)..at];
    let denies = |word: &str| word == "not" || word.ends_with("n't") || turning().excludes.contains(word);
    statement.is_negated(at) || near.iter().any(|token| denies(&token.lower))
}

/// Whether it is a plain no: `failing` and `lacks` say what is, and turn nothing else round.
pub(super) fn is_plain(statement: &Statement, cue: &Range<usize>) -> bool {
    let inside = |token: &&super::statement::Token| cue.start <= token.range.start && token.range.end <= cue.end;
    // `I'd rather call it level than faster`.
    statement.tokens.iter().filter(inside).any(|token| token.parts)
}

/// Whether it has a word that may be a plain no: most sentences have none, and need not be asked what they negate.
pub(super) fn may_be_plain(statement: &Statement) -> bool {
    statement.tokens.iter().any(|token| token.parts)
}

/// Whether a `not` denies only what stands right behind it, `today, not tomorrow`, and no verb before it.
pub(super) fn is_bare(statement: &Statement, cue: usize) -> bool {
    let verb = |word: &str| lists().auxiliaries.contains(word) || lists().modals.contains(word);
    let before = cue.checked_sub(1).map(|at| statement.tokens[at].lower.as_str());
    statement.tokens[cue].lower == "not" && before.is_none_or(|word| !verb(word))
}

/// Where the next comma or the like stands behind a word, or the sentence ends.
pub(super) fn next_mark(statement: &Statement, word: usize) -> usize {
    let from = statement.tokens[word].range.end;
    statement.text[from..].find([',', ';', ':', '.', '(']).map_or(statement.text.len(), |at| from + at)
}
