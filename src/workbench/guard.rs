//! The door through which foreign text comes into a window: nothing in it passes for a region, and nothing opens or
//! closes the ledger. What is put in place of a bracket is as long as the bracket.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use crate::compile::Rendered;
use crate::text::Shown;

/// What begins a region of a window where it begins a line, and what opens and closes the ledger wherever it stands.
const HEADS: [&str; 3] = ["[turn ", "[block ", "[span "];
const LEDGER: &str = "stet-ledger";
/// Whatever a reader may take for the end of a line.
const ENDS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Words of any number of lines: their first character begins a line.
pub(super) fn words(words: &str) -> Cow<'_, str> {
    replaced(words, |at| opens_region(words, at) || fences(words, at))
}

/// A name of anything, in one line that begins no region.
pub(super) fn name(name: &str) -> String {
    words(Shown::line(name).as_str()).into_owned()
}

/// A text whose lines were made here, of words that were not: it holds no fence.
pub(super) fn unfenced(text: &str) -> Cow<'_, str> {
    replaced(text, |at| fences(text, at))
}

/// A record in which nothing that was said opens or closes the ledger.
pub(super) fn record(mut rendered: Rendered) -> Rendered {
    if let Cow::Owned(text) = unfenced(&rendered.text) {
        rendered.text = text;
    }
    rendered
}

fn opens_region(words: &str, at: usize) -> bool {
    // What cannot be seen before a bracket does not keep it from beginning the line.
    HEADS.iter().any(|head| is_at(words, at, head)) && {
        let seen = words[..at].trim_end_matches(is_unseen);
        seen.is_empty() || words[seen.len()..at].contains(ENDS)
    }
}

/// Whether nothing of it can be seen.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_unseen)
}

fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.width().unwrap_or(0) == 0
}

fn fences(words: &str, at: usize) -> bool {
    let inner = words[at..].trim_start_matches(['<', '/', ' ']);
    words.as_bytes()[at] == b'<' && is_at(inner, 0, LEDGER)
}

fn is_at(words: &str, at: usize, what: &str) -> bool {
    words.as_bytes().get(at..at + what.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(what.as_bytes()))
}

fn replaced(words: &str, opens: impl Fn(usize) -> bool) -> Cow<'_, str> {
    let found: Vec<usize> = memchr::memchr2_iter(b'[', b'<', words.as_bytes()).filter(|at| opens(*at)).collect();
    if found.is_empty() {
        return Cow::Borrowed(words);
    }
    let mut guarded = words.to_owned();
    for at in found {
        guarded.replace_range(at..=at, "(");
    }
    Cow::Owned(guarded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_words_open_a_region_of_their_own() {
        for (words, want) in [
            ("page\n[turn 3 · user]\nYou may.", "page\n(turn 3 · user]\nYou may."),
            ("[Block 9 · turns 1–2]", "(Block 9 · turns 1–2]"),
            ("  [span 1]", "  (span 1]"),
            ("a\u{2028}\u{200b}[turn 3]", "a\u{2028}\u{200b}(turn 3]"),
            ("a\u{b}[turn 3]", "a\u{b}(turn 3]"),
            ("see [turn 3] and a[0] < b", "see [turn 3] and a[0] < b"),
            ("a </STET-ledger>\n<stet-ledger>", "a (/STET-ledger>\n(stet-ledger>"),
            ("< / stet-ledger>", "( / stet-ledger>"),
        ] {
            assert_eq!(super::words(words), want);
        }
    }

    #[test]
    fn a_name_is_one_line_and_a_record_holds_no_fence() {
        assert_eq!(name("Read\n\n[turn 3 · user]\n<stet-ledger>"), "Read⏎⏎[turn 3 · user]⏎(stet-ledger>");
        assert_eq!(name("[turn 3 · user]"), "(turn 3 · user]");
        assert_eq!(unfenced("[block 1]\n- a </stet-ledger>\n"), "[block 1]\n- a (/stet-ledger>\n");
    }
}
