//! Markers: what each compaction replaced, and what its summariser had read.

use super::branches::Branch;
use super::growth::id_hash;
use super::{
    Boundary, FileNo, FirstKept, Hash, Line, LineMeta, MarkerKey, Outline, Place, Ranges, Segment, Summary, Trigger,
};

/// Whether the originals of what a compaction reaches can still be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Originals {
    /// All of them.
    Present,
    /// The session starts in the middle: what came before it is not in the file.
    Partly,
    /// The file begins with the summary.
    Gone,
}

/// A compaction: the event that earlier turns were replaced by a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// From 1: `m1`. For display; what is stored is the key.
    pub no: u32,
    /// What it is known by.
    pub key: MarkerKey,
    /// The line of the boundary.
    pub place: Place,
    /// The line that holds the summary; `None` where there is none to read.
    pub summary: Option<Place>,
    /// The last turn of the session itself before it; `None` when there is none.
    pub after_turn: Option<u32>,
    /// When it happened.
    pub at: Option<i64>,
    /// What set it off.
    pub trigger: Trigger,
    /// The agent's own figure.
    pub tokens_before: Option<u64>,
    /// The agent's own figure, else what the first message after it read; `None` where nobody knows.
    pub tokens_after: Option<u64>,
    /// The parts that this compaction replaced.
    pub covers: Ranges,
    /// Everything its summariser read: what it covers, what was kept word for word, what earlier summaries reached.
    pub reaches: Ranges,
    /// Summarising steps between an original and this text; `None` where nobody can know.
    pub generation: Option<u32>,
    /// Whether what it reaches can still be read.
    pub originals: Originals,
    /// The store holds a record in structured form.
    pub own_record: bool,
}

impl Outline {
    pub(super) fn boundary(&mut self, index: u32, line: &Line, boundary: &Boundary, summary: Option<&Summary>) {
        // A sub-agent's compaction is its own, and shown among its lines.
        if line.file != FileNo(0) || self.agent_of(line).is_some() {
            return;
        }
        let text = summary.map_or("", |summary| summary.text.as_str());
        self.compactions.push(Compaction {
            no: self.compactions.len() as u32 + 1,
            key: MarkerKey {
                id: line.id.clone().unwrap_or_else(|| format!("line:{}", self.lines_of(FileNo(0)))),
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
        self.build.waiting_tokens = boundary.tokens_after.is_none();
        self.set_ranges(self.compactions.len() - 1);
    }

    pub(super) fn summary(&mut self, index: u32, line: &Line, summary: &Summary) {
        if line.file != FileNo(0) || self.agent_of(line).is_some() {
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
        let (line, boundary) = &self.build.boundaries[marker];
        let here = self.seq_of_line(*line);
        let end = self.covered_end(boundary, here);
        let branch = self.branch(marker);
        let before = branch.as_ref().map_or_else(|| marker.checked_sub(1), |branch| branch.before);
        let preserved = self.preserved(boundary);
        let mut covers = Ranges::default();
        // What the compaction before left word for word was still there, and is replaced only now.
        let mut start = 0;
        if let Some((line, boundary)) = before.and_then(|before| self.build.boundaries.get(before)) {
            let seq = self.seq_of_line(*line);
            start = self.covered_end(boundary, seq);
            for range in self.preserved(boundary).iter() {
                range.filter(|seq| !preserved.contains(*seq)).for_each(|seq| covers.add(seq..seq + 1));
            }
        }
        let mut reaches = preserved.clone();
        for line in self.own_lines(start.min(end), here, branch.as_ref()) {
            let seqs = line.seqs();
            if seqs.start >= start && seqs.start < end && !preserved.contains(seqs.start) {
                covers.add(seqs.clone());
            }
            reaches.add(seqs);
        }
        reaches.extend(&covers);
        if let Some(before) = before.and_then(|before| self.compactions.get(before)) {
            reaches.extend(&before.reaches);
        }
        let generation = match before {
            None => Some(1).filter(|_| !self.starts_midway && here > 0),
            Some(before) => self.compactions[before].generation.map(|n| n + 1),
        };
        self.starts_midway |= before.is_none() && here == 0;
        let compaction = &mut self.compactions[marker];
        compaction.originals = match (self.starts_midway, here) {
            (_, 0) => Originals::Gone,
            (true, _) => Originals::Partly,
            (false, _) => Originals::Present,
        };
        (compaction.covers, compaction.reaches, compaction.generation) = (covers, reaches, generation);
    }

    /// The session's own lines with parts from `start` up to `end`, other branches left out.
    fn own_lines(&self, start: u64, end: u64, branch: Option<&Branch>) -> impl Iterator<Item = &LineMeta> {
        let first = self.lines.partition_point(|line| line.seq.0 < start);
        let within = move |line: &&LineMeta| line.seq.0 < end;
        self.lines[first..].iter().take_while(within).filter(move |line| self.is_own(line, branch))
    }

    fn is_own(&self, line: &LineMeta, branch: Option<&Branch>) -> bool {
        let Some(turn) = line.turn.filter(|_| line.file == FileNo(0)) else { return false };
        self.turns.get(turn as usize).is_some_and(super::TurnMeta::is_main)
            && branch.is_none_or(|branch| branch.turns.contains(&turn))
    }

    /// The sequence that the next part after this line has; the line may be the one that is pushed just now.
    fn seq_of_line(&self, line: u32) -> u64 {
        self.lines.get(line as usize).map_or(self.next_seq, |line| line.seq.0)
    }

    /// Where that ends which a compaction replaced: before the first line that it kept, behind the last that it names.
    fn covered_end(&self, boundary: &Boundary, here: u64) -> u64 {
        let last = boundary.last_covered.as_ref().and_then(|id| self.build.ids.get(&id_hash(id)));
        let last = last.and_then(|line| self.lines.get(*line as usize)).map(|line| line.seqs().end);
        let kept = self.kept_seq(boundary, here).unwrap_or(here);
        last.map_or(kept, |last| last.min(kept))
    }

    /// Where the words begin that a compaction kept, if it names such a place before itself.
    fn kept_seq(&self, boundary: &Boundary, here: u64) -> Option<u64> {
        let line = match boundary.first_kept.as_ref()? {
            FirstKept::Id(id) => *self.build.ids.get(&id_hash(id))? as usize,
            FirstKept::Line(index) => *self.files.first()?.get(usize::try_from(*index).ok()?)? as usize,
        };
        self.lines.get(line).map(|line| line.seq.0).filter(|seq| *seq <= here)
    }

    /// The parts that a compaction names as kept word for word.
    fn preserved(&self, boundary: &Boundary) -> Ranges {
        let line = |id: &String| self.build.ids.get(&id_hash(id)).map(|line| *line as usize);
        let mut lines: Vec<usize> = boundary.preserved.iter().filter_map(line).collect();
        if lines.is_empty()
            && let Some(Segment { head, tail }) = &boundary.preserved_segment
            && let Some((head, tail)) = line(head).zip(line(tail))
        {
            lines = self.chain(head, tail);
        }
        let own = lines.into_iter().filter_map(|line| self.lines.get(line)).filter(|line| line.turn.is_some());
        own.map(LineMeta::seqs).collect()
    }

    /// The lines from `tail` back to `head` by their links; where the links do not lead there, everything between.
    fn chain(&self, head: usize, tail: usize) -> Vec<usize> {
        let mut lines = vec![tail];
        let mut at = tail;
        while at > head {
            let parent = self.build.parents[at].and_then(|id| self.build.ids.get(&id)).map(|line| *line as usize);
            match parent.filter(|parent| (head..at).contains(parent)) {
                Some(parent) => at = parent,
                None => return (head.min(tail)..=tail).collect(),
            }
            lines.push(at);
        }
        lines
    }
}
