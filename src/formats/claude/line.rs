//! What one line of Claude Code means.

use super::super::json::{Mended, Value};
use super::super::lines::bare;
use super::super::parts::{Parts, encoded, millis, noise_text, owned, sized};
use super::{noise, words};
use crate::session::{
    Body, Boundary, Depth, Line, PartKind, Role, Segment, Speaker, Summary, TokensSaved, Trigger, Usage,
};

/// The members of a line that say what it is.
#[derive(Default)]
struct Envelope<'a> {
    kind: Option<Value<'a>>,
    subtype: Option<Value<'a>>,
    message: Option<Value<'a>>,
    uuid: Option<Value<'a>>,
    parent: Option<Value<'a>>,
    logical_parent: Option<Value<'a>>,
    timestamp: Option<Value<'a>>,
    agent: Option<Value<'a>>,
    result: Option<Value<'a>>,
    attachment: Option<Value<'a>>,
    is_sidechain: bool,
    is_meta: bool,
    is_summary: bool,
    is_api_error: bool,
}

impl<'a> Envelope<'a> {
    fn of(line: Value<'a>) -> Self {
        let mut it = Self::default();
        for (key, value) in line.members() {
            match &*key {
                "type" => it.kind = Some(value),
                "subtype" => it.subtype = Some(value),
                "message" => it.message = Some(value),
                "uuid" => it.uuid = Some(value),
                "parentUuid" => it.parent = Some(value),
                "logicalParentUuid" => it.logical_parent = Some(value),
                "timestamp" => it.timestamp = Some(value),
                "agentId" => it.agent = Some(value),
                "toolUseResult" => it.result = Some(value),
                "attachment" => it.attachment = Some(value),
                "isSidechain" => it.is_sidechain = value.is_true(),
                "isMeta" => it.is_meta = value.is_true(),
                "isCompactSummary" => it.is_summary = value.is_true(),
                "isApiErrorMessage" => it.is_api_error = value.is_true(),
                _ => {}
            }
        }
        it
    }
}

/// Reads one object of a session file.
pub(super) fn parse(value: Value<'_>, depth: Depth, mended: &mut Mended) -> Line {
    let it = Envelope::of(value);
    let kind = it.kind.and_then(Value::text);
    let subtype = it.subtype.and_then(Value::text);
    let body = match (kind.as_deref(), subtype.as_deref()) {
        (Some("user"), _) => user(&it, value, depth, mended),
        (Some("assistant"), _) => assistant(&it, value, depth, mended),
        (Some("system"), Some("compact_boundary")) => Body::Compaction { boundary: boundary(value), summary: None },
        (Some("system"), Some("microcompact_boundary")) => Body::Note(saved(value)),
        (Some("attachment"), _) => match it.attachment.and_then(|attachment| queued(attachment, depth, mended)) {
            Some(queued) => queued,
            None => noise::noise(it.kind, value, depth),
        },
        _ => noise::noise(it.kind, value, depth),
    };
    Line {
        id: owned(it.uuid),
        parent: owned(it.parent),
        logical_parent: owned(it.logical_parent),
        at: it.timestamp.and_then(millis),
        sidechain: it.is_sidechain.then(|| owned(it.agent).unwrap_or_default()),
        started_agent: owned(it.result.and_then(|result| result.get("agentId"))),
        ..bare(body)
    }
}

fn content(message: Value<'_>) -> Option<Value<'_>> {
    if message.is_object() { message.get("content") } else { Some(message) }
}

/// The text blocks of a content, joined; a string is one block.
fn joined(content: Value<'_>, parts: &mut Parts<'_>) -> String {
    if content.escaped().is_some() {
        return parts.decided(content);
    }
    let texts = content.items().filter_map(|block| block.get("text")).map(|text| parts.decided(text));
    texts.collect::<Vec<_>>().join("\n")
}

fn user(it: &Envelope<'_>, line: Value<'_>, depth: Depth, mended: &mut Mended) -> Body {
    let content = it.message.and_then(content).filter(|content| !content.is_null());
    let mut parts = Parts::new(depth, mended);
    let Some(content) = content else { return noise::noise(it.kind, line, depth) };
    if it.is_summary {
        return Body::Summary(Summary { text: joined(content, &mut parts) });
    }
    let has_result = content.items().any(|block| is_type(block, "tool_result"));
    if it.is_meta && !has_result {
        let text = if depth == Depth::Full { joined(content, &mut parts) } else { String::new() };
        return Body::Noise { what: "meta".into(), title: None, text };
    }
    let typed = !it.is_meta && words::is_typed(line);
    let mut only_noise = None;
    let mut texts = Vec::new();
    if content.escaped().is_some() {
        texts.push((0, parts.decided(content)));
    } else {
        for (at, block) in content.items().enumerate() {
            let text = if block.escaped().is_some() { Some(block) } else { block.get("text") };
            if let Some(text) = text.filter(|_| block.escaped().is_some() || is_type(block, "text")) {
                texts.push((at, parts.decided(text)));
            }
        }
    }
    let blocks = if content.escaped().is_some() { 1 } else { content.items().count() };
    if texts.len() == blocks && !texts.is_empty() {
        let kinds: Option<Vec<_>> = texts.iter().map(|(_, text)| words::command_noise(text)).collect();
        only_noise = kinds.and_then(|kinds| kinds.first().copied());
    }
    if let Some(what) = only_noise {
        let text = texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n");
        let text = if depth == Depth::Full { text } else { String::new() };
        return Body::Noise { what: what.into(), title: None, text };
    }
    let mut texts = texts.into_iter().peekable();
    if content.is_array() {
        for (at, block) in content.items().enumerate() {
            match texts.next_if(|(here, _)| *here == at) {
                Some((_, text)) => spoken(&text, typed, &mut parts),
                None => user_block(block, it, line, &mut parts),
            }
        }
    } else if let Some((_, text)) = texts.next() {
        spoken(&text, typed, &mut parts);
    } else {
        parts.opaque(format!("content that is {}", content.kind()), Speaker::Tool);
    }
    Body::Message { role: Role::User, message: None, parts: parts.done(), usage: None }
}

fn spoken(text: &str, typed: bool, parts: &mut Parts<'_>) {
    if words::command_noise(text).is_some() {
        return parts.add(PartKind::Text, Speaker::Tool, text.to_owned());
    }
    for (speaker, range) in words::speakers(text) {
        let speaker = if typed { speaker } else { Speaker::Tool };
        parts.add(PartKind::Text, speaker, text[range].to_owned());
    }
}

fn user_block(block: Value<'_>, it: &Envelope<'_>, line: Value<'_>, parts: &mut Parts<'_>) {
    if is_type(block, "tool_result") {
        return result(block, it.result, line, parts);
    }
    // A picture that a person shows is theirs.
    other_block(block, Speaker::User, parts);
}

fn result(block: Value<'_>, delivered: Option<Value<'_>>, line: Value<'_>, parts: &mut Parts<'_>) {
    let is_error = block.get("is_error").is_some_and(Value::is_true);
    let content = block.get("content").filter(|content| !content.is_null());
    let start = content.map(first_words).unwrap_or_default();
    let speaker = if words::is_answer(&start, is_error, delivered, line) { Speaker::User } else { Speaker::Tool };
    let kind = PartKind::ToolResult { id: owned(block.get("tool_use_id")), ok: !is_error };
    let text = match content {
        None => String::new(),
        Some(_) if parts.depth == Depth::Outline => String::new(),
        Some(list) if list.is_array() => joined(list, parts),
        Some(other) => parts.any(other),
    };
    parts.add(kind, speaker, text);
    for inner in content.into_iter().flat_map(Value::items) {
        if inner.get("text").is_none() {
            other_block(inner, Speaker::Tool, parts);
        }
    }
}

/// Enough of a result to see whether a person answered.
fn first_words(content: Value<'_>) -> String {
    let text = if content.is_array() { content.items().find_map(|block| block.get("text")) } else { Some(content) };
    let start = text.and_then(|text| text.text_within(120, &mut Mended::default()));
    start.unwrap_or_default().into_owned()
}

fn is_type(block: Value<'_>, name: &str) -> bool {
    block.get("type").and_then(Value::text).is_some_and(|kind| kind == name)
}

fn assistant(it: &Envelope<'_>, line: Value<'_>, depth: Depth, mended: &mut Mended) -> Body {
    let Some(message) = it.message.filter(|message| !message.is_null()) else {
        return noise::noise(it.kind, line, depth);
    };
    let synthetic = message.get("model").and_then(Value::text).is_some_and(|model| model == "<synthetic>");
    if it.is_api_error || synthetic {
        let what = if it.is_api_error { "api error" } else { "written by the program" };
        let text = content(message).map_or(String::new(), |content| joined(content, &mut Parts::new(depth, mended)));
        let text = if depth == Depth::Full { text } else { String::new() };
        return Body::Noise { what: what.into(), title: None, text };
    }
    let mut parts = Parts::new(depth, mended);
    match content(message) {
        Some(text) if text.escaped().is_some() => parts.say(PartKind::Text, Speaker::Assistant, text),
        Some(list) if list.is_array() => list.items().for_each(|block| assistant_block(block, &mut parts)),
        Some(other) => parts.opaque(format!("content that is {}", other.kind()), Speaker::Assistant),
        None => parts.opaque("a message without content".into(), Speaker::Assistant),
    }
    let usage = message.get("usage").map(usage);
    Body::Message { role: Role::Assistant, message: owned(message.get("id")), parts: parts.done(), usage }
}

fn assistant_block(block: Value<'_>, parts: &mut Parts<'_>) {
    let kind = block.get("type").and_then(Value::text);
    match kind.as_deref() {
        Some("text") if block.get("text").is_some_and(|text| text.escaped().is_some()) => {
            parts.say(PartKind::Text, Speaker::Assistant, block.get("text").unwrap_or(block));
        }
        Some("thinking") => match block.get("thinking").filter(|text| text.escaped().is_some_and(|t| !t.is_empty())) {
            Some(text) => parts.say(PartKind::Thinking, Speaker::Assistant, text),
            None => parts.opaque(sized("thinking, encrypted", block.get("signature")), Speaker::Assistant),
        },
        Some("redacted_thinking") => {
            parts.opaque(sized("thinking, encrypted", block.get("data")), Speaker::Assistant);
        }
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") => {
            parts.call(block.get("id"), block.get("name"), block.get("input"));
        }
        Some(other) if other.ends_with("tool_result") => {
            let is_error = block.get("is_error").is_some_and(Value::is_true);
            let text = match block.get("content") {
                Some(content) if parts.depth == Depth::Full => parts.any(content),
                _ => String::new(),
            };
            let kind = PartKind::ToolResult { id: owned(block.get("tool_use_id")), ok: !is_error };
            parts.add(kind, Speaker::Tool, text);
        }
        _ => other_block(block, Speaker::Assistant, parts),
    }
}

/// A block that is no text: what it is, with its size.
fn other_block(block: Value<'_>, speaker: Speaker, parts: &mut Parts<'_>) {
    if block.escaped().is_some() {
        return parts.say(PartKind::Text, speaker, block);
    }
    let kind = block.get("type").and_then(Value::text);
    let source = |key| block.at(&["source", key]);
    match kind.as_deref() {
        Some("image" | "document") => {
            let media = source("media_type").and_then(Value::text).unwrap_or_else(|| "image".into());
            match source("url") {
                Some(url) => parts.opaque(format!("{media} at {}", noise_text(url)), speaker),
                None => parts.opaque(encoded(&media, source("data")), speaker),
            }
        }
        Some(other) => parts.opaque(sized(&format!("unknown block {other:.40}"), Some(block)), speaker),
        None => parts.opaque(sized("unreadable block", Some(block)), speaker),
    }
}

fn usage(usage: Value<'_>) -> Usage {
    let mut sum = Usage::default();
    for (key, value) in usage.members() {
        let n = value.number().unwrap_or(0);
        match &*key {
            "input_tokens" | "cache_creation_input_tokens" | "cache_read_input_tokens" => {
                sum.input = sum.input.saturating_add(n);
            }
            "output_tokens" => sum.output = n,
            _ => {}
        }
    }
    sum
}

/// A prompt that was typed while the agent worked, delivered to it in the middle of its turn.
fn queued(attachment: Value<'_>, depth: Depth, mended: &mut Mended) -> Option<Body> {
    if !is_type(attachment, "queued_command") {
        return None;
    }
    let prompt = attachment.get("prompt")?;
    let mut parts = Parts::new(depth, mended);
    let text = joined(prompt, &mut parts);
    let mode = attachment.get("commandMode").and_then(Value::text);
    spoken(&text, mode.is_none_or(|mode| mode == "prompt") && words::is_typed(attachment), &mut parts);
    Some(Body::Message { role: Role::User, message: None, parts: parts.done(), usage: None })
}

fn boundary(line: Value<'_>) -> Boundary {
    let about = line.get("compactMetadata").or_else(|| line.get("compact_metadata"));
    let get = |name: &str, other: &str| about.and_then(|about| about.get(name).or_else(|| about.get(other)));
    let number = |name, other| get(name, other).and_then(Value::number);
    let ids = |value: Option<Value<'_>>| {
        value.into_iter().flat_map(Value::items).filter_map(|id| owned(Some(id))).collect::<Vec<_>>()
    };
    let preserved = get("preservedMessages", "preserved_messages").and_then(|kept| kept.get("uuids"));
    let segment = get("preservedSegment", "preserved_segment");
    let end = |name: &str, other: &str| segment.and_then(|kept| owned(kept.get(name).or_else(|| kept.get(other))));
    Boundary {
        trigger: get("trigger", "trigger").and_then(Value::text).map(|trigger| match &*trigger {
            "auto" => Trigger::Auto,
            "manual" => Trigger::Manual,
            _ => Trigger::Unknown,
        }),
        tokens_before: number("preTokens", "pre_tokens"),
        tokens_after: number("postTokens", "post_tokens"),
        preserved: ids(preserved),
        preserved_segment: end("headUuid", "head_uuid")
            .zip(end("tailUuid", "tail_uuid"))
            .map(|(head, tail)| Segment { head, tail }),
        ..Boundary::default()
    }
}

fn saved(line: Value<'_>) -> TokensSaved {
    let about = line.get("microcompactMetadata");
    let number = |name: &str| about.and_then(|about| about.get(name)).and_then(Value::number);
    let cleared = about.and_then(|about| about.get("compactedToolIds"));
    TokensSaved {
        before: number("preTokens"),
        saved: number("tokensSaved"),
        cleared: cleared.map_or(0, |ids| ids.items().count()),
    }
}
