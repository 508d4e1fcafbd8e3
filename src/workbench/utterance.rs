//! What an agent builder appends, and how it is written down.

use serde_json::{Value, json};

use crate::session::{PartKind, Role, Speaker};

/// Something that was said, to be appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    turn: String,
    role: Role,
    speaker: Speaker,
    kind: PartKind,
    text: String,
}

impl Utterance {
    fn new(turn: &str, role: Role, speaker: Speaker, kind: PartKind, text: &str) -> Self {
        Self { turn: turn.to_owned(), role, speaker, kind, text: text.to_owned() }
    }

    /// What a person typed. `turn` groups what belongs to one message.
    pub fn user(turn: &str, text: &str) -> Self {
        Self::new(turn, Role::User, Speaker::User, PartKind::Text, text)
    }

    /// What the agent said.
    pub fn agent(turn: &str, text: &str) -> Self {
        Self::new(turn, Role::Assistant, Speaker::Assistant, PartKind::Text, text)
    }

    /// A call that the agent made.
    pub fn call(turn: &str, id: &str, tool: &str, args: &str) -> Self {
        let kind = PartKind::ToolCall { id: Some(id.to_owned()), name: tool.to_owned() };
        Self::new(turn, Role::Assistant, Speaker::Assistant, kind, args)
    }

    /// What a call gave.
    pub fn result(turn: &str, id: &str, ok: bool, text: &str) -> Self {
        Self::new(turn, Role::User, Speaker::Tool, PartKind::ToolResult { id: Some(id.to_owned()), ok }, text)
    }

    /// As a part line of the interchange format.
    pub(super) fn line(&self, no: u64, at: i64) -> Value {
        let mut line = json!({
            "type": "part", "id": format!("{}.{no}", self.turn), "turn": self.turn, "role": self.role.name(),
            "speaker": self.speaker.name(), "at": at, "text": self.text,
        });
        let more = match &self.kind {
            PartKind::Text => json!({"kind": "text"}),
            PartKind::Thinking => json!({"kind": "thinking"}),
            PartKind::ToolCall { id, name } => json!({"kind": "tool_call", "call": id, "tool": name}),
            PartKind::ToolResult { id, ok } => json!({"kind": "tool_result", "call": id, "ok": ok}),
            PartKind::Opaque { what } => json!({"kind": "opaque", "what": what}),
        };
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        line
    }
}
