//! How the renderings of a claim differ from its original words, one after the other.

use super::super::likeness::{Gist, common};
use crate::record::{Change, Field, FindingKind};

/// Between these steps of certainty something changed, where one of them is at least proposed.
const STEPS: u8 = 2;
const PROPOSED: u8 = 4;

/// What the generations so far said.
pub(super) struct Told {
    original: Option<Gist>,
    before: Option<Gist>,
    values: bool,
    last: (Option<Change>, Option<FindingKind>),
}

impl Told {
    pub fn new(original: Option<Gist>, values: bool) -> Self {
        Self { before: original.clone(), original, values, last: (None, None) }
    }

    /// How a rendering differs from the original, and what a look at the generation before shows of that.
    pub fn compare(
        &mut self,
        gist: &Gist,
        field: Field,
        accused: Option<FindingKind>,
    ) -> (Option<Change>, Option<Change>) {
        // Without original words the first rendering is the oldest that is known.
        let original = self.original.get_or_insert_with(|| gist.clone());
        let firmer = gist.certainty >= PROPOSED && gist.certainty >= original.certainty + STEPS;
        let shared = common(&original.stems, &gist.stems).count();
        let gone = self.values && !original.values.is_empty() && gist.values.is_empty();
        let differs = match accused {
            Some(FindingKind::Inverted) if firmer && field != Field::RuledOut => Some(Change::Certainty),
            Some(FindingKind::Inverted) => Some(Change::Polarity),
            Some(FindingKind::Altered) => Some(Change::Value),
            Some(FindingKind::Firmed) => Some(Change::Certainty),
            // No check says that an open item became surer, or that a value is gone.
            _ if field == Field::Open && firmer && shared > 1 => Some(Change::Certainty),
            _ if gone && shared > 0 => Some(Change::Lost),
            _ => None,
        };
        let before = self.before.replace(gist.clone());
        let pairwise = before.and_then(|before| contradiction(&before, gist, self.values));
        (differs, pairwise.filter(|pairwise| Some(*pairwise) == differs))
    }

    /// A difference that the generation before did not show.
    pub fn first(&mut self, differs: Option<Change>, accused: Option<FindingKind>) -> Option<Change> {
        let known = std::mem::replace(&mut self.last, (differs, accused));
        differs.filter(|_| known != (differs, accused))
    }
}

/// What one text says against another that holds the same claim.
fn contradiction(before: &Gist, after: &Gist, values: bool) -> Option<Change> {
    if before.negated != after.negated {
        return Some(Change::Polarity);
    }
    if values && before.differs_in_value(after) {
        return Some(Change::Value);
    }
    let (less, more) = (before.certainty.min(after.certainty), before.certainty.max(after.certainty));
    (more - less >= STEPS && more >= PROPOSED).then_some(Change::Certainty)
}
