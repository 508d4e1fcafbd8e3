//! Where a person brings up something of which nobody spoke lately. It is told at once where they say that something else
//! comes, and otherwise as soon as so much was said about it that words of before should have come again.

use foldhash::HashMap;

use super::topic::{Heard, SPAN};

/// What is new shares less than this part of what turns usually share with the words before them.
const SHARED: f64 = 0.25;
/// So many words of before should have come again until it is told without a cue.
const WANTED: f64 = 8.0;
/// With fewer words before it nothing is new.
const BEFORE: usize = 20;

/// What a person began to speak of.
#[derive(Clone, Copy)]
struct Begun {
    no: usize,
    /// How many words were said before it.
    place: usize,
    /// How many of its words were said lately, before it, and how many there are, each once.
    known: usize,
    all: usize,
}

impl Begun {
    /// It shares nearly nothing with what was said before it, where so much is shared usually.
    fn is_new(&self, usual: f64) -> bool {
        self.known as f64 <= SHARED * usual * self.all as f64
    }
}

/// What was said lately, and what was begun since.
#[derive(Default)]
pub(super) struct Fresh {
    /// Where each word was said last, counted in words.
    said: HashMap<u32, usize>,
    place: usize,
    begun: Option<Begun>,
    /// Of all words so far, those that were said lately before.
    again: usize,
    of: usize,
}

/// What tells that something new was brought up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The person said so.
    Cue,
    /// What was said since.
    Words,
}

impl Fresh {
    /// The next turn; `cue` where it says that something else comes. Gives the turn of the person that brought up something
    /// new, and what tells it.
    pub fn turn(&mut self, heard: &Heard, cue: bool) -> Option<(usize, Told)> {
        let lately = self.place.saturating_sub(SPAN);
        let again = heard.about.iter().filter(|word| self.said.get(word).is_some_and(|at| *at >= lately)).count();
        let usual = self.again as f64 / self.of.max(1) as f64;
        let mut told = None;
        if let Some(begun) = &mut self.begun {
            let before = begun.place.saturating_sub(SPAN)..begun.place;
            for word in heard.about {
                match self.said.get(word) {
                    Some(at) if *at >= before.end => {}
                    Some(at) if *at >= before.start => (begun.known, begun.all) = (begun.known + 1, begun.all + 1),
                    Some(_) | None => begun.all += 1,
                }
            }
            if !begun.is_new(usual) || self.place > begun.place + SPAN {
                self.begun = None;
            } else if begun.all as f64 * usual >= WANTED {
                told = Some((begun.no, Told::Words));
            }
        }
        if self.begun.is_none() && heard.by_user && self.place >= BEFORE {
            let begun = Begun { no: heard.no, place: self.place, known: again, all: heard.about.len() };
            self.begun = Some(begun).filter(|begun| begun.is_new(usual));
            if cue && self.begun.is_some() {
                told = Some((heard.no, Told::Cue));
            }
        }
        if told.is_some() {
            self.begun = None;
        }
        self.take(heard.about, again);
        told
    }

    /// Takes up the words of a turn, of which so many were said lately.
    fn take(&mut self, about: &[u32], again: usize) {
        if self.place >= BEFORE {
            (self.again, self.of) = (self.again + again, self.of + about.len());
        }
        self.said.extend(about.iter().map(|word| (*word, self.place)));
        self.place += about.len();
        if self.said.len() > 8 * SPAN {
            let lately = self.begun.map_or(self.place, |begun| begun.place).saturating_sub(SPAN);
            self.said.retain(|_, at| *at >= lately);
        }
    }
}
