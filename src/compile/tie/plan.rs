//! What is looked for, fixed before the originals pass, and what a scanner is shown of what was found so far.

use crate::extract::Language;
use crate::record::{Field, Record};
use crate::session::Ranges;

use super::features::{Feature, Features, Group, Kind};
use super::index::Index;
use super::shelf::Room;
use super::wanted;

/// The items of one record: where each of them is in the groups, and how far the record reaches.
pub struct Target {
    pub reaches: Ranges,
    /// The first sequence behind everything that it reaches.
    pub end: u64,
    pub groups: Vec<usize>,
}

/// The items of all records, as things to be found.
pub struct Plan {
    pub(super) features: Vec<Feature>,
    pub(super) groups: Vec<Group>,
    pub(super) index: Index,
    pub(super) targets: Vec<Target>,
    /// What each kind of reach holds: the parts of the longest of its records.
    pub(super) reaches: Vec<Ranges>,
    /// What any record reaches.
    pub(super) reached: Ranges,
    pub(super) room: Room,
}

/// What is known of the chunks that were merged when it was made.
#[derive(Default)]
pub struct View {
    pub(super) units: u32,
    /// By feature: how many units held it, and whether it has places enough of others' and of a person's.
    pub(super) seen: Vec<u32>,
    pub(super) full: Vec<[bool; 2]>,
    /// By group, of others' words and of a person's: what a candidate must exceed, and below what no unit is looked at.
    pub(super) floors: Vec<[f32; 2]>,
    pub(super) bars: Vec<[f32; 2]>,
}

impl Plan {
    /// Begins with the records of all markers and what each of them reaches.
    pub fn new(targets: &[(&Record, &Ranges)]) -> Self {
        let language = Language::english();
        let mut features = Features::default();
        let mut groups = Vec::new();
        let (kinds, reaches) = kinds(targets);
        let mut reached = Ranges::default();
        let targets: Vec<Target> = targets
            .iter()
            .zip(kinds)
            .map(|((record, reaches), kind)| {
                reached.extend(reaches);
                let end = end(reaches);
                let groups = wanted::of_record(record, kind, end, language, &mut features, &mut groups);
                Target { reaches: (*reaches).clone(), end, groups }
            })
            .collect();
        features.close(&mut groups);
        let features = features.all;
        let index = Index::new(&features);
        let room = Room::of(groups.len());
        Self { features, groups, index, targets, reaches, reached, room }
    }

    /// How many records there are.
    pub fn records(&self) -> usize {
        self.targets.len()
    }

    /// Where records end, as sequences: no chunk may go on behind one of them, so that what comes later crowds nothing
    /// out.
    pub fn ends(&self) -> Vec<u64> {
        let mut ends: Vec<u64> = self.targets.iter().map(|target| target.end).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Of every group how many of its features make a unit worth a closer look.
    pub(super) fn needs(&self) -> impl Iterator<Item = u32> + '_ {
        self.groups.iter().map(|group| needs(group, &self.features))
    }
}

/// One word of few is enough; of many, some must stand together. A bare number needs its label.
fn needs(group: &Group, features: &[Feature]) -> u32 {
    let words = group.features.iter().filter(|id| features[**id as usize].kind == Kind::Word).count();
    match group.field {
        Field::Figures => 2,
        Field::Entities => 1,
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => {
            1 + u32::from(words >= 4) + u32::from(words >= 8)
        }
    }
}

fn end(reaches: &Ranges) -> u64 {
    reaches.iter().map(|range| range.end).max().unwrap_or(0)
}

/// The records by what they reach. Two are of one kind when the shorter reaches the same parts as the longer, up to
/// where it ends: then what it does not reach comes too late to stand in the way of what it does.
fn kinds(targets: &[(&Record, &Ranges)]) -> (Vec<u32>, Vec<Ranges>) {
    let mut order: Vec<usize> = (0..targets.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(end(targets[*at].1)));
    let mut longest: Vec<Ranges> = Vec::new();
    let mut kinds = vec![0; targets.len()];
    for at in order {
        let reaches = targets[at].1;
        let known = longest.iter().position(|other| until(other, end(reaches)).eq(until(reaches, u64::MAX)));
        kinds[at] = known.unwrap_or(longest.len()) as u32;
        if known.is_none() {
            longest.push(reaches.clone());
        }
    }
    (kinds, longest)
}

/// The ranges up to this sequence.
fn until(ranges: &Ranges, end: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
    ranges.iter().filter(move |range| range.start < end).map(move |range| (range.start, range.end.min(end)))
}
