//! Strings of JSON without their escapes; half a surrogate pair is mended and told.

use std::borrow::Cow;

use memchr::memchr;

use super::Mended;

/// Takes the escapes out of a string, up to a limit in bytes.
pub(super) fn decode<'a>(inner: &'a str, limit: usize, mended: &mut Mended) -> Cow<'a, str> {
    let Some(first) = memchr(b'\\', inner.as_bytes()) else {
        if inner.len() <= limit {
            return Cow::Borrowed(inner);
        }
        mended.cut = Some(inner.len());
        return Cow::Borrowed(&inner[..inner.floor_char_boundary(limit)]);
    };
    let mut text = String::with_capacity(inner.len().min(limit));
    text.push_str(&inner[..first]);
    let mut rest = &inner[first..];
    while !rest.is_empty() {
        let room = limit.saturating_sub(text.len());
        let plain = memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        if plain > room || room == 0 {
            text.push_str(&rest[..rest.floor_char_boundary(room.min(plain))]);
            mended.cut = Some(inner.len());
            break;
        }
        text.push_str(&rest[..plain]);
        rest = &rest[plain..];
        if rest.is_empty() {
            break;
        }
        let (read, c) = escape(rest.as_bytes());
        mended.surrogates += usize::from(c.is_none());
        text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = rest.get(read..).unwrap_or_default();
    }
    Cow::Owned(text)
}

/// The character that an escape stands for and the bytes it takes; `None` for half a surrogate pair.
fn escape(bytes: &[u8]) -> (usize, Option<char>) {
    let plain = match bytes.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => {
            let Some(high) = hex(bytes, 2) else { return (bytes.len().min(2), None) };
            if let Some(c) = char::from_u32(high) {
                return (6, Some(c));
            }
            let low = (bytes.get(6..8) == Some(b"\\u")).then(|| hex(bytes, 8)).flatten();
            return match low {
                Some(low) if high < 0xDC00 && (0xDC00..0xE000).contains(&low) => {
                    (12, char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
                }
                _ => (6, None),
            };
        }
        Some(other) if other.is_ascii() => char::from(*other),
        _ => return (1, None),
    };
    (2, Some(plain))
}

fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
