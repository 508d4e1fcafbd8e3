//! A figure of a record as it is listened for, and the other values that stand with its label.

use std::sync::Arc;

use crate::extract::Language;
use crate::record::{Detail, Item, Record};
use crate::session::Place;

use super::context::line_of;
use super::numbers::{About, Numbered, plain};
use super::tokens::{is_slip, is_swap};
use super::vocabulary::Vocabulary;
use super::voice::Citation;

/// So many other values are kept for each figure.
const KEPT: usize = 12;

/// A figure that is listened for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    /// Digits alone: `2,400` and `nine` as `2400` and `9`.
    pub value: String,
    /// What stands around it, nearest first.
    pub about: Vec<About>,
    /// What it counts or measures, at most two words.
    pub units: Vec<String>,
    /// Whether it says which one of a row is meant: `line 338`.
    pub placed: bool,
    /// The name that it is assigned to.
    pub assigned: Option<String>,
}

/// What was heard of a figure.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, heard in any order")]
pub(super) struct Heard {
    /// The most words that its own value shares with it somewhere.
    pub shared: usize,
    /// Whether its own value stands with a name of its, or is assigned to the same.
    pub named: bool,
    /// Whether its own value stands with the same unit somewhere.
    pub counted: bool,
    /// Whether its own value is a limit of the same somewhere.
    pub limited: bool,
    /// Whether its own value is assigned to the same name somewhere.
    pub given: bool,
    /// Where its own value was said last, of the same or as an answer.
    pub last: Option<Place>,
    /// Other values that stand with its label, the best first.
    pub others: Vec<Other>,
}

/// Another value with the same label.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub with: With,
    /// Whether it may have been written for the figure's own value by a slip.
    pub near: bool,
    /// Many figures have the same.
    pub cited: Arc<Cited>,
}

/// What a value stands with.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, heard in any order")]
pub(super) struct With {
    /// The value as a number: two values with two numbers differ.
    pub key: u64,
    /// How many words and names it shares with the figure.
    pub shared: usize,
    /// Whether one of them is a name.
    pub named: bool,
    /// Whether it counts or measures the same.
    pub same_unit: bool,
    /// Assigned to the name that the figure is assigned to.
    pub assigned: bool,
    /// A limit, as the figure is.
    pub limit: bool,
    /// Which one of a row.
    pub placed: bool,
}

/// A value as it stands in the originals.
#[derive(Debug)]
pub(super) struct Cited {
    pub value: String,
    pub citation: Citation,
    /// Where it stands in the citation.
    pub at: (usize, usize),
}

impl Other {
    fn rank(&self) -> (bool, bool, usize, bool) {
        (self.with.assigned, self.near, self.with.shared, self.with.same_unit)
    }

    /// Whether one may have been written for the other by a slip.
    pub(super) fn is_near(&self, value: &str) -> bool {
        is_near(&self.cited.value, value)
    }
}

fn is_near(one: &str, other: &str) -> bool {
    is_swap(one, other) || other.len() >= 3 && one.len() == other.len() && is_slip(one, other)
}

impl Asked {
    /// What a figure of a record listens for; `None` for one that has no number.
    pub(super) fn of(record: &Record, item: &Item, language: &Language, words: &mut Vocabulary) -> Option<Self> {
        let Detail::Figure { value, .. } = &item.detail else { return None };
        let (line, at) = line_of(record, item);
        words.begin_line();
        let numbered = Numbered::of(line, language, words);
        let lower = value.to_lowercase();
        let spelled = language.numbers.get(lower.as_str());
        let first = value.split(['-', '–', '/']).next().unwrap_or_default();
        let digits = spelled.map_or_else(|| plain(first), |digits| (*digits).to_owned());
        let found = numbered.numbers().find(|number| number.range.end > at && number.value == digits)?;
        let (about, units) = (numbered.about(&found, language), numbered.units(&found, language));
        let placed = numbered.place(&found, language).is_some();
        let assigned = numbered.assigned(&found, language);
        Some(Self { value: found.value.to_owned(), about, units, placed, assigned })
    }
}

impl Heard {
    /// What was heard in a later stretch of the figure with this value.
    pub(super) fn add(&mut self, figure: &str, later: Self) {
        self.shared = self.shared.max(later.shared);
        self.named |= later.named;
        self.counted |= later.counted;
        self.limited |= later.limited;
        self.given |= later.given;
        self.last = self.last.max(later.last);
        for other in later.others {
            self.put(figure, &other.cited.value, other.with, || Arc::clone(&other.cited));
        }
    }

    /// What a value must be assigned to and share to find room, unless it is near the figure's or known with less; `None`
    /// while there is room for all.
    pub(super) fn bar(&self) -> Option<(bool, usize)> {
        self.others.get(KEPT - 1).map(|worst| (worst.with.assigned, worst.with.shared))
    }

    /// Keeps another value than the figure's; the same value again only where it stands with more of the label.
    pub(super) fn put(&mut self, figure: &str, value: &str, with: With, cite: impl FnOnce() -> Arc<Cited>) {
        let known = self.others.iter().position(|old| old.with.key == with.key && old.cited.value == value);
        let label = |with: &With| (with.assigned, with.same_unit, with.shared);
        if known.is_some_and(|at| label(&self.others[at].with) >= label(&with)) {
            return;
        }
        // A full shelf changes only for something better, or something near.
        let full = self.bar() >= Some((with.assigned, with.shared)) && !is_slip(value, figure);
        if full && !(with.same_unit && known.is_some()) {
            return;
        }
        if let Some(at) = known {
            self.others.remove(at);
        }
        let other = Other { with, near: is_near(value, figure), cited: cite() };
        let rank = other.rank();
        let at = self.others.partition_point(|known| known.rank() >= rank);
        self.others.insert(at, other);
        self.others.truncate(KEPT);
    }
}
