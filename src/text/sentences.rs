//! Where sentences begin and end. No language is guessed; what a full stop means is decided by what stands around it.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

/// After these a full stop ends no sentence, in whatever case.
const ABBREVIATIONS: &str = include_str!("../../assets/lexicon/en/abbreviations.txt");

/// After these neither, as they are written: what is a common word in another language has another case there.
const ABROAD: [&str; 3] = [
    include_str!("../../assets/lexicon/de/abbreviations.txt"),
    include_str!("../../assets/lexicon/fr/abbreviations.txt"),
    include_str!("../../assets/lexicon/es/abbreviations.txt"),
];

/// What a number with a full stop may count: `3. März`.
const ORDINALS: &str = include_str!("../../assets/lexicon/de/ordinals.txt");

/// Byte ranges of the sentences of a text, in order, without the white space around them. A blank line ends a
/// sentence, a single line end does not; nothing ends inside `inline code`. A text without any end is one sentence.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut code = false;
    let mut at = 0;
    while at < text.len() {
        if !may_end(text.as_bytes()[at]) {
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        let mut end = at + c.len_utf8();
        match c {
            '`' => code = !code,
            '\n' => {
                let blank = text[end..].chars().find(|c| *c == '\n' || !c.is_whitespace()) == Some('\n');
                if blank {
                    push(text, start..at, &mut found);
                    (start, code) = (end, false);
                }
            }
            '。' | '！' | '？' | '｡' | '．' if !code => {
                end += behind(&text[end..], |c, _| matches!(c, '」' | '』' | '）' | '！' | '？'));
                // What somebody said goes on with a particle.
                if !(text[..end].ends_with(['」', '』'])
                    && text[end..].starts_with(['と', 'っ', 'は', 'の', 'を', 'が']))
                {
                    push(text, start..end, &mut found);
                    start = end;
                }
            }
            '.' | '!' | '?' | '…' if !code => {
                end += behind(&text[end..], |c, rest| closes(c) || closes_apart(rest));
                if ends(text, start, at, end, c) {
                    push(text, start..end, &mut found);
                    start = end;
                }
            }
            _ => {}
        }
        at = end;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Whether this may be the first byte of a mark, a line end or a back tick.
fn may_end(byte: u8) -> bool {
    matches!(byte, b'`' | b'\n' | b'.' | b'!' | b'?' | 0xe2 | 0xe3 | 0xef)
}

/// The length of the characters that close what stands before them; each is asked for with what begins at it.
fn behind(text: &str, closes: impl Fn(char, &str) -> bool) -> usize {
    text.char_indices().find(|(at, c)| !closes(*c, &text[*at..])).map_or(text.len(), |(at, _)| at)
}

fn closes(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '"' | '\'' | ')' | ']' | '*' | '_' | '”' | '’' | '»')
}

/// French sets its quotation marks apart: `« Non. »`.
fn closes_apart(after: &str) -> bool {
    let mut chars = after.chars();
    chars.next().is_some_and(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}')) && chars.next() == Some('»')
}

/// Whether the mark at `at`, closed at `end`, ends the sentence that began at `start`.
fn ends(text: &str, start: usize, at: usize, end: usize, mark: char) -> bool {
    let after = &text[end..];
    let Some(next) = after.chars().next() else { return true };
    if !next.is_whitespace() {
        // Japanese sets no space behind a mark.
        return mark != '.' && matches!(next, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    }
    let Some(first) = after.chars().find(|c| !c.is_whitespace()) else { return true };
    if first.is_lowercase() && !matches!(mark, '?' | '!') && (mark != '.' || end > at + 1 || !is_typed(&text[start..]))
    {
        return false;
    }
    if mark != '.' {
        return true;
    }
    let word_start = text[start..at].rfind(|c: char| c.is_whitespace() || "([\"'*".contains(c));
    let word = &text[word_start.map_or(start, |back| next_char(text, start + back))..at];
    let list_number = word.len() <= 3 && text[start..at].trim() == word && word.bytes().all(|b| b.is_ascii_digit());
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    !list_number
        && !initial
        && !abbreviated(word, first)
        && !in_letters(word, &text[start..at], after)
        && !counts(word, after)
}

/// Whether a sentence begins as people type who use no capitals: `ok. leave it. i mean the old one`. What follows its full
/// stop in small letters is the next one; in other prose it rather follows an abbreviation.
fn is_typed(sentence: &str) -> bool {
    let begin = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    begin.starts_with(char::is_lowercase) || begin.starts_with("I ")
}

/// Whether a full stop stands in an abbreviation of single letters: behind both of `d. h.`
fn in_letters(word: &str, before: &str, after: &str) -> bool {
    let single = |word: &str| word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    let dotted = |word: &str| word.strip_suffix('.').is_some_and(single);
    let word_before = before[..before.len() - word.len()].split_whitespace().next_back();
    single(word) && (after.split_whitespace().next().is_some_and(dotted) || word_before.is_some_and(dotted))
}

/// Whether this is a German ordinal: a short number before what it counts.
fn counts(word: &str, after: &str) -> bool {
    let counted = after.split_whitespace().next().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphanumeric());
    (1..=2).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_digit())
        && listed(ORDINALS).any(|known| known == counted)
}

fn listed(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

fn next_char(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(at, |c| at + c.len_utf8())
}

/// `No. 7` is one, `no. She` is not.
fn abbreviated(word: &str, next: char) -> bool {
    static ENGLISH: OnceLock<HashSet<&str>> = OnceLock::new();
    static OTHERS: OnceLock<HashSet<&str>> = OnceLock::new();
    word.len() <= 8
        && (!word.eq_ignore_ascii_case("no") || next.is_ascii_digit())
        && (ENGLISH.get_or_init(|| listed(ABBREVIATIONS).collect()).contains(word.to_ascii_lowercase().as_str())
            || OTHERS.get_or_init(|| ABROAD.into_iter().flat_map(listed).collect()).contains(word))
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
            ("ok. leave it. i mean approx. 3 of them", vec!["ok.", "leave it.", "i mean approx. 3 of them"]),
            ("hm... maybe, e.g. later. not now", vec!["hm... maybe, e.g. later.", "not now"]),
            ("I like it. keep both", vec!["I like it.", "keep both"]),
            ("Keep the stale vers. until then", vec!["Keep the stale vers. until then"]),
            ("これは一つ。これは二つ。", vec!["これは一つ。", "これは二つ。"]),
            ("「はい。」と言った。次です。", vec!["「はい。」と言った。", "次です。"]),
            ("本当ですか?はい。", vec!["本当ですか?", "はい。"]),
            ("Am 3. März geht es los. Dann nicht.", vec!["Am 3. März geht es los.", "Dann nicht."]),
            ("Es waren 3. Danach keiner.", vec!["Es waren 3.", "Danach keiner."]),
            ("Nimm z. B. Postgres, d. h. Version 16. Gut.", vec!["Nimm z. B. Postgres, d. h. Version 16.", "Gut."]),
            ("Port 80 bzw. Port 81, ggf. TLS. Ja.", vec!["Port 80 bzw. Port 81, ggf. TLS.", "Ja."]),
            ("M. Dupont a écrit. Il attend.", vec!["M. Dupont a écrit.", "Il attend."]),
            ("« Non. » Puis rien ! Voilà.", vec!["« Non. »", "Puis rien !", "Voilà."]),
            ("El Sr. Gómez llamó. ¿Cuándo? ¡Ya!", vec!["El Sr. Gómez llamó.", "¿Cuándo?", "¡Ya!"]),
            ("Vale. ¿qué pasa?", vec!["Vale.", "¿qué pasa?"]),
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
