//! Content blocks as parts, and the few texts that agents spell alike: arguments of a call, sizes of what is no text.
//!
//! Which parts a line has never depends on the depth, because parts are counted: at [`Depth::Outline`] they are only
//! empty.

use std::fmt::Write as _;

use super::json::{Mended, Value};
use crate::session::{Depth, Part, PartKind, Speaker};

/// A longer text is cut for display; the raw line has all of it.
const TEXT_LIMIT: usize = 4 << 20;
/// Bookkeeping is rarely looked at, and never searched.
const NOISE_LIMIT: usize = 64 << 10;

/// The parts of one line, in the making.
pub(super) struct Parts<'m> {
    pub depth: Depth,
    mended: &'m mut Mended,
    made: Vec<Part>,
}

impl<'m> Parts<'m> {
    pub(super) fn new(depth: Depth, mended: &'m mut Mended) -> Self {
        Self { depth, mended, made: Vec::new() }
    }

    pub(super) fn done(self) -> Vec<Part> {
        self.made
    }

    pub(super) fn add(&mut self, kind: PartKind, speaker: Speaker, text: String) {
        let block = self.made.len() as u32;
        let text = if self.depth == Depth::Full { text } else { String::new() };
        self.made.push(Part { block, kind, speaker, text });
    }

    /// A part whose text is this JSON string.
    pub(super) fn say(&mut self, kind: PartKind, speaker: Speaker, text: Value<'_>) {
        let text = self.text(text);
        self.add(kind, speaker, text);
    }

    pub(super) fn opaque(&mut self, what: String, speaker: Speaker) {
        self.add(PartKind::Opaque { what }, speaker, String::new());
    }

    /// A call with its arguments.
    pub(super) fn call(&mut self, id: Option<Value<'_>>, name: Option<Value<'_>>, arguments: Option<Value<'_>>) {
        let name = name.and_then(Value::name).map_or_else(|| "?".to_owned(), std::borrow::Cow::into_owned);
        let text = match (self.depth, arguments) {
            (Depth::Full, Some(arguments)) => self.arguments(arguments),
            _ => String::new(),
        };
        self.add(PartKind::ToolCall { id: owned(id), name }, Speaker::Assistant, text);
    }

    /// A decoded string, within the limit; empty at outline depth and for anything that is no string.
    pub(super) fn text(&mut self, value: Value<'_>) -> String {
        if self.depth == Depth::Outline {
            return String::new();
        }
        value.text_within(TEXT_LIMIT, self.mended).unwrap_or_default().into_owned()
    }

    /// The same at any depth, for texts that decide what a line is.
    pub(super) fn decided(&mut self, value: Value<'_>) -> String {
        value.text_within(TEXT_LIMIT, self.mended).unwrap_or_default().into_owned()
    }

    /// `name: value` a line; what is no string stands as JSON.
    fn arguments(&mut self, value: Value<'_>) -> String {
        if !value.is_object() {
            return self.any(value);
        }
        let mut text = String::new();
        for (name, value) in value.members() {
            if text.len() >= TEXT_LIMIT {
                self.mended.cut = Some(value.raw().len());
                break;
            }
            if !text.is_empty() {
                text.push('\n');
            }
            let value = self.any(value);
            // Writing to a string cannot fail.
            let _ = write!(text, "{name}: {value}");
        }
        text
    }

    /// A string decoded, anything else as it stands.
    pub(super) fn any(&mut self, value: Value<'_>) -> String {
        any_within(value, TEXT_LIMIT, self.mended)
    }
}

/// A string as an owned id; `None` when it is missing, empty or no string.
pub(super) fn owned(value: Option<Value<'_>>) -> Option<String> {
    value.and_then(Value::name).map(std::borrow::Cow::into_owned)
}

/// The text of a bookkeeping line: a string decoded, anything else as it stands; at its end, whether it was cut.
pub(super) fn noise_text(value: Value<'_>) -> String {
    let mut mended = Mended::default();
    let mut text = any_within(value, NOISE_LIMIT, &mut mended);
    if let Some(whole) = mended.cut {
        text.push_str(&bytes("\n… cut here; the raw line has all of it", whole));
    }
    text
}

/// A string decoded, anything else as it stands.
fn any_within(value: Value<'_>, limit: usize, mended: &mut Mended) -> String {
    if let Some(text) = value.text_within(limit, mended) {
        return text.into_owned();
    }
    let whole = value.raw();
    if whole.len() > limit {
        mended.cut = Some(whole.len());
    }
    within(whole, limit)
}

fn within(text: &str, limit: usize) -> String {
    text[..text.floor_char_boundary(limit)].to_owned()
}

/// `image/png, 150,000 bytes` for base64 data.
pub(super) fn encoded(kind: &str, data: Option<Value<'_>>) -> String {
    let data = data.and_then(Value::escaped).unwrap_or_default();
    let padding = data.bytes().rev().take_while(|b| *b == b'=').count();
    format!("{kind}, {} bytes", grouped((data.len() / 4 * 3).saturating_sub(padding.min(2)) as u64))
}

/// What cannot be shown, with its size: `thinking, encrypted, 1,024 bytes`.
pub(super) fn sized(what: &str, value: Option<Value<'_>>) -> String {
    bytes(what, value.map_or(0, |value| value.escaped().unwrap_or(value.raw()).len()))
}

pub(super) fn bytes(what: &str, size: usize) -> String {
    format!("{what}, {} bytes", grouped(size as u64))
}

fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds since 1970 of an RFC 3339 text or of a number of milliseconds; `None` for nonsense.
pub(super) fn millis(value: Value<'_>) -> Option<i64> {
    match value.escaped() {
        Some(text) => text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond),
        None => value.raw().parse::<i64>().ok().filter(|n| *n > 0 && *n < 253_402_300_800_000),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::json::read;
    use super::*;

    #[test]
    fn arguments_are_one_name_and_value_a_line() {
        let json = r#"{"command":"ls\n-l","timeout":5,"edits":[{"a":"b"}],"none":null}"#;
        let mut mended = Mended::default();
        let mut parts = Parts::new(Depth::Full, &mut mended);
        parts.call(None, Some(read("\"Bash\"").unwrap()), Some(read(json).unwrap()));
        let part = parts.done().remove(0);
        assert_eq!(part.text, "command: ls\n-l\ntimeout: 5\nedits: [{\"a\":\"b\"}]\nnone: null");
        assert_eq!(part.kind, PartKind::ToolCall { id: None, name: "Bash".into() });
    }

    #[test]
    fn what_is_cut_is_told_whether_it_is_a_text_or_not() {
        let long = "7,".repeat(TEXT_LIMIT / 2);
        for (json, want) in [
            (format!("[{long}7]"), Some(TEXT_LIMIT + 3)),
            (format!("\"{long}7\""), Some(TEXT_LIMIT + 1)),
            (format!("{{\"list\":[{long}7]}}"), Some(TEXT_LIMIT + 3)),
            ("[7]".to_owned(), None),
        ] {
            let mut mended = Mended::default();
            let mut parts = Parts::new(Depth::Full, &mut mended);
            parts.call(None, None, Some(read(&json).unwrap()));
            assert!(parts.done()[0].text.len() <= TEXT_LIMIT + 6);
            assert_eq!(mended.cut, want);
        }
    }

    #[test]
    fn bookkeeping_that_is_cut_says_so() {
        let long = "é".repeat(NOISE_LIMIT);
        for json in [format!("\"{long}\""), format!("[\"{long}\"]")] {
            let text = noise_text(read(&json).unwrap());
            assert!(text.len() < NOISE_LIMIT + 100, "{}", text.len());
            let size = if json.starts_with('[') { "131,076" } else { "131,072" };
            assert!(text.ends_with(&format!("é\n… cut here; the raw line has all of it, {size} bytes")));
        }
        assert_eq!(noise_text(read("[1]").unwrap()), "[1]");
    }

    #[test]
    fn sizes_are_those_of_the_decoded_data() {
        let data = format!("\"{}==\"", "A".repeat(4002));
        assert_eq!(encoded("image/png", Some(read(&data).unwrap())), "image/png, 3,001 bytes");
        assert_eq!(sized("thinking, encrypted", None), "thinking, encrypted, 0 bytes");
    }

    #[test]
    fn times_are_read_or_unknown_but_never_guessed() {
        for (text, want) in [
            ("\"1970-01-01T00:00:01Z\"", Some(1000)),
            ("\"2026-03-02T09:14:00.250+01:00\"", Some(1_772_439_240_250)),
            ("1772439240250", Some(1_772_439_240_250)),
            ("\"yesterday\"", None),
            ("-5", None),
            ("99999999999999999999", None),
            ("{}", None),
        ] {
            assert_eq!(millis(read(text).unwrap()), want, "{text}");
        }
    }
}
