//! The shapes of `--format json`. Strings are exact; everything that could act on a terminal is escaped.

mod checked;
mod cost;
mod escape;
mod extract;
mod ledger;
mod lineage;
mod part;
mod record;
mod simulate;
mod standing;
mod window;

use serde::Serialize;
use serde_json::Value;

use crate::record::{Effective, EffectiveItem, Finding, Quote};
use crate::session::{Compaction, Originals, Outline, SourceRef, TurnNo};
use crate::workbench::{MarkerRecord, SessionInfo, Skipped};

pub use checked::checked;
use checked::{CheckedJson, FindingJson, RetentionJson};
pub use cost::cost;
pub use escape::{Escaping, line};
pub use extract::Item;
pub use ledger::{EntryJson, entry};
pub use lineage::lineage;
pub use part::{PartJson, part};
pub use record::{RecordJson, compiled, effective, own, record};
pub use simulate::simulation;
pub use standing::{StandingJson, standing};
pub use window::window;

/// A session.
#[derive(Serialize)]
pub struct SessionJson {
    id: String,
    agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<String>,
    title: Option<String>,
    turns: u32,
    path: String,
}

/// See [`SessionJson`].
pub fn session(info: &SessionInfo) -> SessionJson {
    SessionJson {
        id: info.key.id.clone(),
        agent: info.key.agent.clone(),
        sub: info.key.sub.clone(),
        title: info.title.clone(),
        turns: info.turns,
        path: info.path.to_string_lossy().into_owned(),
    }
}

/// A session in `ls`.
#[derive(Serialize)]
pub struct ListedJson {
    #[serde(flatten)]
    session: SessionJson,
    compactions: u32,
    modified: Option<String>,
    /// Null where nobody counted them: of a session in the database.
    skipped: Option<usize>,
}

/// See [`ListedJson`].
pub fn listed(info: &SessionInfo) -> ListedJson {
    ListedJson {
        session: session(info),
        compactions: info.compactions,
        modified: info.modified.map(time),
        skipped: info.skipped,
    }
}

/// Something that could not be read.
#[derive(Serialize)]
pub struct SkippedJson {
    line: Option<u64>,
    why: String,
    offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

/// See [`SkippedJson`]; the path is told for a sub-agent's file only.
pub fn skipped(skipped: &[Skipped]) -> Vec<SkippedJson> {
    skipped
        .iter()
        .map(|one| SkippedJson {
            line: one.trouble.line,
            why: one.trouble.why.clone(),
            offset: one.trouble.offset,
            path: one.side.as_ref().map(|path| path.to_string_lossy().into_owned()),
        })
        .collect()
}

/// The number of a turn: a number, for a sub-agent's turn a string.
pub fn turn(no: &TurnNo) -> Value {
    match no.0.as_slice() {
        [no] => Value::from(*no),
        [] => Value::Null,
        _ => Value::from(no.to_string()),
    }
}

/// Milliseconds as RFC 3339 in UTC; empty for a time that no calendar holds.
pub fn time(at: i64) -> String {
    jiff::Timestamp::from_millisecond(at).map_or_else(|_| String::new(), |at| at.to_string())
}

/// The words that an item rests on.
#[derive(Serialize)]
pub struct SourceJson {
    turn: Value,
    turn_id: String,
    part: u32,
    speaker: &'static str,
    quote: String,
    range: [usize; 2],
}

/// See [`SourceJson`].
pub fn source(source: &SourceRef) -> SourceJson {
    SourceJson {
        turn: turn(&source.turn),
        turn_id: source.turn_id.clone(),
        part: source.place.part,
        speaker: source.speaker.name(),
        quote: source.quote.clone(),
        range: [source.range.0, source.range.1],
    }
}

fn quote(quote: &Quote) -> SourceJson {
    SourceJson {
        turn: match quote.turn.as_str() {
            "" => Value::Null,
            no => no.parse::<u32>().map_or_else(|_| Value::from(no), Value::from),
        },
        turn_id: quote.turn_id.clone(),
        part: quote.part,
        speaker: quote.speaker.name(),
        quote: quote.quote.clone(),
        range: [quote.range.0, quote.range.1],
    }
}

/// Turns from one to another, both included.
#[derive(Serialize)]
struct RangeJson {
    from: u32,
    to: u32,
}

/// A marker.
#[derive(Serialize)]
pub struct MarkerJson {
    id: String,
    after_turn: Option<u32>,
    covers: Vec<RangeJson>,
    reaches: Vec<RangeJson>,
    trigger: &'static str,
    tokens_before: Option<u64>,
    tokens_after: Option<u64>,
    generation: Option<u32>,
    originals: &'static str,
    at: Option<String>,
    /// Null where nothing was checked.
    retention: Option<RetentionJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<ItemJson>>,
    /// Empty where nothing was checked.
    findings: Vec<FindingJson>,
    refetch_tokens: Option<u64>,
    #[serde(flatten)]
    checked: Option<CheckedJson>,
}

/// A marker without its items.
pub fn marker(outline: &Outline, compaction: &Compaction) -> MarkerJson {
    let ranges = |parts| outline.turn_ranges(parts).into_iter().map(|(from, to)| RangeJson { from, to }).collect();
    MarkerJson {
        id: format!("m{}", compaction.no),
        after_turn: compaction.after_turn,
        covers: ranges(&compaction.covers),
        reaches: ranges(&compaction.reaches),
        trigger: compaction.trigger.name(),
        tokens_before: compaction.tokens_before,
        tokens_after: compaction.tokens_after,
        generation: compaction.generation,
        originals: match compaction.originals {
            Originals::Present => "present",
            Originals::Partly => "partly",
            Originals::Gone => "gone",
        },
        at: compaction.at.map(time),
        retention: None,
        items: None,
        findings: Vec::new(),
        refetch_tokens: None,
        checked: None,
    }
}

/// A marker with what was found; of the findings those that `shown` lets pass.
pub fn audited(
    outline: &Outline,
    marked: &MarkerRecord,
    laid: &Effective,
    shown: &dyn Fn(&Finding) -> bool,
) -> MarkerJson {
    let names = marked.record.names();
    let items = laid.items.iter().zip(&names).enumerate();
    let items = items.map(|(at, (laid, name))| item(marked, at, name, laid)).collect();
    MarkerJson { items: Some(items), ..checked(outline, marked, shown) }
}

/// An item of a record, as `audit` tells it.
#[derive(Serialize)]
pub struct ItemJson {
    id: String,
    field: &'static str,
    text: String,
    verdict: &'static str,
    why: Option<String>,
    better: Option<SourceJson>,
    corrected_by: Option<String>,
    reviewed: bool,
    summary_range: Option<[usize; 2]>,
    sources: Vec<SourceJson>,
}

fn item(marked: &MarkerRecord, at: usize, name: &str, laid: &EffectiveItem) -> ItemJson {
    let item = laid.item;
    ItemJson {
        id: format!("m{}.{name}", marked.compaction.no),
        field: item.field.name(),
        text: item.text.clone(),
        verdict: item.verdict.name(),
        why: item.why.clone(),
        better: item.better.as_ref().map(source),
        corrected_by: laid.corrected_by.map(|entry| format!("L{}", entry.no)),
        reviewed: marked.reviewed.contains(&at),
        summary_range: item.range.map(|(start, end)| [start, end]),
        sources: item.sources.iter().map(source).collect(),
    }
}
