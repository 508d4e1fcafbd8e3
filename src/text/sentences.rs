//! Where sentences begin and end. No language is guessed; what a full stop means is decided by what stands around it.

use std::ops::Range;

/// After these a full stop ends no sentence.
const ABBREVIATIONS: &str = include_str!("../../assets/lexicon/en/abbreviations.txt");

/// Byte ranges of the sentences of a text, in order, without the white space around them. A blank line ends a
/// sentence, a single line end does not; nothing ends inside `inline code`. A text without any end is one sentence.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '`' => code = !code,
            '\n' => {
                let rest = &text[at + 1..];
                let line = rest.split('\n').next().unwrap_or_default();
                if line.len() < rest.len() && line.trim().is_empty() {
                    push(text, start..at, &mut found);
                    (start, code) = (at + 1, false);
                }
            }
            '。' | '！' | '？' if !code => {
                let end = at + c.len_utf8();
                push(text, start..end, &mut found);
                start = end;
            }
            '.' | '!' | '?' | '…' if !code => {
                let mut end = at + c.len_utf8();
                while let Some((next, closing)) = chars.peek().copied().filter(|(_, c)| closes(*c)) {
                    end = next + closing.len_utf8();
                    chars.next();
                }
                if ends(text, start, at, end, c) {
                    push(text, start..end, &mut found);
                    start = end;
                }
            }
            _ => {}
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

fn closes(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '"' | '\'' | ')' | ']' | '*' | '_' | '”' | '’' | '»')
}

/// Whether the mark at `at`, closed at `end`, ends the sentence that began at `start`.
fn ends(text: &str, start: usize, at: usize, end: usize, mark: char) -> bool {
    let after = &text[end..];
    let Some(next) = after.chars().next() else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let Some(first) = after.chars().find(|c| !c.is_whitespace()) else { return true };
    if first.is_lowercase() && mark != '?' && mark != '!' {
        return false;
    }
    if mark != '.' {
        return true;
    }
    let word_start = text[start..at].rfind(|c: char| c.is_whitespace() || "([\"'*".contains(c));
    let word = &text[word_start.map_or(start, |back| next_char(text, start + back))..at];
    let list_number = word.len() <= 3 && text[start..at].trim() == word && word.bytes().all(|b| b.is_ascii_digit());
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    !list_number && !initial && !abbreviated(word, first)
}

fn next_char(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(at, |c| at + c.len_utf8())
}

/// `No. 7` is one, `no. She` is not.
fn abbreviated(word: &str, next: char) -> bool {
    word.len() <= 8
        && (!word.eq_ignore_ascii_case("no") || next.is_ascii_digit())
        && ABBREVIATIONS
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(str::split_whitespace)
            .any(|known| word.eq_ignore_ascii_case(known))
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let kept = &text[range.clone()];
    let lead = kept.len() - kept.trim_start().len();
    let kept = kept.trim();
    if !kept.is_empty() {
        found.push(range.start + lead..range.start + lead + kept.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn a_sentence_ends_where_a_reader_would_stop() {
        for (text, want) in [
            ("One. Two! Three? four", vec!["One.", "Two!", "Three?", "four"]),
            ("See main.rs, e.g. the top. Then stop.", vec!["See main.rs, e.g. the top.", "Then stop."]),
            ("Version 1.2.3 is out. 7 remain.", vec!["Version 1.2.3 is out.", "7 remain."]),
            ("He said \"no.\" She left.", vec!["He said \"no.\"", "She left."]),
            ("Run `a. B` now. Go", vec!["Run `a. B` now.", "Go"]),
            ("1. First point", vec!["1. First point"]),
            ("wrapped\nline. Next", vec!["wrapped\nline.", "Next"]),
            ("no end\n\nnew paragraph", vec!["no end", "new paragraph"]),
            ("これは一つ。これは二つ。", vec!["これは一つ。", "これは二つ。"]),
            ("", vec![]),
        ] {
            assert_eq!(split(text), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn sentences_stand_in_order_and_hold_every_visible_character(text in ".{0,200}") {
            let ranges = sentences(&text);
            let mut end = 0;
            let mut held = String::new();
            for range in ranges {
                prop_assert!(range.start >= end && !range.is_empty());
                held.push_str(&text[range.clone()]);
                end = range.end;
            }
            let visible = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(visible(&held), visible(&text));
        }
    }
}
