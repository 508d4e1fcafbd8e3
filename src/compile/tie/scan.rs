//! One part at a time: units (lines and sentences), the features in each, and the best unit of the part for each group.
//!
//! What a scanner finds in one chunk of the session depends on that chunk and on what it was shown of earlier ones, and
//! on nothing else: chunks may be scanned in any order, by any number of threads, and give the same.

use std::ops::Range;
use std::sync::Arc;

use crate::extract::runs::{is_run, key, pieces, run};
use crate::session::PartKind;

use super::Original;
use super::candidate::Candidate;
use super::excerpt::Pass;
use super::features::{Drive, Feature, Kind};
use super::index::{Lately, Run, SHORT_HASH, sides};
use super::plan::{Plan, View};
use super::quote::{number_near, stands};
use super::shelf::{Shelf, row};
use super::tally::{Bars, Best, Hit, Lane, Mark};

/// A unit ends at the latest behind so many bytes, where a word ends.
pub const UNIT: usize = 600;
/// What a telling feature counts among words: enough alone.
const ENOUGH: u32 = 16;
/// Of what tools print and are given, so much is looked at for every feature; in the rest only telling ones count.
const HEAD: usize = 4096;
/// What the other units of a part add, at most, as a share of what the whole part holds of an item.
const PART_SHARE: f32 = 0.25;
/// So many places of one telling feature are noted in one chunk.
const PLACES: u8 = 8;

/// What one chunk held.
pub struct Scanned {
    pub(super) units: u32,
    pub(super) seen: Vec<(u32, u32)>,
    pub(super) shelves: Vec<(u32, Shelf)>,
    pub(super) spots: Vec<(u32, Candidate)>,
}

/// Reads texts; one for each thread.
pub struct Scanner {
    plan: Arc<Plan>,
    lately: Lately,
    view: Arc<View>,
    chunk: u32,
    units: u32,
    units_before: u32,
    parts: u32,
    hits: Vec<Hit>,
    /// By feature, and those that this chunk held.
    marks: Vec<Mark>,
    counted: Vec<u32>,
    /// By group.
    lanes: Vec<Lane>,
    bars: Vec<Bars>,
    best: Vec<Best>,
    shelves: Vec<Shelf>,
    /// The groups that this unit touched, whose best unit this part changed, and that this chunk found something for.
    touched: Vec<u32>,
    in_part: Vec<u32>,
    shelved: Vec<u32>,
    spots: Vec<(u32, Candidate)>,
}

impl Scanner {
    /// A scanner for this plan.
    pub fn new(plan: &Arc<Plan>) -> Self {
        let lane = |needs: u32| Lane { needs, ..Lane::default() };
        let groups = plan.groups.len();
        Self {
            plan: Arc::clone(plan),
            lately: Lately::default(),
            view: Arc::default(),
            chunk: 0,
            units: 0,
            units_before: 0,
            parts: 0,
            hits: Vec::new(),
            marks: vec![Mark::default(); plan.features.len()],
            counted: Vec::new(),
            lanes: plan.needs().map(lane).collect(),
            bars: vec![Bars::default(); groups],
            best: std::iter::repeat_with(Best::default).take(groups).collect(),
            shelves: std::iter::repeat_with(Shelf::default).take(groups).collect(),
            touched: Vec::new(),
            in_part: Vec::new(),
            shelved: Vec::new(),
            spots: Vec::new(),
        }
    }

    /// Begins a chunk, knowing this of earlier ones.
    pub fn begin(&mut self, view: &Arc<View>) {
        self.view = Arc::clone(view);
        self.chunk += 1;
        self.units_before = self.units;
    }

    /// Ends a chunk.
    pub fn end(&mut self) -> Scanned {
        let seen_before = |id: &u32| self.view.seen.get(*id as usize).copied().unwrap_or(0);
        let counted = std::mem::take(&mut self.counted);
        let seen = counted.iter().map(|id| (*id, self.marks[*id as usize].seen - seen_before(id))).collect();
        let mut shelved = std::mem::take(&mut self.shelved);
        shelved.sort_unstable();
        Scanned {
            units: self.units - self.units_before,
            seen,
            shelves: shelved.into_iter().map(|at| (at, std::mem::take(&mut self.shelves[at as usize]))).collect(),
            spots: std::mem::take(&mut self.spots),
        }
    }

    /// The next part of the chunk. Every run of it is also told to `listen`.
    pub fn feed(&mut self, original: &Original, listen: &mut impl FnMut(Range<usize>, u64)) {
        let text = original.part.text.as_str();
        let reached = self.plan.reached.contains(original.seq.0);
        if !reached || text.is_empty() || matches!(original.part.kind, PartKind::Opaque { .. }) {
            return crate::extract::runs::runs(text, listen);
        }
        let plan = Arc::clone(&self.plan);
        let all = match original.part.kind {
            PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => text.len(),
            PartKind::ToolCall { .. } | PartKind::ToolResult { .. } => HEAD,
        };
        // A session of four thousand million parts is beyond every limit; wrapping would only cost a candidate.
        self.parts = self.parts.wrapping_add(1);
        self.in_part.clear();
        let mut pass = Pass::of(&plan, original);
        self.scan(&mut pass, all, listen);
        self.harvest(&mut pass);
    }

    fn scan(&mut self, pass: &mut Pass, all: usize, listen: &mut impl FnMut(Range<usize>, u64)) {
        let text = pass.text;
        let bytes = text.as_bytes();
        let (mut from, mut at) = (0, 0);
        while let Some(byte) = bytes.get(at).copied() {
            if is_run(byte) {
                let start = at;
                let ascii;
                (at, ascii) = run(bytes, start);
                if ascii {
                    let key = key(bytes, start..at);
                    listen(start..at, key);
                    let run = self.lately.run(&pass.plan.index, &text[start..at], key);
                    self.token(pass.plan, text, start..at, run, from < all);
                } else {
                    pieces(text, start..at, &mut |range, key| {
                        listen(range.clone(), key);
                        let run = pass.plan.index.run(&text[range.clone()], key);
                        self.token(pass.plan, text, range, run, from < all);
                    });
                }
                if at - from > UNIT {
                    self.unit(pass, from..at, from < all);
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
                self.unit(pass, from..at, from < all);
                from = at;
            }
        }
        self.unit(pass, from..at, from < all);
    }

    #[inline]
    fn token(&mut self, plan: &Plan, text: &str, range: Range<usize>, run: Run, full: bool) {
        let beside = sides(text.as_bytes(), &range);
        for anchor in plan.index.bytes(run).iter().filter(|anchor| anchor.fits(beside)) {
            let feature = &plan.features[anchor.feature as usize];
            let hit = stands(text, range.start, anchor.offset as usize, feature);
            self.hits.extend(hit.map(|(start, end)| Hit { feature: anchor.feature, start, end }));
        }
        if range.len() > SHORT_HASH {
            self.long(plan, text, range.clone());
        }
        if full && range.len() > 1 {
            let stems = plan.index.stems(run).iter();
            self.hits.extend(stems.map(|stem| Hit { feature: *stem, start: range.start, end: range.end }));
        }
    }

    /// Hashes that the text writes longer.
    fn long(&mut self, plan: &Plan, text: &str, range: Range<usize>) {
        let token = &text[range.clone()];
        if token.len() > 64 || !token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return;
        }
        for id in plan.index.short(&token[..SHORT_HASH]) {
            let feature = &plan.features[*id as usize];
            if token.starts_with(&feature.bytes) && token.len() > feature.bytes.len() {
                self.hits.push(Hit { feature: *id, start: range.start, end: range.end });
            }
        }
    }

    fn unit(&mut self, pass: &mut Pass, unit: Range<usize>, full: bool) {
        if unit.is_empty() {
            return;
        }
        if !full {
            if !self.hits.is_empty() {
                self.spot(pass, &unit);
                self.hits.clear();
            }
            return;
        }
        self.units = self.units.wrapping_add(1);
        if self.hits.is_empty() {
            return;
        }
        let plan = pass.plan;
        let original = pass.original();
        let (seq, row) = (original.seq.0, row(original.part.speaker));
        let features = &plan.features;
        self.touched.clear();
        let bytes = pass.text.as_bytes();
        self.hits.retain(|hit| {
            features[hit.feature as usize].kind != Kind::Label || number_near(bytes, &unit, hit.start, hit.end)
        });
        let mut common = false;
        for at in 0..self.hits.len() {
            let id = self.hits[at].feature;
            let feature = &features[id as usize];
            let Some(weight) = self.count(id, feature) else { continue };
            let step = if feature.kind.is_strong() { ENOUGH } else { 1 };
            common |= feature.passed_over;
            for Drive { group, .. } in feature.drives.iter().take_while(|drive| drive.until > seq) {
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
            if lane.count < lane.needs || lane.score < self.bar(group, row) {
                continue;
            }
            let first = lane.part != self.parts;
            let wanted = &plan.groups[group as usize];
            let score = if wanted.field.is_claim() && !wanted.capped {
                lane.score
            } else {
                let marks = wanted.features.iter().map(|id| &self.marks[*id as usize]);
                marks.filter(|mark| mark.unit == self.units).map(|mark| mark.weight).sum()
            };
            if first || score > lane.best {
                self.note(group, score, &unit, &wanted.features);
            }
        }
        if common {
            self.spot(pass, &unit);
        }
        self.hits.clear();
    }

    fn bar(&self, group: u32, row: usize) -> f32 {
        let own = self.bars[group as usize];
        if own.chunk == self.chunk {
            return own.bars[row];
        }
        self.view.bars.get(group as usize).map_or(0.0, |bars| bars[row])
    }

    /// Counts one unit that holds a feature, and says what it is worth; `None` when it was counted already.
    fn count(&mut self, id: u32, feature: &Feature) -> Option<f32> {
        self.meet(id, feature);
        let mark = &mut self.marks[id as usize];
        if mark.unit == self.units {
            return None;
        }
        (mark.unit, mark.part) = (self.units, self.parts);
        mark.seen += 1;
        if mark.seen.is_power_of_two() {
            mark.weight = feature.weight(mark.seen, self.view.units + (self.units - self.units_before));
        }
        Some(mark.weight)
    }

    /// Begins to count a feature that this chunk did not hold yet, where earlier chunks left off.
    fn meet(&mut self, id: u32, feature: &Feature) {
        let mark = &mut self.marks[id as usize];
        if mark.chunk != self.chunk {
            let seen = self.view.seen.get(id as usize).copied().unwrap_or(0);
            let units = self.view.units + (self.units - self.units_before);
            *mark = Mark { chunk: self.chunk, seen, weight: feature.weight(seen + 1, units), ..Mark::default() };
            self.counted.push(id);
        }
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

    /// Keeps the unit for telling features that have few places yet.
    fn spot(&mut self, pass: &mut Pass, unit: &Range<usize>) {
        let row = row(pass.original().part.speaker);
        let mut made: Option<Candidate> = None;
        for at in 0..self.hits.len() {
            let id = self.hits[at].feature;
            if self.view.full.get(id as usize).is_some_and(|full| full[row]) {
                continue;
            }
            let feature = &pass.plan.features[id as usize];
            if !feature.kind.is_strong() {
                continue;
            }
            self.meet(id, feature);
            let mark = &mut self.marks[id as usize];
            if mark.spot == self.parts || mark.spots[row] >= PLACES {
                continue;
            }
            mark.spot = self.parts;
            mark.spots[row] += 1;
            let candidate = made.get_or_insert_with(|| {
                let mut hits = self.hits.clone();
                hits.retain(|hit| pass.plan.features[hit.feature as usize].kind.is_strong());
                hits.sort_by_key(|hit| (hit.feature, hit.start));
                hits.dedup_by_key(|hit| hit.feature);
                pass.candidate(&Best { unit: (unit.start, unit.end), hits })
            });
            self.spots.push((id, candidate.clone()));
        }
    }

    /// Puts the best unit of the part just read on the shelf of each group that it fits.
    fn harvest(&mut self, pass: &mut Pass) {
        let plan = pass.plan;
        let mut open: Option<(u32, bool)> = None;
        let share = PART_SHARE / (1.0 + pass.text.len() as f32 / 4096.0);
        let row = row(pass.original().part.speaker);
        for at in std::mem::take(&mut self.in_part) {
            let best = &self.best[at as usize];
            let lane = self.lanes[at as usize];
            let group = &plan.groups[at as usize];
            let is_open = match open {
                Some((reach, is_open)) if reach == group.reach => is_open,
                Some(_) | None => plan.reaches[group.reach as usize].contains(pass.original().seq.0),
            };
            open = Some((group.reach, is_open));
            if !is_open {
                continue;
            }
            let shelf = &mut self.shelves[at as usize];
            let floor = self.view.floors.get(at as usize).map_or(0.0, |floors| floors[row]);
            let floor = floor.max(shelf.floor(row, plan.room));
            let fits = pass.fits(group);
            // The most that the rest of the part may add: most parts end here.
            if (lane.best + share * (group.most - lane.best).max(0.0)) * fits <= floor {
                continue;
            }
            let in_part = |mark: &&Mark| mark.part == self.parts && mark.chunk == self.chunk;
            let marks = group.features.iter().map(|id| &self.marks[*id as usize]);
            let whole: f32 = marks.filter(in_part).map(|mark| mark.weight).sum();
            let bonus = share * (whole - lane.best).max(0.0);
            let score = (lane.best + bonus) * fits;
            if score <= floor {
                continue;
            }
            let candidate = Candidate { score, bonus, whole, ..pass.candidate(best) };
            shelf.put(candidate, plan.room);
            let bar = |row| {
                let before = self.view.bars.get(at as usize).map_or(0.0, |bars| bars[row]);
                shelf.bar(row, plan.room).max(before)
            };
            let bars = Bars { chunk: self.chunk, bars: [bar(0), bar(1)] };
            if std::mem::replace(&mut self.bars[at as usize], bars).chunk != self.chunk {
                self.shelved.push(at);
            }
        }
    }
}
