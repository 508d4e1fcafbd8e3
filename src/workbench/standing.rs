//! How what is closed stands: its originals, its facts, and whether it may be built on.

use std::collections::{BTreeSet, HashMap};

use super::pool::{self, Next};
use super::{Compiled, Problem, Workbench};
use crate::compile::{
    Cited, GateRegion, Idempotence, Liveness, Provenance, Validity, idempotence, liveness, provenance, validity,
};
use crate::record::{Block, Record, Span};
use crate::session::{Body, Depth, Log, Place, SessionKey, SourceRef};
use crate::store::{Access, Store, StoreError};

/// Bytes of originals that are read at once.
const STEP: usize = 64 << 10;

/// One region of a session and how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionStanding {
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

impl RegionStanding {
    /// What is not as it should be, in words; `None` where all is well. That originals went which were not to be kept is
    /// as it should be.
    pub fn wrong(&self) -> Option<String> {
        wrong(&self.live, &self.facts)
    }
}

fn wrong(live: &Liveness, facts: &Provenance) -> Option<String> {
    let originals = match live {
        Liveness::Live => None,
        Liveness::Gone(_) if facts.closed > 0 || facts.facts == 0 => None,
        Liveness::Gone(_) => Some("its originals are gone".to_owned()),
        Liveness::Changed(_) => Some("its originals are not what they were".to_owned()),
        Liveness::Unnamed => Some("it names no originals".to_owned()),
    };
    let hanging = facts.dangling.len() + facts.only_summaries.len();
    let hanging = (hanging > 0).then(|| format!("{hanging} of {} facts rest on no original", facts.facts));
    let wrong: Vec<String> = [originals, hanging].into_iter().flatten().collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

impl Workbench {
    /// How everything that is closed of a session stands: its blocks, and behind them its spans. All originals are read
    /// for it.
    pub fn how_it_stands(&self, compiled: &Compiled) -> Result<Vec<RegionStanding>, Problem> {
        let store = Store::open(&compiled.info.path, Access::ReadOnly)?;
        let mut log = store.log(&compiled.info.key)?;
        standing(&store, log.as_mut(), &compiled.blocks, &compiled.spans)
    }

    /// What is not as it should be, each with the name of its region; empty where all is well. Originals are read only of
    /// what was closed before: the rest was held against them when it was stored, so that only facts which name no source
    /// can be wrong in it.
    pub fn what_is_wrong(&self, compiled: &Compiled) -> Result<Vec<(String, String)>, Problem> {
        let store = Store::open(&compiled.info.path, Access::ReadOnly)?;
        let mut log = store.log(&compiled.info.key)?;
        let before = (compiled.blocks.len() - compiled.new, compiled.spans.len() - compiled.new_spans);
        let mut all = Vec::new();
        let closed = regions(&compiled.blocks, &compiled.spans);
        for (at, (region, record)) in closed.enumerate() {
            let is_new = match at.checked_sub(compiled.blocks.len()) {
                None => at >= before.0,
                Some(at) => at >= before.1,
            };
            let (live, facts) = if is_new {
                let cited = |_: &SourceRef| Cited::Closed;
                (Liveness::Live, provenance(record, &cited))
            } else {
                held(&store, log.as_mut(), &region, record)?
            };
            all.extend(wrong(&live, &facts).map(|wrong| (region.name, wrong)));
        }
        Ok(all)
    }
}

/// How blocks and spans stand, in this order. Their originals are read for it.
pub(super) fn standing(
    store: &Store,
    log: &mut dyn Log,
    blocks: &[Block],
    spans: &[Span],
) -> Result<Vec<RegionStanding>, Problem> {
    let again = read_again(regions(blocks, spans).map(|(_, record)| record));
    let stands = |((region, record), idempotence): ((GateRegion, &Record), Idempotence)| {
        let (live, facts) = held(store, log, &region, record)?;
        let validity = validity(&region, &live, &facts);
        Ok(RegionStanding { region, live, facts, validity, idempotence })
    };
    regions(blocks, spans).zip(again).map(stands).collect()
}

/// What each of these records would lose if it were read as if it were originals; they are read side by side.
pub fn read_again<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Idempotence> {
    let records: Vec<&Record> = records.collect();
    let mut all = Vec::with_capacity(records.len());
    let read = |(): &mut (), at: usize| idempotence(records[at]);
    pool::in_order(
        pool::threads(),
        records.len(),
        || (),
        read,
        |_, one| {
            all.push(one);
            Next::Go
        },
    );
    all
}

fn regions<'a>(blocks: &'a [Block], spans: &'a [Span]) -> impl Iterator<Item = (GateRegion, &'a Record)> {
    let blocks = blocks.iter().map(|block| (GateRegion::block(block), &*block.record));
    blocks.chain(spans.iter().map(|span| (GateRegion::span(span), &*span.record)))
}

/// Whether the originals of a region are what they were, and how they hold up its facts.
fn held(
    store: &Store,
    log: &mut dyn Log,
    region: &GateRegion,
    record: &Record,
) -> Result<(Liveness, Provenance), Problem> {
    let live = live(store, &log.head().key, region)?;
    let texts = texts(log, record)?;
    let facts = provenance(record, &|source: &SourceRef| match texts.get(&source.place).map(String::as_str) {
        // Nothing but a call without a word rests on an empty part: of others the text was not to be kept.
        Some("") if source.range != (0, 0) => Cited::Closed,
        Some(text) => Cited::Original(text),
        None => Cited::Nothing,
    });
    Ok((live, facts))
}

/// Reads the originals of a region. A database that cannot be read is an error: nothing is gone for that.
pub(super) fn live(store: &Store, key: &SessionKey, region: &GateRegion) -> Result<Liveness, StoreError> {
    let mut now = HashMap::new();
    for origin in &region.origins {
        now.insert(origin.parts.clone(), store.originals(key, &origin.parts)?);
    }
    Ok(liveness(region, &|parts| now.get(parts).copied().flatten()))
}

/// The texts of the parts that a record cites. They stand near each other, and are read so.
fn texts(log: &mut dyn Log, record: &Record) -> Result<HashMap<Place, String>, Problem> {
    let mut places: BTreeSet<Place> =
        record.items.iter().flat_map(|item| &item.sources).map(|source| source.place).collect();
    let mut texts = HashMap::new();
    while let Some(Place { file, offset, .. }) = places.first().copied() {
        let mut behind = offset + 1;
        for line in log.forward(file, offset, STEP, Depth::Full)?.lines {
            behind = line.offset + 1;
            let Body::Message { parts, .. } = line.body else { continue };
            let cited =
                parts.into_iter().map(|part| (Place { file, offset: line.offset, part: part.block }, part.text));
            texts.extend(cited.filter(|(place, _)| places.contains(place)));
        }
        places = places.split_off(&Place { file, offset: behind, part: 0 });
    }
    Ok(texts)
}
