//! pi: `sessions/--<folder>--/<time>_<id>.jsonl`, a header line and then entries; from version 2 on they form a tree.

use std::path::{Path, PathBuf};

use super::content::{Block, Blocks, Content};
use super::head;
use super::json::{Cursor, Mended, Value, peek};
use super::lines::{Lines, bare};
use super::parts::{Parts, encoded, millis, noise_text, owned, sized};
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
        head::tell(head, is_ours)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn Log>, OpenError> {
        let (source, start) = head::open(path)?;
        let text = String::from_utf8_lossy(&start);
        let id = text.lines().map(peek).filter(is_header).find_map(|line| owned(line.get("id")));
        let title = text.lines().rev().map(peek).find_map(title);
        let key = SessionKey::new(self.name(), id.unwrap_or_else(|| head::first_line_id(&start)));
        let head = Head { key, path: path.to_owned(), title, sides: Vec::new(), rows: false };
        Ok(Box::new(Lines::new(source, head, parse, None)))
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

/// The members of an entry that say what it is.
#[derive(Default)]
struct Entry<'a> {
    kind: Option<Value<'a>>,
    id: Option<Value<'a>>,
    parent: Option<Value<'a>>,
    timestamp: Option<Value<'a>>,
    message: Option<Message<'a>>,
    content: Content<'a>,
}

impl<'a> Entry<'a> {
    fn of(line: Value<'a>) -> Self {
        let mut it = Self::default();
        Cursor::of(line).object(|key, at| match key {
            "type" => it.kind = Some(at.value()),
            "id" => it.id = Some(at.value()),
            "parentId" => it.parent = Some(at.value()),
            "timestamp" => it.timestamp = Some(at.value()),
            "message" => it.message = Some(Message::read(at)),
            "content" => it.content = Content::read(at, Blocks::Plain),
            _ => {}
        });
        it
    }
}

/// What stands under `message`.
#[derive(Default)]
struct Message<'a> {
    role: Option<Value<'a>>,
    content: Content<'a>,
    usage: Option<Value<'a>>,
    call: Option<Value<'a>>,
    is_error: bool,
    command: Option<Value<'a>>,
    output: Option<Value<'a>>,
    summary: Option<Value<'a>>,
    /// Why it ended.
    reason: Option<Value<'a>>,
    /// All of it.
    whole: Value<'a>,
}

impl<'a> Message<'a> {
    fn read(at: &mut Cursor<'a>) -> Self {
        let mut it = Self::default();
        it.whole = at.whole(|at| {
            at.object(|key, at| match key {
                "role" => it.role = Some(at.value()),
                "content" => it.content = Content::read(at, Blocks::Plain),
                "usage" => it.usage = Some(at.value()),
                "toolCallId" => it.call = Some(at.value()),
                "isError" => it.is_error = at.value().is_true(),
                "command" => it.command = Some(at.value()),
                "output" => it.output = Some(at.value()),
                "summary" => it.summary = Some(at.value()),
                "errorMessage" => it.reason = Some(at.value()),
                "stopReason" => it.reason = it.reason.or(Some(at.value())),
                _ => {}
            });
        });
        it
    }
}

/// Reads one object of a session file.
fn parse(value: Value<'_>, depth: Depth, mended: &mut Mended) -> Line {
    let it = Entry::of(value);
    let kind = it.kind.and_then(Value::text);
    let body = match (kind.as_deref(), &it.message) {
        (Some("message"), Some(message)) => self::message(message, depth, mended),
        (Some("custom_message"), _) => {
            let mut parts = Parts::new(depth, mended);
            contents(&it.content, Speaker::Tool, &mut parts);
            said(Role::User, parts, None)
        }
        (Some("compaction"), _) => compaction(value, mended),
        (kind, _) => noise(kind, value, depth),
    };
    let is_entry = kind.as_deref() != Some("session");
    Line {
        id: owned(it.id).filter(|_| is_entry),
        parent: owned(it.parent),
        at: it.timestamp.and_then(millis),
        ..bare(body)
    }
}

fn said(role: Role, parts: Parts<'_>, usage: Option<Usage>) -> Body {
    Body::Message { role, message: None, parts: parts.done(), usage }
}

fn message(message: &Message<'_>, depth: Depth, mended: &mut Mended) -> Body {
    let mut parts = Parts::new(depth, mended);
    let role = message.role.and_then(Value::text);
    match role.as_deref() {
        Some("user") => {
            contents(&message.content, Speaker::User, &mut parts);
            said(Role::User, parts, None)
        }
        // The model was stopped before it said anything.
        Some("assistant") if matches!(&message.content, Content::Blocks(blocks) if blocks.is_empty()) => {
            noise_of("empty message", message.reason.unwrap_or(message.whole), depth)
        }
        Some("assistant") => {
            contents(&message.content, Speaker::Assistant, &mut parts);
            said(Role::Assistant, parts, message.usage.map(usage))
        }
        Some("toolResult") => {
            tool_result(message, &mut parts);
            said(Role::User, parts, None)
        }
        Some("bashExecution") => {
            let mut text = String::new();
            if depth == Depth::Full {
                let mut of = |value: Option<Value<'_>>| value.map(|value| parts.text(value)).unwrap_or_default();
                text = format!("! {}\n{}", of(message.command), of(message.output));
            }
            parts.add(PartKind::Text, Speaker::Tool, text);
            said(Role::User, parts, None)
        }
        Some("custom" | "hookMessage") => {
            contents(&message.content, Speaker::Tool, &mut parts);
            said(Role::User, parts, None)
        }
        Some("branchSummary") => noise_of("branch summary", message.summary.unwrap_or(message.whole), depth),
        Some("compactionSummary") => noise_of("summary", message.summary.unwrap_or(message.whole), depth),
        Some(other) => noise_of(&format!("unknown role {other:.40}"), message.whole, depth),
        None => {
            parts.opaque(sized("a message without a role", Some(message.whole)), Speaker::Tool);
            said(Role::User, parts, None)
        }
    }
}

fn contents(content: &Content<'_>, speaker: Speaker, parts: &mut Parts<'_>) {
    content.say(speaker, parts, |it, parts| block(it, speaker, parts));
}

fn block(block: &Block<'_>, speaker: Speaker, parts: &mut Parts<'_>) {
    match &*block.kind {
        "toolCall" => parts.call(block.id, block.name, block.input),
        "image" => {
            let media = block.media.and_then(Value::text).unwrap_or_else(|| "image".into());
            parts.opaque(encoded(&media, block.sealed), speaker);
        }
        _ if block.say_words(speaker, parts) => {}
        _ => block.say_unknown(speaker, parts),
    }
}

fn tool_result(message: &Message<'_>, parts: &mut Parts<'_>) {
    let kind = PartKind::ToolResult { id: owned(message.call), ok: !message.is_error };
    let text = message.content.texts().map(|text| parts.text(text)).collect::<Vec<_>>().join("\n");
    parts.add(kind, Speaker::Tool, text);
    for inner in message.content.blocks().iter().filter(|inner| inner.text.is_none()) {
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
        // A person gives it, and the last one counts.
        Some("session_info") => ("custom title", "name"),
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
    Body::Noise { what: what.to_owned(), title: title(line), text: shown(line.get(key).unwrap_or(line), depth) }
}

fn noise_of(what: &str, text: Value<'_>, depth: Depth) -> Body {
    Body::Noise { what: what.to_owned(), title: None, text: shown(text, depth) }
}

fn shown(text: Value<'_>, depth: Depth) -> String {
    if depth == Depth::Full { noise_text(text) } else { String::new() }
}
