//! What stands anywhere before a marker: of what records hold, where it stood first; and while the originals pass, what
//! is nearly it and which numbers stand with the same label.

use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::extract::runs::{ByKey, Filter, key, key_of, runs};
use crate::extract::{Language, figures, identifiers, stem, words};
use crate::record::{Detail, Field, Record};
use crate::session::Place;

use super::asked::Asked;
use super::capitals::initials;
use super::context::labelled;
use super::forms::{amounts, forms};
use super::near::{Near, NearFound, Nearby};
use super::readings::{Reading, Readings, Told};
use super::sought::{Neighbours, Slot, Wanted, begins_alone};
use super::tokens::tokens;
use super::vocabulary::Vocabulary;
use super::voice::Voice;

/// So many texts may wait at one token: a record that makes one token stand in more of them gets no answer for the rest.
const WAITING: usize = 64;

/// Behind so many finds the filter is made anew: what was found is waited for no more.
const FOUND: usize = 1024;
/// So long a token is known by the number of its run alone.
const TOKEN: usize = 48;
/// Behind every place.
const NOWHERE: u64 = u64::MAX;
/// So far around a value that stands deep in what a tool printed its line is heard.
const DEEP: usize = 300;

/// For each name, value and word that some record holds, the place where it stood first. A copy may listen to other
/// stretches of the session on another thread: [`Self::add`] takes what it saw and heard.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    sought: Arc<Sought>,
    /// By number: where it stood first, exactly and loosely, or [`NOWHERE`].
    first: Vec<(u64, u64)>,
    waiting: Waiting,
    /// The runs at which something is waited for, twice: so many that one filter alone lets through too much.
    filters: Option<[Filter; 2]>,
    found: usize,
    /// What was found in this stretch.
    seen: Vec<Seen>,
    said: Said,
    nearby: Nearby,
    readings: Readings,
}

/// The texts, names, words and their stems that were asked already: many markers hold the same.
#[derive(Clone, Debug, Default)]
struct Said {
    texts: HashSet<String>,
    names: HashSet<String>,
    words: HashSet<String>,
    stems: HashSet<String>,
}

/// Something that was found: its number, whether exactly, and the place.
type Seen = (u32, bool, u64);

/// What one stretch was heard to say.
#[derive(Debug, Default)]
pub struct Overheard {
    seen: Vec<Seen>,
    near: NearFound,
    told: Told,
}

/// How many wait at a run already, and its length.
type Rank = (usize, std::cmp::Reverse<usize>);

/// What still waits at which run: what was found waits no more.
#[derive(Clone, Debug, Default)]
struct Waiting {
    slots: Vec<Slot>,
    /// By run: where its slots begin, and how many there are.
    rows: ByKey<(u32, u32)>,
}

impl Waiting {
    fn filters(&self) -> [Filter; 2] {
        let keys = || self.rows.keys().copied();
        [Filter::of(keys()), Filter::of(keys().map(turned))]
    }
}

/// Its halves changed about: another place in a filter.
fn turned(key: u64) -> u64 {
    key.rotate_left(32)
}

/// What is looked for.
#[derive(Clone, Debug, Default)]
struct Sought {
    /// Single tokens in lower case, by their runs: most texts are such, and their runs say all of them.
    plain: ByKey<u32>,
    wanted: HashMap<Arc<str>, u32>,
    /// By number; `None` for a single token.
    all: Vec<Option<Box<Wanted>>>,
    /// By one of its tokens.
    by_run: ByKey<Vec<u32>>,
}

impl Sought {
    fn number(&self, text: &str) -> Option<usize> {
        let no = match plain(text) {
            Some(key) => self.plain.get(&key),
            None => self.wanted.get(text),
        };
        no.map(|no| *no as usize)
    }

    fn slot(&self, no: u32) -> Slot {
        self.all[no as usize].as_ref().map_or_else(|| Slot::of_token(no), |wanted| wanted.slot(no))
    }
}

impl Presence {
    /// Listens for everything that these records hold: identifiers with their forms, values of figures with their
    /// labels, and words in lower case. With each record stands where its marker is.
    pub fn asking<'a>(records: impl IntoIterator<Item = (&'a Record, u64)>) -> Self {
        let language = Language::english();
        let mut presence = Self::default();
        let mut vocabulary = Vocabulary::default();
        for (record, place) in records {
            presence.ask_all(&record.summary, language);
            for (no, item) in record.checked().iter().enumerate() {
                presence.ask(&item.text);
                presence.ask_all(&item.text, language);
                if item.field == Field::Entities {
                    presence.ask_name(&item.text);
                    for form in labelled(record, item) {
                        presence.ask(&form);
                    }
                }
                if let Detail::Figure { value, unit, .. } = &item.detail {
                    presence.ask(value);
                    let digits = value.replace(',', "");
                    presence.ask(&digits);
                    for text in amounts(value, unit, language) {
                        presence.ask(&text);
                    }
                    value.split(['-', '–', '/']).for_each(|part| presence.ask(part.trim()));
                    presence.readings.ask((place, no), Asked::of(record, item, language, &mut vocabulary));
                }
            }
        }
        presence.readings.close();
        presence.nearby.close();
        presence.first = vec![(NOWHERE, NOWHERE); presence.sought.all.len()];
        presence.said = Said::default();
        let by_run = std::mem::take(&mut Arc::make_mut(&mut presence.sought).by_run);
        let Waiting { slots, rows } = &mut presence.waiting;
        for (key, row) in by_run {
            rows.insert(key, (slots.len() as u32, row.len() as u32));
            slots.extend(row.into_iter().map(|no| presence.sought.slot(no)));
        }
        presence.filters = Some(presence.waiting.filters());
        presence
    }

    fn ask_all(&mut self, text: &str, language: &Language) {
        if !self.said.texts.insert(text.to_owned()) {
            return;
        }
        let named = identifiers(text, language);
        let taken: Vec<_> = named.iter().map(|one| one.range.clone()).collect();
        for one in named {
            self.ask_name(&text[one.range]);
        }
        for one in figures(text, &taken, language) {
            self.ask(&one.value);
        }
        let heard = words(text);
        for no in 0..heard.len() {
            self.ask(&initials(text, &heard, no));
        }
        for word in heard {
            if self.said.words.contains(&*word.lower) {
                continue;
            }
            self.ask(&word.lower);
            for ending in ["'s", "s"] {
                word.lower.strip_suffix(ending).into_iter().for_each(|bare| self.ask(bare));
            }
            // In another form it is the same word.
            let stem = std::str::from_utf8(stem(word.lower.as_bytes())).unwrap_or(&word.lower);
            if self.said.stems.insert(stem.to_owned()) {
                for form in super::claims::forms(&word.lower) {
                    self.ask(&form);
                }
            }
            super::claims::names(&word.lower).for_each(|name| self.ask(name));
            self.said.words.insert(word.lower.into_owned());
        }
    }

    fn ask_name(&mut self, name: &str) {
        if !self.said.names.insert(name.to_owned()) {
            return;
        }
        for form in forms(name) {
            self.ask(&form);
        }
        for token in tokens(name) {
            self.ask(&name[token.clone()]);
            self.nearby.ask(&name[token]);
        }
        for word in std::iter::once(name).chain(name.split_whitespace()) {
            self.ask(word);
            self.nearby.ask_compound(word);
        }
    }

    fn ask(&mut self, text: &str) {
        if self.sought.number(text).is_some() {
            return;
        }
        let sought = Arc::make_mut(&mut self.sought);
        let mut best: Option<(Rank, Range<usize>, u64)> = None;
        runs(text, |run, key| {
            let waiting = sought.by_run.get(&key).map_or(0, Vec::len);
            // At the token that fewest wait at; of those the longest.
            let rank = (waiting, std::cmp::Reverse(run.len()));
            if waiting < WAITING && best.as_ref().is_none_or(|(other, ..)| rank < *other) {
                best = Some((rank, run, key));
            }
        });
        let Some((_, at, key)) = best else { return };
        let no = sought.all.len() as u32;
        sought.by_run.entry(key).or_default().push(no);
        if let Some(key) = plain(text) {
            sought.plain.insert(key, no);
            return sought.all.push(None);
        }
        let bytes: Arc<str> = Arc::from(text);
        sought.wanted.insert(Arc::clone(&bytes), no);
        sought.all.push(Some(Box::new(Wanted::at(bytes, &at))));
    }

    /// A text of the session, in file order, whoever says it; `at` is where its line starts.
    pub fn see(&mut self, text: &str, at: u64) {
        runs(text, |run, key| {
            // A line end that is written out, in a text inside a text.
            let bytes = text.as_bytes();
            let written = run.start > 0 && bytes[run.start - 1] == b'\\';
            if written && matches!(bytes[run.start], b'n' | b't' | b'r' | b'N' | b'T' | b'R') {
                let inner = run.start + 1..run.end;
                self.meet(text, inner.clone(), key_of(&text[inner]), at);
            }
            self.meet(text, run, key, at);
        });
    }

    #[inline]
    fn meet(&mut self, text: &str, run: Range<usize>, key: u64, at: u64) {
        if self.filters.as_ref().is_some_and(|[one, other]| one.may_hold(key) && other.may_hold(turned(key))) {
            self.look(text, &run, key, at);
        }
    }

    fn look(&mut self, text: &str, run: &Range<usize>, key: u64, place: u64) {
        let Waiting { slots, rows } = &mut self.waiting;
        let Some((start, len)) = rows.get_mut(&key).filter(|(_, len)| *len > 0) else { return };
        let neighbours = Neighbours::of(text.as_bytes(), run);
        let mut at = *start;
        while at < *start + *len {
            let slot = slots[at as usize];
            let (may_stand, may_stand_loosely) = (slot.fits(&neighbours), slot.fits_loosely(&neighbours));
            if may_stand || may_stand_loosely {
                let no = slot.no as usize;
                let (wanted, (exact, loose)) = (&self.sought.all[no], &mut self.first[no]);
                let stands = || match wanted {
                    Some(wanted) => wanted.stands(text, run.start),
                    None => begins_alone(text, run.start),
                };
                if may_stand && stands() {
                    *exact = place;
                    self.seen.push((slot.no, true, place));
                    self.found += 1;
                    *len -= 1;
                    slots[at as usize] = slots[(*start + *len) as usize];
                    continue;
                }
                if may_stand_loosely
                    && *loose == NOWHERE
                    && wanted.as_ref().is_none_or(|wanted| wanted.stands_loosely(text, run))
                {
                    *loose = place;
                    self.seen.push((slot.no, false, place));
                }
            }
            at += 1;
        }
        if self.found >= FOUND {
            self.found = 0;
            self.waiting.rows.retain(|_, (_, len)| *len > 0);
            self.filters = Some(self.waiting.filters());
        }
    }

    /// Whether a run may be the value of a figure: where such stand deep in what a tool printed, they are heard.
    #[inline]
    pub fn is_value(&self, key: u64) -> bool {
        self.readings.is_value(key)
    }

    /// What somebody says, for names and numbers that are nearly those of the records: its first `all` bytes, and behind
    /// them the surroundings of these values.
    pub fn hear(&mut self, text: &str, all: usize, values: &[usize], voice: &Voice) {
        let all = text.floor_char_boundary(all);
        self.nearby.hear(&text[..all], voice);
        self.readings.hear(text, 0..all, voice);
        let mut heard = all;
        for value in values {
            if *value < heard {
                continue;
            }
            let line = text[heard..*value].rfind('\n').map_or(heard, |end| heard + end + 1);
            let from = text.ceil_char_boundary(line.max(value.saturating_sub(DEEP))).min(*value);
            let most = text.floor_char_boundary((value + DEEP).min(text.len()));
            heard = text[*value..most].find('\n').map_or(most, |len| value + len);
            self.readings.hear(text, from..heard, voice);
        }
    }

    /// What was seen and heard since the last call; the next stretch is heard as if it were the first.
    pub fn overheard(&mut self) -> Overheard {
        Overheard { seen: std::mem::take(&mut self.seen), near: self.nearby.take(), told: self.readings.take() }
    }

    /// What a copy saw and heard in a stretch that begins at this place; in file order, and none goes on beyond the place
    /// of a marker.
    pub fn add(&mut self, overheard: Overheard, from: u64) {
        for (no, exactly, place) in overheard.seen {
            let (exact, loose) = &mut self.first[no as usize];
            let first = if exactly { exact } else { loose };
            *first = place.min(*first);
        }
        self.nearby.add(overheard.near);
        self.readings.add(overheard.told, from);
    }

    /// Whether this stood anywhere before a place; `None` when it was not asked for.
    pub fn is_before(&self, text: &str, place: u64) -> Option<bool> {
        let (exact, _) = self.first[self.sought.number(text)?];
        Some(exact < place)
    }

    /// The same, whatever the letter case and the marks between its tokens.
    pub fn is_loosely_before(&self, text: &str, place: u64) -> Option<bool> {
        let (exact, loose) = self.first[self.sought.number(text)?];
        Some(exact.min(loose) < place)
    }

    /// What stood before a place and is a slip away from a token, or a name with one token changed.
    pub(super) fn near(&self, name: &str, place: u64) -> Vec<&Near> {
        let is_before = |at: Place| at.offset < place || at.file.0 > 0;
        self.nearby.of(name).filter(|near| is_before(near.citation.place())).collect()
    }

    /// What was heard of the label of a figure: of the item with this number in the record of the marker at this place.
    pub(super) fn reading(&self, place: u64, item: usize) -> Option<Reading<'_>> {
        self.readings.of((place, item))
    }
}

/// The run of a text that is a single token in lower case and no longer than a run is compared.
fn plain(text: &str) -> Option<u64> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=TOKEN).contains(&text.len()).then_some(())?;
    text.bytes().all(is_plain).then(|| key(text.as_bytes(), 0..text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_only_as_words_of_their_own_and_before_the_place() {
        let record = Record { summary: "Reads `src/main.rs`, port 8080 and Foo.".to_owned(), ..Record::default() };
        let mut presence = Presence::asking([(&record, 99)]);
        presence.see("in src/main.rs.bak and 18080, foo", 10);
        presence.see("see src/main.rs: 8080", 20);
        for (text, place, want) in [
            ("src/main.rs", 15, Some(true)),
            ("8080", 15, Some(false)),
            ("8080", 25, Some(true)),
            ("foo", 15, Some(true)),
            ("reads", 99, Some(false)),
            ("never", 99, None),
        ] {
            assert_eq!(presence.is_before(text, place), want, "{text} {place}");
        }
    }

    #[test]
    fn other_marks_and_another_case_count_loosely() {
        let record = Record { summary: "Calls `Order-Book.total` in `a_b/c.rs`.".to_owned(), ..Record::default() };
        for (text, exact, loose) in [
            ("Order-Book.total", true, true),
            ("order book: total", false, true),
            ("order then book.total", false, false),
            ("reorder book.total", false, false),
            ("order book.totals", false, false),
        ] {
            let mut presence = Presence::asking([(&record, 99)]);
            presence.see(text, 1);
            assert_eq!(presence.is_before("Order-Book.total", 9), Some(exact), "{text}");
            assert_eq!(presence.is_loosely_before("Order-Book.total", 9), Some(loose), "{text}");
        }
    }
}
