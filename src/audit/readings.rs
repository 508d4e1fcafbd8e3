//! Numbers in the originals that stand with the same label as a figure of a record: whether its own value does, and
//! which others do.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::extract::Language;
use crate::extract::runs::{Filter, key_of};
use crate::record::{Detail, Item, Record};
use crate::session::SourceRef;

use super::context::line_of;
use super::numbers::{About, Number, Numbered, plain};
use super::tokens::{LIMIT, is_slip, is_swap};
use super::voice::Voice;

/// So many figures may wait at one key.
const WAITING: usize = 64;
/// So many other values are kept for each figure.
const KEPT: usize = 12;
/// Lines that were heard lately; a power of two.
const LATELY: usize = 1 << 14;

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
    pub value: String,
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
    pub source: SourceRef,
    /// Where it stands in the source's quote.
    pub at: (usize, usize),
    /// Whether it may have been written for the figure's own value by a slip.
    near: bool,
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

/// What was heard of figures, by their numbers.
pub(super) type Told = BTreeMap<usize, Asked>;

/// Figures by what stands around them, and what was heard of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings {
    index: Arc<Index>,
    told: Told,
    /// What this stretch said, not added yet.
    fresh: Told,
    lately: Vec<(u64, u64)>,
    /// Changes with every stretch, so that what was heard lately is forgotten.
    stretch: u64,
    /// The values, as they may stand in a text.
    values: Option<Filter>,
    /// By figure: what the number at hand shares with it; the figures of which it shares anything.
    shares: Vec<Share>,
    met: Vec<usize>,
    numbers: u32,
}

/// What a number shares with a figure.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// The number that this is of.
    number: u32,
    count: u32,
    named: bool,
}

#[derive(Clone, Debug, Default)]
struct Index {
    places: HashMap<(u64, usize), usize>,
    /// With the place of the marker.
    asked: Vec<(u64, Asked)>,
    /// With each figure whether the key is a name for it.
    by_key: HashMap<String, Vec<(usize, bool)>>,
    /// The numbers of the values.
    by_value: HashMap<String, u32>,
    value_of: Vec<u32>,
    amounts: Vec<Option<f64>>,
    values: HashSet<u64>,
}

impl Asked {
    /// What a figure of a record listens for; `None` for one that has no number.
    pub(super) fn of(record: &Record, item: &Item, language: &Language) -> Option<Self> {
        let Detail::Figure { value, .. } = &item.detail else { return None };
        let (line, at) = line_of(record, item);
        let numbered = Numbered::of(line, language);
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

impl Readings {
    pub(super) fn ask(&mut self, place: (u64, usize), asked: Option<Asked>) {
        let Some(asked) = asked else { return };
        let index = Arc::make_mut(&mut self.index);
        let no = index.asked.len();
        for about in &asked.about {
            let row = index.by_key.entry(about.key.clone()).or_default();
            if row.len() < WAITING {
                row.push((no, about.name));
            }
        }
        let next = index.by_value.len() as u32;
        index.value_of.push(*index.by_value.entry(asked.value.clone()).or_insert(next));
        index.amounts.push(asked.value.parse().ok());
        index.values.insert(key_of(&asked.value));
        // `2,400` is two runs, and `41s` is one.
        if let Some(last) = asked.value.len().checked_sub(3).filter(|at| *at > 0).and_then(|at| asked.value.get(at..)) {
            index.values.insert(key_of(last));
        }
        for unit in &asked.units {
            index.values.insert(key_of(&format!("{}{unit}", asked.value)));
        }
        index.places.insert(place, no);
        index.asked.push((place.0, asked));
        self.values = None;
    }

    pub(super) fn of(&self, place: (u64, usize)) -> Option<&Asked> {
        let no = self.index.places.get(&place)?;
        self.told.get(no).or_else(|| self.index.asked.get(*no).map(|(_, asked)| asked))
    }

    /// Gets ready to hear.
    pub(super) fn close(&mut self) {
        self.values = Some(Filter::of(self.index.values.iter().copied().collect::<Vec<_>>().into_iter()));
    }

    #[inline]
    pub(super) fn is_value(&self, key: u64) -> bool {
        self.values.as_ref().is_some_and(|values| values.may_hold(key)) && self.index.values.contains(&key)
    }

    /// What was heard in the stretch that ends here.
    pub(super) fn take(&mut self) -> Told {
        self.stretch += 1;
        std::mem::take(&mut self.fresh)
    }

    /// What was heard in a later stretch.
    pub(super) fn add(&mut self, later: Told) {
        for (no, later) in later {
            let own = self.told.entry(no).or_insert_with(|| self.index.asked[no].1.clone());
            own.shared = own.shared.max(later.shared);
            own.named |= later.named;
            own.counted |= later.counted;
            own.limited |= later.limited;
            own.given |= later.given;
            for other in later.others {
                let value = other.value.clone();
                own.put(&value, (other.assigned, other.shared, other.same_unit), || other);
            }
        }
    }

    /// The lines of a stretch of a text.
    pub(super) fn hear(&mut self, text: &str, stretch: Range<usize>, voice: &Voice) {
        if self.index.asked.is_empty() {
            return;
        }
        let language = Language::english();
        let index = Arc::clone(&self.index);
        let mut start = stretch.start;
        for line in text[stretch].split('\n') {
            let offset = start;
            start += line.len() + 1;
            if !self.is_known(line, voice) {
                let numbered = Numbered::of(line, language);
                for number in numbered.numbers() {
                    self.meet(&index, text, offset, &numbered, &number, voice, language);
                }
            }
        }
    }

    /// Whether this line was heard lately; it was now.
    fn is_known(&mut self, line: &str, voice: &Voice) -> bool {
        if self.lately.is_empty() {
            self.lately = vec![(0, 0); LATELY];
        }
        let mut hasher = DefaultHasher::new();
        (self.stretch, line).hash(&mut hasher);
        let hash = hasher.finish();
        let slot = &mut self.lately[hash as usize % LATELY];
        let known = slot.0 == hash;
        *slot = (hash, voice.place.offset);
        known
    }

    #[expect(clippy::too_many_arguments, reason = "what stands where, of one number")]
    fn meet(
        &mut self,
        index: &Index,
        text: &str,
        offset: usize,
        numbered: &Numbered,
        number: &Number,
        voice: &Voice,
        language: &Language,
    ) {
        let about = numbered.about(number, language);
        self.numbers = self.numbers.wrapping_add(1);
        self.shares.resize(index.asked.len(), Share::default());
        let mut met = std::mem::take(&mut self.met);
        met.clear();
        for one in &about {
            for (no, named) in index.by_key.get(&one.key).into_iter().flatten() {
                let share = &mut self.shares[*no];
                if share.number != self.numbers {
                    *share = Share { number: self.numbers, ..Share::default() };
                    met.push(*no);
                }
                share.count += 1;
                share.named |= one.name || *named;
            }
        }
        self.meet_figures(index, text, offset, numbered, number, &about, &met, voice, language);
        self.met = met;
    }

    #[expect(clippy::too_many_arguments, reason = "what stands where, of one number")]
    fn meet_figures(
        &mut self,
        index: &Index,
        text: &str,
        offset: usize,
        numbered: &Numbered,
        number: &Number,
        about: &[About],
        met: &[usize],
        voice: &Voice,
        language: &Language,
    ) {
        if met.is_empty() {
            return;
        }
        let value = index.by_value.get(number.value).copied();
        let amount = number.value.parse().ok();
        let (units, assigned) = (numbered.units(number, language), numbered.assigned(number, language));
        let placed = numbered.place(number, language).is_some();
        let limit = about.iter().any(|one| one.key == LIMIT);
        for no in met {
            let no = *no;
            let Share { count, named, .. } = self.shares[no];
            let shared = count as usize;
            let (until, asked) = &index.asked[no];
            if voice.place.file.0 == 0 && voice.place.offset >= *until {
                continue;
            }
            let is_own = value == Some(index.value_of[no]);
            let same_name = assigned.is_some() && assigned == asked.assigned;
            // With one plain word in common it says nothing of another value, unless it is the same in another unit.
            if !is_own && shared < 2 && !named && !same_name && !is_converted(amount, index.amounts[no]) {
                continue;
            }
            let same_unit = units.iter().any(|unit| asked.units.contains(unit));
            let limit = limit && shared > 1 && asked.about.iter().any(|one| one.key == LIMIT);
            let asked = self.fresh.entry(no).or_insert_with(|| Asked::nothing_of(&asked.value));
            if is_own {
                asked.shared = asked.shared.max(shared);
                asked.named |= named || same_name;
                asked.counted |= same_unit;
                asked.limited |= limit;
                asked.given |= same_name;
                continue;
            }
            let at = offset + number.range.start..offset + number.range.end;
            let cite = || voice.cite(text, &at);
            let other = |(source, at)| Other {
                value: number.value.to_owned(),
                shared,
                named,
                same_unit,
                assigned: same_name,
                limit,
                placed,
                source,
                at,
                near: false,
            };
            asked.put(number.value, (same_name, shared, same_unit), || other(cite()));
        }
    }
}

/// Whether one amount is the other in another unit of time or size.
fn is_converted(one: Option<f64>, other: Option<f64>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let near = |by: f64| (other * by - one).abs() <= 1e-6 * one.abs();
    [1000.0, 60.0, 0.001, 1.0 / 60.0, 1024.0].into_iter().any(near)
}

impl Asked {
    /// A figure of this value of which nothing was heard.
    fn nothing_of(value: &str) -> Self {
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

    /// Keeps another value; the same value again only where it stands with more of the label.
    fn put(&mut self, value: &str, (assigned, shared, same_unit): (bool, usize, bool), other: impl FnOnce() -> Other) {
        if let Some(at) = self.others.iter().position(|other| other.value == value) {
            let old = &self.others[at];
            if (old.assigned, old.same_unit, old.shared) >= (assigned, same_unit, shared) {
                return;
            }
            self.others.remove(at);
        } else {
            let near = value.len().abs_diff(self.value.len()) < 2
                && (is_swap(value, &self.value) || is_slip(value, &self.value));
            let worst = self.others.get(KEPT - 1).map_or((false, 0), |worst| (worst.assigned, worst.shared));
            // A full shelf changes only for something better, or something near.
            if self.others.len() == KEPT && worst >= (assigned, shared) && !near {
                return;
            }
        }
        let mut other = other();
        other.near = other.is_near(&self.value);
        let rank = other.rank();
        let at = self.others.partition_point(|known| known.rank() >= rank);
        self.others.insert(at, other);
        self.others.truncate(KEPT);
    }
}
