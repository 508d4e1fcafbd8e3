//! Finding text whatever its letter case.

use std::ops::Range;

use memchr::memchr2;

/// Byte ranges in the text that read like the needle when letter case is ignored, from the start, without overlap.
/// An empty needle is found nowhere.
pub fn find(text: &str, needle: &str) -> impl Iterator<Item = Range<usize>> {
    let folded: Vec<char> = needle.chars().flat_map(fold).collect();
    let ascii = needle.is_ascii() && text.is_ascii();
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = if ascii { next_ascii(text, needle, at) } else { next(text, &folded, at) }?;
        at = found.end;
        Some(found)
    })
}

fn next_ascii(text: &str, needle: &str, from: usize) -> Option<Range<usize>> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let first = *needle.first()?;
    let mut at = from;
    loop {
        at += memchr2(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text.get(at..)?)?;
        let end = at + needle.len();
        if text.get(at..end)?.eq_ignore_ascii_case(needle) {
            return Some(at..end);
        }
        at += 1;
    }
}

fn next(text: &str, needle: &[char], from: usize) -> Option<Range<usize>> {
    let first = needle.first()?;
    let rest = text.get(from..)?;
    rest.char_indices()
        .filter(|(_, c)| fold(*c).next() == Some(*first))
        .find_map(|(at, _)| prefix(&rest[at..], needle).map(|len| from + at..from + at + len))
}

/// The length of the text's start that reads like the whole needle; a character is never found by a part of it.
fn prefix(text: &str, needle: &[char]) -> Option<usize> {
    let mut wanted = needle.iter();
    for (at, c) in text.char_indices() {
        if wanted.as_slice().is_empty() {
            return Some(at);
        }
        if !fold(c).all(|folded| wanted.next() == Some(&folded)) {
            return None;
        }
    }
    wanted.as_slice().is_empty().then_some(text.len())
}

/// Letter case taken away. The final sigma is a sigma.
fn fold(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().map(|lower| if lower == 'ς' { 'σ' } else { lower })
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn letter_case_is_ignored_and_ranges_fit_the_text() {
        let table: [(&str, &str, &[&str]); 11] = [
            ("Orders and ORDERS", "orders", &["Orders", "ORDERS"]),
            ("aaaa", "aa", &["aa", "aa"]),
            ("nothing here", "x", &[]),
            ("anything", "", &[]),
            ("", "a", &[]),
            ("über Über ÜBER", "über", &["über", "Über", "ÜBER"]),
            ("日本 the Word", "WORD", &["Word"]),
            ("ΟΔΟΣ οδος", "οδοσ", &["ΟΔΟΣ", "οδος"]),
            ("İstanbul", "i", &[]),
            ("300 K and 300 K", "300 k", &["300 K", "300 K"]),
            ("almost almos", "almost", &["almost"]),
        ];
        for (text, needle, expected) in table {
            let found: Vec<&str> = find(text, needle).map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{needle:?} in {text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_range_is_cut_at_characters(text in "[aAéÉİσΣς日 ]{0,30}", needle in "[aAéiσ日]{1,2}") {
            for range in find(&text, &needle) {
                proptest::prop_assert!(text.get(range).is_some_and(|found| !found.is_empty()));
            }
        }
    }
}
