//! The lines of the interchange format as they stand in a file. Unknown keys are ignored; a wrong type names its line.

use serde::{Deserialize, Serialize};

use super::words::{At, OfLine};

/// One line, read.
pub(in crate::store) enum Given {
    Session(SessionShape),
    Part(Box<PartShape>),
    Line(Box<LineShape>),
    Note(Box<NoteShape>),
    Compaction(Box<CompactionShape>),
    Record(Box<RecordShape>),
    Block(Box<BlockShape>),
    Span(Box<SpanShape>),
    Entry(Box<EntryShape>),
}

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow, rename = "type")]
    tag: std::borrow::Cow<'a, str>,
}

/// Looks at the tag first, so that what is wrong can be named.
pub(in crate::store) fn parse(json: &str) -> Result<Given, String> {
    fn shape<'a, T: Deserialize<'a>>(tag: &str, json: &'a str) -> Result<T, String> {
        serde_json::from_str(json).map_err(|error| format!("a {tag} line: {error}"))
    }
    let Tag { tag } = serde_json::from_str(json).map_err(|error| format!("not a JSON object with a type: {error}"))?;
    Ok(match tag.as_ref() {
        "session" => Given::Session(shape("session", json)?),
        "part" => Given::Part(shape("part", json)?),
        "line" => Given::Line(shape("line", json)?),
        "note" => Given::Note(shape("note", json)?),
        "compaction" => Given::Compaction(shape("compaction", json)?),
        "record" => Given::Record(shape("record", json)?),
        "block" => Given::Block(shape("block", json)?),
        "span" => Given::Span(shape("span", json)?),
        "entry" => Given::Entry(shape("entry", json)?),
        other => {
            let known = "session, part, line, note, compaction, record, block, span or entry";
            return Err(format!("type is {other:?}, not {known}"));
        }
    })
}

/// One line, to be written.
pub(super) fn text<T: Serialize>(tag: &'static str, shape: &T) -> String {
    #[derive(Serialize)]
    struct Tagged<'a, T> {
        #[serde(rename = "type")]
        tag: &'static str,
        #[serde(flatten)]
        shape: &'a T,
    }
    // Strings, numbers and lists only: nothing in a shape can fail to be written.
    let mut text = serde_json::to_string(&Tagged { tag, shape }).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct SessionShape {
    pub(super) schema: Option<String>,
    pub(super) agent: Option<String>,
    pub(in crate::store) id: String,
    pub(super) sub: Option<String>,
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sides: Vec<SideShape>,
    /// Texts of closed blocks are not kept: whether the words that records quote are, `keep` or `drop`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::store) retention: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SideShape {
    pub(super) file: u16,
    pub(super) agent_id: String,
    #[serde(default)]
    pub(super) path: String,
}

/// What any line may say besides what it is.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Links {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) logical_parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) agent_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) started_agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lossy: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) file: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) raw: Option<String>,
    /// The raw line in hexadecimal, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) raw_hex: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u16) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(n: &u32) -> bool {
    *n == 0
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct UsageShape {
    #[serde(default)]
    pub(super) input: u64,
    #[serde(default)]
    pub(super) output: u64,
}

#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct PartShape {
    pub(in crate::store) id: String,
    pub(super) turn: Option<String>,
    pub(super) role: String,
    pub(super) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    #[serde(default, skip_serializing_if = "OfLine::is_the_parts")]
    pub(super) line: OfLine,
    #[serde(default, skip_serializing_if = "is_first")]
    pub(super) block: u32,
    /// Of every part that is not opaque, and whose text is not gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ok: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) what: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<UsageShape>,
    /// In place of a text that was not to be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gone: Option<GoneShape>,
    #[serde(flatten)]
    pub(super) links: Links,
}

/// What stays of a text that went.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct GoneShape {
    pub(super) bytes: u64,
    pub(super) hash: String,
}

#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct LineShape {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// `noise`, `unread`, `summary`, or `message` for one without parts.
    pub(super) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) what: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<UsageShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    #[serde(flatten)]
    pub(super) links: Links,
}

#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct NoteShape {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    #[serde(default)]
    pub(super) before: Option<u64>,
    #[serde(default)]
    pub(super) saved: Option<u64>,
    #[serde(default)]
    pub(super) cleared: u64,
    #[serde(flatten)]
    pub(super) links: Links,
}

#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct CompactionShape {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::store) id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trigger: Option<String>,
    #[serde(default)]
    pub(super) tokens_before: Option<u64>,
    #[serde(default)]
    pub(super) tokens_after: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) preserved: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) preserved_head: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) preserved_tail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_kept: Option<String>,
    /// The first kept line by its index, where the agent names it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_kept_line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_covered: Option<String>,
    #[serde(default)]
    pub(super) summary: Option<String>,
    #[serde(default)]
    pub(super) record: bool,
    #[serde(flatten)]
    pub(super) links: Links,
}

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

#[derive(Serialize, Deserialize)]
pub(in crate::store) struct EntryShape {
    /// With `prev` and `hash`: absent in an entry that somebody wrote by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<u32>,
    pub(super) kind: String,
    #[serde(rename = "as")]
    pub(super) act: String,
    #[serde(default)]
    pub(super) outcome: Option<String>,
    #[serde(default)]
    pub(super) text: String,
    #[serde(default)]
    pub(super) corrects: Option<AnchorShape>,
    #[serde(default)]
    pub(super) target: Option<String>,
    #[serde(default)]
    pub(super) source: Option<QuoteShape>,
    pub(super) via: String,
    pub(super) author: String,
    #[serde(default)]
    pub(super) reason: Option<String>,
    pub(super) at: At,
    #[serde(default)]
    pub(super) proposed: bool,
    #[serde(default)]
    pub(super) origin: Option<String>,
    #[serde(default)]
    pub(super) prev: Option<String>,
    #[serde(default)]
    pub(super) hash: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AnchorShape {
    pub(super) agent: String,
    pub(super) session: String,
    #[serde(default)]
    pub(super) sub: Option<String>,
    pub(super) marker: String,
    pub(super) summary: String,
    pub(super) field: String,
    pub(super) text: String,
    pub(super) hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<[usize; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) record: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ordinal: Option<u32>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct QuoteShape {
    pub(super) turn: String,
    pub(super) turn_id: String,
    #[serde(default)]
    pub(super) line_id: Option<String>,
    pub(super) part: u32,
    pub(super) range: [usize; 2],
    pub(super) quote: String,
    pub(super) hash: String,
    pub(super) speaker: String,
}
