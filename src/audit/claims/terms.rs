//! Distinct words: what there is to know of each is looked up once, and the sentences that have it share it.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::HashMap;

use crate::extract::{Language, stem};

use super::opposites::{Opposites, Side};
use super::synonyms;
use super::turning::turning;
use super::wording::negates;

/// One distinct word.
#[derive(Debug, PartialEq)]
pub struct Term {
    /// In lower case.
    pub lower: String,
    /// Without its ending.
    pub stem: String,
    /// Words of one stem have one number.
    pub number: u32,
    /// Says something about the subject.
    pub content: bool,
    /// Where it stands in the list of opposites.
    pub sides: &'static [Side],
    /// Where it stands in the list of synonyms.
    pub kin: &'static [usize],
    /// A bit for each of these rows: two words without a bit in common stand on no row together.
    pub kin_bits: u64,
    /// A plain no, or a word like `than` that parts two sides.
    pub parts: bool,
    /// So long is the beginning that makes it the opposite of the rest: `un` in `unsalted`.
    pub turned_at: Option<usize>,
}

impl Term {
    /// Whether it may turn round a word that itself turns nothing round.
    pub fn turns(&self) -> bool {
        !self.sides.is_empty() || self.turned_at.is_some()
    }
}

/// All words that were met, by their letters.
#[derive(Debug, Default)]
pub struct Terms(RefCell<Met>);

#[derive(Debug, Default)]
struct Met {
    by_word: HashMap<String, Rc<Term>>,
    stems: HashMap<String, u32>,
}

impl Terms {
    /// What there is to know of a word in lower case.
    pub fn of(&self, word: &str) -> Rc<Term> {
        let mut met = self.0.borrow_mut();
        if let Some(term) = met.by_word.get(word) {
            return Rc::clone(term);
        }
        let stem = std::str::from_utf8(stem(word.as_bytes())).unwrap_or(word).to_owned();
        let next = met.stems.len() as u32;
        let number = *met.stems.entry(stem.clone()).or_insert(next);
        let content = Language::english().is_content(word) && !word.contains('\'');
        let (sides, turned_at) = Opposites::english().of(word);
        let kin = synonyms::of(&stem);
        let kin_bits = kin.iter().fold(0, |bits, row| bits | 1 << (row % 64));
        let parts = negates(word) || turning().compared.contains(word);
        let term =
            Rc::new(Term { lower: word.to_owned(), stem, number, content, sides, kin, kin_bits, parts, turned_at });
        met.by_word.insert(word.to_owned(), Rc::clone(&term));
        term
    }

    /// How many words were met.
    pub fn len(&self) -> usize {
        self.0.borrow().by_word.len()
    }

    /// The number of a stem that was met.
    pub fn number(&self, stem: &str) -> Option<u32> {
        self.0.borrow().stems.get(stem).copied()
    }
}
