//! The gate: what may be compacted, and from what. A summary is never read to make another one: where its originals are
//! alive it is made anew from them, and where they are not it stays as it is. Nothing is read or stored here.

mod again;
mod cap;
mod cited;
mod regions;
mod valid;

use std::ops::Range;

use crate::record::{Block, Run, Span};
use crate::session::Hash;

pub use again::{Idempotence, idempotence};
pub use cap::{HandOver, MOST_MARKERS, may_mark};
pub use cited::{Cited, Provenance, provenance};
pub use regions::{KeptRegion, Regions};
pub use valid::{Validity, validity};

/// The deepest that prose may get. Everything else of a record stays at 1.
pub const DEEPEST_PROSE: u32 = 2;

/// Originals that a text was made from: which, and what they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// By sequence, half-open.
    pub parts: Range<u64>,
    /// The hash that the run had, see [`Run::originals`].
    pub hash: Hash,
}

/// What is to be compacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateRegion {
    /// What it is called: `turns 1–40`, `block 3`.
    pub name: String,
    /// How many summarising steps stand between it and what was said; 0 for what was said.
    pub generation: u32,
    /// All originals that it was made from. Empty where it names none.
    pub origins: Vec<Origin>,
}

impl GateRegion {
    /// What was said in these turns.
    pub fn turns(run: &Run) -> Self {
        Self { name: format!("turns {}", said(run.turns)), generation: 0, origins: vec![origin(run)] }
    }

    /// The record of a block.
    pub fn block(block: &Block) -> Self {
        Self {
            name: format!("block {} (turns {})", block.no, said(block.run.turns)),
            generation: block.generation,
            origins: vec![origin(&block.run)],
        }
    }

    /// The records of blocks that follow each other.
    pub fn blocks(blocks: &[Block]) -> Self {
        let from_to = |from: Option<u32>, to: Option<u32>| said((from.unwrap_or(0), to.unwrap_or(0)));
        let (first, last) = (blocks.first(), blocks.last());
        let numbers = from_to(first.map(|block| block.no), last.map(|block| block.no));
        let turns = from_to(first.map(|block| block.run.turns.0), last.map(|block| block.run.turns.1));
        Self {
            name: format!("blocks {numbers} (turns {turns})"),
            generation: blocks.iter().map(|block| block.generation).max().unwrap_or(0),
            origins: blocks.iter().map(|block| origin(&block.run)).collect(),
        }
    }

    /// The record of a span.
    pub fn span(span: &Span) -> Self {
        Self {
            name: format!("span {} (turns {})", span.no, said(span.run.turns)),
            generation: span.generation,
            origins: vec![origin(&span.run)],
        }
    }
}

fn origin(run: &Run) -> Origin {
    Origin { parts: run.parts.clone(), hash: run.originals }
}

fn said((from, to): (u32, u32)) -> String {
    if from == to { from.to_string() } else { format!("{from}–{to}") }
}

/// Whether a text's originals can be read as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// All of them are there, with the hash that they had.
    Live,
    /// It names no originals.
    Unnamed,
    /// These parts are not there any more, or never were stored.
    Gone(Range<u64>),
    /// Under these ids stands something else now.
    Changed(Range<u64>),
}

/// Looks at every origin of a region. `now` gives the hash of parts as they stand; `None` where one is not there.
pub fn liveness(region: &GateRegion, now: &dyn Fn(&Range<u64>) -> Option<Hash>) -> Liveness {
    if region.origins.is_empty() {
        return Liveness::Unnamed;
    }
    for origin in &region.origins {
        match now(&origin.parts) {
            Some(hash) if hash == origin.hash => {}
            Some(_) => return Liveness::Changed(origin.parts.clone()),
            None => return Liveness::Gone(origin.parts.clone()),
        }
    }
    Liveness::Live
}

/// Why something is not compacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was said, and is not stored: compacting it would leave nothing behind.
    NotStored,
    /// It is a summary that names no originals.
    NoSource,
    /// It is a summary, and its originals are gone.
    Gone,
    /// It is a summary, and its originals are not what they were.
    Changed,
    /// It is prose that was made from prose already.
    TooDeep,
}

/// A compaction that would read a summary, or that would lose what was said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot compact {region}: {} ({} or {})", self.because(), self.ways_out()[0], self.ways_out()[1])]
pub struct Refused {
    /// What it is called.
    pub region: String,
    /// How many summarising steps stand between it and what was said.
    pub generation: u32,
    /// What stands in the way.
    pub why: Why,
}

impl Refused {
    /// What can be done instead.
    pub fn ways_out(&self) -> [&'static str; 2] {
        match self.why {
            Why::NotStored => ["store them first: stet import, stet append", "ask a person"],
            Why::NoSource | Why::Gone | Why::Changed | Why::TooDeep => ["fetch the originals again", "ask a person"],
        }
    }

    fn because(&self) -> String {
        let what = match self.why {
            Why::NotStored => return "its turns are not stored as they stand here".to_owned(),
            Why::NoSource => "it names no originals",
            Why::Gone => "its originals are gone",
            Why::Changed => "its originals are not what they were",
            Why::TooDeep => "its prose was made from prose already",
        };
        format!("it is a summary of generation {}, and {what}", self.generation)
    }
}

/// Leave to compact one region. There is no other way to get one than [`gate`], [`gate_prose`] and [`Regions::compact`],
/// which asks the first for each of its regions; and what makes a text shorter asks for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    region: String,
    originals: Vec<Range<u64>>,
    reads: u32,
}

impl Permit {
    /// What is compacted.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// The parts that are to be read: always originals.
    pub fn originals(&self) -> &[Range<u64>] {
        &self.originals
    }

    /// Whether a part may be read under this permit.
    pub fn holds(&self, seq: u64) -> bool {
        self.originals.iter().any(|parts| parts.contains(&seq))
    }

    /// The generation of what comes out: one more than the deepest input that is really read.
    pub fn generation(&self) -> u32 {
        self.reads + 1
    }
}

/// Lets a region be compacted from its originals. A summary is recompiled from them, never from its own text: with live
/// originals what comes out is of generation 1, whatever the region was.
pub fn gate(region: &GateRegion, live: Liveness) -> Result<Permit, Refused> {
    let refused = |why| Err(Refused { region: region.name.clone(), generation: region.generation, why });
    match (live, region.generation) {
        (Liveness::Live, _) => Ok(Permit {
            region: region.name.clone(),
            originals: region.origins.iter().map(|origin| origin.parts.clone()).collect(),
            reads: 0,
        }),
        (Liveness::Unnamed | Liveness::Gone(_) | Liveness::Changed(_), 0) => refused(Why::NotStored),
        (Liveness::Unnamed, _) => refused(Why::NoSource),
        (Liveness::Gone(_), _) => refused(Why::Gone),
        (Liveness::Changed(_), _) => refused(Why::Changed),
    }
}

/// Lets the prose of several records be put together by a summariser that reads that prose: once, and only while all
/// their originals are alive, since every sentence that comes out is held against them.
pub fn gate_prose(name: &str, regions: &[(GateRegion, Liveness)]) -> Result<Permit, Refused> {
    let mut permit = Permit { region: name.to_owned(), originals: Vec::new(), reads: 0 };
    for (region, live) in regions {
        permit.originals.extend(gate(region, live.clone())?.originals);
        permit.reads = permit.reads.max(region.generation);
        if region.generation >= DEEPEST_PROSE {
            return Err(Refused { region: region.name.clone(), generation: region.generation, why: Why::TooDeep });
        }
    }
    if permit.originals.is_empty() {
        return Err(Refused { region: name.to_owned(), generation: 1, why: Why::NoSource });
    }
    Ok(permit)
}

#[cfg(test)]
mod tests;
