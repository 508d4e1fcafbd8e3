//! What each word says of a number near it, worked out once for as long as it is remembered: a session says the same
//! words over and over.

use std::sync::Arc;

use foldhash::HashMap;

use crate::extract::Language;
use crate::extract::runs::ByKey;

use super::numbers::About;
use super::tokens::{is_name, key};

/// So many words are remembered.
const WORDS: usize = 1 << 15;
/// A longer word is worked out each time.
const LONGEST: usize = 48;

/// The labels that somebody asks for, by number.
pub(super) type Labels = HashMap<String, u32>;

/// The words met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    labels: Arc<Labels>,
    by: ByKey<u32>,
    all: Vec<Word>,
}

/// What is known of a word.
#[derive(Clone, Debug)]
pub(super) struct Word {
    text: Box<str>,
    /// Its digits, where it is a number in words.
    pub spelled: Option<Box<str>>,
    /// The first digit of `twenty`.
    pub tens: Option<Box<str>>,
    /// The labels that it says, and whether it is a name there.
    pub labels: Box<[(u32, bool)]>,
}

impl Vocabulary {
    /// Of all labels only these count.
    pub(super) fn of(labels: Labels) -> Self {
        Self { labels: Arc::new(labels), ..Self::default() }
    }

    /// Forgets when there is too much: only between two lines.
    pub(super) fn begin_line(&mut self) {
        if self.all.len() > WORDS {
            self.by.clear();
            self.all.clear();
        }
    }

    pub(super) fn word(&self, no: u32) -> &Word {
        &self.all[no as usize]
    }

    /// The number of a word, until the next line.
    pub(super) fn no_of(&mut self, word: &str, language: &Language) -> u32 {
        let hash = hash_of(word.as_bytes(), 0);
        let known = self.by.get(&hash).copied();
        if let Some(no) = known.filter(|no| *self.all[*no as usize].text == *word) {
            return no;
        }
        let no = self.all.len() as u32;
        let label = |about: About| Some((*self.labels.get(&about.key)?, about.name));
        let labels =
            if self.labels.is_empty() { Box::default() } else { said(word, language).filter_map(label).collect() };
        self.all.push(Word {
            text: word.into(),
            spelled: spelled(word, language).map(String::into_boxed_str),
            tens: tens(word, language),
            labels,
        });
        if known.is_none() && word.len() <= LONGEST {
            self.by.insert(hash, no);
        }
        no
    }
}

/// A word by its key, and of a name its parts as well.
pub(super) fn said<'a>(word: &'a str, language: &'a Language) -> impl Iterator<Item = About> + 'a {
    let name = is_name(word);
    let parts = word.split(['_', '-']).filter(move |_| name && word.contains(['_', '-']));
    let all = std::iter::once((word, name)).chain(parts.map(|part| (part, false)));
    all.filter_map(move |(part, name)| Some(About { key: key(part, language)?, name }))
}

/// The first digit of `twenty`.
fn tens(word: &str, language: &Language) -> Option<Box<str>> {
    language.tens.get(word.to_lowercase().as_str()).map(|tens| tens[..1].into())
}

/// The digits of a number in words: `nine`, `twenty`, `twenty-five`.
fn spelled(word: &str, language: &Language) -> Option<String> {
    let lower = word.to_lowercase();
    let digits = |word: &str| language.numbers.get(word).or_else(|| language.tens.get(word)).copied();
    let (tens, ones) = lower.split_once('-').unwrap_or((&lower, ""));
    match language.tens.get(tens).filter(|_| !ones.is_empty()) {
        Some(tens) => Some(format!("{}{}", &tens[..1], digits(ones).filter(|ones| ones.len() == 1)?)),
        None => digits(&lower).map(str::to_owned),
    }
}

/// A number for these bytes, as they are.
pub(super) fn hash_of(bytes: &[u8], seed: u64) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word ^ MIX) * u128::from(MIX.rotate_left(17) ^ 0xa076_1d64_78bd_642f);
        (product as u64) ^ (product >> 64) as u64
    };
    let mut hash = fold(seed, bytes.len() as u64);
    let (eights, rest) = bytes.as_chunks::<8>();
    for eight in eights {
        hash = fold(hash, u64::from_le_bytes(*eight)).wrapping_add(MIX);
    }
    if !rest.is_empty() {
        hash = fold(hash, rest.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_the_labels_that_are_asked_for_and_nothing_else() {
        let english = Language::english();
        let labels = [("retri", 0), ("attempt", 1), ("maxattempt", 2)].map(|(key, no)| (key.to_owned(), no));
        let mut vocabulary = Vocabulary::of(labels.into_iter().collect());
        for (word, spelled, labels) in [
            ("max_attempts", None, &[(2, true), (1, false)][..]),
            ("attempts", None, &[(1, false)]),
            ("seven", Some("7"), &[]),
            ("Twenty-five", Some("25"), &[]),
            ("cats", None, &[]),
        ] {
            for _ in 0..2 {
                let no = vocabulary.no_of(word, english);
                let known = vocabulary.word(no);
                assert_eq!((known.spelled.as_deref(), &*known.labels), (spelled, labels), "{word}");
            }
        }
        assert_eq!(vocabulary.all.len(), 5);
    }

    #[test]
    fn bytes_in_another_order_or_letter_case_have_another_number() {
        for (one, other) in
            [("abcdefgh1", "abcdefgh2"), ("12345678abcdefgh", "abcdefgh12345678"), ("a", "A"), ("", "\0")]
        {
            assert_ne!(hash_of(one.as_bytes(), 7), hash_of(other.as_bytes(), 7), "{one} {other}");
        }
    }
}
