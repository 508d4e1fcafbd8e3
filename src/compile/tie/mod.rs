//! Ties: which original words an item comes from. The items of all markers are few and are indexed; the originals are
//! streamed past them once, in file order. What is kept is bounded by the items, not by the session.

mod candidate;
mod features;
mod index;
mod scan;
mod settle;
mod wanted;

use std::sync::Arc;

use crate::extract::Language;
use crate::record::{Manner, Passage, Record};
use crate::session::{Part, PartKind, PartSeq, Place, Ranges, SourceRef, TurnNo};

use candidate::{Origin, Shelf};
use features::{Features, Group};
use scan::Scanner;

pub use settle::settle;

/// One original part with what a source needs to say about it.
#[derive(Clone, Copy, Debug)]
pub struct Original<'a> {
    /// What was said.
    pub part: &'a Part,
    /// Where it stands.
    pub place: Place,
    /// The id of its line, where the agent gives one.
    pub line_id: Option<&'a str>,
    /// Its place in file order.
    pub seq: PartSeq,
    /// The number of its turn.
    pub turn: &'a TurnNo,
    /// The id of its turn.
    pub turn_id: &'a str,
}

/// For every item of one record the passages that tie it, best first, and others that speak of the same behind them.
pub type Sources = Vec<Ties>;

/// What bears on one item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ties {
    /// Best first; those that tie the item before others that speak of the same.
    pub passages: Vec<Passage>,
    /// How many of them tie it.
    pub ties: usize,
}

impl Ties {
    /// The sources of the item, best first.
    pub fn sources(&self) -> Vec<SourceRef> {
        self.passages[..self.ties].iter().map(|passage| passage.source.clone()).collect()
    }
}

/// The items of one record: where each of them is in the groups, and how far the record reaches.
struct Target {
    reaches: Ranges,
    /// The first sequence behind everything that it reaches.
    end: u64,
    groups: Vec<usize>,
    sources: Option<Sources>,
}

/// Sources being looked for.
pub struct Tying {
    features: Features,
    scanner: Scanner,
    groups: Vec<Group>,
    shelves: Vec<Shelf>,
    targets: Vec<Target>,
    /// The targets that still wait, the one that ends first at the end.
    waiting: Vec<usize>,
    /// Finished and not yet handed out.
    done: Vec<usize>,
    /// What each kind of reach holds: the parts of the longest of its records.
    reaches: Vec<Ranges>,
    /// Of each kind of reach, whether it holds the part at hand.
    open: Vec<bool>,
}

impl Tying {
    /// Begins with the records of all markers and what each of them reaches.
    pub fn new(targets: &[(&Record, &Ranges)]) -> Self {
        let language = Language::english();
        let mut features = Features::default();
        let mut groups = Vec::new();
        let (kinds, reaches) = kinds(targets);
        let targets: Vec<Target> = targets
            .iter()
            .zip(kinds)
            .map(|((record, reaches), kind)| Target {
                reaches: (*reaches).clone(),
                end: end(reaches),
                groups: wanted::of_record(record, kind, language, &mut features, &mut groups),
                sources: None,
            })
            .collect();
        let mut waiting: Vec<usize> = (0..targets.len()).collect();
        waiting.sort_by_key(|at| std::cmp::Reverse(targets[*at].end));
        features.close(&mut groups);
        let scanner = Scanner::new(&features, &groups);
        let shelves = groups.iter().map(|_| Shelf::default()).collect();
        let open = vec![false; reaches.len()];
        Self { features, scanner, groups, shelves, targets, waiting, done: Vec::new(), reaches, open }
    }

    /// The next part, in file order.
    pub fn feed(&mut self, original: &Original) {
        let seq = original.seq.0;
        self.pass(seq);
        let text = original.part.text.as_str();
        for (open, reach) in self.open.iter_mut().zip(&self.reaches) {
            *open = reach.contains(seq);
        }
        let reached = !self.waiting.is_empty() && self.open.contains(&true);
        if !reached || text.is_empty() || matches!(original.part.kind, PartKind::Opaque { .. }) {
            return;
        }
        self.scanner.scan(text, original.part.speaker, &mut self.features, &self.groups);
        let origin = Arc::new(Origin {
            turn: original.turn.clone(),
            turn_id: original.turn_id.to_owned(),
            line_id: original.line_id.map(str::to_owned),
            place: original.place,
            seq: original.seq,
            speaker: original.part.speaker,
            manner: match original.part.kind {
                PartKind::Text | PartKind::Opaque { .. } => Manner::Text,
                PartKind::Thinking => Manner::Thinking,
                PartKind::ToolCall { .. } => Manner::ToolCall,
                PartKind::ToolResult { .. } => Manner::ToolResult,
            },
            arguments: matches!(original.part.kind, PartKind::ToolCall { .. }).then_some(text.len()),
        });
        self.scanner.harvest(text, &self.features, &self.groups, &self.open, &origin, &mut self.shelves);
    }

    /// The records that the stream has passed since the last call: which of them, and their sources.
    pub fn take_done(&mut self) -> Vec<(usize, Sources)> {
        let done = std::mem::take(&mut self.done);
        done.into_iter().map(|at| (at, self.targets[at].sources.take().unwrap_or_default())).collect()
    }

    /// The sources of every item of every record; nothing for a record that [`Self::take_done`] gave.
    pub fn finish(mut self) -> Vec<Sources> {
        self.pass(u64::MAX);
        self.targets.into_iter().map(|target| target.sources.unwrap_or_default()).collect()
    }

    /// Everything before this sequence has passed.
    fn pass(&mut self, seq: u64) {
        let mut finished = Vec::new();
        while let Some(next) = self.waiting.last().copied().filter(|next| self.targets[*next].end <= seq) {
            self.waiting.pop();
            self.take(next, &mut finished);
            self.done.push(next);
        }
        if !self.waiting.is_empty() && !finished.is_empty() {
            self.features.drop(&finished, &self.groups);
        }
    }

    /// What stands on the shelves now is this record's. Groups that no other record waits for are finished.
    fn take(&mut self, target: usize, finished: &mut Vec<u32>) {
        let units = self.scanner.units();
        let target = &mut self.targets[target];
        let sources = target
            .groups
            .iter()
            .map(|group| self.shelves[*group].best(&self.groups[*group], &self.features, units, &target.reaches))
            .map(|(passages, ties)| Ties { passages, ties })
            .collect();
        target.sources = Some(sources);
        let mut own = target.groups.clone();
        own.sort_unstable();
        own.dedup();
        for group in own {
            self.groups[group].waiting -= 1;
            if self.groups[group].waiting == 0 {
                self.shelves[group] = Shelf::default();
                finished.push(group as u32);
            }
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

#[cfg(test)]
mod tests;
