//! Sessions as the experiment needs them: turns with their size, topics, and what is ruled out from one turn to another.
//! No text stands in them.

use super::super::Chance;

/// A session.
pub struct Session {
    /// Its turns.
    pub turns: Vec<Turn>,
    /// What is ruled out in it.
    pub threads: Vec<Thread>,
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its size.
    pub tokens: u32,
    /// Whether the user changes the subject with it.
    pub new_topic: bool,
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
    /// How likely a turn names something that is ruled out later.
    pub named: f64,
    /// Turns between the naming and the ruling out, at the most.
    pub thread: u32,
}

impl Session {
    /// A session made by chance.
    pub fn new(making: &Making, chance: &mut Chance) -> Self {
        let mut session = Self { turns: Vec::with_capacity(making.turns), threads: Vec::new() };
        while session.turns.len() < making.turns {
            let from = session.turns.len();
            let long = chance.between(making.topic.0.max(1), making.topic.1) as usize;
            let to = (from + long).min(making.turns);
            for at in from..to {
                let tokens = chance.between(making.tokens.0, making.tokens.1);
                session.turns.push(Turn { tokens, new_topic: at == from && at > 0 });
                if chance.hits(making.named) {
                    let end = at + chance.between(0, making.thread) as usize;
                    // What the topic has no room for is ruled out in its last turn: then it is done with.
                    session.threads.push(Thread { from: at, to: end.min(to - 1) });
                }
            }
        }
        session
    }
}

#[cfg(test)]
mod tests {
    use super::{Making, Session};
    use crate::simulate::Chance;

    #[test]
    fn no_thread_reaches_beyond_its_topic() {
        let making = Making { turns: 120, tokens: (5, 9), topic: (3, 8), named: 0.5, thread: 4 };
        for run in 0..50 {
            let session = Session::new(&making, &mut Chance::new(2, run));
            assert_eq!(session.turns.len(), 120);
            assert!(!session.turns[0].new_topic && session.turns.iter().all(|turn| (5..=9).contains(&turn.tokens)));
            assert!(!session.threads.is_empty());
            for thread in session.threads {
                assert!(thread.from <= thread.to && thread.to < 120);
                assert!(session.turns[thread.from + 1..=thread.to].iter().all(|turn| !turn.new_topic), "{thread:?}");
            }
        }
    }
}
