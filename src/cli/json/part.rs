//! A part of a turn as JSON.

use serde::Serialize;

use crate::session::{PartKind, Said};

/// A part of a turn.
#[derive(Serialize)]
pub struct PartJson {
    kind: &'static str,
    speaker: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    /// What was mended when its line was decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    mended: Option<String>,
}

/// See [`PartJson`].
pub fn part(said: &Said) -> PartJson {
    let part = &said.part;
    let plain = |kind, text: &str| PartJson {
        kind,
        speaker: part.speaker.name(),
        text: text.to_owned(),
        tool: None,
        call: None,
        ok: None,
        mended: said.lossy.clone(),
    };
    match &part.kind {
        PartKind::Text => plain("text", &part.text),
        PartKind::Thinking => plain("thinking", &part.text),
        PartKind::ToolCall { id, name } => {
            PartJson { tool: Some(name.clone()), call: id.clone(), ..plain("tool_call", &part.text) }
        }
        PartKind::ToolResult { id, ok } => {
            PartJson { call: id.clone(), ok: Some(*ok), ..plain("tool_result", &part.text) }
        }
        PartKind::Opaque { what } => plain("opaque", what),
    }
}
