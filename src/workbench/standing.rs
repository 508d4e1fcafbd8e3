//! How what is closed stands: its originals, its facts, and whether it may be built on.

use std::collections::{BTreeSet, HashMap};

use super::Problem;
use crate::compile::{
    Cited, GateRegion, Idempotence, Liveness, Provenance, Validity, idempotence, liveness, provenance, validity,
};
use crate::record::{Block, Record, Span};
use crate::session::{Body, Depth, Log, Place, SessionKey, SourceRef};
use crate::store::{Store, StoreError};

/// One region of a session and how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The region.
    pub region: GateRegion,
    /// Whether its originals are what they were.
    pub live: Liveness,
    /// How its facts are held up.
    pub facts: Provenance,
    /// Whether it may be built on.
    pub validity: Validity,
    /// How many of its facts its own text gives once more.
    pub idempotence: Idempotence,
}

impl Standing {
    /// What is not as it should be, in words; `None` where all is well. That originals went which were not to be kept is
    /// as it should be.
    pub fn wrong(&self) -> Option<String> {
        let originals = match &self.live {
            Liveness::Live => None,
            Liveness::Gone(_) if self.facts.closed > 0 || self.facts.facts == 0 => None,
            Liveness::Gone(_) => Some("its originals are gone".to_owned()),
            Liveness::Changed(_) => Some("its originals are not what they were".to_owned()),
            Liveness::Unnamed => Some("it names no originals".to_owned()),
        };
        let hanging = self.facts.dangling.len() + self.facts.only_summaries.len();
        let facts = (hanging > 0).then(|| format!("{hanging} of {} facts rest on no original", self.facts.facts));
        let wrong: Vec<String> = [originals, facts].into_iter().flatten().collect();
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }
}

/// How blocks and spans stand, in this order. Their originals are read for it.
pub(super) fn standing(
    store: &Store,
    log: &mut dyn Log,
    blocks: &[Block],
    spans: &[Span],
) -> Result<Vec<Standing>, Problem> {
    let blocks = blocks.iter().map(|block| (GateRegion::block(block), &block.record));
    let spans = spans.iter().map(|span| (GateRegion::span(span), &span.record));
    let mut all = Vec::new();
    for (region, record) in blocks.chain(spans) {
        let live = live(store, &log.head().key, &region)?;
        let texts = texts(log, record)?;
        let facts = provenance(record, &|source: &SourceRef| match texts.get(&source.place).map(String::as_str) {
            // Nothing rests on an empty part: its text was not to be kept.
            Some("") => Cited::Closed,
            Some(text) => Cited::Original(text),
            None => Cited::Nothing,
        });
        let validity = validity(&region, &live, &facts);
        all.push(Standing { region, live, facts, validity, idempotence: idempotence(record) });
    }
    Ok(all)
}

/// Reads the originals of a region. A database that cannot be read is an error: nothing is gone for that.
pub(super) fn live(store: &Store, key: &SessionKey, region: &GateRegion) -> Result<Liveness, StoreError> {
    let mut now = HashMap::new();
    for origin in &region.origins {
        now.insert(origin.parts.clone(), store.originals(key, &origin.parts)?);
    }
    Ok(liveness(region, &|parts| now.get(parts).copied().flatten()))
}

/// The texts of the parts that a record cites.
fn texts(log: &mut dyn Log, record: &Record) -> Result<HashMap<Place, String>, Problem> {
    let places: BTreeSet<Place> =
        record.items.iter().flat_map(|item| &item.sources).map(|source| source.place).collect();
    let mut texts = HashMap::new();
    for place in places {
        let stretch = log.forward(place.file, place.offset, 1, Depth::Full)?;
        let line = stretch.lines.into_iter().find(|line| line.offset == place.offset);
        let Some(Body::Message { parts, .. }) = line.map(|line| line.body) else { continue };
        texts.extend(parts.into_iter().find(|part| part.block == place.part).map(|part| (place, part.text)));
    }
    Ok(texts)
}
