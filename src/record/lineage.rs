//! One claim through all generations: what was said, and how each record renders it.

use super::Verdict;
use crate::session::{SourceRef, names};

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It is surer, or less sure, by two steps or more.
    Certainty,
    /// It is denied where it was affirmed, or the other way round.
    Polarity,
    /// It has another value.
    Value,
    /// It is not there any more, or its value is not.
    Lost,
}

names!(Change { Certainty = "certainty", Polarity = "polarity", Value = "value", Lost = "lost" });

impl Change {
    /// The words that the screen uses.
    pub fn plain(self) -> &'static str {
        match self {
            Change::Certainty => "surer or less sure",
            Change::Polarity => "turned round",
            Change::Value => "another value",
            Change::Lost => "forgotten",
        }
    }
}

/// One text that holds the claim, or should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// The marker, by number; `None` for the words of the original turn.
    pub marker: Option<u32>,
    /// The item's index in the marker's record; `None` for the original and where no item renders the claim.
    pub item: Option<usize>,
    /// The original words; of a rendering the best source of its item; `None` where there is none.
    pub source: Option<SourceRef>,
    /// The wording; empty where the claim is lost.
    pub text: String,
    /// From 0 (asked) to 6 (decided, asserted or done); `None` where the claim is lost.
    pub certainty: Option<u8>,
    /// Whether it is denied.
    pub negated: bool,
    /// What the check of the item says; `None` for the original and where the claim is lost.
    pub verdict: Option<Verdict>,
    /// What changed against the original, in the first generation that shows it; `None` in later ones that say the same.
    pub changed: Option<Change>,
    /// What a comparison with the generation before alone would have said.
    pub pairwise: Option<Change>,
    /// The words of `text` that decide, as byte ranges in it.
    pub decisive: Vec<(usize, usize)>,
}

/// A claim with its generations: the original first where one was found, then every marker in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lineage {
    /// What was asked for.
    pub text: String,
    /// Markers before the first that holds the claim are left out.
    pub generations: Vec<Generation>,
}

impl Lineage {
    /// The index of the first generation that changed against the original; `None` where nothing did.
    pub fn first_change(&self) -> Option<usize> {
        self.generations.iter().position(|one| one.changed.is_some())
    }
}
