//! Where the talk turns to something else, told while it goes on: only what was said so far is known, so a turn of the
//! talk is told a little late, when enough was said behind it. What a person brings up that is wholly new is told sooner
//! ([`Fresh`]); where words come and go, it takes more of them to tell.
//!
//! Before every turn two stretches of [`SPAN`] words meet: what was said last, and what comes next. How firmly the words
//! that both hold tie them together is how much likelier one urn of words is to have given both than two (Dirichlet,
//! multinomial). The talk turns where they are tied less firmly than within [`SPAN`] words around, and less than
//! [`LOOSE`] of what is usual in this talk so far; so it does not matter how long turns are and how richly people speak.
//! Words that say that something else comes, and a long pause, loosen a tie. Nothing older is held.

use std::collections::VecDeque;

use foldhash::HashMap;

use super::fresh::{Fresh, Told};
use super::rules::Triggers;
use crate::record::Turned;

/// Words of one stretch. So many lie between two turns of the talk at least, and so many places are looked at behind one
/// until it is known that no better one follows.
pub(super) const SPAN: usize = 200;
/// A tie that has less than this of the usual strength is loose.
const LOOSE: f64 = 0.8;
/// How strongly every word is expected anywhere.
const SMOOTH: f64 = 1.5;
/// What is left of a tie where words say that something else comes now.
const CUE: f64 = 0.95;
/// What a pause leaves of it.
const PAUSE: f64 = 0.9;
/// A longer silence is a pause, in milliseconds.
const SILENCE: i64 = 30 * 60 * 1_000;
/// What a person says after a pause is something else when they say that it is, or when it shares less than this with
/// the last [`LAST`] turns.
const SHARED: f64 = 0.1;
const LAST: usize = 4;

/// One turn, as the talk goes.
#[derive(Clone, Copy)]
pub(super) struct Heard<'a> {
    /// Its number in the order of turns.
    pub no: usize,
    /// What it is about, each word once.
    pub about: &'a [u32],
    /// It says that something else comes.
    pub turns_away: bool,
    /// A person speaks.
    pub by_user: bool,
    /// When it began, in milliseconds; `None` where nobody says.
    pub at: Option<i64>,
}

struct Turn {
    no: usize,
    about: Vec<u32>,
    turns_away: bool,
    paused: bool,
}

/// How firmly the two stretches are tied that meet before a turn.
struct Tie {
    no: usize,
    /// How many words were said before it.
    place: usize,
    /// By the words that both hold.
    words: f64,
    /// What a cue and a pause leave of that.
    cue: f64,
    pause: f64,
}

impl Tie {
    fn strength(&self) -> f64 {
        self.words * self.cue * self.pause
    }
}

/// What was said last, and where it may turn.
#[derive(Default)]
pub(super) struct Topic {
    before: VecDeque<Turn>,
    behind: VecDeque<Turn>,
    stretches: Stretches,
    /// Since the last turn of the talk, in order.
    ties: VecDeque<Tie>,
    /// The first one that is not decided yet.
    next: usize,
    /// How many words were said before the turns of `behind`, and before the talk last turned.
    place: usize,
    turned: usize,
    usual: Usual,
    fresh: Fresh,
    at: Option<i64>,
}

impl Topic {
    /// The next turn. Gives the first turn of something else, as soon as that is known, and what tells it.
    pub fn turn(&mut self, heard: &Heard, on: Triggers) -> Option<(usize, Turned)> {
        let paused = on.pause && heard.at.zip(self.at).is_some_and(|(now, before)| now - before > SILENCE);
        self.at = heard.at.or(self.at);
        if heard.about.is_empty() {
            return None;
        }
        let turns_away = on.cue && heard.turns_away;
        let said_before = !(self.before.is_empty() && self.behind.is_empty());
        let fresh = self.fresh.turn(heard, turns_away).filter(|(_, told)| on.words || *told == Told::Cue);
        let turned = if heard.by_user && paused && said_before && (turns_away || self.shared(heard.about) < SHARED) {
            Some((heard.no, Turned::Pause))
        } else {
            fresh.map(|(no, told)| (no, if told == Told::Cue { Turned::Cue } else { Turned::Words }))
        };
        if turned.is_some() {
            // What is tied to what lies before it is nothing from here on.
            *self = Self { at: self.at, fresh: std::mem::take(&mut self.fresh), ..Self::default() };
            self.hear(heard, false, false);
            return turned;
        }
        self.hear(heard, turns_away, paused);
        while self.stretches.behind >= SPAN {
            self.tie();
        }
        self.decide().filter(|_| on.words)
    }

    fn hear(&mut self, heard: &Heard, turns_away: bool, paused: bool) {
        self.stretches.add(Side::Behind, heard.about);
        self.behind.push_back(Turn { no: heard.no, about: heard.about.to_vec(), turns_away, paused });
    }

    /// Ties what lies before the first turn behind to what follows, and passes that turn.
    fn tie(&mut self) {
        let Some(turn) = self.behind.pop_front() else { return };
        if self.stretches.before >= SPAN {
            let cue = if turn.turns_away { CUE } else { 1.0 };
            let pause = if turn.paused { PAUSE } else { 1.0 };
            let words = self.stretches.together;
            self.usual.add(words, turn.about.len());
            self.ties.push_back(Tie { no: turn.no, place: self.place, words, cue, pause });
        }
        self.place += turn.about.len();
        self.stretches.take(Side::Behind, &turn.about);
        self.stretches.add(Side::Before, &turn.about);
        self.before.push_back(turn);
        while let Some(old) = self.before.front()
            && self.stretches.before - old.about.len() >= SPAN
            && let Some(old) = self.before.pop_front()
        {
            self.stretches.take(Side::Before, &old.about);
        }
    }

    /// The next tie behind which enough was heard, if the talk turns there.
    fn decide(&mut self) -> Option<(usize, Turned)> {
        let last = self.ties.back()?.place;
        let loose = LOOSE * self.usual.mean();
        while let Some(tie) = self.ties.get(self.next).filter(|tie| last >= tie.place + SPAN) {
            let near = |other: &&Tie| other.place.abs_diff(tie.place) <= SPAN;
            let weakest = || self.ties.iter().filter(near).all(|other| other.strength() >= tie.strength());
            if tie.strength() < loose && tie.place >= self.turned + SPAN && weakest() {
                let by = match (tie.words < loose, tie.words * tie.cue < loose) {
                    (true, _) => Turned::Words,
                    (false, true) => Turned::Cue,
                    (false, false) => Turned::Pause,
                };
                let no = tie.no;
                self.turned = tie.place;
                self.ties.drain(..=self.next);
                self.next = 0;
                return Some((no, by));
            }
            self.next += 1;
        }
        let waits = self.ties.get(self.next)?.place;
        while self.ties.front().is_some_and(|tie| tie.place + SPAN < waits) {
            self.ties.pop_front();
            self.next -= 1;
        }
        None
    }

    /// How much of this the last turns spoke of.
    fn shared(&self, about: &[u32]) -> f64 {
        let last = self.before.iter().chain(&self.behind).rev().take(LAST);
        let known = |word: &&u32| last.clone().any(|turn| turn.about.contains(word));
        about.iter().filter(known).count() as f64 / about.len() as f64
    }
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    Behind,
}

/// The words of both stretches, counted.
#[derive(Default)]
struct Stretches {
    counts: HashMap<u32, (f64, f64)>,
    before: usize,
    behind: usize,
    /// How much likelier one urn has given both: by the words that both hold.
    together: f64,
}

impl Stretches {
    fn add(&mut self, side: Side, words: &[u32]) {
        for word in words {
            let (before, behind) = self.counts.entry(*word).or_default();
            let (one, other) = match side {
                Side::Before => (before, *behind),
                Side::Behind => (behind, *before),
            };
            self.together += speaks(*one, other);
            *one += 1.0;
        }
        *self.size(side) += words.len();
    }

    fn take(&mut self, side: Side, words: &[u32]) {
        for word in words {
            let Some((before, behind)) = self.counts.get_mut(word) else { continue };
            let (one, other) = match side {
                Side::Before => (before, *behind),
                Side::Behind => (behind, *before),
            };
            *one -= 1.0;
            self.together -= speaks(*one, other);
            if *one + other == 0.0 {
                self.counts.remove(word);
            }
        }
        *self.size(side) -= words.len();
    }

    fn size(&mut self, side: Side) -> &mut usize {
        match side {
            Side::Before => &mut self.before,
            Side::Behind => &mut self.behind,
        }
    }
}

/// What one word more speaks for one urn, where one stretch holds it so often and the other one so often.
fn speaks(here: f64, there: f64) -> f64 {
    ((here + there + SMOOTH) / (here + SMOOTH)).ln()
}

/// How firm ties are in this talk so far, by the words between them.
#[derive(Default)]
struct Usual {
    sum: f64,
    words: f64,
}

impl Usual {
    fn add(&mut self, tie: f64, words: usize) {
        self.sum += tie * words as f64;
        self.words += words as f64;
    }

    /// Zero while nothing is known.
    fn mean(&self) -> f64 {
        if self.words > 0.0 { self.sum / self.words } else { 0.0 }
    }
}
