//! A message's content, read in one pass. The agents took their blocks from each other: one reading serves all, and
//! which kinds of block mean what is each agent's to say.

use std::borrow::Cow;

use super::json::{Cursor, Value};
use super::parts::{Parts, bytes, sized};
use crate::session::{PartKind, Speaker};

/// A text, or blocks.
#[derive(Default)]
pub(super) enum Content<'a> {
    /// There is none, or it is null.
    #[default]
    Missing,
    Text(Value<'a>),
    Blocks(Vec<Block<'a>>),
    /// Neither: shown as what it is.
    Other(Value<'a>),
}

/// How deep blocks are looked into: a result has blocks of its own, and those have none.
#[derive(Clone, Copy)]
pub(super) enum Blocks {
    WithTheirs,
    Plain,
}

impl<'a> Content<'a> {
    pub(super) fn read(at: &mut Cursor<'a>, inner: Blocks) -> Self {
        match at.next_byte() {
            Some(b'"') => Self::Text(at.value()),
            Some(b'[') => {
                let mut blocks = Vec::new();
                at.list(|at| blocks.push(Block::read(at, inner)));
                Self::Blocks(blocks)
            }
            _ => Some(at.value()).filter(|value| !value.is_null()).map_or(Self::Missing, Self::Other),
        }
    }

    /// Of a value that stands alone.
    pub(super) fn of(value: Value<'a>) -> Self {
        Self::read(&mut Cursor::of(value), Blocks::Plain)
    }

    /// Makes parts of it; `block` says what a block is.
    pub(super) fn say(&self, speaker: Speaker, parts: &mut Parts<'_>, block: impl Fn(&Block<'a>, &mut Parts<'_>)) {
        match self {
            Self::Text(text) => parts.say(PartKind::Text, speaker, *text),
            Self::Blocks(blocks) => blocks.iter().for_each(|each| block(each, parts)),
            Self::Other(other) => parts.opaque(format!("content that is {}", other.kind()), speaker),
            Self::Missing => parts.opaque("a message without content".into(), speaker),
        }
    }

    /// None for a text.
    pub(super) fn blocks(&self) -> &[Block<'a>] {
        match self {
            Self::Blocks(blocks) => blocks,
            Self::Missing | Self::Text(_) | Self::Other(_) => &[],
        }
    }

    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// The strings in it: itself, or those of its blocks.
    pub(super) fn texts(&self) -> impl Iterator<Item = Value<'a>> + '_ {
        let own = match self {
            Self::Text(text) => Some(*text),
            Self::Missing | Self::Blocks(_) | Self::Other(_) => None,
        };
        own.into_iter().chain(self.blocks().iter().filter_map(|block| block.text))
    }
}

/// One block of a content; a plain string is a block of text.
pub(super) struct Block<'a> {
    /// Its size in the file.
    pub size: usize,
    /// Empty where the block names no type.
    pub kind: Cow<'a, str>,
    /// `text`, where it is a string.
    pub text: Option<Value<'a>>,
    /// `thinking`, where it is a string.
    pub thinking: Option<Value<'a>>,
    /// A signature or data: what cannot be read.
    pub sealed: Option<Value<'a>>,
    pub id: Option<Value<'a>>,
    pub name: Option<Value<'a>>,
    pub input: Option<Value<'a>>,
    pub tool_use_id: Option<Value<'a>>,
    pub is_error: bool,
    pub content: Content<'a>,
    /// Where a picture's data stand, for agents that do not keep them in the block itself.
    pub source: Option<Value<'a>>,
    /// The media type, for those that do.
    pub media: Option<Value<'a>>,
}

impl<'a> Block<'a> {
    fn read(at: &mut Cursor<'a>, inner: Blocks) -> Self {
        let mut block = Self {
            size: 0,
            kind: Cow::Borrowed(""),
            text: None,
            thinking: None,
            sealed: None,
            id: None,
            name: None,
            input: None,
            tool_use_id: None,
            is_error: false,
            content: Content::Missing,
            source: None,
            media: None,
        };
        let start = at.position();
        if at.next_byte() == Some(b'"') {
            block.text = Some(at.value());
            block.kind = Cow::Borrowed("text");
        } else {
            let string = |value: Value<'a>| Some(value).filter(|value| value.escaped().is_some());
            at.object(|key, at| match key {
                "type" => block.kind = at.value().text().unwrap_or_default(),
                "text" => block.text = string(at.value()),
                "thinking" => block.thinking = string(at.value()),
                "signature" | "thinkingSignature" | "data" => block.sealed = Some(at.value()),
                "id" => block.id = Some(at.value()),
                "name" => block.name = Some(at.value()),
                "input" | "arguments" => block.input = Some(at.value()),
                "tool_use_id" => block.tool_use_id = Some(at.value()),
                "is_error" => block.is_error = at.value().is_true(),
                "content" => {
                    block.content = match inner {
                        Blocks::WithTheirs => Content::read(at, Blocks::Plain),
                        Blocks::Plain => Content::Other(at.value()),
                    }
                }
                "mimeType" => block.media = Some(at.value()),
                "source" => block.source = Some(at.value()),
                _ => {}
            });
        }
        block.size = at.position() - start;
        block
    }

    /// A part of a text or of thinking, which all agents write alike; false for any other block.
    pub(super) fn say_words(&self, speaker: Speaker, parts: &mut Parts<'_>) -> bool {
        match (&*self.kind, self.text, self.thinking.filter(|text| text.escaped() != Some(""))) {
            ("text", Some(text), _) => parts.say(PartKind::Text, speaker, text),
            ("thinking", _, Some(thinking)) => parts.say(PartKind::Thinking, speaker, thinking),
            ("thinking" | "redacted_thinking", ..) => {
                parts.opaque(sized("thinking, encrypted", self.sealed), speaker);
            }
            _ => return false,
        }
        true
    }

    /// A part that says what this is, for a block that nobody knows.
    pub(super) fn say_unknown(&self, speaker: Speaker, parts: &mut Parts<'_>) {
        let what = match &*self.kind {
            "" => bytes("unreadable block", self.size),
            other => bytes(&format!("unknown block {other:.40}"), self.size),
        };
        parts.opaque(what, speaker);
    }

    pub(super) fn is_result(&self) -> bool {
        self.kind == "tool_result"
    }

    /// A string to be shown as text.
    pub(super) fn is_text(&self) -> bool {
        self.kind == "text" && self.text.is_some()
    }
}
