//! A figure of a record as it is listened for, and the other values that stand with its label.

use std::sync::Arc;

use crate::extract::Language;
use crate::record::{Detail, Item, Record};
use crate::session::SourceRef;

use super::context::line_of;
use super::numbers::{About, Numbered, plain};
use super::tokens::{is_slip, is_swap};
use super::vocabulary::Vocabulary;

/// So many other values are kept for each figure.
const KEPT: usize = 12;

/// A figure that is listened for.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, heard in any order")]
pub(super) struct Asked {
    /// Digits alone: `2,400` and `nine` as `2400` and `9`.
    pub value: String,
    /// What stands around it, nearest first.
    pub about: Vec<About>,
    /// What it counts or measures.
    pub units: Vec<String>,
    /// Whether it says which one of a row is meant: `line 338`.
    pub placed: bool,
    /// The name that it is assigned to.
    pub assigned: Option<String>,
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
    /// Other values that stand with its label, the best first.
    pub others: Vec<Other>,
}

/// Another value with the same label.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, heard in any order")]
pub(super) struct Other {
    pub value: Arc<str>,
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
    /// Many figures have the same.
    pub source: Arc<SourceRef>,
    /// Where it stands in the source's quote.
    pub at: (usize, usize),
    /// Whether it may have been written for the figure's own value by a slip.
    pub near: bool,
}

impl Other {
    fn rank(&self) -> (bool, bool, usize, bool) {
        (self.assigned, self.near, self.shared, self.same_unit)
    }

    /// Whether one may have been written for the other by a slip.
    pub(super) fn is_near(&self, value: &str) -> bool {
        is_swap(&self.value, value)
            || value.len() >= 3 && self.value.len() == value.len() && is_slip(&self.value, value)
    }
}

impl Asked {
    /// What a figure of a record listens for; `None` for one that has no number.
    pub(super) fn of(record: &Record, item: &Item, language: &Language) -> Option<Self> {
        let Detail::Figure { value, .. } = &item.detail else { return None };
        let (line, at) = line_of(record, item);
        let numbered = Numbered::of(line, language, &mut Vocabulary::default());
        let lower = value.to_lowercase();
        let spelled = language.numbers.get(lower.as_str());
        let first = value.split(['-', '–', '/']).next().unwrap_or_default();
        let digits = spelled.map_or_else(|| plain(first), |digits| (*digits).to_owned());
        let found = numbered.numbers().find(|number| number.range.end > at && number.value == digits)?;
        let (about, units) = (numbered.about(&found, language), numbered.units(&found, language));
        let placed = numbered.place(&found, language).is_some();
        let assigned = numbered.assigned(&found, language);
        Some(Self {
            value: found.value.to_owned(),
            about,
            units,
            placed,
            assigned,
            shared: 0,
            named: false,
            counted: false,
            limited: false,
            given: false,
            others: Vec::new(),
        })
    }
}

impl Asked {
    /// A figure of this value of which nothing was heard.
    pub(super) fn nothing_of(value: &str) -> Self {
        Self {
            value: value.to_owned(),
            about: Vec::new(),
            units: Vec::new(),
            placed: false,
            assigned: None,
            shared: 0,
            named: false,
            counted: false,
            limited: false,
            given: false,
            others: Vec::new(),
        }
    }

    /// What was heard of it in a later stretch.
    pub(super) fn add(&mut self, later: Self) {
        self.shared = self.shared.max(later.shared);
        self.named |= later.named;
        self.counted |= later.counted;
        self.limited |= later.limited;
        self.given |= later.given;
        for other in later.others {
            let value = Arc::clone(&other.value);
            self.put((&value, other.key), (other.assigned, other.shared, other.same_unit), || other);
        }
    }

    /// Keeps another value; the same value again only where it stands with more of the label.
    pub(super) fn put(
        &mut self,
        (value, key): (&str, u64),
        (assigned, shared, same_unit): (bool, usize, bool),
        other: impl FnOnce() -> Other,
    ) {
        let known = self.others.iter().position(|other| other.key == key && &*other.value == value);
        let better = |old: &Other| (old.assigned, old.same_unit, old.shared) < (assigned, same_unit, shared);
        if known.is_some_and(|at| !better(&self.others[at])) {
            return;
        }
        // A full shelf changes only for something better, or something near.
        let worst = self.others.get(KEPT - 1).map(|worst| (worst.assigned, worst.shared));
        let full = worst.is_some_and(|worst| worst >= (assigned, shared)) && !self.is_nearly(value);
        if full && !(same_unit && known.is_some()) {
            return;
        }
        if let Some(at) = known {
            self.others.remove(at);
        }
        let mut other = other();
        other.near = other.is_near(&self.value);
        let rank = other.rank();
        let at = self.others.partition_point(|known| known.rank() >= rank);
        self.others.insert(at, other);
        self.others.truncate(KEPT);
    }

    fn is_nearly(&self, value: &str) -> bool {
        is_slip(value, &self.value)
    }
}
