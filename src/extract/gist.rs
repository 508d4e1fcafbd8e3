//! What a text is about, as small numbers: the stems of its words that say something, and its numbers.

use super::{Language, stem};

/// The stems of the content words of a text and its numbers without separators, hashed, each once, in order; a number in words is
/// its digits. Names are
/// taken apart at everything that is no letter or digit, so that `a/b.rs` shares its parts with `b.rs`.
pub fn gist(text: &str, language: &Language) -> Vec<u32> {
    let mut found = Vec::new();
    let mut lower = String::new();
    let mut at = 0;
    while let Some(Run { start, mut end, kinds }) = Run::next(text, at) {
        let number = kinds == FIGURE;
        if number {
            end = number_end(text, end);
        }
        at = end;
        let word = &text[start..end];
        let said = if kinds & !(SMALL | FIGURE) == 0 && !number {
            word
        } else {
            lower.clear();
            if kinds & OTHER == 0 {
                lower.extend(word.chars().filter(|c| !(number && *c == ',')));
                lower.make_ascii_lowercase();
            } else {
                lower.extend(word.chars().flat_map(char::to_lowercase));
            }
            lower.trim_end_matches(['\'', '’'])
        };
        let plain =
            if kinds & (MARK | OTHER) == 0 { said } else { said.split(['\'', '’']).next().unwrap_or_default() };
        let is_content = |plain: &str| plain.len() == said.len() || language.is_content(said);
        if number || language.is_content(plain) && is_content(plain) {
            let said = language.numbers.get(plain).map_or(stem(plain.as_bytes()), |digits| digits.as_bytes());
            let hash = hash(said);
            if !holds(&found, hash) {
                found.push(hash);
            }
        }
    }
    found
}

/// Whether a hash is among these. Many are compared at once: a text has hundreds of words, and each is looked for.
fn holds(found: &[u32], hash: u32) -> bool {
    found.chunks(16).any(|some| some.iter().filter(|one| **one == hash).count() > 0)
}

/// Letters and digits in a row, and the apostrophes between and behind them.
struct Run {
    start: usize,
    end: usize,
    /// What it is made of, a bit each.
    kinds: u8,
}

const SMALL: u8 = 1;
const LARGE: u8 = 2;
const FIGURE: u8 = 4;
/// An apostrophe.
const MARK: u8 = 8;
/// Anything beyond ASCII: whether it belongs to a run only the whole character tells.
const OTHER: u8 = 16;

static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut at = 0;
    while at < 256 {
        kinds[at] = match at as u8 {
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => LARGE,
            b'0'..=b'9' => FIGURE,
            b'\'' => MARK,
            0x80.. => OTHER,
            _ => 0,
        };
        at += 1;
    }
    kinds
};

impl Run {
    /// The next one from here on.
    fn next(text: &str, from: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut start = from;
        loop {
            match KINDS[usize::from(*bytes.get(start)?)] {
                SMALL | LARGE | FIGURE => break,
                OTHER => {
                    let c = text[start..].chars().next()?;
                    if c.is_alphanumeric() {
                        break;
                    }
                    start += c.len_utf8();
                }
                _ => start += 1,
            }
        }
        let (mut end, mut kinds) = (start, 0);
        while let Some(byte) = bytes.get(end) {
            match KINDS[usize::from(*byte)] {
                0 => break,
                OTHER => {
                    let Some(c) = text[end..].chars().next().filter(|c| c.is_alphanumeric() || *c == '’') else {
                        break;
                    };
                    kinds |= OTHER;
                    end += c.len_utf8();
                }
                kind => {
                    kinds |= kind;
                    end += 1;
                }
            }
        }
        Some(Self { start, end, kinds })
    }
}

/// Where the number that began before `end` ends, its separators included: `1,486.20`.
fn number_end(text: &str, end: usize) -> usize {
    let rest = &text.as_bytes()[end..];
    let mut len = 0;
    while matches!(rest.get(len), Some(b',' | b'.')) && rest.get(len + 1).is_some_and(u8::is_ascii_digit) {
        len += 1 + rest[len + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    }
    end + len
}

/// FNV-1a, folded: the same in every run.
fn hash(bytes: &[u8]) -> u32 {
    let hash =
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_the_same_share_their_gist() {
        let english = Language::english();
        for (one, other) in [
            ("The retries were capped", "retry: capped"),
            ("src/a/worker.rs", "the a worker, src, rs"),
            ("1,486.20 paid", "paid 1486.20"),
            ("user's orders", "orders of the user"),
        ] {
            let of = |text| {
                let mut gist = gist(text, english);
                gist.sort_unstable();
                gist
            };
            assert_eq!(of(one), of(other), "{one} / {other}");
        }
        assert_ne!(gist("attempt 7", english), gist("attempt 5", english));
    }
}
