//! A sentence as the checks of claims read it: its words by stem, what it negates, how certain it is. Worked out when it is asked for.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use crate::extract::{Certainty, Language, Negation, certainty, negations, stem, words};

/// One word.
#[derive(Clone, Debug)]
pub struct Token {
    /// In bytes of the sentence.
    pub range: Range<usize>,
    /// In lower case.
    pub lower: String,
    /// Without its ending.
    pub stem: String,
    /// Says something about the subject.
    pub content: bool,
    /// Inside code.
    pub code: bool,
}

/// One sentence.
#[derive(Debug)]
pub struct Statement<'t> {
    /// As it stands.
    pub text: &'t str,
    /// In order.
    pub tokens: Vec<Token>,
    /// Of each stem with content the first token.
    firsts: Vec<usize>,
    senses: OnceCell<Senses>,
}

#[derive(Debug)]
struct Senses {
    negations: Vec<Negation>,
    certainty: (Certainty, Option<Range<usize>>),
}

impl<'t> Statement<'t> {
    /// Reads a sentence.
    pub fn of(text: &'t str) -> Self {
        let language = Language::english();
        let mut tokens = Vec::new();
        for word in words(text) {
            // `re-run` is one word and its pieces; the pieces are what another wording shares.
            let mut at = word.range.start;
            for piece in word.lower.split('-') {
                // A curly apostrophe is longer than the straight one that it was made.
                let whole = piece.len() == word.lower.len();
                let range = if whole { word.range.clone() } else { at..at + piece.len() };
                at = range.end + 1;
                if piece.is_empty() || range.end > word.range.end {
                    continue;
                }
                let bare = piece.strip_suffix("'s").unwrap_or(piece);
                let stem = std::str::from_utf8(stem(bare.as_bytes())).unwrap_or(bare).to_owned();
                let content = language.is_content(bare) && !bare.contains('\'');
                tokens.push(Token { range, content, stem, lower: bare.to_owned(), code: word.code });
            }
        }
        // A letter whose lower case has another length moves what follows.
        tokens.retain(|token| text.is_char_boundary(token.range.start) && text.is_char_boundary(token.range.end));
        let mut seen = HashSet::with_capacity(tokens.len());
        let mut firsts: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].content).collect();
        firsts.retain(|at| seen.insert(tokens[*at].stem.as_str()));
        drop(seen);
        Self { text, tokens, firsts, senses: OnceCell::new() }
    }

    fn senses(&self) -> &Senses {
        self.senses.get_or_init(|| {
            let language = Language::english();
            Senses { negations: negations(self.text, language), certainty: certainty(self.text, language) }
        })
    }

    /// What it negates.
    pub fn negations(&self) -> &[Negation] {
        &self.senses().negations
    }

    /// How certain it is, and the words that say so.
    pub fn certainty(&self) -> (Certainty, Option<Range<usize>>) {
        self.senses().certainty.clone()
    }

    /// Whether this word stands under an odd number of negations.
    pub fn is_negated(&self, token: usize) -> bool {
        let start = self.tokens[token].range.start;
        self.negations().iter().filter(|one| one.scope.contains(&start) && !one.cue.contains(&start)).count() % 2 == 1
    }

    /// The stems of its content words, each once.
    pub fn stems(&self) -> impl Iterator<Item = &str> {
        self.firsts.iter().map(|at| self.tokens[*at].stem.as_str())
    }

    /// The content words, by index.
    pub fn content(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tokens.len()).filter(|at| self.tokens[*at].content)
    }

    /// Where this stem stands first.
    pub fn find(&self, stem: &str) -> Option<usize> {
        self.tokens.iter().position(|token| token.stem == stem)
    }

    /// Whether it has this stem.
    pub fn has(&self, stem: &str) -> bool {
        self.find(stem).is_some()
    }

    /// The content words around one, `far` of them each way, itself apart.
    pub fn around(&self, token: usize, far: usize) -> Vec<usize> {
        let before = (0..token).rev().filter(|at| self.tokens[*at].content).take(far);
        let behind = (token + 1..self.tokens.len()).filter(|at| self.tokens[*at].content).take(far);
        before.chain(behind).collect()
    }
}
