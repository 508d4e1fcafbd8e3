//! A lineage as JSON.

use serde::Serialize;
use serde_json::Value;

use super::{SourceJson, source, turn};
use crate::record::{Change, FindingKind, Generation, Lineage, Record, Verdict};

/// See [`lineage`].
#[derive(Serialize)]
pub struct LineageJson {
    schema: &'static str,
    text: String,
    generations: Vec<GenerationJson>,
}

#[derive(Serialize)]
struct GenerationJson {
    marker: Option<String>,
    /// Of the original words and of a rendering's best source.
    turn: Option<Value>,
    item: Option<String>,
    text: String,
    certainty: Option<u8>,
    negated: bool,
    verdict: Option<&'static str>,
    found: Option<&'static str>,
    differs: Option<&'static str>,
    changed: Option<&'static str>,
    pairwise: Option<&'static str>,
    source: Option<SourceJson>,
    /// The words of `text` that a change turns on, as byte ranges.
    decisive: Vec<[usize; 2]>,
}

/// A claim through its generations; `record` gives the record of a marker, which names its items.
pub fn lineage<'a>(lineage: &Lineage, record: impl Fn(u32) -> Option<&'a Record>) -> LineageJson {
    let name = |one: &Generation| {
        let (no, item) = (one.marker?, one.item?);
        record(no).map(|record| format!("m{no}.{}", record.name(item)))
    };
    let generations = lineage.generations.iter().map(|one| GenerationJson {
        marker: one.marker.map(|no| format!("m{no}")),
        turn: one.source.as_ref().map(|source| turn(&source.turn)),
        item: name(one),
        text: one.text.clone(),
        certainty: one.certainty,
        negated: one.negated,
        verdict: one.verdict.map(Verdict::name),
        found: one.found.map(FindingKind::name),
        differs: one.differs.map(Change::name),
        changed: one.changed.map(Change::name),
        pairwise: one.pairwise.map(Change::name),
        source: one.source.as_ref().map(source),
        decisive: one.decisive.iter().map(|(start, end)| [*start, *end]).collect(),
    });
    LineageJson { schema: "stet.lineage/1", text: lineage.text.clone(), generations: generations.collect() }
}
