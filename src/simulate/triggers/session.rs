//! Sessions as the experiment needs them: turns with their size, topics, the words that are spoken, and where blocks find
//! that the talk turned. No text stands in them: a word is a number.

use std::ops::Range;

use super::super::Chance;
use crate::compile::{Rules, Seams, Triggers, TurnSeen};

/// A session.
pub struct Session {
    /// Its turns.
    pub turns: Vec<Turn>,
    /// The turns of each topic.
    pub topics: Vec<Range<usize>>,
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its size.
    pub tokens: u32,
    /// The first turn of another topic, where that is found with this turn.
    pub turned: Option<usize>,
}

/// Who knows where the talk turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Blocks, by the words: some turns late, and not always.
    ByBlocks,
    /// Somebody who sees every change of topic with its first turn.
    AtOnce,
}

/// Something that is suspected at one turn and ruled out at another one, never beyond its topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The turn that names it.
    pub from: usize,
    /// The turn that rules it out.
    pub to: usize,
}

/// How sessions are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Making {
    /// Turns of a session.
    pub turns: usize,
    /// Tokens of a turn: from, to.
    pub tokens: (u32, u32),
    /// Turns of a topic: from, to.
    pub topic: (u32, u32),
    /// Tokens for each word that says something.
    pub word: u32,
    /// Words of one topic, and as many that every topic speaks. The n-th is spoken 1/n as often as the first.
    pub words: usize,
    /// How likely a turn names something that is ruled out later.
    pub named: f64,
}

impl Session {
    /// A session made by chance, with the seams that are found in it.
    pub fn new(making: &Making, chance: &mut Chance) -> Self {
        let on = Triggers { words: true, ..Triggers::NONE };
        let mut seams = Seams::new(Rules { target: 1, cap: u32::MAX, on });
        let speech = Speech::of(making.words);
        let mut session = Self { turns: Vec::with_capacity(making.turns), topics: Vec::new() };
        while session.turns.len() < making.turns {
            let from = session.turns.len();
            let long = chance.between(making.topic.0.max(1), making.topic.1) as usize;
            let to = (from + long).min(making.turns);
            for _ in from..to {
                let tokens = chance.between(making.tokens.0, making.tokens.1);
                let about = speech.turn(session.topics.len(), tokens / making.word.max(1), chance);
                let closed = seams.turn(&TurnSeen { by_user: true, about, ..TurnSeen::default() });
                session.turns.push(Turn { tokens, turned: closed.map(|closed| closed.turns) });
            }
            session.topics.push(from..to);
        }
        session
    }

    /// The first turn of another topic, where that is known with this turn and was not before.
    pub fn turned(&self, at: usize, known: Known) -> Option<usize> {
        match known {
            Known::ByBlocks => self.turns.get(at)?.turned,
            Known::AtOnce => Some(at).filter(|at| *at > 0 && self.topics.iter().any(|topic| topic.start == *at)),
        }
    }

    /// What is ruled out in it, each at most so many turns after it was named.
    pub fn threads(&self, making: &Making, longest: u32, chance: &mut Chance) -> Vec<Thread> {
        let mut threads = Vec::new();
        for topic in &self.topics {
            for from in topic.clone() {
                if chance.hits(making.named) {
                    let to = from + chance.between(0, longest) as usize;
                    // What the topic has no room for is ruled out in its last turn: then it is done with.
                    threads.push(Thread { from, to: to.min(topic.end - 1) });
                }
            }
        }
        threads
    }
}

/// How often words are spoken: the share of each and of all before it, added up and not yet divided.
struct Speech(Vec<f64>);

impl Speech {
    fn of(words: usize) -> Self {
        let share = |sum: &mut f64, no: usize| {
            *sum += 1.0 / no as f64;
            Some(*sum)
        };
        Self((1..=words.max(1)).scan(0.0, share).collect())
    }

    /// The words of a turn, each once: half of them the topic's, half everybody's.
    fn turn(&self, topic: usize, count: u32, chance: &mut Chance) -> Vec<u32> {
        let all = self.0.last().copied().unwrap_or_default();
        let mut words: Vec<u32> = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let own = if chance.hits(0.5) { topic + 1 } else { 0 };
            let drawn = all * chance.unit();
            let rank = self.0.partition_point(|upto| *upto <= drawn).min(self.0.len() - 1);
            let word = (own * self.0.len() + rank) as u32;
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::{Making, Session};
    use crate::simulate::Chance;

    const MAKING: Making = Making { turns: 120, tokens: (400, 900), topic: (8, 16), word: 8, words: 300, named: 0.5 };

    #[test]
    fn no_thread_reaches_beyond_its_topic() {
        for run in 0..20 {
            let mut chance = Chance::new(2, run);
            let session = Session::new(&MAKING, &mut chance);
            assert_eq!(session.turns.len(), 120);
            assert!(session.turns.iter().all(|turn| (400..=900).contains(&turn.tokens)));
            let threads = session.threads(&MAKING, 4, &mut chance);
            assert!(!threads.is_empty());
            for thread in threads {
                let topic = session.topics.iter().find(|topic| topic.contains(&thread.from)).map(|topic| topic.end);
                assert!(thread.from <= thread.to && topic.is_some_and(|end| thread.to < end), "{thread:?}");
            }
        }
    }

    #[test]
    fn most_changes_of_topic_are_found_some_turns_late_and_little_else() {
        let (mut found, mut all, mut right) = (0, 0, 0);
        for run in 0..20 {
            let session = Session::new(&MAKING, &mut Chance::new(2, run));
            let begins = |at: usize| session.topics.iter().any(|topic| topic.start == at);
            for (at, turn) in session.turns.iter().enumerate() {
                let Some(first) = turn.turned else { continue };
                assert!(first < at, "what comes behind is not known before");
                found += 1;
                right += u32::from(begins(first));
            }
            all += session.topics.len() as u32 - 1;
        }
        assert!(right * 10 > all * 7 && right * 10 > found * 8, "{right} of {all}, {found} found");
    }
}
