//! A reader just large enough for the sessions of the tests: Claude Code, pi and the interchange format, one branch, no
//! sub-agents.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use stet::session::{FileNo, Part, PartKind, PartSeq, Place, Ranges, Speaker, TurnNo};

/// A part with what stands around it.
pub struct Real {
    pub part: Part,
    pub place: Place,
    pub line_id: Option<String>,
    pub seq: PartSeq,
    pub turn: TurnNo,
    pub turn_id: String,
}

/// A session: its parts, and its summaries with what each reaches.
#[derive(Default)]
pub struct Session {
    pub parts: Vec<Real>,
    pub summaries: Vec<(String, Ranges)>,
    turns: u32,
    messages: HashMap<String, (u32, String)>,
    calls: HashMap<String, (u32, String)>,
}

/// Reads a session file.
pub fn read(path: &Path) -> Session {
    let mut session = Session::default();
    for (index, line) in std::fs::read_to_string(path).expect("the test data is there").lines().enumerate() {
        if let Ok(line) = serde_json::from_str::<Value>(line) {
            session.line(index, &line);
        }
    }
    session
}

impl Session {
    fn line(&mut self, index: usize, line: &Value) {
        if line["type"] == "part" {
            return self.interchanged(index, line);
        }
        let summary = if line["type"] == "compaction" {
            line["summary"].as_str().map(str::to_owned)
        } else if line["isCompactSummary"] == true {
            Some(texts(&line["message"]["content"]))
        } else {
            None
        };
        if let Some(summary) = summary {
            let reaches = std::iter::once(0..self.parts.len() as u64).collect();
            return self.summaries.push((summary, reaches));
        }
        let message = &line["message"];
        let Some(role) = message["role"].as_str().filter(|_| line["isMeta"] != true) else { return };
        let id = line["uuid"].as_str().map_or_else(|| index.to_string(), str::to_owned);
        let blocks = match &message["content"] {
            Value::Array(blocks) => blocks.clone(),
            Value::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
            _ => Vec::new(),
        };
        for (at, block) in blocks.iter().enumerate() {
            let (kind, speaker, text, call) = match block["type"].as_str().unwrap_or_default() {
                "tool_result" => (result(), Speaker::Tool, texts(&block["content"]), block["tool_use_id"].as_str()),
                "thinking" => (PartKind::Thinking, Speaker::Assistant, string(&block["thinking"]), None),
                "tool_use" | "toolCall" => {
                    let name = string(&block["name"]);
                    let arguments = if block["input"].is_null() { &block["arguments"] } else { &block["input"] };
                    (PartKind::ToolCall { id: None, name }, Speaker::Assistant, lines(arguments), None)
                }
                "text" if role == "toolResult" => {
                    (result(), Speaker::Tool, string(&block["text"]), message["toolCallId"].as_str())
                }
                "text" if role == "user" => (PartKind::Text, spoken(&block["text"]), string(&block["text"]), None),
                "text" => (PartKind::Text, Speaker::Assistant, string(&block["text"]), None),
                _ => continue,
            };
            let (turn, turn_id) = self.turn(role, &id, message["id"].as_str(), call);
            if let Some(call) = block["id"].as_str() {
                self.calls.insert(call.to_owned(), (turn, turn_id.clone()));
            }
            self.parts.push(Real {
                part: Part { block: at as u32, kind, speaker, text },
                place: Place { file: FileNo(0), offset: index as u64, part: at as u32 },
                line_id: line["uuid"].as_str().map(str::to_owned),
                seq: PartSeq(self.parts.len() as u64),
                turn: TurnNo::main(turn),
                turn_id,
            });
        }
    }

    fn interchanged(&mut self, index: usize, line: &Value) {
        let kind = match line["kind"].as_str().unwrap_or_default() {
            "text" => PartKind::Text,
            "thinking" => PartKind::Thinking,
            "tool_call" => PartKind::ToolCall { id: None, name: string(&line["tool"]) },
            "tool_result" => result(),
            _ => return,
        };
        let speaker = match line["speaker"].as_str().unwrap_or_default() {
            "user" => Speaker::User,
            "assistant" => Speaker::Assistant,
            "tool" => Speaker::Tool,
            _ => Speaker::System,
        };
        let id = string(&line["turn"]);
        self.parts.push(Real {
            part: Part { block: 0, kind, speaker, text: string(&line["text"]) },
            place: Place { file: FileNo(0), offset: index as u64, part: 0 },
            line_id: None,
            seq: PartSeq(self.parts.len() as u64),
            turn: TurnNo::main(id.trim_start_matches('t').parse().unwrap_or_default()),
            turn_id: id,
        });
    }

    fn turn(&mut self, role: &str, id: &str, message: Option<&str>, call: Option<&str>) -> (u32, String) {
        if let Some(turn) = call.and_then(|call| self.calls.get(call)) {
            return turn.clone();
        }
        let key = match message {
            Some(message) if role == "assistant" => message.to_owned(),
            _ => id.to_owned(),
        };
        if let Some(turn) = self.messages.get(&key) {
            return turn.clone();
        }
        self.turns += 1;
        let turn = (self.turns, id.to_owned());
        self.messages.insert(key, turn.clone());
        turn
    }
}

fn spoken(text: &Value) -> Speaker {
    let text = text.as_str().unwrap_or_default();
    if text.starts_with("<local-command") || text.starts_with("<system-reminder") {
        Speaker::Tool
    } else {
        Speaker::User
    }
}

fn result() -> PartKind {
    PartKind::ToolResult { id: None, ok: true }
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn lines(arguments: &Value) -> String {
    let Value::Object(arguments) = arguments else { return String::new() };
    let said = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let lines: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}: {}", said(value))).collect();
    lines.join("\n")
}
