//! Shapes of lines as the session's own values. Nothing is looked up here.

use super::SCHEMA;
use super::shapes::{Given, LineShape, Links, NoteShape, PartShape, SessionShape, UsageShape};
use super::words::{At, OfLine, hash, unhex};
use crate::session::{
    Body, FileNo, Hash, Line, Part, PartKind, Role, SessionKey, Speaker, Summary, TokensSaved, Usage,
};
use crate::store::names;
use crate::store::pen::Raw;

/// The key that a session line names.
pub(in crate::store) fn key_of(shape: &SessionShape) -> Result<SessionKey, String> {
    if let Some(schema) = shape.schema.as_deref().filter(|schema| *schema != SCHEMA) {
        return Err(format!("schema is {schema:?}, this program reads {SCHEMA:?}"));
    }
    if shape.id.is_empty() {
        return Err("a session line with an empty id".into());
    }
    let agent = shape.agent.clone().unwrap_or_else(|| "stet".into());
    Ok(SessionKey { agent, id: shape.id.clone(), sub: shape.sub.clone() })
}

/// The raw bytes that a line brings along.
pub(super) fn raw(links: &Links) -> Result<Option<Vec<u8>>, String> {
    match (&links.raw, &links.raw_hex) {
        (Some(text), _) => Ok(Some(text.as_bytes().to_vec())),
        (None, Some(hex)) => unhex(hex).map(Some),
        (None, None) => Ok(None),
    }
}

pub(super) fn own_or<'a>(raw: Option<&'a [u8]>, json: &'a str) -> (&'a [u8], Raw) {
    match raw {
        Some(raw) => (raw, Raw::Foreign),
        None => (json.as_bytes(), Raw::Own),
    }
}

pub(super) fn line(id: Option<String>, at: Option<At>, links: &Links, body: Body) -> Line {
    Line {
        file: FileNo(links.file),
        offset: 0,
        len: 0,
        blanks: 0,
        id,
        parent: links.parent.clone(),
        logical_parent: links.logical_parent.clone(),
        at: at.map(|at| at.0),
        sidechain: links.agent_id.clone(),
        started_agent: links.started_agent.clone(),
        body,
        lossy: links.lossy.clone(),
    }
}

pub(super) fn note_of(shape: &NoteShape) -> Line {
    let saved = TokensSaved { before: shape.before, saved: shape.saved, cleared: shape.cleared as usize };
    line(shape.id.clone(), shape.at, &shape.links, Body::Note(saved))
}

pub(super) fn line_of(shape: &LineShape) -> Result<Line, String> {
    let body = match shape.kind.as_str() {
        "noise" => Body::Noise {
            what: shape.what.clone().unwrap_or_default(),
            title: shape.title.clone(),
            text: shape.text.clone().unwrap_or_default(),
        },
        "unread" => Body::Unread { why: shape.what.clone().unwrap_or_default() },
        "summary" => Body::Summary(Summary { text: shape.text.clone().unwrap_or_default() }),
        "message" => Body::Message {
            role: role(shape.role.as_deref().unwrap_or_default())?,
            message: shape.turn.clone(),
            parts: Vec::new(),
            usage: shape.usage.map(usage),
        },
        other => return Err(format!("kind is {other:?}, not noise, unread, summary or message")),
    };
    Ok(line(shape.id.clone(), shape.at, &shape.links, body))
}

pub(super) fn role(name: &str) -> Result<Role, String> {
    names::role_named(name).ok_or_else(|| format!("role is {name:?}, not user, assistant or system"))
}

pub(super) fn usage(shape: UsageShape) -> Usage {
    Usage { input: shape.input, output: shape.output }
}

pub(super) fn part_of(shape: &PartShape) -> Result<(Line, Part), String> {
    if shape.id.is_empty() {
        return Err("a part with an empty id".into());
    }
    let role = role(&shape.role)?;
    let kind = match shape.kind.as_str() {
        "text" => PartKind::Text,
        "thinking" => PartKind::Thinking,
        "tool_call" => PartKind::ToolCall {
            id: shape.call.clone(),
            name: shape.tool.clone().ok_or_else(|| format!("part {}: a tool_call without its tool", shape.id))?,
        },
        "tool_result" => PartKind::ToolResult { id: shape.call.clone(), ok: shape.ok.unwrap_or(true) },
        "opaque" => PartKind::Opaque { what: shape.what.clone().unwrap_or_default() },
        other => {
            return Err(format!("kind is {other:?}, not text, thinking, tool_call, tool_result or opaque"));
        }
    };
    let speaker = match (shape.speaker.as_deref(), &kind, role) {
        (Some(name), _, _) => {
            names::speaker_named(name).ok_or_else(|| format!("speaker is {name:?}, which is none"))?
        }
        (None, PartKind::ToolResult { .. }, _) => Speaker::Tool,
        (None, _, Role::User) => Speaker::User,
        (None, _, Role::Assistant) => Speaker::Assistant,
        (None, _, Role::System) => Speaker::System,
    };
    let text = match (&shape.text, &kind) {
        (Some(text), _) => text.clone(),
        (None, _) if shape.gone.is_some() => String::new(),
        (None, PartKind::Opaque { .. }) => String::new(),
        (None, _) => return Err(format!("part {} has no text", shape.id)),
    };
    let part = Part { block: shape.block, kind, speaker, text };
    let id = match &shape.line {
        OfLine::TheParts => Some(shape.id.clone()),
        OfLine::None => None,
        OfLine::Id(id) => Some(id.clone()),
    };
    let body =
        Body::Message { role, message: shape.turn.clone(), parts: vec![part.clone()], usage: shape.usage.map(usage) };
    let line = line(id, shape.at, &shape.links, body);
    Ok((line, part))
}

/// The hash and the length of a text that went.
pub(super) fn gone(shape: &PartShape) -> Result<Option<(Hash, u64)>, String> {
    let Some(gone) = shape.gone.as_ref().filter(|_| shape.text.is_none()) else { return Ok(None) };
    Ok(Some((hash("gone.hash", &gone.hash)?, gone.bytes)))
}

/// When a line says that it was said, in milliseconds since 1970; `None` where it does not say.
pub(in crate::store) fn at_of(given: &Given) -> Option<i64> {
    let at = match given {
        Given::Part(shape) => shape.at,
        Given::Line(shape) => shape.at,
        Given::Note(shape) => shape.at,
        Given::Compaction(shape) => shape.at,
        Given::Entry(_) | Given::Session(_) | Given::Record(_) | Given::Block(_) | Given::Span(_) => None,
    };
    at.map(|At(at)| at)
}

/// The words of a part that a person typed; `None` of any other. What else its line says is not looked at.
pub(in crate::store) fn typed_in(shape: &PartShape) -> Option<&str> {
    let user = shape.role == "user" && shape.speaker.as_deref().is_none_or(|speaker| speaker == "user");
    shape.text.as_deref().filter(|_| user && shape.kind == "text" && shape.links.file == 0)
}
