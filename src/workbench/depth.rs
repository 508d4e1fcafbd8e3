//! Through what each turn comes into a request: the block that holds it, the span that stands for the block, and how many
//! summarising steps that makes.

use super::{Problem, Target, Workbench};
use crate::compile::spans::{Chain, chain};
use crate::record::Span;
use crate::store::Shelved;

/// The chains of a session's turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Depths(Shelved);

impl Workbench {
    /// The chains of a session's turns; of one that nothing was compiled of each turn stands there as it was said.
    pub fn depths(&self, target: &Target) -> Result<Depths, Problem> {
        let desk = self.open(target)?;
        let Some((store, _)) = desk.kept()? else { return Ok(Depths::default()) };
        Ok(Depths(store.shelved(&desk.head().key)?.unwrap_or_default()))
    }
}

impl Depths {
    /// The chain of a part, by its sequence, where the widest spans stand in the request.
    pub fn of(&self, seq: u64) -> Chain {
        let holds = |span: &&Span| span.run.parts.contains(&seq);
        let widest = self.0.spans.iter().filter(holds).max_by_key(|span| span.blocks.1 - span.blocks.0);
        chain(seq, &self.0.blocks, widest.as_slice())
    }

    /// Whether anything is closed.
    pub fn is_any(&self) -> bool {
        !self.0.blocks.is_empty()
    }
}
