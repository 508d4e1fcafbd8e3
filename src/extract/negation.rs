//! What a text negates: the words that do it, and how far they reach. Rules in the manner of NegEx and ConText: a cue, a
//! window of words, words and marks that end it, phrases that only look like a negation, and pairs that cancel.

use std::ops::Range;

use super::cues::{Hit, Role};
use super::prose::{Prose, Sentence};
use super::tokens::{Tokens, is_unspaced};
use super::{Language, Zones, work};

/// A negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negation {
    /// The words that negate, in bytes of the text.
    pub cue: Range<usize>,
    /// What is negated; the cue itself where nothing stands in its reach.
    pub scope: Range<usize>,
}

/// A list of negated things ends after so many words at the latest.
const LIST: usize = 60;

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
            Kind::Ahead | Kind::Denies => {
                let ahead = ahead();
                if ahead.is_empty() && cue.end == sentence.words.end { label(tokens, sentence, cue.at) } else { ahead }
            }
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

/// What the negations of a sentence reach over.
#[derive(Debug, Default)]
pub(super) struct Reach(Vec<Range<usize>>);

impl Reach {
    /// Their scopes, in order and joined where they meet.
    pub fn of(negations: &[Negation]) -> Self {
        let mut scopes: Vec<Range<usize>> = negations.iter().map(|one| one.scope.clone()).collect();
        scopes.sort_by_key(|scope| scope.start);
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(scopes.len());
        for scope in scopes {
            match joined.last_mut() {
                Some(last) if scope.start <= last.end => last.end = last.end.max(scope.end),
                Some(_) | None => joined.push(scope),
            }
        }
        Self(joined)
    }

    /// Whether at least half of this is negated.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        let from = self.0.partition_point(|scope| scope.end <= range.start);
        let near = self.0[from..].iter().take_while(|scope| scope.start < range.end);
        let held: usize =
            near.inspect(|_| work::step()).map(|scope| range.end.min(scope.end) - range.start.max(scope.start)).sum();
        held > 0 && held * 2 >= range.len()
    }
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
        let kind = if has(Role::NoNegation) || is_answer(tokens, first.at, end) {
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
    if let Some(at) = preferred_to(tokens, sentence) {
        let before = cues.partition_point(|cue| cue.at < at);
        if before.checked_sub(1).is_none_or(|last| cues[last].end <= at) {
            cues.insert(before, Cue { at, end: at + 1, kind: Some(Kind::Ahead) });
        }
    }
    cues
}

/// `I'd rather call it level than faster`: the word behind which stands what is not wanted.
fn preferred_to(tokens: &Tokens, sentence: &Sentence) -> Option<usize> {
    let words = sentence.words.clone();
    let rather = (words.start + 1..words.end).find(|at| {
        let before = tokens.lower(*at - 1);
        tokens.lower(*at) == "rather" && (before == "would" || before.ends_with("'d"))
    })?;
    (rather + 2..words.end).find(|at| tokens.lower(*at) == "than")
}

fn concerns(role: Role) -> bool {
    matches!(role, Role::Negates | Role::Denies | Role::NegatesBefore | Role::NegatesAround | Role::NoNegation)
}

/// `No, it works.` and `Trains no, they are full.` answer; they negate nothing behind the comma.
fn is_answer(tokens: &Tokens, at: usize, end: usize) -> bool {
    end == at + 1 && tokens.lower(at) == "no" && tokens.gap(at).trim_start().starts_with(',')
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
        let goes_on = to > from && (comma || continues(&sentence.hits, to - 1));
        if goes_on && is_member(tokens, sentence, to) {
            cost = 0;
        }
        cost += weight(tokens, to);
        if cost > WINDOW * 2 || to - from >= LIST {
            break;
        }
        to += 1;
    }
    from..to
}

/// `Allergies: none`: the label that the word before `at` ends, where a colon or a dash stands between.
fn label(tokens: &Tokens, sentence: &Sentence, at: usize) -> Range<usize> {
    let from = sentence.words.start;
    let labels = |gap: &str| gap.contains([':', '：', '—', '–']) || gap.contains(" - ");
    if at > from && at - from <= WINDOW && labels(tokens.gap(at - 1)) { from..at } else { at..at }
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

/// Whether a mark between two words ends what is negated. Inside `08:00` and `a.b` it does not.
fn is_end(gap: &str) -> bool {
    if gap == " " || gap == ", " {
        return false;
    }
    let spaced = |at: usize| gap[at + 1..].chars().next().is_none_or(|c| c.is_whitespace() || "\"')]*_".contains(c));
    gap.char_indices().any(|(at, c)| match c {
        '。' | '！' | '？' | '；' | '：' | '—' => true,
        ';' | ':' | '.' | '!' | '?' => gap.len() > at + 1 && spaced(at),
        _ => false,
    }) || gap.contains(" - ")
        || gap.contains(" – ")
}

/// The words that end a negation and begin here.
fn ends(hits: &[Hit], at: usize, comma: bool) -> Option<Hit> {
    let from = hits.partition_point(|hit| hit.at < at);
    let ends = |hit: &&Hit| hit.role == Role::Ends || comma && hit.role == Role::EndsAtComma;
    hits[from..].iter().take_while(|hit| hit.at == at).find(ends).copied()
}

/// Whether this word goes on with a list.
fn continues(hits: &[Hit], at: usize) -> bool {
    let from = hits.partition_point(|hit| hit.at < at);
    hits[from..].iter().take_while(|hit| hit.at == at).any(|hit| hit.role == Role::Continues)
}

/// Whether words that end a negation end right before this word; a comma that does has none. The longest of them have few
/// words.
fn ends_before(hits: &[Hit], at: usize) -> bool {
    let from = hits.partition_point(|hit| hit.at + 6 < at);
    hits[from..].iter().take_while(|hit| hit.at <= at).any(|hit| hit.role == Role::Ends && hit.end == at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(&str, &str)> {
        let found = negations(text, Language::english());
        found.into_iter().map(|one| (&text[one.cue], &text[one.scope])).collect()
    }

    #[test]
    fn a_negation_reaches_as_far_as_its_words_say() {
        for (text, want) in [
            ("It was not the cache, but the proxy.", vec![("not", "the cache")]),
            ("No timeouts, retries or crashes were seen.", vec![("No", "timeouts, retries or crashes were seen")]),
            ("It isn't slow because it sleeps.", vec![("isn't", "slow")]),
            ("The gateway was ruled out.", vec![("was ruled out", "The gateway")]),
            ("The build runs without the cache; it is fine.", vec![("without", "the cache")]),
            ("Nothing runs before 08:00 there.", vec![("Nothing", "runs before 08:00 there")]),
            ("Open blockers: none", vec![("none", "Open blockers")]),
            ("It failed to start.", vec![("failed", "to start")]),
            (
                "We do not lock one two three four five six seven eight nine.",
                vec![("not", "lock one two three four five six seven")],
            ),
            ("I'd rather call it level than faster.", vec![("than", "faster")]),
            ("Neither the proxy nor the cache.", vec![("Neither", "the proxy nor the cache"), ("nor", "the cache")]),
        ] {
            assert_eq!(seen(text), want, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_negation_is_none() {
        for text in [
            "Not only the cache.",
            "No, it works.",
            "Plan B no, the box only has 32GB.",
            "It did not fail to start.",
            "The cache cannot be ruled out.",
            "No more than 9 rows.",
            "No doubt about it.",
            "Set `not null` there.",
            "```\nnot\n```",
            "> not mine",
            "Use non-blocking reads of knots.",
            "",
        ] {
            assert_eq!(seen(text), [], "{text}");
        }
    }
}
