//! Numbers in the originals that stand with the same label as a figure of a record: whether its own value does, and
//! which others do. Markers that say the same figure of the same thing listen together.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::extract::Language;
use crate::extract::runs::{Filter, key_of};
use crate::session::SourceRef;

use super::asked::{Asked, Other};
use super::numbers::{About, Number, Numbered};
use super::tokens::LIMIT;
use super::vocabulary::{Labels, Vocabulary, hash_of};
use super::voice::Voice;

/// So many figures may wait at one key.
const WAITING: usize = 64;
/// Lines that were heard lately; a power of two.
const LATELY: usize = 1 << 14;

/// What was heard of figures, by their numbers.
pub(super) type Told = BTreeMap<usize, Asked>;

/// What a figure is asked for by: its value, what stands around it, its units, whether it is placed, its name.
type Same = (String, Vec<About>, Vec<String>, bool, Option<String>);

/// Figures by what stands around them, and what was heard of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings {
    index: Arc<Index>,
    told: BTreeMap<usize, Arc<Asked>>,
    /// What had been heard of a figure at the place of a marker.
    until: HashMap<(u64, usize), Arc<Asked>>,
    /// So many places of markers are passed.
    passed: usize,
    /// What this stretch said, not added yet.
    fresh: Vec<(usize, Asked)>,
    /// By figure: where it is among these, from 1.
    fresh_at: Vec<u32>,
    lately: Vec<u64>,
    /// Changes with every stretch, so that what was heard lately is forgotten.
    stretch: u64,
    /// The values, as they may stand in a text.
    values: Option<Filter>,
    vocabulary: Vocabulary,
    /// By figure: what the number at hand shares with it; the figures of which it shares anything.
    shares: Vec<Share>,
    met: Vec<usize>,
    labels: Vec<(u32, bool)>,
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
    /// By the place of a marker and the number of its item.
    places: HashMap<(u64, usize), usize>,
    /// The places of markers, and the figures that listen until there.
    ends: BTreeMap<u64, Vec<usize>>,
    /// Each figure once, with the last place until which somebody listens.
    asked: Vec<(u64, Asked)>,
    same: HashMap<Same, usize>,
    labels: Labels,
    /// By label: the figures, and whether it is a name for them.
    rows: Vec<Vec<(usize, bool)>>,
    /// The numbers of the values.
    by_value: HashMap<String, u32>,
    value_of: Vec<u32>,
    amounts: Vec<Option<f64>>,
    limits: Vec<bool>,
    values: HashSet<u64>,
}

impl Index {
    fn put(&mut self, asked: Asked) -> usize {
        let Asked { value, about, units, placed, assigned, .. } = &asked;
        let same = (value.clone(), about.clone(), units.clone(), *placed, assigned.clone());
        if let Some(no) = self.same.get(&same) {
            return *no;
        }
        let no = self.asked.len();
        for about in about {
            let next = self.labels.len() as u32;
            let label = *self.labels.entry(about.key.clone()).or_insert(next);
            self.rows.resize_with(self.labels.len(), Vec::new);
            let row = &mut self.rows[label as usize];
            if row.len() < WAITING {
                row.push((no, about.name));
            }
        }
        let next = self.by_value.len() as u32;
        self.value_of.push(*self.by_value.entry(value.clone()).or_insert(next));
        self.amounts.push(value.parse().ok());
        self.limits.push(about.iter().any(|one| one.key == LIMIT));
        self.values.insert(key_of(value));
        // `2,400` is two runs, and `41s` is one.
        if let Some(last) = value.len().checked_sub(3).filter(|at| *at > 0).and_then(|at| value.get(at..)) {
            self.values.insert(key_of(last));
        }
        for unit in units {
            self.values.insert(key_of(&format!("{value}{unit}")));
        }
        self.same.insert(same, no);
        self.asked.push((0, asked));
        no
    }
}

/// A value as it stands, the words that hold it, and where it stands in them.
type Cited = (Arc<str>, Arc<SourceRef>, (usize, usize));

impl Readings {
    pub(super) fn ask(&mut self, place: (u64, usize), asked: Option<Asked>) {
        let Some(asked) = asked else { return };
        let index = Arc::make_mut(&mut self.index);
        let no = index.put(asked);
        let until = &mut index.asked[no].0;
        *until = place.0.max(*until);
        index.places.insert(place, no);
        let row = index.ends.entry(place.0).or_default();
        if !row.contains(&no) {
            row.push(no);
        }
        self.values = None;
    }

    pub(super) fn of(&self, place: (u64, usize)) -> Option<&Asked> {
        let no = self.index.places.get(&place)?;
        let told = self.until.get(&(place.0, *no)).or_else(|| self.told.get(no)).map(|told| &**told);
        told.or_else(|| self.index.asked.get(*no).map(|(_, asked)| asked))
    }

    /// Gets ready to hear.
    pub(super) fn close(&mut self) {
        self.values = Some(Filter::of(self.index.values.iter().copied().collect::<Vec<_>>().into_iter()));
        self.vocabulary = Vocabulary::of(self.index.labels.clone());
    }

    /// The places of the markers: no stretch may go on beyond one.
    pub(super) fn ends(&self) -> impl Iterator<Item = u64> + '_ {
        self.index.ends.keys().copied()
    }

    #[inline]
    pub(super) fn is_value(&self, key: u64) -> bool {
        self.values.as_ref().is_some_and(|values| values.may_hold(key)) && self.index.values.contains(&key)
    }

    /// What was heard in the stretch that ends here.
    pub(super) fn take(&mut self) -> Told {
        self.stretch += 1;
        self.fresh.iter().for_each(|(no, _)| self.fresh_at[*no] = 0);
        self.fresh.drain(..).collect()
    }

    /// What was heard in a later stretch, which begins at this place.
    pub(super) fn add(&mut self, later: Told, from: u64) {
        let index = Arc::clone(&self.index);
        for (place, numbers) in index.ends.iter().skip(self.passed).take_while(|(place, _)| **place <= from) {
            self.passed += 1;
            for no in numbers {
                let told = self.told.entry(*no).or_insert_with(|| Arc::new(index.asked[*no].1.clone()));
                self.until.insert((*place, *no), Arc::clone(told));
            }
        }
        for (no, later) in later {
            let own = self.told.entry(no).or_insert_with(|| Arc::new(index.asked[no].1.clone()));
            Arc::make_mut(own).add(later);
        }
    }

    /// The lines of a stretch of a text.
    pub(super) fn hear(&mut self, text: &str, stretch: Range<usize>, voice: &Voice) {
        if self.index.asked.is_empty() {
            return;
        }
        let language = Language::english();
        let index = Arc::clone(&self.index);
        self.fresh_at.resize(index.asked.len(), 0);
        self.shares.resize(index.asked.len(), Share::default());
        let mut vocabulary = std::mem::take(&mut self.vocabulary);
        let mut start = stretch.start;
        for line in text[stretch].split('\n') {
            let offset = start;
            start += line.len() + 1;
            if line.is_empty() || self.is_known(line) {
                continue;
            }
            vocabulary.begin_line();
            let numbered = Numbered::of(line, language, &mut vocabulary);
            if !numbered.is_telling(&vocabulary) {
                continue;
            }
            for number in numbered.numbers() {
                self.meet(&index, &numbered, &number, &vocabulary);
                if !self.met.is_empty() {
                    let line = Line { text, offset, numbered: &numbered, number: &number, voice };
                    self.tell(&index, &line, language);
                }
            }
        }
        self.vocabulary = vocabulary;
    }

    /// Whether this line was heard lately; it was now.
    fn is_known(&mut self, line: &str) -> bool {
        if self.lately.is_empty() {
            self.lately = vec![0; LATELY];
        }
        let hash = hash_of(line.as_bytes(), self.stretch + 1);
        let slot = &mut self.lately[hash as usize % LATELY];
        std::mem::replace(slot, hash) == hash
    }

    /// Which figures a number shares something with.
    fn meet(&mut self, index: &Index, numbered: &Numbered, number: &Number, vocabulary: &Vocabulary) {
        numbered.labels(number, vocabulary, &mut self.labels);
        self.numbers = self.numbers.wrapping_add(1);
        self.met.clear();
        for (label, name) in &self.labels {
            for (no, named) in &index.rows[*label as usize] {
                let share = &mut self.shares[*no];
                if share.number != self.numbers {
                    *share = Share { number: self.numbers, ..Share::default() };
                    self.met.push(*no);
                }
                share.count += 1;
                share.named |= name | named;
            }
        }
    }

    /// What a number says of the figures that it shares something with.
    fn tell(&mut self, index: &Index, line: &Line, language: &Language) {
        let Line { text, offset, numbered, number, voice } = *line;
        let value = index.by_value.get(number.value).copied();
        let key = hash_of(number.value.as_bytes(), 0);
        let amount = number.value.parse().ok();
        let (units, placed) = (OnceCell::new(), OnceCell::new());
        let cited: OnceCell<Cited> = OnceCell::new();
        let assigned = numbered.assigned(number, language);
        let limit = index.labels.get(LIMIT).is_some_and(|limit| self.labels.iter().any(|(label, _)| label == limit));
        for no in self.met.iter().copied() {
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
            let units: &Vec<String> = units.get_or_init(|| numbered.units(number, language));
            let same_unit = units.iter().any(|unit| asked.units.contains(unit));
            let limit = limit && shared > 1 && index.limits[no];
            let slot = &mut self.fresh_at[no];
            if *slot == 0 {
                self.fresh.push((no, Asked::nothing_of(&asked.value)));
                *slot = self.fresh.len() as u32;
            }
            let asked = &mut self.fresh[*slot as usize - 1].1;
            if is_own {
                asked.shared = asked.shared.max(shared);
                asked.named |= named || same_name;
                asked.counted |= same_unit;
                asked.limited |= limit;
                asked.given |= same_name;
                continue;
            }
            let placed = *placed.get_or_init(|| numbered.place(number, language).is_some());
            let at = offset + number.range.start..offset + number.range.end;
            asked.put((number.value, key), (same_name, shared, same_unit), || {
                let (value, source, at) = cited.get_or_init(|| {
                    let (source, at) = voice.cite(text, &at);
                    (Arc::from(&*number.value), Arc::new(source), at)
                });
                Other {
                    value: Arc::clone(value),
                    key,
                    shared,
                    named,
                    same_unit,
                    assigned: same_name,
                    limit,
                    placed,
                    source: Arc::clone(source),
                    at: *at,
                    near: false,
                }
            });
        }
    }
}

/// A number in its line.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    /// Where the line begins in it.
    offset: usize,
    numbered: &'a Numbered<'a>,
    number: &'a Number<'a>,
    voice: &'a Voice<'a>,
}

/// Whether one amount is the other in another unit of time or size.
fn is_converted(one: Option<f64>, other: Option<f64>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let near = |by: f64| (other * by - one).abs() <= 1e-6 * one.abs();
    [1000.0, 60.0, 0.001, 1.0 / 60.0, 1024.0].into_iter().any(near)
}
