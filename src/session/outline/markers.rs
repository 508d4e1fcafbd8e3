//! Compactions: where they stand, what they cover and what they reach.

use super::{Compaction, LineMeta, Number, Originals, Outline, id_hash};
use crate::session::{Boundary, FileNo, FirstKept, Hash, Line, MarkerKey, Ranges, Segment, Summary, Trigger};

impl Outline {
    pub(super) fn boundary(&mut self, index: u32, line: &Line, boundary: &Boundary, summary: Option<&Summary>) {
        if line.file != FileNo(0) {
            return;
        }
        let text = summary.map_or("", |summary| summary.text.as_str());
        self.compactions.push(Compaction {
            no: self.compactions.len() as u32 + 1,
            key: MarkerKey {
                id: line.id.clone().unwrap_or_else(|| format!("line:{index}")),
                summary: Hash::of(text.as_bytes()),
            },
            place: line.place(0),
            summary: summary.map(|_| line.place(0)),
            after_turn: Some(self.main_turns).filter(|n| *n > 0),
            at: line.at,
            trigger: boundary.trigger.unwrap_or(Trigger::Unknown),
            tokens_before: boundary.tokens_before,
            tokens_after: boundary.tokens_after,
            covers: Ranges::default(),
            reaches: Ranges::default(),
            generation: None,
            originals: Originals::Present,
            own_record: boundary.own_record,
        });
        self.build.boundaries.push((index, boundary.clone()));
        self.build.waiting_summary = summary.is_none();
        self.build.waiting_tokens = true;
        self.set_ranges(self.compactions.len() - 1);
    }

    pub(super) fn summary(&mut self, index: u32, line: &Line, summary: &Summary) {
        if line.file != FileNo(0) {
            return;
        }
        if !self.build.waiting_summary {
            self.boundary(index, line, &Boundary::default(), None);
        }
        self.build.waiting_summary = false;
        if let Some(marker) = self.compactions.last_mut() {
            marker.summary = Some(line.place(0));
            marker.key.summary = Hash::of(summary.text.as_bytes());
        }
    }

    /// Works out what a compaction covers and reaches from what is known by now.
    pub(super) fn set_ranges(&mut self, marker: usize) {
        let (line, boundary) = self.build.boundaries[marker].clone();
        let here = self.lines.get(line as usize).map_or(self.next_seq, |line| line.seq.0);
        let kept = boundary.first_kept.as_ref().and_then(|kept| self.kept_seq(kept)).filter(|seq| *seq <= here);
        let before = marker.checked_sub(1).map(|before| {
            let (line, boundary) = &self.build.boundaries[before];
            let seq = self.lines.get(*line as usize).map_or(self.next_seq, |line| line.seq.0);
            boundary.first_kept.as_ref().and_then(|kept| self.kept_seq(kept)).filter(|kept| *kept <= seq).unwrap_or(seq)
        });
        let start = before.unwrap_or(0);
        let preserved = self.preserved(line as usize, &boundary);
        let mut covers = Ranges::default();
        for line in self.own_lines(start, kept.unwrap_or(here)) {
            let parts = line.seq.0..self.seq_after(line);
            if parts.start < kept.unwrap_or(here) && !preserved.contains(parts.start) {
                covers.add(parts);
            }
        }
        let mut reaches = covers.clone();
        reaches.extend(&preserved);
        for line in self.own_lines(kept.unwrap_or(here), here) {
            reaches.add(line.seq.0..self.seq_after(line));
        }
        if let Some(before) = marker.checked_sub(1) {
            reaches.extend(&self.compactions[before].reaches.clone());
        }
        let first = marker == 0;
        let generation = if first {
            Some(1).filter(|_| !self.starts_midway && here > 0)
        } else {
            self.compactions[marker - 1].generation.map(|n| n + 1)
        };
        let compaction = &mut self.compactions[marker];
        compaction.originals = match (self.starts_midway, here) {
            (_, 0) => Originals::Gone,
            (true, _) => Originals::Partly,
            (false, _) => Originals::Present,
        };
        if first && here == 0 {
            self.starts_midway = true;
        }
        let compaction = &mut self.compactions[marker];
        (compaction.covers, compaction.reaches, compaction.generation) = (covers, reaches, generation);
    }

    /// The session's own lines with parts from `start` up to `end`, rewound turns left out.
    fn own_lines(&self, start: u64, end: u64) -> impl Iterator<Item = &LineMeta> {
        let first = self.lines.partition_point(|line| line.seq.0 < start);
        self.lines[first..].iter().take_while(move |line| line.seq.0 < end && line.file == FileNo(0)).filter(|line| {
            line.turn.is_some_and(|turn| {
                let turn = &self.turns[turn as usize];
                !turn.abandoned && matches!(turn.number, Number::Main(_))
            })
        })
    }

    fn seq_after(&self, line: &LineMeta) -> u64 {
        let next = self.lines.partition_point(|other| other.seq <= line.seq);
        self.lines.get(next).map_or(self.next_seq, |line| line.seq.0)
    }

    /// What was kept word for word: the lines that are named, else the run of lines between two that are.
    fn preserved(&self, marker: usize, boundary: &Boundary) -> Ranges {
        let Some(Segment { head, tail }) =
            boundary.preserved_segment.as_ref().filter(|_| boundary.preserved.is_empty())
        else {
            return boundary.preserved.iter().filter_map(|id| self.parts_of(id)).collect();
        };
        let place = |id: &str| self.build.ids.get(&id_hash(id)).map(|line| *line as usize).filter(|at| *at < marker);
        let (Some(head), Some(tail)) = (place(head), place(tail)) else { return Ranges::default() };
        let mut kept = Ranges::default();
        let mut at = Some(tail);
        while let Some(line) = at.filter(|line| *line >= head) {
            kept.extend(&self.parts_at(line).into_iter().collect());
            let parent = self.build.parents[line].and_then(|id| self.build.ids.get(&id)).map(|line| *line as usize);
            // A link that leads nowhere, or forward, is not followed: the line before in file order is taken.
            at = parent.filter(|parent| *parent < line).or_else(|| line.checked_sub(1));
        }
        kept
    }

    fn kept_seq(&self, kept: &FirstKept) -> Option<u64> {
        let line = match kept {
            FirstKept::Id(id) => *self.build.ids.get(&id_hash(id))? as usize,
            FirstKept::Line(index) => usize::try_from(*index).ok()?,
        };
        self.lines.get(line).map(|line| line.seq.0)
    }

    fn parts_of(&self, id: &str) -> Option<std::ops::Range<u64>> {
        self.parts_at(*self.build.ids.get(&id_hash(id))? as usize)
    }

    fn parts_at(&self, line: usize) -> Option<std::ops::Range<u64>> {
        let line = self.lines.get(line)?;
        line.turn.map(|_| line.seq.0..self.seq_after(line))
    }
}
