//! What a sentence does: it binds, decides, tells of something done, rules out, asks. One sentence may do several.

use std::ops::Range;

use super::certainty::Certainty;
use super::cues::{Hit, Role};
use super::items::{Extracted, Kind, is_negated};
use super::prose::{Prose, Sentence};
use super::tokens::Tokens;
use super::{Language, Negation};

/// Adds the statements of one sentence.
pub(super) fn of_sentence(
    tokens: &Tokens,
    sentence: &Sentence,
    negations: &[Negation],
    certainty: Certainty,
    language: &Language,
    found: &mut Vec<Extracted>,
) {
    let statement = |kind: Kind, class: Option<&'static str>, hit: &Hit| Extracted {
        class,
        cue: Some(tokens.span(hit.at..hit.end)),
        negated: is_negated(&sentence.range, negations),
        certainty,
        ..Extracted::new(kind, sentence.range.clone())
    };
    let first = |wanted: &[Role]| sentence.hits.iter().find(|hit| wanted.contains(&hit.role));
    let _ = language;
    if sentence.cell {
        return;
    }
    let asked = certainty == Certainty::Asked;
    if asked {
        let cue = first(&[Role::Asks]).copied();
        found.push(match cue {
            Some(hit) => statement(Kind::Open, Some("question"), &hit),
            None => {
                Extracted { class: Some("question"), certainty, ..Extracted::new(Kind::Open, sentence.range.clone()) }
            }
        });
        return;
    }
    let binds = |role: Role| sentence.hits.iter().find(|hit| hit.role == role && !is_guess(&sentence.hits, hit));
    if let Some(hit) = binds(Role::Binds).or_else(|| binds(Role::Orders)) {
        let class = if hit.role == Role::Orders { "order" } else { "rule" };
        found.push(statement(Kind::Constraints, Some(class), hit));
    }
    if let Some(hit) = first(&[Role::Decides]) {
        found.push(statement(Kind::Decisions, None, hit));
    }
    if let Some(hit) = first(&[Role::Asks]) {
        found.push(statement(Kind::Open, Some("question"), hit));
    }
}

/// Whether words that bind begin a longer phrase that only guesses: `muss` in `das muss ein Tippfehler sein`.
fn is_guess(hits: &[Hit], bound: &Hit) -> bool {
    let from = hits.partition_point(|hit| hit.at < bound.at);
    hits[from..]
        .iter()
        .take_while(|hit| hit.at == bound.at)
        .any(|hit| hit.end > bound.end && matches!(hit.role, Role::Certain { level, silent: false } if level < 5))
}

/// The words of a sentence that offer something to be agreed to; `None` where it offers nothing.
pub fn proposal(sentence: &str, language: &Language) -> Option<Range<usize>> {
    cue(sentence, Role::Proposes, language)
}

/// The words of what somebody said that agree to what was proposed before.
pub fn acceptance(said: &str, language: &Language) -> Option<Range<usize>> {
    cue(said, Role::Accepts, language)
}

/// The words of what somebody said that turn down what was proposed before.
pub fn refusal(said: &str, language: &Language) -> Option<Range<usize>> {
    cue(said, Role::Refuses, language)
}

/// The words of a sentence that take back what was said before: `actually it is …`.
pub fn retraction(sentence: &str, language: &Language) -> Option<Range<usize>> {
    cue(sentence, Role::Retracts, language)
}

fn cue(text: &str, role: Role, language: &Language) -> Option<Range<usize>> {
    let prose = Prose::of_sentence(text, language);
    let sentence = prose.sentences.first()?;
    let hit = sentence.hits.iter().find(|hit| hit.role == role)?;
    Some(prose.tokens.span(hit.at..hit.end))
}
