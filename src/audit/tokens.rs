//! Text cut into what can be compared: tokens, and words with the key under which their other forms are found.

use std::borrow::Cow;
use std::ops::Range;

use crate::extract::{Language, stem};

/// The key of every word for a limit.
pub(super) const LIMIT: &str = "\0limit";

/// Runs of letters, digits and low lines.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    runs(text, |c| c.is_alphanumeric() || c == '_')
}

/// Runs of characters that may stand in a name: tokens with the marks that join them.
pub(super) fn compounds(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let trimmed = |range: Range<usize>| {
        let whole = &text[range.clone()];
        let start = range.start + whole.len() - whole.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        start..range.start + whole.trim_end_matches(|c: char| !c.is_alphanumeric()).len().max(start - range.start)
    };
    runs(text, |c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '#' | '\\')).map(trimmed)
}

fn runs<'a>(text: &'a str, is_in: impl Fn(char) -> bool + Copy + 'a) -> impl Iterator<Item = Range<usize>> + 'a {
    // The character here and where the next begins; most are of one byte.
    let step = |at: usize| match text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some((char::from(*byte), at + 1)),
        _ => text[at..].chars().next().map(|c| (c, at + c.len_utf8())),
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = loop {
            let (c, next) = step(at)?;
            if is_in(c) {
                break at;
            }
            at = next;
        };
        while let Some((_, next)) = step(at).filter(|(c, _)| is_in(*c)) {
            at = next;
        }
        Some(start..at)
    })
}

/// A token in lower case; most are written so, and are not copied.
pub(super) fn in_lower_case(token: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if token.bytes().all(is_lower) { Cow::Borrowed(token) } else { Cow::Owned(token.to_lowercase()) }
}

/// What `retry`, `Retries` and what `tui-renderer`, `MapCanvas` have in common; all words for a limit are one.
/// `None` for a word that says nothing.
pub(super) fn key(word: &str, language: &Language) -> Option<String> {
    let lower: String = word.to_lowercase().chars().filter(|c| !matches!(c, '-' | '_')).collect();
    if !lower.contains(char::is_alphabetic) {
        return None;
    }
    let stemmed = String::from_utf8_lossy(stem(lower.as_bytes())).into_owned();
    if language.limits.contains(lower.as_str()) || language.limits.contains(stemmed.as_str()) {
        return Some(LIMIT.to_owned());
    }
    // `lines` says nothing about a subject, but all about a number.
    let counted = language.counted.contains(lower.as_str()) || language.counted.contains(format!("{lower}s").as_str());
    (counted || language.is_content(&lower) && lower.len() > 2).then_some(stemmed)
}

/// Whether a word is a name rather than one of the language: `tile-loader`, `max_attempts`, `MapCanvas`.
pub(super) fn is_name(word: &str) -> bool {
    let inner = word.trim_matches(['-', '_']);
    let hump = inner.char_indices().any(|(at, c)| at > 0 && c.is_uppercase()) && inner.chars().any(char::is_lowercase);
    inner.contains('_') || hump || inner.contains('-') && inner.len() > 6
}

/// How near two short texts are: one letter changed, left out, put in, or two neighbours swapped.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let apart = one.len().abs_diff(other.len());
    if apart > char::MAX.len_utf8() {
        return false;
    }
    if one.is_ascii() && other.is_ascii() {
        return apart < 2 && is_slip_of(one.as_bytes(), other.as_bytes());
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    is_slip_of(&one, &other)
}

fn is_slip_of<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    // Only in two letters may a slip change both ends.
    if short.len() > 2 && short[0] != long[0] && short.last() != long.last() {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (rest, longer) = (&short[same..], &long[same..]);
    match longer.len() - rest.len() {
        0 if rest.is_empty() => false,
        0 => rest[1..] == longer[1..] || are_swapped(rest, longer),
        1 => *rest == longer[1..],
        _ => false,
    }
}

/// Whether the first two are swapped, and the rest is the same.
fn are_swapped<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    one.len() > 1 && one[0] == other[1] && one[1] == other[0] && one[2..] == other[2..]
}

/// The same digits with two neighbours swapped.
pub(super) fn is_swap(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    same < one.len() && are_swapped(&one[same..], &other[same..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_or_two_swapped() {
        for (one, other, slip, swap) in [
            ("e91c57a", "e91c75a", true, true),
            ("agent", "agemt", true, false),
            ("agent", "agnt", true, false),
            ("agent", "agents", true, false),
            ("v1", "v2", true, false),
            ("agent", "agent", false, false),
            ("agent", "agenda", false, false),
            ("642", "624", true, true),
            ("", "a", true, false),
        ] {
            assert_eq!((is_slip(one, other), is_swap(one, other)), (slip, swap), "{one} {other}");
            assert_eq!((is_slip(other, one), is_swap(other, one)), (slip, swap), "{other} {one}");
        }
    }

    #[test]
    fn forms_of_a_word_have_one_key() {
        let key = |word| key(word, Language::english());
        for (one, other) in [("Retries", "retry"), ("MapCanvas", "map-canvas"), ("capped", "ceiling")] {
            assert!(key(one).is_some());
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        for nothing in ["the", "12", "-"] {
            assert_eq!(key(nothing), None);
        }
    }

    #[test]
    fn compounds_end_in_letters_or_digits() {
        let text = "see `a/b-c.rs`: (x) — ... é.";
        let found: Vec<&str> = compounds(text).map(|range| &text[range]).filter(|one| !one.is_empty()).collect();
        assert_eq!(found, ["see", "a/b-c.rs", "x", "é"]);
    }
}
