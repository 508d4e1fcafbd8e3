//! What stands under `message` and `toolUseResult`, read in one pass.

use super::super::content::{Blocks, Content};
use super::super::json::{Cursor, Value};

/// What stands under `message`.
#[derive(Default)]
pub(super) struct Message<'a> {
    pub id: Option<Value<'a>>,
    pub model: Option<Value<'a>>,
    pub usage: Option<Value<'a>>,
    pub content: Content<'a>,
}

impl<'a> Message<'a> {
    /// `None` for null. A message that is no object is taken for its content.
    pub(super) fn read(at: &mut Cursor<'a>) -> Option<Self> {
        let mut message = Self::default();
        match at.next_byte() {
            Some(b'{') => at.object(|key, at| match key {
                "id" => message.id = Some(at.value()),
                "model" => message.model = Some(at.value()),
                "usage" => message.usage = Some(at.value()),
                "content" => message.content = Content::read(at, Blocks::WithTheirs),
                _ => {}
            }),
            Some(b'n') => return None,
            _ => message.content = Content::read(at, Blocks::WithTheirs),
        }
        Some(message)
    }
}

/// What the program itself wrote down of a tool's result, beside the message.
#[derive(Default)]
pub(super) struct Delivered<'a> {
    pub agent: Option<Value<'a>>,
    pub is_text: bool,
    pub has_plan: bool,
    pub has_answers: bool,
}

impl<'a> Delivered<'a> {
    pub(super) fn read(at: &mut Cursor<'a>) -> Self {
        let mut it = Self { is_text: at.next_byte() == Some(b'"'), ..Self::default() };
        at.object(|key, at| match key {
            "agentId" => it.agent = Some(at.value()),
            "plan" => it.has_plan = true,
            "answers" => it.has_answers = true,
            _ => {}
        });
        it
    }
}
