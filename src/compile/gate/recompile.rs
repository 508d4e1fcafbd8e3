//! The record of a region, made anew from the originals that a permit names, and from nothing else.

use super::Permit;
use crate::compile::gather::{Gather, compiled};
use crate::compile::spans::SENTENCES;
use crate::compile::tie::Original;
use crate::record::{Field, Record};
use crate::session::Ranges;

/// A region while its originals pass.
pub struct Recompiling {
    permit: Permit,
    gather: Gather,
}

impl Recompiling {
    /// Nothing is made from text without a permit.
    pub fn new(permit: Permit) -> Self {
        let originals: Ranges = permit.originals().iter().cloned().collect();
        Self { gather: Gather::over(originals), permit }
    }

    /// The next part, in file order. One that the permit does not name is not read: `false`.
    pub fn feed(&mut self, original: &Original) -> bool {
        let holds = self.permit.holds(original.seq.0);
        if holds {
            self.gather.feed(original);
        }
        holds
    }

    /// The record, and its generation.
    pub fn finish(mut self) -> (Record, u32) {
        self.gather.close();
        let mut record = compiled(self.gather.facts(0));
        record.rules = 0;
        // Of the prose, which comes most telling first, only a few sentences stand for the region, as they were said.
        let mut told = 0;
        record.items.retain(|item| {
            told += usize::from(item.field == Field::Narrative);
            item.field != Field::Narrative || told <= SENTENCES
        });
        let prose = record.items.iter().take_while(|item| item.field == Field::Narrative).count();
        record.items[..prose].sort_by_key(|item| item.sources.first().map(|source| source.seq));
        (record, self.permit.generation())
    }
}
