//! One part at a time: units (lines and sentences), the features in each, and the best unit of the part for each group.

use std::ops::Range;
use std::sync::Arc;

use crate::session::Speaker;

use super::candidate::{Candidate, Origin, Shelf};
use super::features::{Feature, Features, Group, Kind};
use super::index::{Index, SHORT_HASH, is_word};

/// A unit ends at the latest behind so many bytes, where a word ends.
const UNIT: usize = 600;
/// A quote is never longer, a whole claim apart.
const QUOTE: usize = 900;
/// What a telling feature counts among words: enough alone.
const ENOUGH: u32 = 16;
/// A part up to this length is about one thing.
const SHORT: usize = 3000;
/// What the other units of a part add, at most, as a share of what the whole part holds of an item.
const PART_SHARE: f32 = 0.25;

/// What the scanner needs to know of the groups while it reads.
pub struct UnitSink<'a> {
    pub shelves: &'a [Shelf],
    pub speaker: Speaker,
}

/// Where a feature stands in a unit.
#[derive(Clone, Copy, Debug)]
struct Hit {
    feature: u32,
    start: usize,
    end: usize,
}

/// The best unit of the part for one group.
#[derive(Default)]
struct Best {
    part: u64,
    score: f32,
    unit: (usize, usize),
    hits: Vec<Hit>,
}

/// Reads texts.
pub struct Scanner {
    index: Index,
    units: u64,
    parts: u64,
    hits: Vec<Hit>,
    /// By group: the last unit that touched it, and how many of its words that holds.
    stamps: Vec<(u32, u32)>,
    /// By group: how many of its words make a unit worth a closer look.
    needs: Vec<u32>,
    /// By group: where its features begin in `wanted`; one more at the end.
    starts: Vec<u32>,
    wanted: Vec<u32>,
    touched: Vec<u32>,
    best: Vec<Best>,
    /// The groups that this part touched.
    in_part: Vec<u32>,
}

impl Scanner {
    /// A scanner for these features.
    pub fn new(features: &Features, groups: &[Group]) -> Self {
        let mut starts = vec![0];
        let mut wanted = Vec::new();
        for group in groups {
            wanted.extend(&group.features);
            starts.push(wanted.len() as u32);
        }
        Self {
            index: Index::new(features),
            units: 0,
            parts: 0,
            hits: Vec::new(),
            stamps: vec![(0, 0); groups.len()],
            needs: groups.iter().map(|group| needs(group, features)).collect(),
            starts,
            wanted,
            touched: Vec::new(),
            best: groups.iter().map(|_| Best::default()).collect(),
            in_part: Vec::new(),
        }
    }

    fn wanted(&self, group: u32) -> &[u32] {
        &self.wanted[self.starts[group as usize] as usize..self.starts[group as usize + 1] as usize]
    }

    /// How many units were read.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Reads a part's text; [`Self::harvest`] takes what it held.
    pub fn scan(&mut self, text: &str, features: &mut Features, sink: &mut UnitSink) {
        self.parts += 1;
        self.in_part.clear();
        let bytes = text.as_bytes();
        let mut from = 0;
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if is_word(byte) {
                let start = at;
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                self.token(bytes, start, at, features);
                if at - from > UNIT {
                    self.unit(from..at, features, sink);
                    from = at;
                }
                continue;
            }
            at += 1;
            let ends = match byte {
                b'\n' => true,
                b'.' | b'!' | b'?' => bytes.get(at).is_some_and(|next| *next == b' '),
                _ => at - from > UNIT,
            };
            if ends {
                self.unit(from..at, features, sink);
                from = at;
            }
        }
        self.unit(from..at, features, sink);
    }

    fn token(&mut self, bytes: &[u8], start: usize, end: usize, features: &Features) {
        let token = &bytes[start..end];
        if token.len() == 1 && !token[0].is_ascii_digit() {
            return;
        }
        for anchor in self.index.get(token) {
            let feature = &features.all[anchor.feature as usize];
            let hit = match anchor.offset {
                None => Some((start, end)),
                Some(offset) => stands(bytes, start, offset as usize, feature),
            };
            self.hits.extend(hit.map(|(start, end)| Hit { feature: anchor.feature, start, end }));
        }
        let is_hash = token.len() > SHORT_HASH && token.len() <= 64 && token.iter().all(u8::is_ascii_hexdigit);
        if is_hash {
            for anchor in self.index.get_short(&token[..SHORT_HASH]) {
                let feature = &features.all[anchor.feature as usize];
                if feature.open_end && token.starts_with(feature.bytes.as_bytes()) && token.len() > feature.bytes.len()
                {
                    self.hits.push(Hit { feature: anchor.feature, start, end });
                }
            }
        }
    }

    fn unit(&mut self, unit: Range<usize>, features: &mut Features, sink: &UnitSink) {
        if unit.is_empty() {
            return;
        }
        self.units += 1;
        if self.hits.is_empty() {
            return;
        }
        self.touched.clear();
        for hit in &self.hits {
            if features.count(hit.feature, self.units, self.parts) {
                let feature = &features.all[hit.feature as usize];
                let step = if feature.kind == Kind::Word { 1 } else { ENOUGH };
                for group in &feature.drives {
                    let (stamp, count) = &mut self.stamps[*group as usize];
                    if *stamp != self.units as u32 {
                        (*stamp, *count) = (self.units as u32, 0);
                        self.touched.push(*group);
                    }
                    *count += step;
                }
            }
        }
        for at in 0..self.touched.len() {
            let group = self.touched[at];
            if self.stamps[group as usize].1 < self.needs[group as usize] {
                continue;
            }
            let mut score = 0.0;
            for id in self.wanted(group) {
                let tally = &features.tally[*id as usize];
                if tally.unit == self.units {
                    score += tally.weight;
                }
            }
            let best = &self.best[group as usize];
            let first = best.part != self.parts;
            if (first || score > best.score) && score >= sink.shelves[group as usize].bar(sink.speaker) {
                self.note(group, first, score, &unit);
            }
        }
        self.hits.clear();
    }

    fn note(&mut self, group: u32, first: bool, score: f32, unit: &Range<usize>) {
        if first {
            self.in_part.push(group);
        }
        let mut hits = std::mem::take(&mut self.best[group as usize].hits);
        hits.clear();
        let wanted = self.wanted(group);
        for hit in &self.hits {
            if wanted.binary_search(&hit.feature).is_ok() && !hits.iter().any(|other| other.feature == hit.feature) {
                hits.push(*hit);
            }
        }
        self.best[group as usize] = Best { part: self.parts, score, unit: (unit.start, unit.end), hits };
    }

    /// Puts the best unit of the part just read on the shelf of each group that it fits.
    pub fn harvest(
        &self,
        text: &str,
        features: &Features,
        groups: &[Group],
        origin: &Arc<Origin>,
        shelves: &mut [Shelf],
    ) {
        let share = PART_SHARE / (1.0 + text.len() as f32 / 4096.0);
        for at in &self.in_part {
            let best = &self.best[*at as usize];
            let group = &groups[*at as usize];
            let tally = |id: &u32| &features.tally[*id as usize];
            let whole: f32 = group
                .features
                .iter()
                .map(tally)
                .filter(|tally| tally.part == self.parts)
                .map(|tally| tally.weight)
                .sum();
            let bonus = share * (whole - best.score).max(0.0);
            let score = (best.score + bonus) * origin.fits(group);
            let shelf = &mut shelves[*at as usize];
            if !shelf.admits(origin.speaker, score) {
                continue;
            }
            let range = quote_range(text, best, features);
            shelf.put(Candidate {
                score,
                bonus,
                whole,
                short: text.len() <= SHORT,
                features: best.hits.iter().map(|hit| hit.feature).collect(),
                range: (range.start, range.end),
                quote: text[range].to_owned(),
                origin: Arc::clone(origin),
            });
        }
    }
}

/// One word of few is enough; of many, some must stand together.
fn needs(group: &Group, features: &Features) -> u32 {
    let words = group.features.iter().filter(|id| features.all[**id as usize].kind == Kind::Word).count();
    1 + u32::from(words >= 4) + u32::from(words >= 9)
}

/// The exact words where there are any, else the unit, trimmed and cut around its first telling hit.
fn quote_range(text: &str, best: &Best, features: &Features) -> Range<usize> {
    let kind = |hit: &Hit| features.all[hit.feature as usize].kind;
    if let Some(hit) = best.hits.iter().find(|hit| kind(hit) == Kind::Exact) {
        return hit.start..hit.end;
    }
    let quoted = best.hits.iter().filter(|hit| kind(hit) == Kind::Quote);
    let (mut start, mut end) = best.unit;
    if let Some(longest) = quoted.max_by_key(|hit| hit.end - hit.start) {
        if longest.end > end {
            end = longest.end;
        }
        start = start.min(longest.start);
    }
    if end - start > QUOTE {
        let hit = best.hits.iter().find(|hit| kind(hit).is_strong()).or(best.hits.first());
        let middle = hit.map_or(start, |hit| hit.start);
        let from = middle.saturating_sub(QUOTE / 3).max(start);
        let to = (from + QUOTE).min(end).max(hit.map_or(0, |hit| hit.end.min(from + 2 * QUOTE)));
        (start, end) = (text.ceil_char_boundary(from), text.floor_char_boundary(to));
    }
    let (start, end) = (text.ceil_char_boundary(start), text.floor_char_boundary(end));
    let kept = text.get(start..end).unwrap_or_default();
    let lead = kept.len() - kept.trim_start().len();
    start + lead..start + lead + kept.trim().len()
}

/// Where the feature stands, if the token at `start` is the one at `offset` in its bytes.
fn stands(bytes: &[u8], start: usize, offset: usize, feature: &Feature) -> Option<(usize, usize)> {
    let wanted = feature.bytes.as_bytes();
    let from = start.checked_sub(offset)?;
    let to = from + wanted.len();
    if bytes.get(from..to)? != wanted {
        return None;
    }
    let before = from.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(to).copied();
    let (first, last) = (*wanted.first()?, *wanted.last()?);
    let joined = |edge: u8, beside: Option<u8>| is_word(edge) && beside.is_some_and(is_word);
    if joined(first, before) || joined(last, after) {
        return None;
    }
    let next_is = |at: Option<usize>, is: fn(u8) -> bool| at.and_then(|at| bytes.get(at)).is_some_and(|byte| is(*byte));
    let digit = |byte: u8| byte.is_ascii_digit();
    let other = match feature.kind {
        // `8080` is not in `8080.5` or `1,8080`.
        Kind::Figure | Kind::Small => {
            matches!(before, Some(b'.' | b',')) && next_is(from.checked_sub(2), digit)
                || matches!(after, Some(b'.' | b',')) && next_is(Some(to + 1), digit)
        }
        // `main.rs` is not in `main.rs.bak`.
        Kind::Name | Kind::Base => wanted.contains(&b'.') && after == Some(b'.') && next_is(Some(to + 1), is_word),
        Kind::Exact | Kind::Quote | Kind::Piece | Kind::Word | Kind::Beside => false,
    };
    (!other).then_some((from, to))
}
