//! Words that exclude each other: a claim says one where the originals say another of the same row, `her uncle` for `her
//! aunt`. The rows are data. Opposites stand next door.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::alignment::Original;
use super::polarity::{CLOSE, is_said, shared};
use super::statement::{Statement, Token};

/// A word in the place of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanged {
    /// Which of the originals shows it.
    pub original: usize,
    /// The word of the claim.
    pub here: Range<usize>,
    /// The word of that original.
    pub there: Range<usize>,
}

/// Rows of words, by word: which row, which member of it.
#[derive(Debug)]
struct Alternatives {
    members: HashMap<&'static str, Vec<(usize, usize)>>,
    words: HashMap<(usize, usize), Vec<&'static str>>,
}

impl Alternatives {
    fn english() -> &'static Self {
        static ENGLISH: OnceLock<Alternatives> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            let list = include_str!("../../../assets/lexicon/en/alternatives.txt");
            let mut rows = Self { members: HashMap::new(), words: HashMap::new() };
            for (row, line) in list.lines().filter(|line| !line.starts_with('#')).enumerate() {
                for (member, forms) in line.split('|').enumerate() {
                    for form in forms.split_whitespace() {
                        rows.members.entry(form).or_default().push((row, member));
                        rows.words.entry((row, member)).or_default().push(form);
                    }
                }
            }
            rows
        })
    }

    fn of(&self, word: &str) -> &[(usize, usize)] {
        self.members.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether two words stand in one row as different members, and nowhere as the same one.
    fn exclude(&self, a: &str, b: &str) -> bool {
        let (of_a, of_b) = (self.of(a), self.of(b));
        let rows = |same: bool| {
            of_a.iter().any(|(row, member)| of_b.iter().any(|other| *row == other.0 && (*member == other.1) == same))
        };
        rows(false) && !rows(true)
    }
}

/// A word of the claim that nobody says, in no form and by no other name, where a sentence that speaks of the same has
/// another word of its row.
pub fn exchanged(claim: &Statement, originals: &[Original], unheard: &dyn Fn(&str) -> bool) -> Option<Exchanged> {
    let rows = Alternatives::english();
    let mut best: Option<(usize, Exchanged)> = None;
    for (here, token) in claim.tokens.iter().enumerate().filter(|(_, token)| !token.code) {
        let own = rows.of(&token.lower);
        if own.is_empty() || !unheard(&token.lower) {
            continue;
        }
        let other_names = own.iter().filter_map(|key| rows.words.get(key)).flatten();
        if other_names.into_iter().any(|name| originals.iter().any(|one| has_word(&one.statement, name))) {
            continue;
        }
        let fits = |other: &Token| {
            // What the claim says as well it did not exchange.
            rows.exclude(&token.lower, &other.lower) && !claim.has(&other.stem)
        };
        for (no, original) in originals.iter().enumerate().filter(|(_, one)| is_said(one, false)) {
            let there = &original.statement;
            for (at, found) in there.tokens.iter().enumerate().filter(|(_, other)| fits(other)) {
                let common = shared(claim, here, there, at);
                let beside = is_beside(claim, here, there, at);
                let enough = common >= 2 || common == 1 && (original.cover >= CLOSE || beside);
                if enough && best.as_ref().is_none_or(|(known, _)| common > *known) {
                    let one = Exchanged { original: no, here: token.range.clone(), there: found.range.clone() };
                    best = Some((common, one));
                }
            }
        }
    }
    best.map(|(_, exchanged)| exchanged)
}

fn has_word(statement: &Statement, word: &str) -> bool {
    statement.tokens.iter().any(|token| token.lower == word)
}

/// Whether the word before it, or the word behind it, is the same.
fn is_beside(claim: &Statement, here: usize, there: &Statement, at: usize) -> bool {
    let stem = |statement: &Statement, at: usize| {
        statement.tokens.get(at).filter(|token| token.content).map(|token| token.stem.clone())
    };
    let before = |at: usize, statement: &Statement| at.checked_sub(1).and_then(|at| stem(statement, at));
    let same = |a: Option<String>, b: Option<String>| a.is_some() && a == b;
    same(before(here, claim), before(at, there)) || same(stem(claim, here + 1), stem(there, at + 1))
}
