//! Which sentences of the originals speak of what a claim says, and how much of it they hold.

use std::ops::Range;
use std::rc::Rc;

use crate::record::{Manner, Passage};
use crate::session::{SourceRef, Speaker};

use super::statement::Statement;

/// A sentence that holds less than this of a claim does not speak of it.
pub const ALIGNED: f32 = 0.35;

/// One sentence of the originals.
#[derive(Debug)]
pub struct Original<'a> {
    /// The passage that it stands in.
    pub passage: &'a Passage,
    /// In bytes of what stands around the passage.
    pub range: Range<usize>,
    /// Read; claims that are tied to the same sentence share it.
    pub statement: Rc<Statement>,
    /// How much of the claim it holds, by rarity of the words, and how much of it the claim holds: both from 0 to 1.
    pub cover: f32,
    /// See `cover`.
    pub back: f32,
}

impl Original<'_> {
    /// How well it fits the claim, from 0 to 1.
    pub fn score(&self) -> f32 {
        0.75 * self.cover + 0.25 * self.back
    }

    /// Who says it.
    pub fn speaker(&self) -> Speaker {
        self.passage.origin.speaker
    }

    /// Whether it is a line of a conversation that names its own speakers: who sent it says nothing about who said it.
    pub fn is_labelled(&self) -> bool {
        let text = &self.statement.text;
        let label = text.find(": ").map(|at| &text[..at]).unwrap_or_default();
        !label.is_empty()
            && label.len() <= 24
            && label.split(' ').all(|word| word.chars().next().is_some_and(char::is_uppercase))
    }

    /// Whether it is told, not part of a call or its result.
    pub fn is_told(&self) -> bool {
        match self.passage.origin.manner {
            Manner::Text | Manner::Thinking => true,
            Manner::ToolCall | Manner::ToolResult => false,
        }
    }

    /// Where in its part what stands around its passage begins.
    pub fn from(&self) -> usize {
        self.passage.from()
    }

    /// Where it stands in the session.
    pub fn seq(&self) -> u64 {
        self.passage.origin.seq.0
    }

    /// This sentence as a source.
    pub fn source(&self) -> SourceRef {
        let from = self.from();
        let range = (from + self.range.start, from + self.range.end);
        self.passage.origin.source(range, &self.passage.around[self.range.clone()])
    }
}

/// How rare each stem is among the sentences that all claims of a record were tied to.
#[derive(Debug, Default)]
pub struct Rarity {
    /// By the number of the stem: how many have it, and what it says then.
    seen: Vec<(u32, f32)>,
    unseen: f32,
}

impl Rarity {
    /// Among these sentences.
    pub fn of<'s>(statements: impl Iterator<Item = &'s Statement>) -> Self {
        let mut seen: Vec<(u32, f32)> = Vec::new();
        let mut sentences = 0_u32;
        for statement in statements {
            sentences += 1;
            for number in statement.stems() {
                let at = *number as usize;
                if at >= seen.len() {
                    seen.resize(at + 1, (0, 0.0));
                }
                seen[at].0 += 1;
            }
        }
        let weight = |seen: u32| (1.0 + sentences as f32 / (1.0 + seen as f32)).ln().clamp(0.5, 5.0);
        let unseen = weight(0);
        for (count, says) in &mut seen {
            *says = if *count == 0 { unseen } else { weight(*count) };
        }
        Self { seen, unseen }
    }

    /// What a stem says: the rarer the more.
    pub fn weight(&self, number: u32) -> f32 {
        self.seen.get(number as usize).map_or(self.unseen, |(_, says)| *says)
    }

    /// Whether any of the sentences has this stem.
    pub fn has(&self, number: u32) -> bool {
        self.seen.get(number as usize).is_some_and(|(count, _)| *count > 0)
    }
}

/// Says of each sentence how much of the claim it holds; what stands in the frame (`the user decided`) is not looked for.
pub fn weigh(claim: &Statement, frame: &[Range<usize>], originals: &mut [Original], rarity: &Rarity) {
    let told = |at: &usize| frame.iter().any(|range| range.contains(&claim.tokens[*at].range.start));
    let mut wanted: Vec<u32> = Vec::new();
    for number in claim.content().filter(|at| !told(at)).map(|at| claim.tokens[at].number) {
        if !wanted.contains(&number) {
            wanted.push(number);
        }
    }
    // In the order of the claim: a sum depends on it.
    let all: f32 = wanted.iter().map(|number| rarity.weight(*number)).sum();
    wanted.sort_unstable();
    for original in originals {
        let own = original.statement.stems();
        let (mut whole, mut shared) = (0.0, 0.0);
        for number in own {
            let says = rarity.weight(*number);
            whole += says;
            if wanted.binary_search(number).is_ok() {
                shared += says;
            }
        }
        original.cover = if all > 0.0 { shared / all } else { 0.0 };
        original.back = if whole > 0.0 { shared / whole } else { 0.0 };
    }
}
