//! A record as JSON, as it was kept and with the ledger laid over it.

use serde::Serialize;
use serde_json::Value;

use super::{SourceJson, quote, source};
use crate::record::{Detail, Effective, EffectiveItem, EntryKind, Field, Ledger, LedgerEntry, Record};
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

fn record_item(no: u32, record: &Record, at: usize, laid: &EffectiveItem) -> RecordItemJson {
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
        id: format!("m{no}.{}", record.name(at)),
        text: item.text.clone(),
        detail,
        verdict: item.verdict.name(),
        why: item.why.clone(),
        sources: item.sources.iter().map(source).collect(),
        corrected_by: laid.corrected_by.map(|entry| format!("L{}", entry.no)),
    }
}

/// The record as the compaction kept it.
pub fn record(marked: &MarkerRecord, laid: &Effective) -> RecordJson {
    let mut json = RecordJson::default();
    for (at, laid) in laid.items.iter().enumerate() {
        json.field(laid.item.field).push(record_item(marked.compaction.no, &marked.record, at, laid));
    }
    json
}

/// The record with the ledger laid over it: what was corrected is gone, and the entries that count stand in their fields.
pub fn effective(marked: &MarkerRecord, laid: &Effective, ledger: &Ledger) -> RecordJson {
    let mut json = RecordJson::default();
    let kept = laid.items.iter().enumerate().filter(|(_, laid)| laid.corrected_by.is_none());
    for (at, laid) in kept {
        json.field(laid.item.field).push(record_item(marked.compaction.no, &marked.record, at, laid));
    }
    for entry in ledger.active() {
        if let Some(field) = field_of(entry) {
            json.field(field).push(pinned(entry));
        }
    }
    json
}

/// Where an entry stands in a record; `None` for one that only says what nobody said.
pub fn field_of(entry: &LedgerEntry) -> Option<Field> {
    Some(match entry.draft.kind {
        EntryKind::Open => Field::Open,
        EntryKind::RuledOut => Field::RuledOut,
        EntryKind::Constraint => Field::Constraints,
        EntryKind::Decision => Field::Decisions,
        // A fact stays where the item that it replaces stood.
        EntryKind::Fact => entry
            .draft
            .corrects
            .as_ref()
            .map(|anchor| anchor.field)
            .filter(|field| EntryKind::of(*field) == EntryKind::Fact)
            .unwrap_or(Field::Narrative),
        EntryKind::NeverSaid => return None,
    })
}

fn pinned(entry: &LedgerEntry) -> RecordItemJson {
    let draft = &entry.draft;
    let quoted = draft.source.as_ref().is_some_and(|source| source.quote.contains(&draft.text));
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
        verdict: if quoted { "verified" } else { "unchecked" },
        why: (!quoted).then(|| format!("entered by {}", draft.author)),
        sources: draft.source.iter().map(quote).collect(),
        corrected_by: None,
    }
}
