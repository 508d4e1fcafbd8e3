//! Ties: which original words an item comes from. The items of all markers are few and are indexed (a [`Plan`]); the
//! originals are streamed past them once, in chunks that a [`Scanner`] each may read on any thread, and what the chunks
//! held is put together in file order ([`Merge`]). What is kept is bounded by the items, not by the session.

mod candidate;
mod excerpt;
mod features;
mod index;
mod merge;
mod plan;
mod quote;
mod scan;
mod settle;
mod shelf;
mod tally;
mod wanted;

use std::sync::Arc;

use crate::record::{Manner, Origin, Passage, Record};
use crate::session::{Part, PartKind, PartSeq, Place, Ranges, SourceRef, TurnNo};

pub use merge::Merge;
pub use plan::{Plan, View};
pub use scan::{Scanned, Scanner};
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

impl Original<'_> {
    /// It, as passages of it need it.
    pub fn origin(&self) -> Origin {
        Origin {
            turn: self.turn.clone(),
            turn_id: self.turn_id.to_owned(),
            line_id: self.line_id.map(str::to_owned),
            place: self.place,
            seq: self.seq,
            speaker: self.part.speaker,
            manner: match self.part.kind {
                PartKind::Text | PartKind::Opaque { .. } => Manner::Text,
                PartKind::Thinking => Manner::Thinking,
                PartKind::ToolCall { .. } => Manner::ToolCall,
                PartKind::ToolResult { .. } => Manner::ToolResult,
            },
        }
    }
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
        self.passages[..self.ties].iter().map(Passage::source).collect()
    }
}

/// So much is scanned before it is merged.
const CHUNK: usize = 256 * 1024;

/// Sources being looked for by one thread, part after part.
pub struct Tying {
    plan: Arc<Plan>,
    scanner: Scanner,
    merge: Merge,
    /// Where the chunk at hand begins, how long it is, and the next end of a record.
    from: Option<u64>,
    len: usize,
    ends: Vec<u64>,
}

impl Tying {
    /// Begins with the records of all markers and what each of them reaches.
    pub fn new(targets: &[(&Record, &Ranges)]) -> Self {
        let plan = Arc::new(Plan::new(targets));
        let mut ends = plan.ends();
        ends.reverse();
        let mut scanner = Scanner::new(&plan);
        scanner.begin(&Arc::default());
        Self { scanner, merge: Merge::new(&plan), plan, from: None, len: 0, ends }
    }

    /// The next part, in file order.
    pub fn feed(&mut self, original: &Original) {
        let seq = original.seq.0;
        let ended = self.ends.pop_if(|end| *end <= seq).is_some();
        while self.ends.pop_if(|end| *end <= seq).is_some() {}
        if ended || self.len >= CHUNK {
            self.turn_over();
            self.merge.pass(seq);
        }
        self.from.get_or_insert(seq);
        self.len += original.part.text.len();
        self.scanner.feed(original, &mut |_, _| {});
    }

    fn turn_over(&mut self) {
        if let Some(from) = self.from.take() {
            self.merge.add(from, self.scanner.end());
            self.scanner.begin(&Arc::new(self.merge.view()));
        }
        self.len = 0;
    }

    /// The records that the stream has passed since the last call: which of them, and their sources.
    pub fn take_done(&mut self) -> Vec<(usize, Sources)> {
        self.merge.take_done()
    }

    /// The sources of every item of every record; nothing for a record that [`Self::take_done`] gave.
    pub fn finish(mut self) -> Vec<Sources> {
        self.turn_over();
        let mut all = vec![Sources::new(); self.plan.targets.len()];
        for (at, sources) in self.merge.finish() {
            all[at] = sources;
        }
        all
    }
}

#[cfg(test)]
mod tests;
