//! Ties: which original words an item comes from. The items of all markers are few and are indexed; the originals are
//! streamed past them once, in file order. What is kept is bounded by the items, not by the session.

mod candidate;
mod features;
mod index;
mod scan;
mod settle;

use std::sync::Arc;

use crate::record::Record;
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

/// The items of one record: where each of them is in the groups, and how far the record reaches.
struct Target {
    reaches: Ranges,
    /// The first sequence behind everything that it reaches.
    end: u64,
    groups: Vec<usize>,
    sources: Option<Vec<Vec<SourceRef>>>,
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
    /// Targets that have their sources and were not handed out yet.
    done: Vec<usize>,
}

impl Tying {
    /// Begins with the records of all markers and what each of them reaches.
    pub fn new(targets: &[(&Record, &Ranges)]) -> Self {
        let mut features = Features::default();
        let mut groups = Vec::new();
        let targets: Vec<Target> = targets
            .iter()
            .map(|(record, reaches)| Target {
                reaches: (*reaches).clone(),
                end: reaches.iter().map(|range| range.end).max().unwrap_or(0),
                groups: features::of_record(record, &mut features, &mut groups),
                sources: None,
            })
            .collect();
        let mut waiting: Vec<usize> = (0..targets.len()).collect();
        waiting.sort_by_key(|at| std::cmp::Reverse(targets[*at].end));
        features.close(&groups);
        let scanner = Scanner::new(&features, &groups);
        let shelves = groups.iter().map(|_| Shelf::default()).collect();
        Self { features, scanner, groups, shelves, targets, waiting, done: Vec::new() }
    }

    /// The next part, in file order.
    pub fn feed(&mut self, original: &Original) {
        let seq = original.seq.0;
        while let Some(next) = self.waiting.last().copied().filter(|next| self.targets[*next].end <= seq) {
            self.waiting.pop();
            self.take(next);
        }
        let text = original.part.text.as_str();
        let reached = self.waiting.iter().rev().any(|at| self.targets[*at].reaches.contains(seq));
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
            thinking: matches!(original.part.kind, PartKind::Thinking),
        });
        self.scanner.harvest(text, &self.features, &self.groups, &origin, &mut self.shelves);
    }

    /// The records that are done by now, each told once: which it is, and the sources of its items, best first. What was
    /// taken so is empty in [`Tying::finish`].
    pub fn take_done(&mut self) -> Vec<(usize, Vec<Vec<SourceRef>>)> {
        let done = std::mem::take(&mut self.done);
        done.into_iter().filter_map(|at| Some((at, self.targets[at].sources.take()?))).collect()
    }

    /// The sources of every item of every record, best first.
    pub fn finish(mut self) -> Vec<Vec<Vec<SourceRef>>> {
        while let Some(next) = self.waiting.pop() {
            self.take(next);
        }
        self.targets.into_iter().map(|target| target.sources.unwrap_or_default()).collect()
    }

    /// Everything that this record reaches has passed: what stands on the shelves now is its.
    fn take(&mut self, target: usize) {
        let units = self.scanner.units();
        self.done.push(target);
        let target = &mut self.targets[target];
        let sources = target
            .groups
            .iter()
            .map(|group| self.shelves[*group].best(&self.groups[*group], &self.features, units, &target.reaches))
            .collect();
        target.sources = Some(sources);
    }
}

#[cfg(test)]
mod tests;
