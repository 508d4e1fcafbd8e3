//! Makes spans over closed blocks. Their fields are those of the blocks, word for word; their prose is written from the
//! originals, by as many siblings as the summariser's window asks for; only a span over siblings may have its prose from
//! theirs. Nothing is made that the gate does not let through.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::Problem;
use super::context::{numbered, title};
use super::course::Course;
use super::drafts::narrative;
use super::making::{Made, TOGETHER, UNSTORED, item, spoken, tell};
use super::standing::live;
use crate::compile::spans::{MOST, merged, prose_of_prose, siblings};
use crate::compile::{
    Amount, Extractive, GateRegion, Liveness, Permit, RENDERED, Summariser, SummaryError, gate, gate_prose, render,
};
use crate::record::{Block, Field, Item, Record, Run, Span, Verdict};
use crate::session::{Log, SessionKey};
use crate::store::{Closed, Shelved, Store, Wordings};

/// Which runs of blocks get a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those that no further block can join.
    Full,
    /// The last one too, which a later and longer one will stand for: room is needed now.
    All,
}

/// A session whose spans are made.
pub(super) struct Spanning<'a> {
    store: &'a mut Store,
    /// `None` while it is still read: spans are made of what this run closed, where no prose is written for them.
    read: Option<(&'a mut dyn Log, &'a Course)>,
    key: &'a SessionKey,
    /// So many tokens of originals go into one span at most.
    reads: u64,
    summariser: &'a dyn Summariser,
    /// Blocks that were closed by this run, and spans that it made before.
    made: &'a [Made],
    before: &'a [Span],
    spans: Vec<Span>,
    /// The texts that stand for the last of them, which wait to be stored.
    waiting: Vec<(Closed, String)>,
    /// When something was stored last.
    stored: Instant,
}

/// The spans that were missing and are stored.
pub(super) struct Spanned {
    pub spans: Vec<Span>,
    /// Those whose prose is taken from the originals because the summariser failed.
    pub instead: Vec<(u32, SummaryError)>,
}

/// Makes the spans that are missing: those that are stored, and whether all are. Where originals go when their block closes
/// there are none to make them from.
pub(super) fn span(mut spanning: Spanning, extent: Extent) -> (Spanned, Result<(), Problem>) {
    let mut instead = Vec::new();
    let made = spanning.all(extent, &mut instead);
    // Also where one could not be made: those before it are stored.
    let stored = spanning.store();
    instead.retain(|(no, _)| spanning.spans.iter().any(|span| span.no == *no));
    (Spanned { spans: spanning.spans, instead }, made.and(stored))
}

impl<'a> Spanning<'a> {
    pub fn new(store: &'a mut Store, key: &'a SessionKey, reads: u64, summariser: &'a dyn Summariser) -> Self {
        let (spans, waiting) = (Vec::new(), Vec::new());
        Self {
            store,
            read: None,
            key,
            reads,
            summariser,
            made: &[],
            before: &[],
            spans,
            waiting,
            stored: Instant::now(),
        }
    }

    /// The session is read to its end: its originals can be read again, and the numbers of its turns are known.
    pub fn read(self, log: &'a mut dyn Log, course: &'a Course) -> Self {
        Self { read: Some((log, course)), ..self }
    }

    /// These blocks were closed by this run, and these spans made: they are taken as they were made, and the blocks'
    /// originals as they were read.
    pub fn made_now(self, made: &'a [Made], before: &'a [Span]) -> Self {
        Self { made, before, ..self }
    }
}

impl Spanning<'_> {
    fn all(&mut self, extent: Extent, instead: &mut Vec<(u32, SummaryError)>) -> Result<(), Problem> {
        if self.store.retention(self.key)?.is_some() {
            return Ok(());
        }
        let Some(shelved) = self.store.shelved(self.key)? else { return Ok(()) };
        let weights: Vec<u64> = shelved.blocks.iter().map(|block| block.run.tokens).collect();
        let reads = self.reads.min(self.summariser.window());
        let mut runs: Vec<Range<usize>> = siblings(&weights, reads).into_iter().map(|one| one.blocks).collect();
        let full = runs.len().saturating_sub(1);
        if extent == Extent::Full {
            runs.truncate(full);
        }
        for run in &runs {
            instead.extend(self.siblings(&shelved, run)?);
        }
        for wide in runs[..full.min(runs.len())].chunks_exact(MOST) {
            instead.extend(self.wide(&shelved, wide)?);
        }
        Ok(())
    }

    /// A span over blocks.
    fn siblings(&mut self, shelved: &Shelved, blocks: &Range<usize>) -> Result<Option<(u32, SummaryError)>, Problem> {
        let Some(run) = self.missing(shelved, blocks)? else { return Ok(None) };
        let permit = self.permit(&shelved.blocks[blocks.clone()])?;
        let of = shelved.blocks[blocks.clone()].iter().map(|block| Closed::Block(block.no)).collect::<Vec<_>>();
        let Some(records) = self.records(&of)? else { return Ok(None) };
        let mut record = whole(&records);
        let mut failed = None;
        if !self.summariser.picks() && run.tokens <= self.summariser.window() {
            let Some((log, course)) = &mut self.read else { return Ok(None) };
            let said = course.said_in(permit.originals(), *log)?;
            without_prose(&mut record);
            failed = tell(&mut record, &spoken(&said), self.summariser).err();
        }
        self.put(shelved, blocks, run, permit.generation(), record, failed)
    }

    /// A span over siblings that are stored.
    fn wide(&mut self, shelved: &Shelved, runs: &[Range<usize>]) -> Result<Option<(u32, SummaryError)>, Problem> {
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return Ok(None) };
        let blocks = first.start..last.end;
        let Some(run) = self.missing(shelved, &blocks)? else { return Ok(None) };
        let numbers = |run: &Range<usize>| (shelved.blocks[run.start].no, shelved.blocks[run.end - 1].no);
        let wanted: Vec<(u32, u32)> = runs.iter().map(numbers).collect();
        let all = shelved.spans.iter().chain(&self.spans);
        let of: Vec<Span> = all.filter(|span| wanted.contains(&span.blocks)).cloned().collect();
        let mut generation = self.permit(&shelved.blocks[blocks.clone()])?.generation();
        let Some(records) = self.records(&of.iter().map(|span| Closed::Span(span.no)).collect::<Vec<_>>())? else {
            return Ok(None);
        };
        let mut record = whole(&records);
        let mut failed = None;
        if !self.summariser.picks() {
            let mut regions = Vec::with_capacity(of.len());
            for region in of.iter().map(GateRegion::span) {
                let live = live(self.store, self.key, &region)?;
                regions.push((region, live));
            }
            let permit = gate_prose(&format!("blocks {}–{}", blocks.start + 1, blocks.end), &regions)?;
            let prose: Vec<&Item> =
                records.iter().flat_map(|record| record.of(Field::Narrative)).map(|(_, item)| item).collect();
            let cited: Vec<Range<u64>> =
                prose.iter().flat_map(|item| &item.sources).map(|one| one.seq.0..one.seq.0 + 1).collect();
            let Some((log, course)) = &mut self.read else { return Ok(None) };
            let originals = spoken(&course.said_in(&cited, *log)?);
            let told = prose_of_prose(&permit, self.summariser, &prose, &|| false);
            without_prose(&mut record);
            match told {
                Ok(told) => {
                    record.items.splice(..0, narrative(told, &originals).into_iter().map(item));
                    generation = permit.generation();
                }
                Err(why) => {
                    tell(&mut record, &originals, &Extractive).map_err(Problem::new)?;
                    failed = Some(why);
                }
            }
        }
        self.put(shelved, &blocks, run, generation, record, failed)
    }

    /// The run of a span that is not there yet.
    fn missing(&self, shelved: &Shelved, blocks: &Range<usize>) -> Result<Option<Run>, Problem> {
        let of = &shelved.blocks[blocks.clone()];
        let (Some(first), Some(last)) = (of.first(), of.last()) else { return Ok(None) };
        if shelved.spans.iter().any(|span| span.blocks == (first.no, last.no)) {
            return Ok(None);
        }
        let parts = first.run.parts.start..last.run.parts.end;
        let hashes = match self.made_at(first.no).and_then(|at| self.made.get(at..at + of.len())) {
            Some(made) => made.iter().flat_map(|made| &made.hashes).copied().collect(),
            None => self.store.noted(self.key, &parts)?,
        };
        Ok(Some(Run {
            originals: Run::originals_of(&hashes),
            parts,
            turns: (first.run.turns.0, last.run.turns.1),
            from_id: first.run.from_id.clone(),
            tokens: of.iter().map(|block| block.run.tokens).sum(),
        }))
    }

    /// Leave to read what these blocks were made from.
    fn permit(&self, blocks: &[Block]) -> Result<Permit, Problem> {
        let region = GateRegion::blocks(blocks);
        let is_made = blocks.iter().all(|block| self.made_block(block.no).is_some());
        let live = if is_made { Liveness::Live } else { live(self.store, self.key, &region)? };
        Ok(gate(&region, live)?)
    }

    fn made_block(&self, no: u32) -> Option<&Block> {
        self.made.get(self.made_at(no)?).map(|made| &made.block)
    }

    fn made_at(&self, no: u32) -> Option<usize> {
        no.checked_sub(self.made.first()?.block.no).map(|at| at as usize)
    }

    /// `None` where one is not of this run and the numbers of its turns are not known.
    fn records(&self, of: &[Closed]) -> Result<Option<Vec<Arc<Record>>>, Problem> {
        let mut records = Vec::with_capacity(of.len());
        for which in of {
            let made = match which {
                Closed::Block(no) => self.made_block(*no).map(|block| &block.record),
                Closed::Span(no) => {
                    let mut spans = self.before.iter().chain(&self.spans);
                    spans.find(|span| span.no == *no).map(|span| &span.record)
                }
            };
            records.push(match (made, &self.read) {
                (Some(made), _) => Arc::clone(made),
                (None, Some((_, course))) => {
                    let mut record = self.store.closed_record(self.key, *which)?.unwrap_or_default();
                    numbered(&mut record, course.outline());
                    Arc::new(record)
                }
                (None, None) => return Ok(None),
            });
        }
        Ok(Some(records))
    }

    /// The span waits to be stored, not for long.
    fn put(
        &mut self,
        shelved: &Shelved,
        blocks: &Range<usize>,
        run: Run,
        generation: u32,
        record: Record,
        failed: Option<SummaryError>,
    ) -> Result<Option<(u32, SummaryError)>, Problem> {
        let no = (shelved.spans.len() + self.spans.len()) as u32 + 1;
        let text = render(&title("span", Some(no), run.turns, generation), &record, Amount::Whole).text;
        let blocks = (shelved.blocks[blocks.start].no, shelved.blocks[blocks.end - 1].no);
        let span = Span { no, blocks, run, generation, record: Arc::new(record) };
        self.waiting.push((Closed::Span(no), text));
        self.spans.push(span);
        if self.waiting.len() >= TOGETHER || self.stored.elapsed() >= UNSTORED {
            self.store()?;
        }
        Ok(failed.map(|why| (no, why)))
    }

    /// Stores what waits, in one transaction. What cannot be stored is none.
    fn store(&mut self) -> Result<(), Problem> {
        let texts = std::mem::take(&mut self.waiting);
        if texts.is_empty() {
            return Ok(());
        }
        let from = self.spans.len() - texts.len();
        let done = self.store.add_spans(self.key, &self.spans[from..], Wordings { rules: RENDERED, texts: &texts });
        if done.is_err() {
            self.spans.truncate(from);
        }
        self.stored = Instant::now();
        Ok(done?)
    }
}

/// The records put together, and what was only known while they were made left out: they may have been stored and read
/// again since.
fn whole(records: &[Arc<Record>]) -> Record {
    let mut record = merged(records.iter().map(Arc::as_ref));
    for item in &mut record.items {
        item.verdict = if item.is_draft() { Verdict::Unchecked } else { Verdict::Verified };
        (item.range, item.better) = (None, None);
    }
    record
}

/// Takes the prose out of a record.
fn without_prose(record: &mut Record) {
    record.items.retain(|item| item.field != Field::Narrative);
}
