//! One part at a time: units (lines and sentences), the features in each, and the best unit of the part for each group.

use std::ops::Range;
use std::sync::Arc;

use crate::record::Field;
use crate::session::Speaker;

use super::candidate::{Candidate, Origin, Shelf};
use super::features::{Feature, Features, Group, Kind, Tally};
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
/// So far around a quote its surroundings go.
const AROUND: usize = 400;
/// So far from a word a number is still its number.
const NEAR: usize = 32;

/// Where a feature stands in a unit.
#[derive(Clone, Copy, Debug)]
struct Hit {
    feature: u32,
    start: usize,
    end: usize,
}

/// What is known of a group while texts pass; small, since it is touched often.
#[derive(Clone, Copy, Default)]
struct Lane {
    /// The last unit that touched it, how many of its features that holds, and what they are worth.
    unit: u32,
    count: u32,
    score: f32,
    /// How many of its words make a unit worth a closer look.
    needs: u32,
    /// The last part with a unit worth keeping, and the score of its best.
    part: u32,
    best: f32,
    /// What the shelf asks for, of a person's words and of others'.
    bars: [f32; 2],
}

/// The best unit of the part for one group.
#[derive(Default)]
struct Best {
    unit: (usize, usize),
    hits: Vec<Hit>,
}

/// Reads texts.
pub struct Scanner {
    index: Index,
    units: u32,
    parts: u32,
    hits: Vec<Hit>,
    /// By group.
    lanes: Vec<Lane>,
    best: Vec<Best>,
    /// The groups that this unit touched, and those whose best unit this part changed.
    touched: Vec<u32>,
    in_part: Vec<u32>,
}

impl Scanner {
    /// A scanner for these features.
    pub fn new(features: &Features, groups: &[Group]) -> Self {
        Self {
            index: Index::new(features),
            units: 0,
            parts: 0,
            hits: Vec::new(),
            lanes: groups.iter().map(|group| Lane { needs: needs(group, features), ..Lane::default() }).collect(),
            best: groups.iter().map(|_| Best::default()).collect(),
            touched: Vec::new(),
            in_part: Vec::new(),
        }
    }

    /// How many units were read.
    pub fn units(&self) -> u32 {
        self.units
    }

    /// Reads a part's text; [`Self::harvest`] takes what it held.
    pub fn scan(&mut self, text: &str, speaker: Speaker, features: &mut Features, groups: &[Group]) {
        // A session of four thousand million units is beyond every limit; wrapping would only cost a candidate.
        self.parts = self.parts.wrapping_add(1);
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
                    self.unit(bytes, from..at, speaker, features, groups);
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
                self.unit(bytes, from..at, speaker, features, groups);
                from = at;
            }
        }
        self.unit(bytes, from..at, speaker, features, groups);
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

    fn unit(&mut self, bytes: &[u8], unit: Range<usize>, speaker: Speaker, features: &mut Features, groups: &[Group]) {
        if unit.is_empty() {
            return;
        }
        self.units = self.units.wrapping_add(1);
        if self.hits.is_empty() {
            return;
        }
        self.touched.clear();
        self.hits.retain(|hit| {
            features.all[hit.feature as usize].kind != Kind::Label || number_near(bytes, &unit, hit.start, hit.end)
        });
        for hit in &self.hits {
            if !features.count(hit.feature, self.units, self.parts) {
                continue;
            }
            let weight = features.tally[hit.feature as usize].weight;
            let feature = &features.all[hit.feature as usize];
            let step = if feature.kind.is_strong() { ENOUGH } else { 1 };
            for group in &feature.drives {
                let lane = &mut self.lanes[*group as usize];
                if lane.unit != self.units {
                    (lane.unit, lane.count, lane.score) = (self.units, 0, 0.0);
                    self.touched.push(*group);
                }
                lane.count += step;
                lane.score += weight;
            }
        }
        for at in 0..self.touched.len() {
            let group = self.touched[at];
            let lane = &self.lanes[group as usize];
            let first = lane.part != self.parts;
            if lane.count < lane.needs || lane.score < lane.bars[row(speaker)] {
                continue;
            }
            let wanted = &groups[group as usize];
            let score = if wanted.field.is_claim() && !wanted.capped {
                lane.score
            } else {
                let in_unit = |id: &&u32| features.tally[**id as usize].unit == self.units;
                wanted.features.iter().filter(in_unit).map(|id| features.tally[*id as usize].weight).sum()
            };
            if first || score > lane.best {
                self.note(group, score, &unit, &wanted.features);
            }
        }
        self.hits.clear();
    }

    fn note(&mut self, group: u32, score: f32, unit: &Range<usize>, wanted: &[u32]) {
        let lane = &mut self.lanes[group as usize];
        if lane.part != self.parts {
            self.in_part.push(group);
        }
        (lane.part, lane.best) = (self.parts, score);
        let best = &mut self.best[group as usize];
        best.unit = (unit.start, unit.end);
        best.hits.clear();
        for hit in &self.hits {
            if wanted.binary_search(&hit.feature).is_ok() && !best.hits.iter().any(|other| other.feature == hit.feature)
            {
                best.hits.push(*hit);
            }
        }
    }

    /// Puts the best unit of the part just read on the shelf of each group that it fits.
    pub fn harvest(
        &mut self,
        text: &str,
        features: &Features,
        groups: &[Group],
        open: &[bool],
        origin: &Arc<Origin>,
        shelves: &mut [Shelf],
    ) {
        // Many groups cite the same unit.
        let mut last: Option<(Range<usize>, [Arc<str>; 2])> = None;
        let share = PART_SHARE / (1.0 + text.len() as f32 / 4096.0);
        for at in &self.in_part {
            let best = &self.best[*at as usize];
            let lane = &mut self.lanes[*at as usize];
            let group = &groups[*at as usize];
            if !open[group.reach as usize] {
                continue;
            }
            let shelf = &mut shelves[*at as usize];
            let fits = origin.fits(group);
            // The most that the rest of the part may add: most parts end here.
            if !shelf.admits(origin.speaker, (lane.best + share * (group.most - lane.best).max(0.0)) * fits) {
                continue;
            }
            let tally = |id: &u32| &features.tally[*id as usize];
            let in_part = |tally: &&Tally| tally.part == self.parts;
            let whole: f32 = group.features.iter().map(tally).filter(in_part).map(|tally| tally.weight).sum();
            let bonus = share * (whole - lane.best).max(0.0);
            let score = (lane.best + bonus) * fits;
            if !shelf.admits(origin.speaker, score) {
                continue;
            }
            let range = quote_range(text, best, features);
            let from = text.floor_char_boundary(range.start.saturating_sub(AROUND));
            let [quote, around] = match &last {
                Some((same, texts)) if *same == range => texts.clone(),
                Some(_) | None => {
                    let to = text.ceil_char_boundary((range.end + AROUND).min(text.len()));
                    [Arc::from(&text[range.clone()]), Arc::from(&text[from..to])]
                }
            };
            last = Some((range.clone(), [Arc::clone(&quote), Arc::clone(&around)]));
            shelf.put(Candidate {
                score,
                bonus,
                whole,
                short: text.len() <= SHORT,
                features: best.hits.iter().map(|hit| hit.feature).collect(),
                range: (range.start, range.end),
                quote,
                around,
                at: range.start - from,
                origin: Arc::clone(origin),
            });
            lane.bars[row(origin.speaker)] = shelf.bar(origin.speaker);
        }
    }
}

/// A person's words are kept apart from others'.
fn row(speaker: Speaker) -> usize {
    usize::from(speaker == Speaker::User)
}

/// One word of few is enough; of many, some must stand together. A bare number needs its label.
fn needs(group: &Group, features: &Features) -> u32 {
    let words = group.features.iter().filter(|id| features.all[**id as usize].kind == Kind::Word).count();
    match group.field {
        Field::Figures => 2,
        Field::Entities => 1,
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => {
            1 + u32::from(words >= 4) + u32::from(words >= 8)
        }
    }
}

/// The exact words where there are any, else the unit, trimmed and cut around its first telling hit.
fn quote_range(text: &str, best: &Best, features: &Features) -> Range<usize> {
    let kind = |hit: &Hit| features.all[hit.feature as usize].kind;
    if let Some(hit) = best.hits.iter().find(|hit| kind(hit) == Kind::Exact) {
        return sentence(text, hit.start..hit.end);
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

/// The whole of what these words stand in: a quotation without its hedge would say something else.
fn sentence(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let ends = |at: usize| {
        bytes[at] == b'\n'
            || matches!(bytes[at], b'.' | b'!' | b'?') && bytes.get(at + 1).is_none_or(|next| *next == b' ')
    };
    let least = range.start.saturating_sub(UNIT);
    let start = (least..range.start).rev().find(|at| ends(*at)).map_or(least, |at| at + 1);
    let most = (range.end + UNIT).min(text.len());
    let last = range.end.saturating_sub(1);
    let end = (last..most).find(|at| ends(*at)).map_or(most, |at| if bytes[at] == b'\n' { at } else { at + 1 });
    let (start, end) = (text.ceil_char_boundary(start).min(range.start), text.floor_char_boundary(end).max(range.end));
    let kept = &text[start..end];
    let lead = kept.len() - kept.trim_start().len();
    start + lead..start + lead + kept.trim().len()
}

/// Whether a number stands near these words.
fn number_near(bytes: &[u8], unit: &Range<usize>, start: usize, end: usize) -> bool {
    let from = start.saturating_sub(NEAR).max(unit.start);
    let to = (end + NEAR).min(unit.end);
    let digit = |at: usize| bytes[at].is_ascii_digit() && (at == 0 || !is_word(bytes[at - 1]));
    (from..start).chain(end..to).any(digit)
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
        // `main.rs` is not in `main.rs.bak`, nor `SO-12` in `SO-12-1`.
        Kind::Name | Kind::Base => {
            wanted.contains(&b'.') && after == Some(b'.') && next_is(Some(to + 1), is_word)
                || last.is_ascii_digit() && after == Some(b'-') && next_is(Some(to + 1), digit)
        }
        Kind::Exact | Kind::Quote | Kind::Piece | Kind::Word | Kind::Label | Kind::Beside => false,
    };
    (!other).then_some((from, to))
}
