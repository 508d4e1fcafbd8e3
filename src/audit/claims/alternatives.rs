//! Words that exclude each other: a claim says one where the originals say another of the same row, `her cousin` for `her
//! nephew`, or its opposite. The rows are data.

use std::ops::Range;
use std::sync::OnceLock;

use foldhash::HashMap;

use crate::extract::Language;

use super::super::quantities::is_measure;
use super::alignment::Original;
use super::lists::lines;
use super::opposed::is_turned_twice;
use super::opposites::{are, are_alike, has_other_sense};
use super::polarity::{CLOSE, is_denied, is_said, shared};
use super::statement::{Statement, Token};

/// In a sentence that holds so much of a claim nothing around a word need be the same.
const MUCH: f32 = 0.55;

/// A word in the place of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanged {
    /// Which of the originals shows it.
    pub original: usize,
    /// The word of the claim.
    pub here: Range<usize>,
    /// The word of that original.
    pub there: Range<usize>,
    /// Whether one turns the other round.
    pub opposite: bool,
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
            let mut rows = Self { members: HashMap::default(), words: HashMap::default() };
            for (row, line) in lines(list).enumerate() {
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

/// What else says the same as this word.
pub fn names(word: &str) -> impl Iterator<Item = &'static str> {
    let rows = Alternatives::english();
    rows.of(word).iter().filter_map(|key| rows.words.get(key)).flatten().copied()
}

/// A word of the claim that nobody says, in no form and by no other name, where a sentence that speaks of the same has
/// another word of its row, or its opposite. Where it is said of something else, the words on both sides must be the same.
pub fn exchanged(claim: &Statement, originals: &[Original], unheard: &dyn Fn(&str) -> bool) -> Option<Exchanged> {
    let rows = Alternatives::english();
    let mut best: Option<(usize, Exchanged)> = None;
    for (here, token) in claim.tokens.iter().enumerate().filter(|(_, token)| !token.code) {
        let is_listed = !rows.of(&token.lower).is_empty();
        if has_other_sense(claim, here) || !is_listed && (token.sides.is_empty() || !token.content) {
            continue;
        }
        let alike = |other: &Token| other.number == token.number || are_alike(other, token);
        let new = unheard(&token.lower) && names(&token.lower).all(unheard);
        let meant = new && originals.iter().any(|one| one.statement.tokens.iter().any(alike));
        // What the claim says as well it did not exchange.
        let fits = |other: &Token| {
            (new && rows.exclude(&token.lower, &other.lower) || (!new || !meant) && are(token, other))
                && !claim.has(other.number)
        };
        let speaks = |one: &Original| (new || one.cover >= MUCH) && is_said(one, false);
        for (no, original) in originals.iter().enumerate().filter(|(_, one)| speaks(one)) {
            let there = &original.statement;
            for (at, found) in there.tokens.iter().enumerate().filter(|(_, other)| fits(other)) {
                let common = shared(claim, here, there, at);
                let enough = if new {
                    common >= 2
                        || common == 1 && (original.cover >= CLOSE || sides(claim, here, there, at) > 0)
                        || original.cover >= MUCH
                } else {
                    original.cover >= MUCH
                        && sides(claim, here, there, at) == 2
                        && !is_framed(claim, here, originals, &alike)
                };
                let parity = is_denied(there, at) == is_denied(claim, here);
                let twice = are(token, found) && is_turned_twice(claim, here, there, at);
                let fair = parity && !twice && !is_other_amount(claim, here, there, at);
                if enough && fair && best.as_ref().is_none_or(|(known, _)| common > *known) {
                    let opposite = are(token, found);
                    let (here, there) = (token.range.clone(), found.range.clone());
                    best = Some((common, Exchanged { original: no, here, there, opposite }));
                }
            }
        }
    }
    best.map(|(_, exchanged)| exchanged)
}

/// Whether both are units of two numbers: `3,612 seconds` are about an hour.
fn is_other_amount(claim: &Statement, here: usize, there: &Statement, at: usize) -> bool {
    let unit = |statement: &Statement, at: usize| is_measure(&statement.tokens[at].lower, Language::english());
    let amount = |statement: &Statement, at: usize| at.checked_sub(1).map(|at| statement.tokens[at].number);
    unit(claim, here) && unit(there, at) && amount(claim, here) != amount(there, at)
}

/// Whether the word, or one that says nearly the same, stands anywhere beside a word that it stands beside in the claim.
fn is_framed(claim: &Statement, here: usize, originals: &[Original], alike: &dyn Fn(&Token) -> bool) -> bool {
    originals.iter().any(|one| {
        let tokens = one.statement.tokens.iter().enumerate();
        tokens.filter(|(_, other)| alike(other)).any(|(at, _)| sides(claim, here, &one.statement, at) > 0)
    })
}

/// On how many sides of two words the next word that says something is the same.
fn sides(claim: &Statement, here: usize, there: &Statement, at: usize) -> usize {
    let same = |a: Option<u32>, b: Option<u32>| usize::from(a.is_some() && a == b);
    same(before(claim, here), before(there, at)) + same(behind(claim, here), behind(there, at))
}

/// So far from a word its next word is looked for.
const FAR: usize = 3;

fn before(statement: &Statement, at: usize) -> Option<u32> {
    statement.tokens[..at].iter().rev().take(FAR).find(|token| token.content).map(|token| token.number)
}

fn behind(statement: &Statement, at: usize) -> Option<u32> {
    statement.tokens[at + 1..].iter().take(FAR).find(|token| token.content).map(|token| token.number)
}
