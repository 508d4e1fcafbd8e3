//! A sentence as the checks of claims read it: its words by stem, what it negates, how certain it is. Worked out when it is asked for.

use std::cell::OnceCell;
use std::ops::{Deref, Range};
use std::rc::Rc;

use crate::extract::{
    Certainty, Hedge, Language, Negation, Word, certainty, each_word, hedges, negations, words as words_of,
};

use super::clauses::{cut, cut_at_commas};
use super::consent::is_request;
use super::contrasts::{Sides, sides};
use super::hedged::{Open, open, unknown};
use super::order::{Order, orders};
use super::synonyms::same;
use super::terms::{Term, Terms};
use super::unfinished::open_cue;

/// One word.
#[derive(Clone, Debug)]
pub struct Token {
    /// In bytes of the sentence.
    pub range: Range<usize>,
    /// Inside code.
    pub code: bool,
    term: Rc<Term>,
}

impl Deref for Token {
    type Target = Term;

    fn deref(&self) -> &Term {
        &self.term
    }
}

/// One sentence.
#[derive(Debug)]
pub struct Statement {
    /// As it stands.
    pub text: Box<str>,
    /// In order.
    pub tokens: Vec<Token>,
    /// The words that may turn round others, by index.
    pub turning: Vec<usize>,
    /// The number of each word's stem.
    numbers: Vec<u32>,
    /// A bit for each of them: most sentences do not have most words.
    mask: u128,
    /// The same for the rows of synonyms on which they stand.
    kin_bits: u64,
    /// The numbers of the stems with content, each once.
    stems: Vec<u32>,
    negations: OnceCell<Vec<Negation>>,
    hedges: OnceCell<Vec<Hedge>>,
    certainty: OnceCell<(Certainty, Option<Range<usize>>)>,
    is_request: OnceCell<bool>,
    clauses: OnceCell<Vec<Range<usize>>>,
    pieces: OnceCell<Vec<Range<usize>>>,
    words: OnceCell<Box<[Word<'static>]>>,
    orders: OnceCell<Vec<Order>>,
    sides: OnceCell<Option<Sides>>,
    open: OnceCell<Vec<Open>>,
    unknown: OnceCell<Option<Open>>,
    unfinished: OnceCell<Option<Range<usize>>>,
}

impl Token {
    /// The digits of a number in words, or with a unit at its end.
    pub fn digits(&self) -> Option<&str> {
        let value = self.lower.trim_end_matches(|c: char| c.is_alphabetic());
        let is_value = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        Language::english().numbers.get(self.lower.as_str()).copied().or_else(|| is_value.then_some(value))
    }
}

fn bit(number: u32) -> u128 {
    1 << (number % 128)
}

impl Statement {
    /// Reads a sentence.
    pub fn of(text: &str, terms: &Terms) -> Self {
        let mut tokens = Vec::with_capacity(text.len() / 6);
        each_word(text, |word| {
            // `re-run` is one word and its pieces; the pieces are what another wording shares.
            let mut at = word.range.start;
            for piece in word.lower.split('-') {
                // A curly apostrophe is longer than the straight one that it was made.
                let whole = piece.len() == word.lower.len();
                let range = if whole { word.range.clone() } else { at..at + piece.len() };
                at = range.end + 1;
                // A letter whose lower case has another length moves what follows.
                let inside = text.is_char_boundary(range.start) && text.is_char_boundary(range.end);
                if piece.is_empty() || range.end > word.range.end || !inside {
                    continue;
                }
                let bare = piece.strip_suffix("'s").unwrap_or(piece);
                tokens.push(Token { range, term: terms.of(bare), code: word.code });
            }
        });
        let turning = (0..tokens.len()).filter(|at| tokens[*at].turns()).collect();
        let numbers: Vec<u32> = tokens.iter().map(|token| token.number).collect();
        let mut stems: Vec<u32> = Vec::with_capacity(tokens.len());
        for number in tokens.iter().filter(|token| token.content).map(|token| token.number) {
            if !stems.contains(&number) {
                stems.push(number);
            }
        }
        Self {
            text: text.into(),
            mask: numbers.iter().fold(0, |mask, number| mask | bit(*number)),
            kin_bits: tokens.iter().fold(0, |bits, token| bits | token.kin_bits),
            tokens,
            turning,
            numbers,
            stems,
            negations: OnceCell::new(),
            hedges: OnceCell::new(),
            certainty: OnceCell::new(),
            is_request: OnceCell::new(),
            clauses: OnceCell::new(),
            pieces: OnceCell::new(),
            words: OnceCell::new(),
            orders: OnceCell::new(),
            sides: OnceCell::new(),
            open: OnceCell::new(),
            unknown: OnceCell::new(),
            unfinished: OnceCell::new(),
        }
    }

    /// What it negates.
    pub fn negations(&self) -> &[Negation] {
        self.negations.get_or_init(|| negations(&self.text, Language::english()))
    }

    /// The words that leave something of it open, in order.
    pub fn hedges(&self) -> &[Hedge] {
        self.hedges.get_or_init(|| hedges(&self.text, Language::english()))
    }

    /// How certain it is, and the words that say so.
    pub fn certainty(&self) -> (Certainty, Option<Range<usize>>) {
        self.certainty.get_or_init(|| certainty(&self.text, Language::english())).clone()
    }

    /// How certain it is.
    pub fn level(&self) -> Certainty {
        self.certainty.get_or_init(|| certainty(&self.text, Language::english())).0
    }

    /// Whether it is a question in form that asks for something to be done.
    pub fn is_request(&self) -> bool {
        *self.is_request.get_or_init(|| is_request(&words_of(&self.text)))
    }

    /// Its clauses as runs of its words, in order, none empty.
    pub fn clauses(&self) -> &[Range<usize>] {
        self.clauses.get_or_init(|| cut(self))
    }

    /// Its clauses, parted at every comma.
    pub fn pieces(&self) -> &[Range<usize>] {
        self.pieces.get_or_init(|| cut_at_commas(self))
    }

    /// Its words as lists of phrases are looked up in them; kept, so that a claim is cut up once for all of them.
    pub fn words(&self) -> &[Word<'static>] {
        self.words.get_or_init(|| {
            let mut found = Vec::with_capacity(self.tokens.len());
            each_word(&self.text, |word| {
                let lower = word.lower.to_owned().into();
                found.push(Word { range: word.range, lower, quoted: word.quoted, code: word.code });
            });
            found.into()
        })
    }

    /// What it says of what comes first.
    pub fn orders(&self) -> &[Order] {
        self.orders.get_or_init(|| orders(self))
    }

    /// What it denies and what it says, where it parts the two.
    pub fn sides(&self) -> Option<&Sides> {
        self.sides.get_or_init(|| sides(self)).as_ref()
    }

    /// What it leaves open.
    pub fn open(&self) -> &[Open] {
        self.open.get_or_init(|| open(self))
    }

    /// What it says is not known.
    pub fn unknown(&self) -> Option<&Open> {
        self.unknown.get_or_init(|| unknown(self)).as_ref()
    }

    /// The words that say that something was not done yet.
    pub fn unfinished(&self) -> Option<&Range<usize>> {
        self.unfinished.get_or_init(|| open_cue(self)).as_ref()
    }

    /// Whether this word stands under an odd number of negations.
    pub fn is_negated(&self, token: usize) -> bool {
        let start = self.tokens[token].range.start;
        self.negations().iter().filter(|one| one.scope.contains(&start) && !one.cue.contains(&start)).count() % 2 == 1
    }

    /// The numbers of the stems of its content words, each once.
    pub fn stems(&self) -> &[u32] {
        &self.stems
    }

    /// The content words, by index.
    pub fn content(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tokens.len()).filter(|at| self.tokens[*at].content)
    }

    /// Where the stem of this number stands first.
    pub fn find(&self, number: u32) -> Option<usize> {
        if self.mask & bit(number) == 0 {
            return None;
        }
        self.numbers.iter().position(|own| *own == number)
    }

    /// Whether it has the stem of this number.
    pub fn has(&self, number: u32) -> bool {
        self.find(number).is_some()
    }

    /// Whether it may have a word or one that says nearly the same: most sentences say no at a glance.
    pub fn may_have(&self, word: &Term) -> bool {
        self.mask & bit(word.number) != 0 || self.kin_bits & word.kin_bits != 0
    }

    /// Whether it has a word or one that says nearly the same.
    pub fn has_same(&self, word: &Term) -> bool {
        self.may_have(word) && self.tokens.iter().any(|token| same(token, word))
    }

    /// Whether it has this word or one that stands for it: `left` for `leave`, `3ms` for `three`.
    pub fn tells(&self, word: &Token) -> bool {
        self.has_same(word)
            || word.digits().is_some() && self.tokens.iter().any(|token| token.digits() == word.digits())
    }

    /// Whether it has one of these stems.
    pub fn has_any(&self, stems: &[&str]) -> bool {
        self.tokens.iter().any(|token| stems.contains(&token.stem.as_str()))
    }

    /// The content words around one, `far` of them each way, itself apart.
    pub fn around(&self, token: usize, far: usize) -> Vec<usize> {
        let before = (0..token).rev().filter(|at| self.tokens[*at].content).take(far);
        let behind = (token + 1..self.tokens.len()).filter(|at| self.tokens[*at].content).take(far);
        before.chain(behind).collect()
    }
}
