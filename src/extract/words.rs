//! Words as cues and comparisons need them: lower case, with what surrounds them.

use std::borrow::Cow;
use std::ops::Range;

use super::runs::is_run;
use super::{Zone, Zones, quotes};

/// One word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// In bytes of the text.
    pub range: Range<usize>,
    /// In lower case, a curly apostrophe made straight. Most words are written so, and are not copied.
    pub lower: Cow<'a, str>,
    /// Inside quotation marks.
    pub quoted: bool,
    /// Inside code.
    pub code: bool,
}

/// A word of a text, whose letters are lent: whoever keeps few of many words copies few.
#[derive(Clone, Debug)]
pub struct Met<'a> {
    /// As of [`Word`].
    pub range: Range<usize>,
    /// As of [`Word`].
    pub lower: &'a str,
    /// As of [`Word`].
    pub quoted: bool,
    /// As of [`Word`].
    pub code: bool,
}

/// The words of a text in order: letters, digits, and apostrophes and hyphens between them.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::with_capacity(text.len() / 6);
    each(text, |word| found.push(word));
    found
}

/// Meets the words of a text in order.
pub fn each_word(text: &str, mut meet: impl FnMut(Met)) {
    each(text, |Word { range, lower, quoted, code }| meet(Met { range, lower: &lower, quoted, code }));
}

fn each<'a>(text: &'a str, mut meet: impl FnMut(Word<'a>)) {
    // Only code and quotations are told apart, and most sentences have neither.
    let bytes = text.as_bytes();
    let zones = if memchr::memchr2(b'`', b'~', bytes).is_some() { Zones::of(text) } else { Zones::default() };
    // The first bytes of `"`, `“`, `„` and `«`.
    let quoted = if memchr::memchr3(b'"', 0xe2, 0xc2, bytes).is_some() { quotes(text) } else { Vec::new() };
    let mut at = 0;
    while at < text.len() {
        if letter(text, at) == 0 {
            at = text.ceil_char_boundary(at + 1);
            continue;
        }
        let range = at..end(text, at);
        at = range.end;
        let lower = lower(&text[range.clone()]);
        let held = quoted.partition_point(|quote| quote.end <= range.start);
        let quoted = quoted.get(held).is_some_and(|quote| quote.start <= range.start);
        let code = matches!(zones.at(range.start), Zone::InlineCode | Zone::Fence);
        meet(Word { range, lower, quoted, code });
    }
}

/// A word in lower case, a curly apostrophe made straight.
pub fn lower(word: &str) -> Cow<'_, str> {
    let kinds = word.bytes().fold(0, |kinds, byte| kinds | u8::from(byte.is_ascii_uppercase()) | byte & 0x80);
    match kinds {
        0 => Cow::Borrowed(word),
        1 => Cow::Owned(word.to_ascii_lowercase()),
        _ => Cow::Owned(word.to_lowercase().replace('’', "'")),
    }
}

/// Where the word ends that begins here.
#[inline]
fn end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        while bytes.get(at).is_some_and(|byte| byte.is_ascii() && is_run(*byte)) {
            at += 1;
        }
        let mark = match bytes.get(at) {
            Some(b'\'' | b'-') => 1,
            Some(0x80..) if text[at..].starts_with('’') => '’'.len_utf8(),
            Some(_) | None => 0,
        };
        let len = letter(text, at + mark);
        if len == 0 || mark > 0 && text[at + mark..].starts_with('_') {
            return at;
        }
        at += mark + len;
    }
}

/// The length of the letter, digit or low line that stands here; 0 where something else does, or nothing.
#[inline]
fn letter(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => usize::from(is_run(*byte)),
        Some(_) => text[at..].chars().next().filter(|c| c.is_alphanumeric()).map_or(0, char::len_utf8),
        None => 0,
    }
}

/// A word without its ending, good enough to compare English words: `stems("retries") == stems("retry")`. Takes and
/// gives lower case; words with anything but ASCII letters come back as they are.
pub fn stem(lower: &[u8]) -> &[u8] {
    let len = lower.len();
    let suffixes: &[&[u8]] = match lower.last() {
        Some(b's') if len >= 4 => &[b"ations", b"ments", b"ings", b"ions", b"ies", b"es", b"s"],
        Some(b'n') if len >= 6 => &[b"ation", b"ion"],
        Some(b'g') if len >= 6 => &[b"ing"],
        Some(b't') if len >= 7 => &[b"ment"],
        Some(b'd') if len >= 5 => &[b"ied", b"ed"],
        Some(b'y') if len >= 4 => &[b"ingly", b"ly", b"y"],
        Some(b'e') if len >= 4 => &[b"e"],
        Some(_) | None => return lower,
    };
    if !lower.iter().all(u8::is_ascii_lowercase) {
        return lower;
    }
    let fits = |suffix: &&&[u8]| {
        let kept = len.saturating_sub(suffix.len());
        kept >= 3 && lower.ends_with(suffix) && !(suffix.len() == 1 && suffix[0] == b's' && lower[kept - 1] == b's')
    };
    let mut end = suffixes.iter().find(fits).map_or(len, |suffix| len - suffix.len());
    // The doubled letter of `stopped`.
    if end > 3 && end < len && lower[end - 1] == lower[end - 2] && !matches!(lower[end - 1], b's' | b'l' | b'e') {
        end -= 1;
    }
    &lower[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_know_whether_they_are_quoted_or_code() {
        let seen: Vec<_> = words("User’s \"let's go\" on `x_y` re-run")
            .into_iter()
            .map(|word| (word.lower.into_owned(), word.quoted, word.code))
            .collect();
        let want = [
            ("user's", false, false),
            ("let's", true, false),
            ("go", true, false),
            ("on", false, false),
            ("x_y", false, true),
            ("re-run", false, false),
        ];
        assert_eq!(seen, want.map(|(word, quoted, code)| (word.to_owned(), quoted, code)));
    }

    #[test]
    fn inflected_forms_share_a_stem() {
        for forms in [
            &["retry", "retries", "retried"][..],
            &["stop", "stops", "stopped", "stopping"],
            &["migrate", "migrated", "migrating"],
        ] {
            let stems: HashSet<&[u8]> = forms.iter().map(|form| stem(form.as_bytes())).collect();
            assert_eq!(stems.len(), 1, "{forms:?}");
        }
        assert_ne!(stem(b"class"), stem(b"clas"));
    }
}
