//! What a raw line says beside its parts: folders, branches, results in their own form.

use std::borrow::Cow;

use crate::session::{Body, Line};

/// Whether this is something that was said or done, and no summary.
pub(super) fn says(line: &Line) -> bool {
    match &line.body {
        Body::Message { .. } | Body::Noise { .. } | Body::Note(_) => true,
        Body::Compaction { .. } | Body::Summary(_) | Body::Unread { .. } => false,
    }
}

/// A line of JSON with its escapes undone, strings and marks alike: only for looking whether something stands in it.
pub(super) fn decoded(raw: &[u8]) -> Cow<'_, str> {
    // Looking first costs less: nearly every line is whole.
    let raw = std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed);
    if !raw.contains('\\') {
        return raw;
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = &*raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = rest[at + 1..].chars().next();
        let hex = |from: usize| rest.get(from..from + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let taken = match escape {
            Some('n') => (2, Some('\n')),
            Some('t') => (2, Some('\t')),
            Some('r') => (2, Some('\r')),
            Some('b' | 'f') => (2, Some(' ')),
            Some('u') => match hex(at + 2) {
                Some(high @ 0xD800..=0xDBFF) => match hex(at + 8).filter(|_| rest[at + 6..].starts_with("\\u")) {
                    Some(low @ 0xDC00..=0xDFFF) => {
                        (12, char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
                    }
                    Some(_) | None => (6, None),
                },
                Some(code) => (6, char::from_u32(code)),
                None => (2, Some('u')),
            },
            Some(other) => (1 + other.len_utf8(), Some(other)),
            None => (1, None),
        };
        text.push(taken.1.unwrap_or(' '));
        rest = rest.get(at + taken.0..).unwrap_or_default();
    }
    text.push_str(rest);
    Cow::Owned(text)
}
