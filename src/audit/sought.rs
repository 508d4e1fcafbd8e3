//! Something that is looked for in all texts: where it waits, and whether it stands at a place.

use std::ops::Range;
use std::sync::Arc;

use crate::extract::runs::{run, runs};

/// Between two tokens at most so many bytes stand where they are met loosely.
const BETWEEN: usize = 3;
/// A letter that only a closer look can tell.
const ANY: u8 = 0xff;

/// What is looked for, at one of its tokens.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    bytes: Arc<str>,
    /// Where the token begins that it waits at.
    start: usize,
    /// The tokens before it and behind it in lower case, with a space between two.
    before: Box<str>,
    behind: Box<str>,
}

/// One that waits at a token, with what stands around the token in it: most places are told without looking at more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub no: u32,
    /// The bytes on both sides of the token; 0 where it ends there.
    marks: [u8; 2],
    /// The last letter before them and the first behind them, in lower case; 0 where there is none.
    letters: [u8; 2],
}

/// What stands around a token of a text.
pub(super) struct Neighbours {
    marks: [u8; 2],
    letters: [u8; 2],
}

impl Neighbours {
    /// Of the token that stands here.
    pub(super) fn of(text: &[u8], token: &Range<usize>) -> Self {
        let (before, behind) = (&text[..token.start], &text[token.end..]);
        Self {
            marks: [before.last().copied().unwrap_or(0), behind.first().copied().unwrap_or(0)],
            letters: [letter(before.iter().rev()), letter(behind.iter())],
        }
    }
}

/// The next letter, not far off.
fn letter<'a>(bytes: impl Iterator<Item = &'a u8>) -> u8 {
    for byte in bytes.take(BETWEEN + 1) {
        match byte {
            0x80.. => return ANY,
            b'_' => return b'_',
            byte if byte.is_ascii_alphanumeric() => return byte.to_ascii_lowercase(),
            _ => {}
        }
    }
    0
}

impl Slot {
    /// A single token, which may stand between anything.
    pub(super) fn of_token(no: u32) -> Self {
        Self { no, marks: [0; 2], letters: [0; 2] }
    }

    /// Whether what waits may stand there.
    #[inline]
    pub(super) fn fits(self, there: &Neighbours) -> bool {
        let marks = |side: usize| matches!(self.marks[side], 0 | ANY) || self.marks[side] == there.marks[side];
        let letters = |side: usize| match (self.letters[side], there.letters[side]) {
            (0 | ANY, _) | (_, 0 | ANY) => true,
            (own, other) => own == other,
        };
        marks(0) && marks(1) && letters(0) && letters(1)
    }

    /// Whether its tokens may stand there.
    #[inline]
    pub(super) fn fits_loosely(self, there: &Neighbours) -> bool {
        let fits = |own: u8, other: u8| matches!(own, 0 | ANY) || other == ANY || own == other;
        (0..2).all(|side| fits(self.letters[side], there.letters[side]))
    }
}

impl Wanted {
    /// These bytes, waiting at the token that stands here in them.
    pub(super) fn at(bytes: Arc<str>, token: &Range<usize>) -> Self {
        let (before, behind) = (lower_tokens(&bytes[..token.start]), lower_tokens(&bytes[token.end..]));
        Self { bytes, start: token.start, before, behind }
    }

    /// How this waits under its number.
    pub(super) fn slot(&self, no: u32) -> Slot {
        let bytes = self.bytes.as_bytes();
        let (end, ascii) = run(bytes, self.start);
        if !ascii {
            return Slot { no, marks: [ANY; 2], letters: [ANY; 2] };
        }
        let mark = |byte: Option<&u8>| byte.map_or(0, |byte| if *byte == 0 { ANY } else { *byte });
        let side = |byte: Option<&u8>| byte.map_or(0, |byte| if byte.is_ascii() { *byte } else { ANY });
        Slot {
            no,
            marks: [mark(bytes[..self.start].last()), mark(bytes.get(end))],
            letters: [side(self.before.as_bytes().last()), side(self.behind.as_bytes().first())],
        }
    }

    /// Whether the bytes stand there as words of their own, letter case ignored only where none of them is a capital.
    /// The token that it waits at begins at `token`.
    pub(super) fn stands(&self, text: &str, token: usize) -> bool {
        let Some(start) = token.checked_sub(self.start) else { return false };
        let end = start + self.bytes.len();
        let Some(there) = text.get(start..end) else { return false };
        let same = there == &*self.bytes || is_lower_of(there, &self.bytes);
        let first = self.bytes.chars().next();
        let last = self.bytes.chars().next_back();
        same && (!joins(first) || begins_alone(text, start)) && !(joins(last) && joins(text[end..].chars().next()))
    }

    /// Whether the tokens stand there one after the other, with little between them.
    pub(super) fn stands_loosely(&self, text: &str, run: &Range<usize>) -> bool {
        let mut end = run.end;
        for want in self.behind.split_ascii_whitespace() {
            let Some(gap) = text[end..].find(|c: char| c.is_alphanumeric() || c == '_') else { return false };
            let next = end + gap;
            let Some(there) = text.get(next..next + want.len()) else { return false };
            let joined = text[next + want.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            if gap > BETWEEN || !is_lower_of(there, want) || joined {
                return false;
            }
            end = next + want.len();
        }
        let mut begin = run.start;
        for want in self.before.split_ascii_whitespace().rev() {
            let before = text[..begin].trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            let Some(there) = before.len().checked_sub(want.len()).and_then(|from| before.get(from..)) else {
                return false;
            };
            let joined = before[..before.len() - want.len()].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if begin - before.len() > BETWEEN || !is_lower_of(there, want) || joined {
                return false;
            }
            begin = before.len() - want.len();
        }
        true
    }
}

fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Whether no letter stands right before this place; line ends that are written out are none.
pub(super) fn begins_alone(text: &str, start: usize) -> bool {
    !joins(text[..start].trim_end_matches("\\n").chars().next_back())
}

/// The tokens of a text in lower case, with a space between two.
fn lower_tokens(text: &str) -> Box<str> {
    let mut lower = String::new();
    runs(text, |run, _| {
        if !lower.is_empty() {
            lower.push(' ');
        }
        lower.push_str(&text[run].to_lowercase());
    });
    lower.into()
}

/// Whether a text is this one in lower case.
fn is_lower_of(text: &str, lower: &str) -> bool {
    if text.is_ascii() {
        let bytes = text.bytes().map(|byte| byte.to_ascii_lowercase());
        return text.len() == lower.len() && bytes.eq(lower.bytes());
    }
    text.to_lowercase() == lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_glance_denies_stands_not_there() {
        // What waits, the token that it waits at, a text, and whether it stands there exactly and loosely.
        for (bytes, at, text, want) in [
            ("src/main.rs", "main", "see src/main.rs now", (true, true)),
            ("src/main.rs", "main", "see src/main.go now", (false, false)),
            ("src/main.rs", "main", "see SRC-MAIN-RS now", (false, true)),
            ("src/main.rs", "main", "main", (false, false)),
            ("a    b", "b", "say a    b", (true, false)),
            ("retry", "retry", "Retry", (true, true)),
            ("Retry", "Retry", "retry", (false, true)),
            ("naïve fix", "fix", "a Naïve fix", (true, true)),
            ("naïve fix", "fix", "a naive fix", (false, false)),
            ("fix → done", "fix", "fix → done", (true, false)),
            (".env", "env", "x.env", (true, true)),
            (".env", "env", "the env", (false, true)),
        ] {
            let from = bytes.find(at).unwrap_or_default();
            let wanted = Wanted::at(Arc::from(bytes), &(from..from + at.len()));
            let slot = wanted.slot(0);
            let mut found = (false, false);
            runs(text, |run, key| {
                if key != crate::extract::runs::key_of(at) {
                    return;
                }
                let there = Neighbours::of(text.as_bytes(), &run);
                let stands = (wanted.stands(text, run.start), wanted.stands_loosely(text, &run));
                assert!(slot.fits(&there) || !stands.0, "{bytes} in {text}");
                assert!(slot.fits_loosely(&there) || !stands.1, "{bytes} in {text}");
                found = (found.0 || stands.0, found.1 || stands.1);
            });
            assert_eq!(found, want, "{bytes} in {text}");
        }
    }
}
