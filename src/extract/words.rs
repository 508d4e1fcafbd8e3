//! Words as cues and comparisons need them: lower case, with what surrounds them.

use std::ops::Range;

use super::{Zone, Zones, quotes};

/// One word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// In bytes of the text.
    pub range: Range<usize>,
    /// In lower case, a curly apostrophe made straight.
    pub lower: String,
    /// Inside quotation marks.
    pub quoted: bool,
    /// Inside code.
    pub code: bool,
}

/// The words of a text in order: letters, digits, and apostrophes and hyphens between them.
pub fn words(text: &str) -> Vec<Word> {
    // Only code and quotations are told apart, and most sentences have neither.
    let zones = if text.contains('`') || text.contains("~~~") { Zones::of(text) } else { Zones::default() };
    let quoted = if text.contains(['"', '“', '„', '«']) { quotes(text) } else { Vec::new() };
    let mut found: Vec<Word> = Vec::new();
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let joins = matches!(c, '\'' | '’' | '-') && start.is_some() && next.is_some_and(char::is_alphanumeric);
        if c.is_alphanumeric() || c == '_' || joins {
            let from = *start.get_or_insert(at);
            if !next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’' | '-')) {
                found.push(word(text, from..at + c.len_utf8(), &zones, &quoted));
                start = None;
            }
        } else if let Some(from) = start.take() {
            found.push(word(text, from..at, &zones, &quoted));
        }
    }
    if let Some(from) = start {
        found.push(word(text, from..text.len(), &zones, &quoted));
    }
    found
}

fn word(text: &str, range: Range<usize>, zones: &Zones, quoted: &[Range<usize>]) -> Word {
    let mut lower = text[range.clone()].to_lowercase();
    if !lower.is_ascii() && lower.contains('’') {
        lower = lower.replace('’', "'");
    }
    let held = quoted.partition_point(|quote| quote.end <= range.start);
    Word {
        quoted: quoted.get(held).is_some_and(|quote| quote.start <= range.start),
        code: matches!(zones.at(range.start), Zone::InlineCode | Zone::Fence),
        lower,
        range,
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
            .map(|word| (word.lower, word.quoted, word.code))
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
