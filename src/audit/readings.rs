//! Numbers in the originals that stand with the same label as a figure of a record: whether its own value does, and
//! which others do. Markers that say the same figure of the same thing listen together.

mod index;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use crate::extract::Language;
use crate::extract::runs::Filter;
use crate::session::Speaker;

use super::asked::{Asked, Cited, Heard, With};
use super::lately::Lately;
use super::numbers::{Number, Numbered, may_hold_one};
use super::tokens::is_slip;
use super::vocabulary::{Vocabulary, hash_of};
use super::voice::Voice;
use index::{Index, OTHER_UNITS, WAITING};

/// What is no longer may answer, and names nothing.
const BRIEF: usize = 80;

/// What was heard of figures, by their numbers.
pub(super) type Told = BTreeMap<usize, Heard>;

/// Of most figures nothing is heard.
static NOTHING: Heard =
    Heard { shared: 0, named: false, counted: false, limited: false, given: false, last: None, others: Vec::new() };

/// A figure of a record, and what was heard of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    pub asked: &'a Asked,
    pub heard: &'a Heard,
}

/// Figures by what stands around them, and what was heard of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Readings {
    index: Arc<Index>,
    told: BTreeMap<usize, Arc<Heard>>,
    /// What had been heard of a figure at the place of a marker.
    until: HashMap<(u64, usize), Arc<Heard>>,
    /// So many places of markers are passed.
    passed: usize,
    /// What this stretch said, not added yet.
    fresh: Vec<(usize, Heard)>,
    /// By figure.
    slots: Vec<Slot>,
    lately: Lately,
    /// The values, as they may stand in a text.
    values: Option<Filter>,
    vocabulary: Vocabulary,
    /// By figure: what the number at hand shares with it; the figures that it may say something of.
    shares: Vec<Share>,
    met: Vec<u32>,
    related: Vec<u32>,
    labels: Vec<(u32, bool)>,
    numbers: u32,
    /// The figures from this number on are listened for no more.
    listening: u32,
}

/// A figure in the stretch at hand.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Where it is among what the stretch said, from 1.
    fresh: u32,
    /// [`Heard::bar`] there.
    bar: Option<(bool, usize)>,
}

/// What a number shares with a figure.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// The number that this is of.
    number: u32,
    count: u32,
    named: bool,
    /// Whether the number may say something of the figure.
    met: bool,
}

impl Readings {
    pub(super) fn ask(&mut self, place: (u64, usize), asked: Option<Asked>) {
        let Some(asked) = asked else { return };
        Arc::make_mut(&mut self.index).ask(place, asked);
        self.values = None;
    }

    pub(super) fn of(&self, place: (u64, usize)) -> Option<Reading<'_>> {
        let no = self.index.places.get(&place)?;
        let told = self.until.get(&(place.0, *no)).or_else(|| self.told.get(no));
        Some(Reading { asked: &self.index.asked[*no], heard: told.map_or(&NOTHING, |told| told) })
    }

    /// Gets ready to hear.
    pub(super) fn close(&mut self) {
        Arc::make_mut(&mut self.index).close();
        self.values = Some(Filter::of(self.index.runs.iter().copied().collect::<Vec<_>>().into_iter()));
        self.vocabulary = Vocabulary::of(self.index.labels.clone());
    }

    #[inline]
    pub(super) fn is_value(&self, key: u64) -> bool {
        self.values.as_ref().is_some_and(|values| values.may_hold(key)) && self.index.runs.contains(&key)
    }

    /// What was heard in the stretch that ends here.
    pub(super) fn take(&mut self) -> Told {
        self.lately.begin_stretch();
        self.fresh.iter().for_each(|(no, _)| self.slots[*no] = Slot::default());
        self.fresh.drain(..).collect()
    }

    /// What was heard in a later stretch, which begins at this place and goes on beyond that of no marker.
    pub(super) fn add(&mut self, later: Told, from: u64) {
        let index = Arc::clone(&self.index);
        for (place, numbers) in index.ends.iter().skip(self.passed).take_while(|(place, _)| **place <= from) {
            self.passed += 1;
            for no in numbers {
                let told = self.told.entry(*no).or_default();
                self.until.insert((*place, *no), Arc::clone(told));
            }
        }
        for (no, later) in later {
            Arc::make_mut(self.told.entry(no).or_default()).add(&index.asked[no].value, later);
        }
    }

    /// The lines of a stretch of a text.
    pub(super) fn hear(&mut self, text: &str, stretch: Range<usize>, voice: &Voice) {
        if self.index.asked.is_empty() {
            return;
        }
        let language = Language::english();
        let index = Arc::clone(&self.index);
        self.slots.resize(index.asked.len(), Slot::default());
        self.shares.resize(index.asked.len(), Share::default());
        self.listening = if voice.place.file.0 == 0 { index.listening(voice.place.offset) } else { u32::MAX };
        if self.listening == 0 {
            return;
        }
        let mut vocabulary = std::mem::take(&mut self.vocabulary);
        let mut start = stretch.start;
        for line in text[stretch].split('\n') {
            let offset = start;
            start += line.len() + 1;
            if !may_hold_one(line) {
                continue;
            }
            let Some(met) = self.lately.meet(line) else { continue };
            vocabulary.begin_line();
            let numbered = Numbered::of(line, language, &mut vocabulary);
            let (telling, brief) = (numbered.is_telling(&vocabulary), line.len() <= BRIEF);
            if !telling && !brief {
                self.lately.is_idle(met);
                continue;
            }
            let mut says = false;
            for number in numbered.numbers() {
                says |= brief && self.answer(&index, &numbered, &number, voice);
                if telling && self.meet(&index, &numbered, &number, &vocabulary) {
                    let line = Line { text, offset, numbered: &numbered, number: &number, voice };
                    says |= self.tell(&index, &line, language);
                }
            }
            // Later fewer figures are listened for, and never others.
            if !says {
                self.lately.is_idle(met);
            }
        }
        self.vocabulary = vocabulary;
    }

    /// `Make it 60.`, `17 minutes now`: what is said briefly gives a figure its value, though it does not name it. Whether
    /// it may be any figure's, whoever says it.
    fn answer(&mut self, index: &Index, numbered: &Numbered, number: &Number, voice: &Voice) -> bool {
        let row = index.of_value.get(index.values.of(number.value) as usize).map_or(&[][..], Vec::as_slice);
        if row.is_empty() {
            return false;
        }
        let units = numbered.units(number, Language::english());
        let alone = numbered.numbers().nth(1).is_none();
        let bare = units.is_empty() && voice.speaker == Speaker::User;
        let listening = self.listening;
        for no in row.iter().take_while(|no| **no < listening).take(WAITING).map(|no| *no as usize) {
            let asked = &index.asked[no];
            let same = || alone && units.iter().any(|unit| asked.units.contains(unit));
            if !asked.placed && (bare || same()) {
                heard_of(no, &mut self.slots, &mut self.fresh).last = Some(voice.place);
            }
        }
        true
    }

    /// Which figures a number shares a name with or two words; whether it shares anything with any.
    fn meet(&mut self, index: &Index, numbered: &Numbered, number: &Number, vocabulary: &Vocabulary) -> bool {
        numbered.labels(number, vocabulary, &mut self.labels);
        self.numbers = self.numbers.wrapping_add(1);
        self.met.clear();
        for (label, name) in &self.labels {
            let row = &index.rows[*label as usize];
            for (no, named) in row.iter().take_while(|(no, _)| *no < self.listening) {
                let share = &mut self.shares[*no as usize];
                if share.number != self.numbers {
                    *share = Share { number: self.numbers, ..Share::default() };
                }
                share.count += 1;
                share.named |= name | named;
                if !share.met && (share.count > 1 || share.named) {
                    share.met = true;
                    self.met.push(*no);
                }
            }
        }
        !self.labels.is_empty()
    }

    /// Which other figures a number shares a word with: those of its value, and those assigned to this name.
    fn meet_related(&mut self, index: &Index, value: u32, amount: Option<f64>, name: u32) {
        self.related.clear();
        index.related(value, amount, name, &mut self.related);
        if self.related.len() > self.labels.len() * WAITING {
            // Those that share something are fewer.
            let rows = self.labels.iter().flat_map(|(label, _)| &index.rows[*label as usize]);
            self.related.clear();
            self.related.extend(rows.map(|(no, _)| *no));
        }
        for no in &self.related {
            let share = &mut self.shares[*no as usize];
            if share.number == self.numbers && !share.met {
                share.met = true;
                self.met.push(*no);
            }
        }
    }

    /// What a number says of the figures that it shares something with; whether it says anything of any of them, kept or
    /// not.
    fn tell(&mut self, index: &Index, line: &Line, language: &Language) -> bool {
        let Line { text, offset, numbered, number, voice } = *line;
        let value = index.values.of(number.value);
        let key = hash_of(number.value.as_bytes(), 0);
        let amount = number.value.parse().ok();
        let name = numbered.assigned(number, language).map_or(0, |name| index.names.of(&name));
        self.meet_related(index, value, amount, name);
        let limit = index.limit.is_some_and(|limit| self.labels.iter().any(|(label, _)| *label == limit));
        let (units, placed, cited) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let units_of = || -> Vec<u32> {
            let units = numbered.units(number, language);
            units.iter().map(|unit| index.units.of(unit)).filter(|unit| *unit > 0).collect()
        };
        let cite = || {
            let range = offset + number.range.start..offset + number.range.end;
            let (citation, at) = voice.cite(text, &range);
            Arc::new(Cited { value: number.value.to_owned(), citation, at })
        };
        let mut says = false;
        for no in self.met.iter().map(|no| *no as usize) {
            let Share { count, named, .. } = self.shares[no];
            let shared = count as usize;
            let figure = &index.figures[no];
            let is_own = value == figure.value;
            let same_name = name > 0 && name == figure.name;
            // With one plain word in common it says nothing of another value, unless it is the same in another unit.
            if !is_own && shared < 2 && !named && !same_name && !is_converted(amount, figure.amount) {
                continue;
            }
            says = true;
            let same_unit = units.get_or_init(units_of).iter().any(|unit| figure.units.contains(unit));
            let own = &index.asked[no].value;
            // Most numbers find no room any more.
            let full = self.slots[no].bar >= Some((same_name, shared)) && !same_unit;
            if full && !is_own && !is_slip(number.value, own) {
                continue;
            }
            let heard = heard_of(no, &mut self.slots, &mut self.fresh);
            let limit = limit && shared > 1 && figure.limit;
            if is_own {
                heard.shared = heard.shared.max(shared);
                heard.named |= named || same_name;
                heard.counted |= same_unit;
                heard.limited |= limit;
                heard.given |= same_name;
                // `Line 272` stands in many files.
                if shared > 1 || !index.asked[no].placed {
                    heard.last = Some(voice.place);
                }
                continue;
            }
            let placed = *placed.get_or_init(|| numbered.place(number, language).is_some());
            let with = With { key, shared, named, same_unit, assigned: same_name, limit, placed };
            heard.put(own, number.value, with, || Arc::clone(cited.get_or_init(cite)));
            self.slots[no].bar = heard.bar();
        }
        says
    }
}

/// What the stretch at hand says of a figure.
fn heard_of<'f>(no: usize, slots: &mut [Slot], fresh: &'f mut Vec<(usize, Heard)>) -> &'f mut Heard {
    if slots[no].fresh == 0 {
        fresh.push((no, Heard::default()));
        slots[no].fresh = fresh.len() as u32;
    }
    &mut fresh[slots[no].fresh as usize - 1].1
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
    OTHER_UNITS.into_iter().any(near)
}
