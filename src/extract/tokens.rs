//! The words of a stretch of prose, as cue phrases are looked up in it: in lower case, without a copy of each.

use std::borrow::Cow;
use std::ops::Range;

use super::{Zone, Zones, work};

/// A text in lower case, byte for byte as long as the text, and where its words are.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    /// The text itself.
    pub text: &'a str,
    lower: Cow<'a, str>,
    /// Whether any apostrophe is curly.
    curly: bool,
    list: Vec<Range<usize>>,
}

impl<'a> Tokens<'a> {
    /// The words of a whole text, whatever it is.
    pub fn of(text: &'a str) -> Self {
        let mut list = Vec::with_capacity(text.len() / 6);
        add(text, 0..text.len(), &mut list);
        Self { text, lower: lower(text), curly: is_curly(text), list }
    }

    /// The words of a text's prose and tables; each stretch of inline code in it is one word that no cue fits.
    pub fn of_prose(text: &'a str, zones: &Zones) -> Self {
        let mut list = Vec::with_capacity(text.len() / 6);
        for (range, zone) in zones.iter() {
            match zone {
                Zone::Prose | Zone::Table => add(text, range, &mut list),
                Zone::InlineCode => list.push(range),
                Zone::Fence | Zone::Quote | Zone::Log | Zone::Diff | Zone::Aside => {}
            }
        }
        Self { text, lower: lower(text), curly: is_curly(text), list }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Where this word stands.
    pub fn range(&self, at: usize) -> Range<usize> {
        work::step();
        self.list.get(at).cloned().unwrap_or(self.text.len()..self.text.len())
    }

    /// This word in lower case, a curly apostrophe made straight; empty beyond the end.
    pub fn lower(&self, at: usize) -> Cow<'_, str> {
        work::step();
        let word = self.list.get(at).map_or("", |range| &self.lower[range.clone()]);
        if self.curly && word.contains('’') { Cow::Owned(word.replace('’', "'")) } else { Cow::Borrowed(word) }
    }

    /// What stands between this word and the next one, or the end of the text.
    pub fn gap(&self, at: usize) -> &'a str {
        let from = self.range(at).end;
        let to = self.list.get(at + 1).map_or(self.text.len(), |next| next.start);
        self.text.get(from..to).unwrap_or_default()
    }

    /// The words that begin inside this stretch of the text.
    pub fn within(&self, range: &Range<usize>) -> Range<usize> {
        self.list.partition_point(|word| word.start < range.start)
            ..self.list.partition_point(|word| word.start < range.end)
    }

    /// The stretch of text from the first of these words to the last.
    pub fn span(&self, words: Range<usize>) -> Range<usize> {
        if words.is_empty() {
            let at = self.range(words.start).start;
            return at..at;
        }
        self.range(words.start).start..self.range(words.end - 1).end
    }
}

fn is_curly(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), "’".as_bytes()).is_some()
}

/// Characters of writing without spaces: each is a word of its own.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}')
}

const CURLY: &[u8] = "’".as_bytes();

/// Letters, digits, and apostrophes and hyphens between them.
fn add(text: &str, range: Range<usize>, list: &mut Vec<Range<usize>>) {
    let bytes = &text.as_bytes()[..range.end];
    let mut at = range.start;
    let mut start = None;
    loop {
        // Most of a text are words of such letters.
        let from = at;
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            at += 1;
        }
        if at > from {
            start.get_or_insert(from);
        }
        let Some(byte) = bytes.get(at).copied() else { break };
        let (len, mut kind) = kind_at(text, bytes, at, byte, start.is_some());
        let apostrophe = byte == b'\'' || byte == CURLY[0] && bytes[at..].starts_with(CURLY);
        if apostrophe && start.is_some_and(|from| is_elided(&bytes[from..at])) {
            kind = Kind::Outside;
        }
        match kind {
            Kind::Inside => {
                start.get_or_insert(at);
            }
            Kind::Alone | Kind::Outside => {
                if let Some(from) = start.take() {
                    list.push(from..at);
                }
                if kind == Kind::Alone {
                    list.push(at..at + len);
                }
            }
        }
        at += len;
    }
    if let Some(from) = start {
        list.push(from..range.end);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Inside,
    Outside,
    Alone,
}

/// What stands here; letters, digits and low lines of ASCII were taken before.
fn kind_at(text: &str, bytes: &[u8], at: usize, byte: u8, started: bool) -> (usize, Kind) {
    if byte.is_ascii() {
        let joins = matches!(byte, b'\'' | b'-') && started && starts_word(text, bytes, at + 1);
        return (1, if joins { Kind::Inside } else { Kind::Outside });
    }
    let Some(c) = text[at..].chars().next() else { return (1, Kind::Outside) };
    let len = c.len_utf8();
    let kind = if is_unspaced(c) {
        Kind::Alone
    } else if c.is_alphanumeric() || is_mark(c) && started || c == '’' && started && starts_word(text, bytes, at + len)
    {
        Kind::Inside
    } else {
        Kind::Outside
    };
    (len, kind)
}

/// French words that lose their vowel: what follows the apostrophe is a word of its own.
fn is_elided(word: &[u8]) -> bool {
    match word {
        [one] => b"cdjlmnst".contains(&one.to_ascii_lowercase()),
        _ => ["qu", "jusqu", "lorsqu", "puisqu", "quoiqu"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known.as_bytes())),
    }
}

/// Accents that stand as characters of their own.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

fn starts_word(text: &str, bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => false,
        Some(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric(),
        Some(_) => text[at..].chars().next().is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c)),
    }
}

/// In lower case without changing a length: the few characters whose small form is longer or shorter stay.
fn lower(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    let small = |c: char| {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => one,
            _ => c,
        }
    };
    Cow::Owned(text.chars().map(|c| if c.is_ascii() { c.to_ascii_lowercase() } else { small(c) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(text: &str) -> Vec<String> {
        let tokens = Tokens::of(text);
        (0..tokens.len()).map(|at| tokens.lower(at).into_owned()).collect()
    }

    #[test]
    fn words_are_cut_as_a_reader_cuts_them() {
        for (text, want) in [
            ("User’s re-run, isn't it?", vec!["user's", "re-run", "isn't", "it"]),
            ("w/o x_y --flag -", vec!["w", "o", "x_y", "flag"]),
            ("Über ÄRGER, français", vec!["über", "ärger", "français"]),
            ("使わない。CIは", vec!["使", "わ", "な", "い", "ci", "は"]),
            ("", vec![]),
        ] {
            assert_eq!(seen(text), want, "{text}");
        }
    }

    #[test]
    fn code_in_prose_is_one_word_and_a_fence_none() {
        let text = "not `no, never`\n```\nnot\n```\nend";
        let tokens = Tokens::of_prose(text, &Zones::of(text));
        let seen: Vec<_> = (0..tokens.len()).map(|at| &text[tokens.range(at)]).collect();
        assert_eq!(seen, ["not", "`no, never`", "end"]);
    }

    proptest! {
        #[test]
        fn words_stand_in_order_and_hold_every_letter(text in r"[\PCİǅ’'-]{0,60}") {
            let tokens = Tokens::of(&text);
            let mut end = 0;
            let mut letters = 0;
            for at in 0..tokens.len() {
                let range = tokens.range(at);
                prop_assert!(range.start >= end && !range.is_empty());
                letters += text[range.clone()].chars().filter(|c| c.is_alphanumeric()).count();
                end = range.end;
            }
            prop_assert_eq!(letters, text.chars().filter(|c| c.is_alphanumeric()).count());
        }
    }
}
