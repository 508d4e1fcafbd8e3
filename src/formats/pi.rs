//! pi: `sessions/--<folder>--/<time>_<id>.jsonl`, a header line and then entries; from version 2 on they form a tree.

use std::path::{Path, PathBuf};

use super::head::{self, head};
use super::json::{Mended, Value, peek};
use super::lines::{Lines, bare};
use super::parts::{Parts, encoded, millis, noise_text, owned, sized};
use super::source::Source;
use super::{Env, Format, OpenError};
use crate::session::{
    Body, Boundary, Depth, FirstKept, Head, Line, Log, PartKind, Role, SessionKey, Speaker, Summary, Usage,
};

/// pi's session files, and those of its relatives.
pub(super) struct Pi;

impl Format for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        let text = String::from_utf8_lossy(head);
        text.lines().map(peek).find_map(is_ours).unwrap_or(false)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn Log>, OpenError> {
        let source = Source::open(path)?;
        let start = head(&source)?;
        let text = String::from_utf8_lossy(&start);
        let id = text.lines().map(peek).filter(is_header).find_map(|line| owned(line.get("id")));
        let title = text.lines().map(peek).find_map(title);
        let key = SessionKey::new(self.name(), id.unwrap_or_else(|| head::first_line_id(&start)));
        let head = Head { key, path: path.to_owned(), title, sides: Vec::new(), rows: false };
        Ok(Box::new(Lines::new(source, head, parse)))
    }

    fn places(&self, env: &Env) -> Vec<PathBuf> {
        if let Some(root) = env.path("PI_CODING_AGENT_DIR") {
            return vec![root.join("sessions")];
        }
        let homes = [".pi/agent/sessions", ".omp/agent/sessions"];
        homes.iter().filter_map(|place| Some(env.home.as_ref()?.join(place))).collect()
    }
}

fn kind_of(line: Value<'_>) -> Option<String> {
    owned(line.get("type"))
}

fn is_header(line: &Value<'_>) -> bool {
    kind_of(*line).as_deref() == Some("session")
}

/// Whether this line is written by pi; `None` where it does not tell.
fn is_ours(line: Value<'_>) -> Option<bool> {
    match kind_of(line)?.as_str() {
        "session" => Some(line.get("id").is_some() && line.get("timestamp").is_some()),
        "message" => Some(line.at(&["message", "role"]).is_some() && line.get("timestamp").is_some()),
        "user" | "assistant" | "session_meta" | "session.start" => Some(false),
        _ => None,
    }
}

fn title(line: Value<'_>) -> Option<String> {
    (kind_of(line)? == "session_info").then(|| owned(line.get("name"))).flatten()
}

/// Reads one object of a session file.
fn parse(value: Value<'_>, depth: Depth, mended: &mut Mended) -> Line {
    let kind = kind_of(value);
    let body = match kind.as_deref() {
        Some("message") => message(value, depth, mended),
        Some("custom_message") => {
            let mut parts = Parts::new(depth, mended);
            contents(value.get("content"), Speaker::Tool, &mut parts);
            said(Role::User, parts, None)
        }
        Some("compaction") => compaction(value, mended),
        _ => noise(kind.as_deref(), value, depth),
    };
    let is_entry = kind.as_deref() != Some("session");
    Line {
        id: owned(value.get("id")).filter(|_| is_entry),
        parent: owned(value.get("parentId")),
        at: value.get("timestamp").and_then(millis),
        ..bare(body)
    }
}

fn said(role: Role, parts: Parts<'_>, usage: Option<Usage>) -> Body {
    Body::Message { role, message: None, parts: parts.done(), usage }
}

fn message(line: Value<'_>, depth: Depth, mended: &mut Mended) -> Body {
    let Some(message) = line.get("message") else { return noise(Some("message"), line, depth) };
    let role = message.get("role").and_then(Value::text);
    let content = message.get("content");
    let mut parts = Parts::new(depth, mended);
    match role.as_deref() {
        Some("user") => {
            contents(content, Speaker::User, &mut parts);
            said(Role::User, parts, None)
        }
        Some("assistant") => {
            contents(content, Speaker::Assistant, &mut parts);
            let usage = message.get("usage").map(usage);
            match said(Role::Assistant, parts, usage) {
                Body::Message { parts, .. } if parts.is_empty() => nothing_said(message, depth),
                said => said,
            }
        }
        Some("toolResult") => {
            tool_result(message, content, &mut parts);
            said(Role::User, parts, None)
        }
        Some("bashExecution") => {
            let text = |key: &str| message.get(key).and_then(Value::text).unwrap_or_default().into_owned();
            let text =
                if depth == Depth::Full { format!("! {}\n{}", text("command"), text("output")) } else { String::new() };
            parts.add(PartKind::Text, Speaker::Tool, text);
            said(Role::User, parts, None)
        }
        Some("custom" | "hookMessage") => {
            contents(content, Speaker::Tool, &mut parts);
            said(Role::User, parts, None)
        }
        Some("branchSummary") => noise_of("branch summary", message.get("summary").unwrap_or(message), depth),
        Some("compactionSummary") => noise_of("summary", message.get("summary").unwrap_or(message), depth),
        Some(other) => noise_of(&format!("unknown role {other:.40}"), message, depth),
        None => {
            parts.opaque(sized("a message without a role", Some(message)), Speaker::Tool);
            said(Role::User, parts, None)
        }
    }
}

/// The model was stopped before it said anything.
fn nothing_said(message: Value<'_>, depth: Depth) -> Body {
    let reason = ["errorMessage", "stopReason"].iter().find_map(|key| message.get(key)).unwrap_or(message);
    noise_of("empty message", reason, depth)
}

fn contents(content: Option<Value<'_>>, speaker: Speaker, parts: &mut Parts<'_>) {
    match content {
        Some(text) if text.escaped().is_some() => parts.say(PartKind::Text, speaker, text),
        Some(list) if list.is_array() => list.items().for_each(|block| self::block(block, speaker, parts)),
        Some(other) => parts.opaque(format!("content that is {}", other.kind()), speaker),
        None => parts.opaque("a message without content".into(), speaker),
    }
}

fn block(block: Value<'_>, speaker: Speaker, parts: &mut Parts<'_>) {
    if block.escaped().is_some() {
        return parts.say(PartKind::Text, speaker, block);
    }
    let text = |key: &str| block.get(key).filter(|text| text.escaped().is_some());
    let kind = block.get("type").and_then(Value::text);
    match (kind.as_deref(), text("text"), text("thinking")) {
        (Some("text"), Some(text), _) => parts.say(PartKind::Text, speaker, text),
        (Some("thinking"), _, Some(thinking)) if thinking.escaped() != Some("") => {
            parts.say(PartKind::Thinking, speaker, thinking);
        }
        (Some("thinking"), ..) => parts.opaque(sized("thinking, encrypted", block.get("thinkingSignature")), speaker),
        (Some("toolCall"), ..) => parts.call(block.get("id"), block.get("name"), block.get("arguments")),
        (Some("image"), ..) => {
            let media = block.get("mimeType").and_then(Value::text).unwrap_or_else(|| "image".into());
            parts.opaque(encoded(&media, block.get("data")), speaker);
        }
        (Some(other), ..) => parts.opaque(sized(&format!("unknown block {other:.40}"), Some(block)), speaker),
        (None, ..) => parts.opaque(sized("unreadable block", Some(block)), speaker),
    }
}

fn tool_result(message: Value<'_>, content: Option<Value<'_>>, parts: &mut Parts<'_>) {
    let ok = !message.get("isError").is_some_and(Value::is_true);
    let kind = PartKind::ToolResult { id: owned(message.get("toolCallId")), ok };
    let texts: Vec<_> = content.into_iter().flat_map(Value::items).filter_map(|block| block.get("text")).collect();
    let text = match content {
        Some(text) if text.escaped().is_some() => parts.text(text),
        _ => texts.into_iter().map(|text| parts.text(text)).collect::<Vec<_>>().join("\n"),
    };
    parts.add(kind, Speaker::Tool, text);
    for inner in content.into_iter().flat_map(Value::items).filter(|block| block.get("text").is_none()) {
        block(inner, Speaker::Tool, parts);
    }
}

fn usage(usage: Value<'_>) -> Usage {
    let number = |key: &str| usage.get(key).and_then(Value::number).unwrap_or(0);
    let read = ["input", "cacheRead", "cacheWrite"].iter().map(|key| number(key));
    Usage { input: read.fold(0, u64::saturating_add), output: number("output") }
}

fn compaction(line: Value<'_>, mended: &mut Mended) -> Body {
    let kept_id = owned(line.get("firstKeptEntryId")).map(FirstKept::Id);
    let kept_line = line.get("firstKeptEntryIndex").and_then(Value::number).map(FirstKept::Line);
    let boundary = Boundary {
        tokens_before: line.get("tokensBefore").and_then(Value::number),
        first_kept: kept_id.or(kept_line),
        ..Boundary::default()
    };
    let summary = line.get("summary").and_then(|text| text.text_within(usize::MAX, mended));
    Body::Compaction { boundary, summary: summary.map(|text| Summary { text: text.into_owned() }) }
}

/// Entries that carry nothing said, and entries of a version that is not known yet.
fn noise(kind: Option<&str>, line: Value<'_>, depth: Depth) -> Body {
    let (what, key) = match kind {
        Some("session") => ("session", "cwd"),
        Some("model_change") => ("model", "modelId"),
        Some("thinking_level_change") => ("thinking level", "thinkingLevel"),
        Some("branch_summary") => ("branch summary", "summary"),
        Some("session_info") => ("title", "name"),
        Some("label") => ("label", "label"),
        Some("custom") => ("custom", "data"),
        Some("message") => ("message without content", ""),
        Some(other) => return noise_of(&format!("unknown type {other:.60}"), line, depth),
        None => {
            let what =
                line.get("type").map_or_else(|| "no type".into(), |kind| format!("unknown type {:.60}", kind.raw()));
            return noise_of(&what, line, depth);
        }
    };
    noise_of(what, line.get(key).unwrap_or(line), depth)
}

fn noise_of(what: &str, text: Value<'_>, depth: Depth) -> Body {
    let text = if depth == Depth::Full { noise_text(text) } else { String::new() };
    Body::Noise { what: what.to_owned(), title: None, text }
}
