//! Bookkeeping lines: a short word for each, and the text that a person would want of it.

use super::super::json::Value;
use super::super::parts::{noise_text, owned};
use crate::session::{Body, Depth};

/// Lines that only keep books; other types are unknown and say so.
const KNOWN: [&str; 24] = [
    "agent-name",
    "agent-setting",
    "ai-title",
    "atis-latch",
    "attachment",
    "bridge-session",
    "cost-state",
    "custom-title",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "result",
    "started",
    "summary",
    "system",
    "tag",
    "worktree-state",
];

pub(super) fn is_known(kind: &str) -> bool {
    KNOWN.contains(&kind)
}

/// The name that this line gives the session.
pub(super) fn title(line: Value<'_>) -> Option<String> {
    title_of(&line.get("type")?.text()?, line)
}

fn title_of(kind: &str, line: Value<'_>) -> Option<String> {
    let key = match kind {
        "custom-title" => "customTitle",
        "ai-title" => "aiTitle",
        "summary" => "summary",
        _ => return None,
    };
    owned(line.get(key))
}

/// A line that carries nothing said.
pub(super) fn noise(
    kind: Option<Value<'_>>,
    subtype: Option<Value<'_>>,
    attachment: Option<Value<'_>>,
    line: Value<'_>,
    depth: Depth,
) -> Body {
    let full = depth == Depth::Full;
    let text_of = |text: fn(Value<'_>) -> Value<'_>| if full { text(line) } else { line };
    let name = kind.and_then(Value::text);
    let (what, text) = match name.as_deref() {
        Some("system") => (owned(subtype).unwrap_or_else(|| "system".into()), text_of(system_text)),
        Some("attachment") => {
            let what = owned(attachment.and_then(|it| it.get("type"))).unwrap_or_else(|| "attachment".into());
            (what, attachment.map_or(line, attachment_text))
        }
        Some("progress") => ("progress".to_owned(), text_of(progress_text)),
        Some("queue-operation") => ("queued".to_owned(), line.get("content").unwrap_or(line)),
        Some("summary") => ("title".to_owned(), line.get("summary").unwrap_or(line)),
        Some("custom-title") => ("custom title".to_owned(), line.get("customTitle").unwrap_or(line)),
        Some("ai-title") => ("title".to_owned(), line.get("aiTitle").unwrap_or(line)),
        Some("last-prompt") => ("last prompt".to_owned(), line.get("lastPrompt").unwrap_or(line)),
        Some(role @ ("user" | "assistant")) => (format!("{role} without a message"), line),
        Some(known) if is_known(known) => (known.to_owned(), line),
        Some(other) => (format!("unknown type {other}"), line),
        None => (kind.map_or_else(|| "no type".into(), |kind| format!("unknown type {}", kind.raw())), line),
    };
    let what =
        if what.starts_with("unknown type") { short(&what).to_owned() } else { short(&what).replace(['_', '-'], " ") };
    let title = name.as_deref().and_then(|name| title_of(name, line));
    let text = if full { noise_text(text) } else { String::new() };
    Body::Noise { what, title, text }
}

fn short(name: &str) -> &str {
    &name[..name.floor_char_boundary(80)]
}

/// The first of these that is there and not empty.
fn first<'a>(value: Value<'a>, keys: &[&str]) -> Option<Value<'a>> {
    let filled = |value: &Value<'_>| !value.is_null() && value.escaped() != Some("");
    keys.iter().filter_map(|key| value.get(key)).find(filled)
}

fn system_text(line: Value<'_>) -> Value<'_> {
    first(line, &["content", "error", "hookInfos", "durationMs"]).unwrap_or(line)
}

fn attachment_text(attachment: Value<'_>) -> Value<'_> {
    let keys = ["content", "prompt", "text", "snippet", "stdout", "blockingError", "filename", "path"];
    first(attachment, &keys).unwrap_or(attachment)
}

fn progress_text(line: Value<'_>) -> Value<'_> {
    let Some(data) = line.get("data") else { return line };
    first(data, &["fullOutput", "output", "command", "prompt"]).unwrap_or(data)
}
