//! What the chunks held, put together in file order, and the sources of every record that has passed.

use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};

use super::candidate::{Candidate, Choice};
use super::features::Group;
use super::plan::{Plan, View};
use super::scan::Scanned;
use super::shelf::{Shelf, Spots};
use super::{Sources, Ties};

/// Sources being put together.
pub struct Merge {
    plan: Arc<Plan>,
    units: u32,
    seen: Vec<u32>,
    shelves: Vec<Shelf>,
    spots: Vec<Spots>,
    /// How many records still need a group's candidates.
    needed: Vec<u32>,
    /// The targets that still wait, the one that ends first at the end.
    waiting: Vec<usize>,
    /// Finished and not yet handed out.
    done: Vec<(usize, Sources)>,
    floors: Vec<[f32; 2]>,
    bars: Vec<[f32; 2]>,
}

impl Merge {
    /// Before anything has passed.
    pub fn new(plan: &Arc<Plan>) -> Self {
        let mut waiting: Vec<usize> = (0..plan.targets.len()).collect();
        waiting.sort_by_key(|at| (std::cmp::Reverse(plan.targets[*at].end), std::cmp::Reverse(*at)));
        let (groups, features) = (plan.groups.len(), plan.features.len());
        Self {
            plan: Arc::clone(plan),
            units: 0,
            seen: vec![0; features],
            shelves: vec![Shelf::default(); groups],
            spots: vec![Spots::default(); features],
            needed: plan.groups.iter().map(|group| group.records).collect(),
            waiting,
            done: Vec::new(),
            floors: vec![[0.0; 2]; groups],
            bars: vec![[0.0; 2]; groups],
        }
    }

    /// The next chunk, in file order, and the sequence with which it begins.
    pub fn add(&mut self, from: u64, scanned: Scanned) {
        self.pass(from);
        let room = self.plan.room;
        self.units = self.units.saturating_add(scanned.units);
        for (id, more) in scanned.seen {
            self.seen[id as usize] = self.seen[id as usize].saturating_add(more);
        }
        for (at, shelf) in scanned.shelves {
            let at = at as usize;
            if self.needed[at] == 0 {
                continue;
            }
            self.shelves[at].extend(shelf, room);
            let own = &self.shelves[at];
            self.floors[at] = [own.floor(0, room), own.floor(1, room)];
            self.bars[at] = [own.bar(0, room), own.bar(1, room)];
        }
        for (id, spot) in scanned.spots {
            self.spots[id as usize].put(spot);
        }
    }

    /// What scanners are shown of all this.
    pub fn view(&self) -> View {
        View {
            units: self.units,
            seen: self.seen.clone(),
            full: self.spots.iter().map(|spots| [spots.is_full(0), spots.is_full(1)]).collect(),
            floors: self.floors.clone(),
            bars: self.bars.clone(),
        }
    }

    /// How much a view holds, in bytes.
    pub fn view_size(&self) -> u64 {
        (self.seen.len() * 6 + self.floors.len() * 16) as u64
    }

    /// The records that have passed since the last call: which of them, and their sources.
    pub fn take_done(&mut self) -> Vec<(usize, Sources)> {
        std::mem::take(&mut self.done)
    }

    /// The sources of every record that [`Self::take_done`] did not give.
    pub fn finish(mut self) -> Vec<(usize, Sources)> {
        self.pass(u64::MAX);
        self.done
    }

    /// Everything before this sequence has passed.
    pub fn pass(&mut self, seq: u64) {
        while let Some(next) = self.waiting.pop_if(|next| self.plan.targets[*next].end <= seq) {
            let sources = self.take(next);
            self.done.push((next, sources));
        }
    }

    /// What is kept now is this record's.
    fn take(&mut self, target: usize) -> Sources {
        let plan = Arc::clone(&self.plan);
        let target = &plan.targets[target];
        let weight = |id: u32| plan.features[id as usize].weight(self.seen[id as usize], self.units);
        let stands = |id: u32| self.seen[id as usize] > 0;
        let choice = Choice { features: &plan.features, weight: &weight, stands: &stands, reaches: &target.reaches };
        let sources = target
            .groups
            .iter()
            .map(|at| {
                let group = &plan.groups[*at];
                let more = self.more(group, &self.shelves[*at], &weight);
                let (passages, ties) = match more {
                    Some(shelf) => choice.best(group, &shelf),
                    None => choice.best(group, &self.shelves[*at]),
                };
                Ties { passages, ties }
            })
            .collect();
        let mut own = target.groups.clone();
        own.sort_unstable();
        own.dedup();
        for group in own {
            self.needed[group] -= 1;
            if self.needed[group] == 0 {
                self.shelves[group] = Shelf::default();
            }
        }
        sources
    }

    /// A group's candidates with the first places of its telling features; `None` where those add nothing.
    fn more(&self, group: &Group, shelf: &Shelf, weight: &impl Fn(u32) -> f32) -> Option<Shelf> {
        let strong = group.features.iter().filter(|id| self.plan.features[**id as usize].kind.is_strong());
        let mut known: HashSet<u64> = HashSet::new();
        let mut all: Option<Shelf> = None;
        for spot in strong.flat_map(|id| self.spots[*id as usize].all()) {
            if known.is_empty() {
                known.extend(shelf.all().map(|candidate| candidate.origin().seq.0));
            }
            if !known.insert(spot.origin().seq.0) {
                continue;
            }
            let features: Vec<u32> =
                spot.features.iter().copied().filter(|id| group.features.binary_search(id).is_ok()).collect();
            let own: f32 = features.iter().map(|id| weight(*id)).sum();
            let candidate = Candidate { score: own * spot.home.fits(group), whole: own, features, ..spot.clone() };
            all.get_or_insert_with(|| shelf.clone()).put(candidate, self.plan.room);
        }
        all
    }
}
