//! How certain a sentence is, and the words that say so.

use std::ops::Range;

use super::cues::{Hit, Role};
use super::prose::{Prose, Sentence};
use super::tokens::Tokens;
use super::{Language, Zones};

/// From asked to decided, in the order of firmness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// A question, or that somebody asked.
    Asked,
    /// Only if something else holds.
    Conditional,
    /// It may be so.
    Possible,
    /// Somebody thinks so.
    Believed,
    /// Proposed, or probable.
    Proposed,
    /// Preferred, or wanted.
    Wanted,
    /// Decided, asserted, or done.
    #[default]
    Decided,
}

impl Certainty {
    /// All, from 0 to 6.
    pub const ALL: [Self; 7] =
        [Self::Asked, Self::Conditional, Self::Possible, Self::Believed, Self::Proposed, Self::Wanted, Self::Decided];

    /// The step, 0 to 6.
    pub fn level(self) -> u8 {
        self as u8
    }

    /// The step of this number; the highest beyond 6.
    pub fn of_level(level: u8) -> Self {
        Self::ALL.get(usize::from(level)).copied().unwrap_or_default()
    }
}

/// Words that make their sentence less than certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hedge {
    /// In bytes of the text.
    pub cue: Range<usize>,
    /// How certain they leave it.
    pub certainty: Certainty,
}

/// The hedges in the prose of a text, in order.
pub fn hedges(text: &str, language: &Language) -> Vec<Hedge> {
    let prose = Prose::of(text, &Zones::of(text), language);
    prose
        .sentences
        .iter()
        .filter(|one| one.row.is_none())
        .flat_map(|one| of_sentence(&prose.tokens, one, language))
        .collect()
}

/// How certain a whole sentence is, with the words that decide it; decided where nothing says otherwise.
pub fn certainty(sentence: &str, language: &Language) -> (Certainty, Option<Range<usize>>) {
    let prose = Prose::of_sentence(sentence, language);
    prose.sentences.first().map_or((Certainty::Decided, None), |one| level(&prose.tokens, one, language))
}

/// The hedges of one sentence.
pub(super) fn of_sentence(tokens: &Tokens, sentence: &Sentence, language: &Language) -> Vec<Hedge> {
    let cues = cues(tokens, &sentence.hits, language);
    let hedges = cues.iter().filter(|cue| !cue.silent && cue.level < 5);
    hedges.map(|cue| Hedge { cue: tokens.span(cue.at..cue.end), certainty: Certainty::of_level(cue.level) }).collect()
}

/// How certain a sentence is: a question is asked; else its weakest words count, those behind what was decided apart
/// (`we use a queue because it might be slow` is decided).
pub(super) fn level(tokens: &Tokens, sentence: &Sentence, language: &Language) -> (Certainty, Option<Range<usize>>) {
    let text = &tokens.text[sentence.range.clone()];
    let asked =
        text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '*' | '_' | '”' | '」'));
    if asked.ends_with(['?', '？']) {
        let end = sentence.range.start + asked.len();
        let mark = if asked.ends_with('?') { 1 } else { '？'.len_utf8() };
        return (Certainty::Asked, Some(end - mark..end));
    }
    let cues = cues(tokens, &sentence.hits, language);
    let firm = cues.iter().find(|cue| cue.level == 6).map_or(usize::MAX, |cue| cue.at);
    let weakest = cues.iter().filter(|cue| cue.level < 6 && cue.at < firm).min_by_key(|cue| cue.level);
    match weakest {
        Some(cue) => (Certainty::of_level(cue.level), Some(tokens.span(cue.at..cue.end))),
        None => (Certainty::Decided, None),
    }
}

struct Cue {
    at: usize,
    end: usize,
    level: u8,
    silent: bool,
}

/// From left to right, the longest at each word, none inside another.
fn cues(tokens: &Tokens, hits: &[Hit], language: &Language) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    for hit in hits {
        let Role::Certain { level, silent } = hit.role else { continue };
        if is_month(tokens, hit, language) {
            continue;
        }
        let cue = Cue { at: hit.at, end: hit.end, level, silent };
        match cues.last_mut() {
            Some(last) if last.at == cue.at => {
                if cue.end > last.end {
                    *last = cue;
                }
            }
            Some(last) if last.end > cue.at => {}
            Some(_) | None => cues.push(cue),
        }
    }
    cues
}

/// `May 5`, `5 May`: a cue that is a month beside a number.
fn is_month(tokens: &Tokens, hit: &Hit, language: &Language) -> bool {
    let number = |at: usize| tokens.lower(at).starts_with(|c: char| c.is_ascii_digit());
    hit.end == hit.at + 1
        && language.months.contains(&tokens.text[tokens.range(hit.at)])
        && (number(hit.end) || hit.at > 0 && number(hit.at - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_as_certain_as_its_weakest_word() {
        for (text, level, cue) in [
            ("Should orders.status become an enum?", 0, "?"),
            ("They asked whether it helps.", 0, "whether"),
            ("If it fails we go back.", 1, "If"),
            ("It may be the proxy.", 2, "may"),
            ("I'm not sure it's worth the trouble.", 3, "not sure"),
            ("It seems slow.", 3, "seems"),
            ("I'd suggest a smaller batch.", 4, "I'd suggest"),
            ("The customer wants a refund.", 5, "wants"),
            ("We decided to keep it because it might grow.", 6, ""),
            ("The retry ceiling is 7.", 6, ""),
            ("It runs as soon as possible.", 6, ""),
            ("Due on May 5.", 6, ""),
            ("`may` is a word.", 6, ""),
        ] {
            let (certainty, decides) = certainty(text, Language::english());
            assert_eq!((certainty.level(), decides.map_or("", |cue| &text[cue])), (level, cue), "{text}");
        }
        assert!(Certainty::ALL.iter().all(|one| Certainty::of_level(one.level()) == *one));
    }

    #[test]
    fn hedges_are_found_and_obligations_and_wishes_are_none() {
        for (text, want) in [
            ("It might be slow, probably.", vec!["might", "probably"]),
            ("You should ask first if you want it.", vec![]),
            ("This should fix it, I think.", vec!["This should", "I think"]),
            ("About 90 MB are often free.", vec![]),
        ] {
            let found: Vec<&str> = hedges(text, Language::english()).into_iter().map(|one| &text[one.cue]).collect();
            assert_eq!(found, want, "{text}");
        }
    }
}
