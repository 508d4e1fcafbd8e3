//! Whether what a compaction left behind may be built on, in three answers of yes or no.

use super::{GateRegion, Liveness, Provenance};

/// All three must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// It was never summarised, or its originals can be read as they were.
    pub originals: bool,
    /// Every fact that it carries can be looked up in an original that is still there.
    pub references: bool,
    /// Room was made by putting originals aside, not by making a summary shorter.
    pub put_aside: bool,
}

impl Validity {
    /// Whether all three hold.
    pub fn holds(self) -> bool {
        self.originals && self.references && self.put_aside
    }
}

/// The three answers for one region and the facts that it carries.
pub fn validity(region: &GateRegion, live: &Liveness, facts: &Provenance) -> Validity {
    let is_live = *live == Liveness::Live;
    Validity {
        originals: region.generation == 0 || is_live,
        references: facts.is_whole() && (facts.facts == facts.held || facts.facts == 0),
        put_aside: is_live && region.generation <= 1,
    }
}
