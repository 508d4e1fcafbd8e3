//! The compiled record of a marker, and the facts that it is made of.

use crate::record::{Fact, Record};
use crate::session::{PartSeq, Speaker, TurnNo};

use super::Gather;
use super::thing::{Held, Thing, Words};

/// Raised when what is compiled from the same turns changes.
pub const COMPILED: u32 = 6;

/// The record that these facts of one marker make.
pub fn compiled(facts: Vec<Fact>) -> Record {
    let items = facts.into_iter().map(|fact| fact.item).collect();
    Record { items, summary: String::new(), rules: COMPILED }
}

impl Gather {
    /// What the turns that a marker reaches hold (by its place among the markers, from 0): by field, what matters most
    /// first.
    pub fn facts(&self, marker: usize) -> Vec<Fact> {
        let Some(mark) = self.marks.get(marker) else { return Vec::new() };
        let reached = |seq: u64| seq <= mark.end && mark.reaches.contains(seq);
        let fact = |held: &Held| {
            let thing = self.things.get(held.thing)?;
            let by_user = thing.by_user.as_ref().filter(|words| reached(words.at.seq));
            let words: &Words = by_user.unwrap_or(&thing.words);
            Some(Fact {
                item: thing.item(words.source(), &reached),
                by_user: words.at.speaker == Speaker::User,
                used: thing.used.filter(|(seq, _)| *seq <= mark.end).map(|(_, turn)| TurnNo::main(turn)),
                times: held.times,
                last: PartSeq(held.last),
                hedged: thing.hedged,
                firm: thing.firm,
                weight: held.weight,
            })
        };
        mark.held.iter().filter_map(fact).collect()
    }

    /// Whether words at this sequence stand behind a marker word for word: reached, and replaced by no compaction.
    pub fn is_kept_word_for_word(&self, marker: usize, seq: PartSeq) -> bool {
        self.marks.get(marker).is_some_and(|mark| mark.reaches.contains(seq.0) && !mark.covered.contains(seq.0))
    }

    /// How many bytes of words were said between the marker before and this one.
    pub fn prose(&self, marker: usize) -> usize {
        self.marks.get(marker).map_or(0, |mark| mark.prose)
    }

    pub(super) fn thing_of(&self, marker: usize, fact: usize) -> Option<&Thing> {
        self.things.get(self.marks.get(marker)?.held.get(fact)?.thing)
    }
}
