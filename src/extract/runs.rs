//! Runs of letters, digits and low lines, and the number by which a run is known again, letter case apart. Made for
//! looking at everything once: most runs stand for nothing, and a filter says so without a look-up.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Of longer runs only the beginning and the length are compared.
const LONGEST: usize = 64;
const FOLD: u64 = 0x2020_2020_2020_2020;
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

static IS_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        byte += 1;
    }
    table
};

/// Whether this byte belongs to a run; of letters beyond ASCII only the whole character tells, see [`is_word`].
#[inline]
pub fn is_run(byte: u8) -> bool {
    IS_RUN[byte as usize]
}

/// Whether this character belongs to a run.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the run of bytes that begins here ends, and whether it is ASCII throughout.
#[inline]
pub fn run(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start;
    let mut all = 0;
    while let Some(byte) = bytes.get(at).filter(|byte| is_run(**byte)) {
        all |= byte;
        at += 1;
    }
    (at, all < 0x80)
}

/// Meets every run of a text with its number.
#[inline]
pub fn runs(text: &str, mut meet: impl FnMut(Range<usize>, u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_run(bytes[at]) {
            at += 1;
            continue;
        }
        let (end, ascii) = run(bytes, at);
        if ascii {
            meet(at..end, key(bytes, at..end));
        } else {
            pieces(text, at..end, &mut meet);
        }
        at = end;
    }
}

/// The runs in a run of bytes that holds more than ASCII: signs such as dashes and arrows part them.
#[inline(never)]
pub fn pieces(text: &str, range: Range<usize>, meet: &mut impl FnMut(Range<usize>, u64)) {
    let mut start = None;
    let mut found = |range: Range<usize>| {
        let piece = &text[range.clone()];
        let number = if piece.is_ascii() { key(text.as_bytes(), range.clone()) } else { key_of(piece) };
        meet(range, number);
    };
    for (at, c) in text[range.clone()].char_indices() {
        let at = range.start + at;
        match (is_word(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found(from..at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    if let Some(from) = start {
        found(from..range.end);
    }
}

/// The number of a whole run: the same whatever its letter case.
pub fn key_of(run: &str) -> u64 {
    if run.is_ascii() {
        return key(run.as_bytes(), 0..run.len());
    }
    let lower = run.to_lowercase();
    key(lower.as_bytes(), 0..lower.len())
}

/// The number of a run of ASCII.
#[inline]
pub fn key(bytes: &[u8], range: Range<usize>) -> u64 {
    let len = range.len();
    let mut hash = (len as u64).wrapping_mul(MIX);
    let mut at = range.start;
    let end = range.start + len.min(LONGEST);
    while at + 8 <= end {
        hash = mix(hash, eight(bytes, at) | FOLD);
        at += 8;
    }
    let left = end - at;
    if left > 0 {
        let mask = u64::MAX >> (64 - 8 * left);
        hash = mix(hash, (eight(bytes, at) | FOLD) & mask);
    }
    hash
}

/// Eight bytes from here on; noughts behind the end.
#[inline]
fn eight(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + 8).and_then(|eight| <[u8; 8]>::try_from(eight).ok()) {
        Some(eight) => u64::from_le_bytes(eight),
        None => bytes[at..].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    }
}

#[inline]
fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(MIX);
    mixed ^ (mixed >> 32)
}

/// Says of most runs at once that nobody asked for them.
#[derive(Clone, Debug)]
pub struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    /// A filter that holds these numbers.
    pub fn of(keys: impl ExactSizeIterator<Item = u64>) -> Self {
        let size = (keys.len() * 16).next_power_of_two().clamp(1 << 12, 1 << 21);
        let mut filter = Self { bits: vec![0; size / 64] };
        for key in keys {
            let (word, bit) = filter.place(key);
            filter.bits[word] |= bit;
        }
        filter
    }

    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        (((key >> 6) as usize) & (self.bits.len() - 1), 1 << (key & 63))
    }

    /// Whether the number may be held.
    #[inline]
    pub fn may_hold(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }
}

/// A map by the numbers of runs, which are hashes already.
pub type ByKey<T> = HashMap<u64, T, BuildHasherDefault<Same>>;

/// Hashes a number as itself.
#[derive(Debug, Default)]
pub struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = key(bytes, 0..bytes.len());
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        runs(text, |range, number| {
            assert_eq!(number, key_of(&text[range.clone()]), "{text}");
            found.push(&text[range]);
        });
        found
    }

    #[test]
    fn signs_part_runs_and_letters_of_any_script_do_not() {
        for (text, want) in [
            ("src/main.rs—the end_of", &["src", "main", "rs", "the", "end_of"][..]),
            ("naïve→straße 日本語", &["naïve", "straße", "日本語"]),
            ("", &[]),
            ("→→", &[]),
        ] {
            assert_eq!(found(text), want);
        }
    }

    #[test]
    fn a_number_is_the_same_in_any_letter_case_and_at_any_place() {
        for (one, other, same) in [
            ("Configuration_of_everything", "configuration_OF_everything", true),
            ("РУССКИЙ", "русский", true),
            ("abc", "abcd", false),
            ("abcdefgh1", "abcdefgh2", false),
        ] {
            assert_eq!(key_of(one) == key_of(other), same, "{one} {other}");
            let text = format!("x {one} y");
            assert!(found(&text).contains(&one));
        }
    }

    #[test]
    fn a_filter_never_denies_what_it_holds() {
        let keys: Vec<u64> = (0..1000).map(|n| key_of(&format!("word{n}"))).collect();
        let filter = Filter::of(keys.iter().copied());
        assert!(keys.iter().all(|key| filter.may_hold(*key)));
        let wrong = (0..1000).filter(|n| filter.may_hold(key_of(&format!("other{n}")))).count();
        assert!(wrong < 200, "{wrong}");
    }
}
