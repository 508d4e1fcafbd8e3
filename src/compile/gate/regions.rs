//! The regions of one context, as an agent builder keeps them who has no blocks: any of them may be compacted, and what
//! was compacted stays, marked with what stands for it now.

use std::ops::Range;

use super::{GateRegion, Permit, Refused, Why, gate, liveness};
use crate::session::Hash;

/// One region with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRegion {
    /// As it was added.
    pub region: GateRegion,
    /// The index of the region that stands for it now; `None` while it stands for itself.
    pub superseded_by: Option<usize>,
}

/// All regions, in the order in which they came. It only grows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions(Vec<KeptRegion>);

impl Regions {
    /// Adds one at the end and gives its index.
    pub fn add(&mut self, region: GateRegion) -> usize {
        self.0.push(KeptRegion { region, superseded_by: None });
        self.0.len() - 1
    }

    /// Everything that ever was, what is superseded too.
    pub fn all(&self) -> &[KeptRegion] {
        &self.0
    }

    /// Those that stand for themselves, with their indexes.
    pub fn active(&self) -> impl Iterator<Item = (usize, &GateRegion)> {
        let stands = |(_, kept): &(usize, &KeptRegion)| kept.superseded_by.is_none();
        self.0.iter().enumerate().filter(stands).map(|(at, kept)| (at, &kept.region))
    }

    /// Compacts these regions into one of this name: each of them stands for itself and passes the gate, or nothing
    /// changes. The new one is to be made under the permit, from the originals of all of them.
    pub fn compact(
        &mut self,
        which: &[usize],
        name: &str,
        now: &dyn Fn(&Range<u64>) -> Option<Hash>,
    ) -> Result<(usize, Permit), Refused> {
        let mut permit = Permit { region: name.to_owned(), originals: Vec::new(), reads: 0 };
        let mut origins = Vec::new();
        let stands = |at: &usize| self.0.get(*at).filter(|kept| kept.superseded_by.is_none());
        let nothing = || Refused { region: name.to_owned(), generation: 1, why: Why::NoSource };
        if which.is_empty() {
            return Err(nothing());
        }
        for at in which {
            let kept = stands(at).ok_or_else(nothing)?;
            permit.originals.extend(gate(&kept.region, liveness(&kept.region, now))?.originals);
            origins.extend(kept.region.origins.iter().cloned());
        }
        let new = self.add(GateRegion { name: name.to_owned(), generation: permit.generation(), origins });
        for at in which {
            if let Some(kept) = self.0.get_mut(*at).filter(|_| *at != new) {
                kept.superseded_by = Some(new);
            }
        }
        Ok((new, permit))
    }
}
