//! Where the talk turns to something else, told while it goes on: only what was said so far is known, so a turn of the
//! talk is told a little late, when enough was said behind it.
//!
//! The words since the last turn of the talk are taken as one piece and as two, at every place, each piece as drawn from
//! one urn (Dirichlet, multinomial). Two pieces must explain the words better by [`PRICE`]; words that say that something
//! else comes, and a long pause, pay for a part of it. Nothing older than [`KEPT`] turns is held.

use std::collections::{HashMap, VecDeque};

/// How strongly every word is expected anywhere.
const SMOOTH: f64 = 1.5;
/// So many words there are, all in all.
const WORDS: f64 = 1_000.0;
/// Two pieces must be so much better than one.
const PRICE: f64 = 5.0;
/// What words pay that say that something else comes now.
const CUE: f64 = 15.0;
/// What a pause pays.
const PAUSE: f64 = 10.0;
/// Each piece has so many words at least.
const PIECE: usize = 100;
/// Each piece has so many turns at least.
const TURNS: usize = 8;
/// After so many new words it is looked again.
const AGAIN: usize = 80;
/// So many turns are looked at.
const KEPT: usize = 400;
/// A longer silence is a pause, in milliseconds.
const SILENCE: i64 = 30 * 60 * 1_000;
/// What a person says after a pause is something else when they say that it is, or when it shares less than this with
/// the last [`LAST`] turns.
const SHARED: f64 = 0.1;
const LAST: usize = 4;

struct Heard {
    no: usize,
    about: Vec<u32>,
    pays: f64,
}

/// What was said since the talk last turned.
#[derive(Default)]
pub(super) struct Topic {
    heard: VecDeque<Heard>,
    words: usize,
    /// How many words there were when it was looked last.
    looked: usize,
    at: Option<i64>,
}

impl Topic {
    /// The next turn, by its number in the order of turns. Gives the first turn of something else, as soon as that is
    /// known.
    pub fn turn(
        &mut self,
        no: usize,
        about: &[u32],
        turns_away: bool,
        by_user: bool,
        at: Option<i64>,
    ) -> Option<usize> {
        let paused = at.zip(self.at).is_some_and(|(now, before)| now - before > SILENCE);
        self.at = at.or(self.at);
        let fresh = by_user && !about.is_empty() && self.shared(about) < SHARED;
        if by_user && paused && (turns_away || fresh) && !self.heard.is_empty() {
            *self = Self { at: self.at, ..Self::default() };
            self.push(no, about, 0.0);
            return Some(no);
        }
        let pays = if turns_away { CUE } else { 0.0 } + if paused { PAUSE } else { 0.0 };
        self.push(no, about, pays);
        if self.words < 2 * PIECE || self.words < self.looked + AGAIN {
            return None;
        }
        self.looked = self.words;
        let cut = self.split()?;
        let first = self.heard.get(cut)?.no;
        self.words -= self.heard.drain(..cut).map(|heard| heard.about.len()).sum::<usize>();
        self.looked = 0;
        Some(first)
    }

    fn push(&mut self, no: usize, about: &[u32], pays: f64) {
        if self.heard.len() >= KEPT
            && let Some(old) = self.heard.pop_front()
        {
            self.words -= old.about.len();
            self.looked = self.looked.saturating_sub(old.about.len());
        }
        self.words += about.len();
        self.heard.push_back(Heard { no, about: about.to_vec(), pays });
    }

    /// How much of this the last turns spoke of.
    fn shared(&self, about: &[u32]) -> f64 {
        let last = self.heard.iter().rev().take(LAST);
        let known = |word: &&u32| last.clone().any(|heard| heard.about.contains(word));
        about.iter().filter(known).count() as f64 / about.len() as f64
    }

    /// Before which turn it is best taken as two, where that is worth the price.
    fn split(&self) -> Option<usize> {
        let mut right: HashMap<u32, f64> = HashMap::new();
        for word in self.heard.iter().flat_map(|heard| &heard.about) {
            *right.entry(*word).or_default() += 1.0;
        }
        let mut left: HashMap<u32, f64> = HashMap::new();
        let all = self.words as f64;
        let (mut gained, mut passed) = (0.0, 0_usize);
        let mut best: Option<(f64, usize)> = None;
        for cut in 1..self.heard.len() {
            // What one word more at the left and less at the right changes: ratios of gamma functions.
            for word in &self.heard[cut - 1].about {
                let (there, here) = (right.entry(*word).or_default(), left.entry(*word).or_default());
                *there -= 1.0;
                gained += (*here + SMOOTH).ln() - (*there + SMOOTH).ln();
                *here += 1.0;
            }
            passed += self.heard[cut - 1].about.len();
            let rest = self.words - passed;
            if cut < TURNS || self.heard.len() - cut < TURNS.min(2) || passed < PIECE || rest < PIECE {
                continue;
            }
            let sizes = size(0.0) + size(all) - size(passed as f64) - size(rest as f64);
            let score = gained + sizes + self.heard[cut].pays;
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, cut));
            }
        }
        best.filter(|(score, _)| *score > PRICE).map(|(_, cut)| cut)
    }
}

fn size(words: f64) -> f64 {
    ln_gamma(words + WORDS * SMOOTH)
}

/// Stirling's series; what comes in is never small.
fn ln_gamma(x: f64) -> f64 {
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * x)
}
