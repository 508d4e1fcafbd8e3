//! What a text negates: the words that do it, and how far they reach. Rules in the manner of NegEx and ConText: a cue, a
//! window of words, words and marks that end it, phrases that only look like a negation, and pairs that cancel.

use std::ops::Range;

use super::cues::{Hit, Role};
use super::prose::{Prose, Sentence};
use super::tokens::{Tokens, is_unspaced};
use super::{Language, Zones};

/// A negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negation {
    /// The words that negate, in bytes of the text.
    pub cue: Range<usize>,
    /// What is negated; the cue itself where nothing stands in its reach.
    pub scope: Range<usize>,
}

/// A member of a list has at most so many words.
const MEMBER: usize = 6;

/// A cue reaches over so many words.
const WINDOW: usize = 8;

/// The negations in the prose of a text, in order of their cues.
pub fn negations(text: &str, language: &Language) -> Vec<Negation> {
    let prose = Prose::of(text, &Zones::of(text), language);
    prose.sentences.iter().filter(|one| one.row.is_none()).flat_map(|one| of_sentence(&prose.tokens, one)).collect()
}

/// The negations of one sentence.
pub(super) fn of_sentence(tokens: &Tokens, sentence: &Sentence) -> Vec<Negation> {
    let cues = cues(tokens, sentence);
    if cues.iter().all(|cue| cue.kind.is_none()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (no, cue) in cues.iter().enumerate() {
        let Some(kind) = cue.kind else { continue };
        // `did not fail to`: the second takes back the first.
        let cancels = |first: &Cue, second: &Cue| {
            first.end == second.at && matches!((first.kind, second.kind), (Some(Kind::Ahead), Some(Kind::Denies)))
        };
        if cues.get(no + 1).is_some_and(|next| cancels(cue, next)) || no > 0 && cancels(&cues[no - 1], cue) {
            continue;
        }
        let ahead = || forward(tokens, sentence, cue.end);
        let behind = || backward(tokens, sentence, cue.at);
        let words = match kind {
            Kind::Ahead | Kind::Denies => ahead(),
            Kind::Behind => behind(),
            Kind::Around => behind().start..ahead().end,
            Kind::Both => {
                let ahead = ahead();
                if ahead.is_empty() { behind() } else { ahead }
            }
        };
        let cue = tokens.span(cue.at..cue.end);
        let scope = if words.is_empty() { cue.clone() } else { tokens.span(words) };
        found.push(Negation { cue, scope });
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ahead,
    Denies,
    Behind,
    Around,
    Both,
}

/// Words that negate; without a kind, words that only look like it.
struct Cue {
    at: usize,
    end: usize,
    kind: Option<Kind>,
}

/// From left to right, the longest at each word, none inside another.
fn cues(tokens: &Tokens, sentence: &Sentence) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    let mut free = 0;
    let mut hits = sentence.hits.as_slice();
    while let Some(first) = hits.first() {
        let count = hits.iter().take_while(|hit| hit.at == first.at).count();
        let (here, rest) = hits.split_at(count);
        hits = rest;
        if first.at < free {
            continue;
        }
        let end = here.iter().filter(|hit| concerns(hit.role)).map(|hit| hit.end).max();
        let Some(end) = end else { continue };
        let has = |role: Role| here.iter().any(|hit| hit.end == end && hit.role == role);
        let kind = if has(Role::NoNegation) || is_answer(tokens, sentence, first.at, end) {
            None
        } else if has(Role::NegatesAround) {
            Some(Kind::Around)
        } else if has(Role::NegatesBefore) {
            Some(if has(Role::Negates) || has(Role::Denies) { Kind::Both } else { Kind::Behind })
        } else if has(Role::Denies) {
            Some(Kind::Denies)
        } else {
            Some(Kind::Ahead)
        };
        cues.push(Cue { at: first.at, end, kind });
        free = end;
    }
    cues
}

fn concerns(role: Role) -> bool {
    matches!(role, Role::Negates | Role::Denies | Role::NegatesBefore | Role::NegatesAround | Role::NoNegation)
}

/// `No, it works.` and `No. 7` answer and number; they negate nothing behind them.
fn is_answer(tokens: &Tokens, sentence: &Sentence, at: usize, end: usize) -> bool {
    at == sentence.words.start
        && end == at + 1
        && tokens.lower(at) == "no"
        && tokens.gap(at).trim_start().starts_with(',')
}

/// The words in the reach of a cue that ends before `from`. A list (`no fever, cough or rash`) goes on while its members
/// are short.
pub(super) fn forward(tokens: &Tokens, sentence: &Sentence, from: usize) -> Range<usize> {
    let mut cost = 0;
    let mut to = from;
    while to < sentence.words.end {
        let gap = if to > 0 { tokens.gap(to - 1) } else { "" };
        let comma = gap.contains([',', '、', '，']);
        if is_end(gap) || ends(&sentence.hits, to, comma).is_some() {
            break;
        }
        if comma && to > from && is_member(tokens, sentence, to) {
            cost = 0;
        }
        cost += weight(tokens, to);
        if cost > WINDOW * 2 {
            break;
        }
        to += 1;
    }
    from..to
}

/// Whether what begins here behind a comma is short enough to be one of a list.
fn is_member(tokens: &Tokens, sentence: &Sentence, at: usize) -> bool {
    let end = (at..sentence.words.end.min(at + MEMBER + 1))
        .find(|at| tokens.gap(*at).contains([',', '、', '，', ';', ':', '.']))
        .map_or(sentence.words.end, |last| last + 1);
    end - at <= MEMBER
}

/// The words in the reach of a cue that begins at `to`.
pub(super) fn backward(tokens: &Tokens, sentence: &Sentence, to: usize) -> Range<usize> {
    let mut cost = 0;
    let mut from = to;
    while from > sentence.words.start {
        if is_end(tokens.gap(from - 1)) || ends_before(&sentence.hits, from) {
            break;
        }
        cost += weight(tokens, from - 1);
        if cost > WINDOW * 2 {
            break;
        }
        from -= 1;
    }
    from..to
}

/// Twice the share of a word: a character of unspaced writing is half of one.
fn weight(tokens: &Tokens, at: usize) -> usize {
    let word = tokens.lower(at);
    if word.chars().next().is_some_and(is_unspaced) { 1 } else { 2 }
}

/// Whether a mark between two words ends what is negated.
fn is_end(gap: &str) -> bool {
    gap.contains([';', ':', '.', '!', '?', '。', '！', '？', '；', '：', '—'])
        || gap.contains(" - ")
        || gap.contains(" – ")
}

/// The words that end a negation and begin here.
fn ends(hits: &[Hit], at: usize, comma: bool) -> Option<Hit> {
    let from = hits.partition_point(|hit| hit.at < at);
    let ends = |hit: &&Hit| hit.role == Role::Ends || comma && hit.role == Role::EndsAtComma;
    hits[from..].iter().take_while(|hit| hit.at == at).find(ends).copied()
}

/// Whether words that end a negation end right before this word; a comma that does has none. The longest of them have few
/// words.
fn ends_before(hits: &[Hit], at: usize) -> bool {
    let from = hits.partition_point(|hit| hit.at + 6 < at);
    hits[from..].iter().take_while(|hit| hit.at <= at).any(|hit| hit.role == Role::Ends && hit.end == at)
}
