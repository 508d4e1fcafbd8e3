//! Records as they stand in a file: of compactions, of blocks and of spans.

use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct RecordShape {
    pub(in crate::store) compaction: String,
    #[serde(flatten)]
    pub(super) items: ItemsShape,
}

/// A closed run of turns with its record.
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct BlockShape {
    pub(super) no: u32,
    #[serde(flatten)]
    pub(super) run: RunShape,
    pub(super) closed_by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) turned: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) cut: Vec<String>,
    pub(super) generation: u32,
    #[serde(flatten)]
    pub(super) items: ItemsShape,
}

#[derive(Serialize, Deserialize)]
pub(in crate::store) struct SpanShape {
    pub(super) no: u32,
    pub(super) blocks: [u32; 2],
    #[serde(flatten)]
    pub(super) run: RunShape,
    pub(super) generation: u32,
    #[serde(flatten)]
    pub(super) items: ItemsShape,
}

#[derive(Serialize, Deserialize)]
pub(super) struct RunShape {
    pub(super) parts: [u64; 2],
    pub(super) turns: [u32; 2],
    pub(super) from: String,
    pub(super) tokens: u64,
    pub(super) originals: String,
}

/// The items of a record by field.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct ItemsShape {
    #[serde(default)]
    pub(super) narrative: Vec<ItemShape>,
    #[serde(default)]
    pub(super) entities: Vec<ItemShape>,
    #[serde(default)]
    pub(super) figures: Vec<ItemShape>,
    #[serde(default)]
    pub(super) constraints: Vec<ItemShape>,
    #[serde(default)]
    pub(super) decisions: Vec<ItemShape>,
    #[serde(default, rename = "actionsTaken")]
    pub(super) actions: Vec<ItemShape>,
    #[serde(default, rename = "ruledOut")]
    pub(super) ruled_out: Vec<ItemShape>,
    #[serde(default, rename = "openQuestions")]
    pub(super) open: Vec<ItemShape>,
}

#[derive(Default, Serialize, Deserialize)]
pub(super) struct ItemShape {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) args: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ok: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claim: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) evidence: Option<String>,
    /// Why it is still a draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) draft: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<SourceShape>,
    /// Where an item has more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sources: Vec<SourceShape>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SourceShape {
    pub(super) part: String,
    /// Empty where the words may not be kept.
    pub(super) quote: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<[usize; 2]>,
    /// In the record of a block or span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seq: Option<u64>,
    /// Of a quote that may not be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
}
