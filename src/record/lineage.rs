//! One claim through all generations: what was said, and how each record renders it.

use super::{FindingKind, Verdict};
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
            Change::Certainty => "made firmer",
            Change::Polarity => "turned round",
            Change::Value => "another value",
            Change::Lost => "forgotten",
        }
    }
}

/// One text that holds the claim, or should.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What the check of its item, or of a figure in its words, holds against it; `None` where it found nothing.
    pub found: Option<FindingKind>,
    /// How it differs from the original; `None` where no difference is known, which is no proof that there is none.
    pub differs: Option<Change>,
    /// The same in the first generation that shows it; `None` in those behind it that differ no further.
    pub changed: Option<Change>,
    /// What a comparison with the generation before alone would have said.
    pub pairwise: Option<Change>,
    /// The words of `text` that decide, as byte ranges in it.
    pub decisive: Vec<(usize, usize)>,
}

impl Generation {
    /// A change of this generation in the words of the screens, against a text that is so sure. What the check calls turned
    /// round is called so here as well.
    pub fn word(&self, change: Change, before: Option<u8>) -> &'static str {
        match change {
            Change::Certainty if self.found == Some(FindingKind::Inverted) => FindingKind::Inverted.plain(),
            Change::Certainty if before > self.certainty => "less sure",
            Change::Lost if self.item.is_some() => "its value is gone",
            Change::Certainty | Change::Polarity | Change::Value | Change::Lost => change.plain(),
        }
    }

    /// What is known against it that is new or goes on: `None` where nothing is. `original` is how sure the original is.
    pub fn told(&self, original: Option<u8>) -> Option<&'static str> {
        match (self.changed, self.differs) {
            (Some(change), _) => Some(self.word(change, original)),
            (None, Some(_)) if self.item.is_none() => Some("still forgotten"),
            (None, Some(_)) => Some("still changed"),
            (None, None) => self.found.map(FindingKind::plain),
        }
    }
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
    /// The index of the first generation that is known to have changed against the original; `None` where none is.
    pub fn first_change(&self) -> Option<usize> {
        self.generations.iter().position(|one| one.changed.is_some())
    }
}
