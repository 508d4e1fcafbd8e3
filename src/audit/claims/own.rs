//! The person's own words: a claim that quotes them, or says what they want, is held against all that they typed, not only
//! against what shares its rarest words.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::extract::{Zone, Zones, stem, words};
use crate::record::Passage;
use crate::session::{Place, Speaker};

use super::alignment::Original;
use super::attribution::{Attribution, Who};
use super::quotes::quotations;
use super::reader::Reader;
use super::statement::Statement;

/// All that a person typed, by the words in it. It only grows, so that every marker asks the same one.
#[derive(Clone, Debug, Default)]
pub struct Own {
    passages: Vec<Passage>,
    /// What kind of text stands where in each of them.
    zones: Vec<Zones>,
    /// Which of them hold a word, in order.
    by_word: HashMap<String, Vec<usize>>,
}

/// So many texts that share most are looked at.
const MOST: usize = 4;
/// An answer is no longer.
const BRIEF: usize = 1000;

impl Own {
    /// The next text, in the order of the session.
    pub fn push(&mut self, passage: Passage) {
        let mut keys = keys(&passage.around);
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            self.by_word.entry(key).or_default().push(self.passages.len());
        }
        self.zones.push(Zones::of(&passage.around));
        self.passages.push(passage);
    }

    /// Whether a person says this themselves: what they quote, what stands in a fence or a log, and what a harness put
    /// into their words, they do not say.
    pub fn is_typed(&self, original: &Original) -> bool {
        let (seq, from) = (original.seq(), original.from());
        let at = self.passages.partition_point(|own| own.origin.seq.0 < seq);
        let kept = self.passages.get(at).filter(|own| own.origin.seq.0 == seq);
        let is_own = |zones: &Zones, range: Range<usize>| {
            let touched = zones.iter().filter(|(zone, _)| zone.start < range.end && range.start < zone.end);
            touched.into_iter().all(|(_, zone)| matches!(zone, Zone::Prose | Zone::InlineCode))
        };
        let Range { start, end } = original.range.clone();
        match kept {
            Some(_) => is_own(&self.zones[at], from + start..from + end),
            // Too long to be kept: what stands around tells.
            None => is_own(&Zones::of(&original.passage.around), start..end),
        }
    }

    /// The texts between two places that hold a stem, the last first and no more than a few.
    pub fn later(&self, seq: u64, before: Place, stem: &str) -> impl Iterator<Item = &str> {
        let end = self.passages.partition_point(|own| own.origin.place < before);
        let all = self.by_word.get(stem).map_or(&[][..], Vec::as_slice);
        let held = all[..all.partition_point(|no| *no < end)].iter().rev();
        held.map(|no| &self.passages[*no])
            .take_while(move |own| own.origin.seq.0 > seq)
            .take(MOST)
            .map(|own| &*own.around)
    }

    /// What the person said next.
    pub fn next(&self, seq: u64, before: Place) -> Option<&str> {
        let at = self.passages.partition_point(|own| own.origin.seq.0 <= seq);
        self.passages.get(at).filter(|own| own.origin.place < before).map(|own| &*own.around)
    }

    /// The texts before a place, the last first.
    pub fn before(&self, place: Place) -> impl Iterator<Item = &str> {
        let end = self.passages.partition_point(|passage| passage.origin.place < place);
        self.passages[..end].iter().rev().map(|passage| &*passage.around)
    }

    /// Adds the sentences of the texts before a place that share most with a claim about the person, if they are not
    /// there. Of a claim that quotes the person as a whole, or gives somebody their due (`all`), every word counts.
    pub fn join<'a>(
        &'a self,
        before: Place,
        (claim, said, all): (&Statement, &[Attribution], bool),
        originals: &mut Vec<Original<'a>>,
        reader: &mut Reader,
    ) {
        let end = self.passages.partition_point(|passage| passage.origin.place < before);
        let of_person = all || said.iter().any(|one| one.who == Who::Person);
        let whole = of_person.then_some(0..claim.text.len());
        let mut wanted: Vec<String> =
            quotations(&claim.text).into_iter().chain(whole).flat_map(|range| keys(&claim.text[range])).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut shared: HashMap<usize, f32> = HashMap::new();
        for (word, of) in wanted.iter().filter_map(|word| self.by_word.get_key_value(word)) {
            let of = &of[..of.partition_point(|no| *no < end)];
            let rare = (1.0 + end as f32 / of.len().max(1) as f32).ln();
            let long = if word.len() > 3 { 1.0 } else { 0.5 };
            for no in of {
                *shared.entry(*no).or_default() += rare * long;
            }
        }
        let mut best: Vec<(usize, f32)> = shared.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        add(best.into_iter().take(MOST).map(|(no, _)| &self.passages[no]), originals, reader);
    }

    /// Adds what the person said next, before a place, after each thing that the agent told.
    pub fn answer<'a>(&'a self, before: Place, originals: &mut Vec<Original<'a>>, reader: &mut Reader) {
        let agent = |one: &&Original| one.is_told() && one.speaker() == Speaker::Assistant;
        let mut next: Vec<usize> = originals
            .iter()
            .filter(agent)
            .map(|one| self.passages.partition_point(|own| own.origin.seq.0 < one.seq()))
            // A question may come in between.
            .flat_map(|no| [no, no + 1])
            .collect();
        next.sort_unstable();
        next.dedup();
        let texts = next.into_iter().filter_map(|no| self.passages.get(no));
        add(texts.filter(|own| own.origin.place < before && own.around.len() <= BRIEF), originals, reader);
    }
}

/// Adds the sentences of some texts that are not there yet.
fn add<'a>(texts: impl Iterator<Item = &'a Passage>, originals: &mut Vec<Original<'a>>, reader: &mut Reader) {
    for original in reader.split(texts) {
        let end = |one: &Original| (one.seq(), one.from() + one.range.end);
        if !originals.iter().any(|one| end(one) == end(&original)) {
            originals.push(original);
        }
    }
    originals.sort_by_key(|one| (one.seq(), one.from() + one.range.start));
}

/// The words of a text, and names as they are said: `MapCanvas`, `map-canvas` and `map_canvas.ts` are one.
pub(super) fn keys(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in words(text) {
        let stem = std::str::from_utf8(stem(word.lower.as_bytes())).unwrap_or(&word.lower).to_owned();
        let squeezed = squeeze(&word.lower);
        if squeezed != stem {
            found.push(squeezed);
        }
        found.push(stem);
    }
    found
}

/// A name without its ending and its joints.
pub(super) fn squeeze(word: &str) -> String {
    let bare = match word.rsplit_once('.') {
        Some((start, end)) if end.len() <= 4 && !start.is_empty() => start,
        Some(_) | None => word,
    };
    bare.chars().filter(|c| c.is_alphanumeric()).collect()
}
