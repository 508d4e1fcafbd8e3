//! A record as JSON, as it was kept and with the ledger laid over it.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use super::{SourceJson, quote, source};
use crate::record::{Detail, Effective, EffectiveItem, EntryKind, Field, Ledger, LedgerEntry, Record, Verdict};
use crate::workbench::MarkerRecord;

/// A record under the names of its fields.
#[derive(Default, Serialize)]
pub struct RecordJson {
    narrative: Vec<RecordItemJson>,
    entities: Vec<RecordItemJson>,
    figures: Vec<RecordItemJson>,
    constraints: Vec<RecordItemJson>,
    decisions: Vec<RecordItemJson>,
    #[serde(rename = "actionsTaken")]
    actions_taken: Vec<RecordItemJson>,
    #[serde(rename = "ruledOut")]
    ruled_out: Vec<RecordItemJson>,
    #[serde(rename = "openQuestions")]
    open_questions: Vec<RecordItemJson>,
}

impl RecordJson {
    fn field(&mut self, field: Field) -> &mut Vec<RecordItemJson> {
        match field {
            Field::Narrative => &mut self.narrative,
            Field::Entities => &mut self.entities,
            Field::Figures => &mut self.figures,
            Field::Constraints => &mut self.constraints,
            Field::Decisions => &mut self.decisions,
            Field::Actions => &mut self.actions_taken,
            Field::RuledOut => &mut self.ruled_out,
            Field::Open => &mut self.open_questions,
        }
    }
}

/// One line of a record.
#[derive(Default, Serialize)]
pub struct RecordItemJson {
    id: String,
    text: String,
    #[serde(flatten)]
    detail: serde_json::Map<String, Value>,
    verdict: &'static str,
    why: Option<String>,
    sources: Vec<SourceJson>,
    corrected_by: Option<String>,
}

fn record_item(id: String, laid: &EffectiveItem) -> RecordItemJson {
    let item = laid.item;
    let mut detail = serde_json::Map::new();
    match &item.detail {
        Detail::Plain => {}
        Detail::Entity { class } => {
            detail.insert("class".into(), class.clone().into());
        }
        Detail::Figure { label, value, unit } => {
            detail.insert("label".into(), label.clone().into());
            detail.insert("value".into(), value.clone().into());
            detail.insert("unit".into(), unit.clone().into());
        }
        Detail::Action { tool, args, ok } => {
            detail.insert("tool".into(), tool.clone().into());
            detail.insert("args".into(), args.clone().into());
            detail.insert("ok".into(), (*ok).into());
        }
        Detail::RuledOut { claim, evidence } => {
            detail.insert("claim".into(), claim.clone().into());
            detail.insert("evidence".into(), evidence.clone().into());
        }
    }
    if matches!(item.field, Field::Figures | Field::RuledOut) {
        let turn_id = item.sources.first().map(|source| source.turn_id.clone());
        detail.insert("turnId".into(), turn_id.into());
    }
    RecordItemJson {
        id,
        text: item.text.clone(),
        detail,
        verdict: item.verdict.name(),
        why: item.why.clone(),
        sources: item.sources.iter().map(source).collect(),
        corrected_by: laid.corrected_by.map(|entry| format!("L{}", entry.no)),
    }
}

/// The items of a record under their names: `m2.r3`.
fn items<'a>(marked: &MarkerRecord, laid: &'a Effective) -> impl Iterator<Item = (String, &'a EffectiveItem<'a>)> {
    let no = marked.compaction.no;
    marked.record.names().into_iter().map(move |name| format!("m{no}.{name}")).zip(&laid.items)
}

/// The record as the compaction kept it.
pub fn record(marked: &MarkerRecord, laid: &Effective) -> RecordJson {
    let mut json = RecordJson::default();
    for (id, laid) in items(marked, laid) {
        json.field(laid.item.field).push(record_item(id, laid));
    }
    json
}

/// The record compiled mechanically from the turns; `None` where nothing was checked.
pub fn compiled(marked: &MarkerRecord) -> Option<RecordJson> {
    let compiled = &marked.checked.as_ref()?.compiled;
    let mut json = RecordJson::default();
    for (item, name) in compiled.items.iter().zip(compiled.names()) {
        let id = format!("m{}.compiled.{name}", marked.compaction.no);
        json.field(item.field).push(record_item(id, &EffectiveItem { item, corrected_by: None }));
    }
    Some(json)
}

/// A record of turns of their own, its items under names that begin with this.
pub fn own(record: &Record, of: &str) -> RecordJson {
    let mut json = RecordJson::default();
    for (item, name) in record.items.iter().zip(record.names()) {
        json.field(item.field).push(record_item(format!("{of}.{name}"), &EffectiveItem { item, corrected_by: None }));
    }
    json
}

/// The record with the ledger laid over it: what was overruled is gone, what was pinned as it is stays, and the other
/// entries that count stand in their fields.
pub fn effective(marked: &MarkerRecord, laid: &Effective, ledger: &Ledger) -> RecordJson {
    let mut json = RecordJson::default();
    for (id, laid) in items(marked, laid).filter(|(_, laid)| laid.overruled().is_none()) {
        json.field(laid.item.field).push(record_item(id, laid));
    }
    let here: HashSet<u32> = laid.items.iter().filter_map(|laid| Some(laid.pinned()?.no)).collect();
    for entry in ledger.active().filter(|entry| !here.contains(&entry.no)) {
        if let Some(field) = entry.field() {
            json.field(field).push(pinned(entry));
        }
    }
    json
}

fn pinned(entry: &LedgerEntry) -> RecordItemJson {
    let draft = &entry.draft;
    let quoted = entry.is_quoted();
    let mut detail = serde_json::Map::new();
    if draft.kind == EntryKind::RuledOut {
        detail.insert("claim".into(), draft.text.clone().into());
        detail.insert("evidence".into(), draft.source.as_ref().map_or("", |source| &source.quote).into());
        detail.insert("turnId".into(), draft.source.as_ref().map(|source| source.turn_id.clone()).into());
    }
    RecordItemJson {
        id: format!("L{}", entry.no),
        text: draft.text.clone(),
        detail,
        verdict: if quoted { Verdict::Verified } else { Verdict::Unchecked }.name(),
        why: (!quoted).then(|| format!("entered by {}", draft.author)),
        sources: draft.source.iter().map(quote).collect(),
        corrected_by: None,
    }
}
