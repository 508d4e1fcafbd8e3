//! What one line of Claude Code means.

use super::super::content::{Block, Content};
use super::super::json::{Cursor, Mended, Value};
use super::super::lines::bare;
use super::super::parts::{Parts, encoded, millis, noise_text, owned};
use super::message::{Delivered, Message};
use super::{noise, words};
use crate::session::{
    Body, Boundary, Depth, Line, PartKind, Role, Segment, Speaker, Summary, TokensSaved, Trigger, Usage,
};

/// The members of a line that say what it is.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "the file has these marks")]
struct Envelope<'a> {
    kind: Option<Value<'a>>,
    subtype: Option<Value<'a>>,
    message: Option<Message<'a>>,
    uuid: Option<Value<'a>>,
    parent: Option<Value<'a>>,
    logical_parent: Option<Value<'a>>,
    timestamp: Option<Value<'a>>,
    agent: Option<Value<'a>>,
    delivered: Option<Delivered<'a>>,
    denial: Option<Value<'a>>,
    origin: Option<Value<'a>>,
    prompt_source: Option<Value<'a>>,
    attachment: Option<Value<'a>>,
    is_sidechain: bool,
    is_meta: bool,
    is_summary: bool,
    is_shown_only: bool,
    is_api_error: bool,
}

impl<'a> Envelope<'a> {
    fn of(line: Value<'a>) -> Self {
        let mut it = Self::default();
        Cursor::of(line).object(|key, at| match key {
            "type" => it.kind = Some(at.value()),
            "subtype" => it.subtype = Some(at.value()),
            "message" => it.message = Message::read(at),
            "uuid" => it.uuid = Some(at.value()),
            "parentUuid" => it.parent = Some(at.value()),
            "logicalParentUuid" => it.logical_parent = Some(at.value()),
            "timestamp" => it.timestamp = Some(at.value()),
            "agentId" => it.agent = Some(at.value()),
            "toolUseResult" => it.delivered = Some(Delivered::read(at)),
            "toolDenialKind" => it.denial = Some(at.value()),
            "origin" => it.origin = Some(at.value()),
            "promptSource" => it.prompt_source = Some(at.value()),
            "attachment" => it.attachment = Some(at.value()),
            "isSidechain" => it.is_sidechain = at.value().is_true(),
            "isMeta" => it.is_meta = at.value().is_true(),
            "isCompactSummary" => it.is_summary = at.value().is_true(),
            "isVisibleInTranscriptOnly" => it.is_shown_only = at.value().is_true(),
            "isApiErrorMessage" => it.is_api_error = at.value().is_true(),
            _ => {}
        });
        it
    }
}

/// Reads one object of a session file.
pub(super) fn parse(value: Value<'_>, depth: Depth, mended: &mut Mended) -> Line {
    let it = Envelope::of(value);
    let kind = it.kind.and_then(Value::text);
    let subtype = it.subtype.and_then(Value::text);
    let noise = || noise::noise(it.kind, it.subtype, it.attachment, value, depth);
    let body = match (kind.as_deref(), subtype.as_deref()) {
        (Some("user"), _) => user(&it, depth, mended),
        (Some("assistant"), _) => assistant(&it, depth, mended),
        (Some("system"), Some("compact_boundary")) => {
            Some(Body::Compaction { boundary: boundary(value), summary: None })
        }
        (Some("system"), Some("microcompact_boundary")) => Some(Body::Note(saved(value))),
        (Some("system"), _) => system(&it, depth, mended),
        (Some("attachment"), _) => it.attachment.and_then(|attachment| queued(attachment, depth, mended)),
        _ => None,
    };
    Line {
        id: owned(it.uuid),
        parent: owned(it.parent),
        logical_parent: owned(it.logical_parent),
        at: it.timestamp.and_then(millis),
        sidechain: it.is_sidechain.then(|| owned(it.agent).unwrap_or_default()),
        started_agent: owned(it.delivered.as_ref().and_then(|delivered| delivered.agent)),
        ..bare(body.unwrap_or_else(noise))
    }
}

/// The texts of a content, joined; at outline depth too.
fn joined(content: &Content<'_>, parts: &mut Parts<'_>) -> String {
    content.texts().map(|text| parts.decided(text)).collect::<Vec<_>>().join("\n")
}

fn noise_of(what: &str, content: &Content<'_>, depth: Depth, mended: &mut Mended) -> Body {
    let text = match depth {
        Depth::Full => joined(content, &mut Parts::new(depth, mended)),
        Depth::Outline => String::new(),
    };
    Body::Noise { what: what.to_owned(), title: None, text }
}

/// `None` for a line without a message.
fn user(it: &Envelope<'_>, depth: Depth, mended: &mut Mended) -> Option<Body> {
    let content = &it.message.as_ref()?.content;
    if content.is_missing() {
        return None;
    }
    let mut parts = Parts::new(depth, mended);
    if it.is_summary {
        return Some(Body::Summary(Summary { text: joined(content, &mut parts) }));
    }
    if it.is_shown_only {
        return Some(noise_of("shown only", content, depth, mended));
    }
    if it.is_meta && !content.blocks().iter().any(Block::is_result) {
        return Some(noise_of("meta", content, depth, mended));
    }
    if let Some(what) = command_noise(content, &mut parts) {
        return Some(noise_of(what, content, depth, mended));
    }
    let typed = !it.is_meta && words::is_typed(it.origin, it.prompt_source);
    match content {
        Content::Text(text) => spoken(&parts.decided(*text), typed, &mut parts),
        Content::Blocks(blocks) => {
            for block in blocks {
                match block.text.filter(|_| block.is_text()) {
                    Some(text) => spoken(&parts.decided(text), typed, &mut parts),
                    None if block.is_result() => result(block, it, &mut parts),
                    // A picture that a person shows is theirs.
                    None => other_block(block, Speaker::User, &mut parts),
                }
            }
        }
        Content::Other(other) => parts.opaque(format!("content that is {}", other.kind()), Speaker::Tool),
        Content::Missing => {}
    }
    Some(Body::Message { role: Role::User, message: None, parts: parts.done(), usage: None })
}

/// What kind of bookkeeping a content is, if every block of it is such.
fn command_noise(content: &Content<'_>, parts: &mut Parts<'_>) -> Option<&'static str> {
    if !content.blocks().iter().all(Block::is_text) {
        return None;
    }
    let kinds: Option<Vec<_>> = content.texts().map(|text| words::command_noise(&parts.decided(text))).collect();
    kinds?.first().copied()
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

fn result(block: &Block<'_>, it: &Envelope<'_>, parts: &mut Parts<'_>) {
    // Enough to see whether a person answered.
    let start = block.content.texts().next().and_then(|text| text.text_within(120, &mut Mended::default()));
    let denial = it.denial.and_then(Value::text);
    let start = start.unwrap_or_default();
    let answers = words::is_answer(&start, block.is_error, it.delivered.as_ref(), denial.as_deref());
    let speaker = if answers { Speaker::User } else { Speaker::Tool };
    answer(block, speaker, parts);
    for inner in block.content.blocks().iter().filter(|inner| inner.text.is_none()) {
        other_block(inner, Speaker::Tool, parts);
    }
}

/// A message of the harness; `None` for the many of its lines that hold none and are noise.
fn system(it: &Envelope<'_>, depth: Depth, mended: &mut Mended) -> Option<Body> {
    let content = &it.message.as_ref()?.content;
    let mut parts = Parts::new(depth, mended);
    content.texts().for_each(|text| parts.say(PartKind::Text, Speaker::System, text));
    let parts = parts.done();
    (!parts.is_empty()).then_some(Body::Message { role: Role::System, message: None, parts, usage: None })
}

fn assistant(it: &Envelope<'_>, depth: Depth, mended: &mut Mended) -> Option<Body> {
    let message = it.message.as_ref()?;
    if it.is_api_error {
        return Some(noise_of("api error", &message.content, depth, mended));
    }
    if message.model.and_then(Value::text).is_some_and(|model| model == "<synthetic>") {
        return Some(noise_of("written by the program", &message.content, depth, mended));
    }
    let mut parts = Parts::new(depth, mended);
    message.content.say(Speaker::Assistant, &mut parts, assistant_block);
    let usage = message.usage.map(usage);
    Some(Body::Message { role: Role::Assistant, message: owned(message.id), parts: parts.done(), usage })
}

fn assistant_block(block: &Block<'_>, parts: &mut Parts<'_>) {
    match &*block.kind {
        "tool_use" | "server_tool_use" | "mcp_tool_use" => parts.call(block.id, block.name, block.input),
        kind if kind.ends_with("tool_result") => answer(block, Speaker::Tool, parts),
        _ if block.say_words(Speaker::Assistant, parts) => {}
        _ => other_block(block, Speaker::Assistant, parts),
    }
}

/// A result with its text.
fn answer(block: &Block<'_>, speaker: Speaker, parts: &mut Parts<'_>) {
    let text = match &block.content {
        _ if parts.depth == Depth::Outline => String::new(),
        Content::Other(other) => parts.any(*other),
        content => joined(content, parts),
    };
    parts.add(PartKind::ToolResult { id: owned(block.tool_use_id), ok: !block.is_error }, speaker, text);
}

/// A block that is no text: what it is, with its size.
fn other_block(block: &Block<'_>, speaker: Speaker, parts: &mut Parts<'_>) {
    if !matches!(&*block.kind, "image" | "document") {
        return block.say_unknown(speaker, parts);
    }
    let source = |key| block.source.and_then(|source| source.get(key));
    let media = source("media_type").and_then(Value::text).unwrap_or_else(|| "image".into());
    let what = match source("url") {
        Some(url) => format!("{media} at {}", noise_text(url)),
        None => encoded(&media, source("data")),
    };
    parts.opaque(what, speaker);
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
    if attachment.get("type")?.text()? != "queued_command" {
        return None;
    }
    let prompt = Content::of(attachment.get("prompt")?);
    let mut parts = Parts::new(depth, mended);
    let text = joined(&prompt, &mut parts);
    let mode = attachment.get("commandMode").and_then(Value::text);
    let by_person = words::is_typed(attachment.get("origin"), None);
    spoken(&text, by_person && mode.is_none_or(|mode| mode == "prompt"), &mut parts);
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
