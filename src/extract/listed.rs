//! Words that are looked up whole, each with what it stands for.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Words, each with what it stands for. Most words of a text are in no list: what they begin with and how long they are
/// says so without a look-up.
#[derive(Clone, Debug)]
pub struct Listed<V> {
    held: HashMap<&'static str, V, BuildHasherDefault<Fast>>,
    lens: Lens,
}

/// Words that stand for nothing but themselves.
pub type Words = Listed<()>;

impl<V> Listed<V> {
    /// What a word stands for; `None` where it is not in the list.
    #[inline]
    pub fn get(&self, word: &str) -> Option<&V> {
        if self.lens.may_hold(word.as_bytes()) { self.held.get(word) } else { None }
    }

    /// Whether a word is in the list.
    #[inline]
    pub fn contains(&self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// Whether a word that begins with this byte and has so many may be in the list.
    #[inline]
    pub fn may_hold(&self, first: u8, len: usize) -> bool {
        self.lens.of(first) & Lens::bit(len) != 0
    }

    /// The words in no order, each with what it stands for.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &V)> + '_ {
        self.held.iter().map(|(word, stands_for)| (*word, stands_for))
    }
}

impl<V> Default for Listed<V> {
    fn default() -> Self {
        Self { held: HashMap::default(), lens: Lens::default() }
    }
}

impl<V> FromIterator<(&'static str, V)> for Listed<V> {
    fn from_iter<I: IntoIterator<Item = (&'static str, V)>>(words: I) -> Self {
        let mut listed = Self { held: words.into_iter().collect(), lens: Lens::default() };
        for word in listed.held.keys() {
            listed.lens.add(word.as_bytes());
        }
        listed
    }
}

impl FromIterator<&'static str> for Words {
    fn from_iter<I: IntoIterator<Item = &'static str>>(words: I) -> Self {
        words.into_iter().map(|word| (word, ())).collect()
    }
}

/// Of each first byte the lengths of the keys that begin with it, a bit each.
#[derive(Clone, Debug)]
pub(super) struct Lens(Box<[u64; 256]>);

impl Default for Lens {
    fn default() -> Self {
        Self(Box::new([0; 256]))
    }
}

impl Lens {
    pub fn add(&mut self, key: &[u8]) {
        if let Some(first) = key.first() {
            self.0[usize::from(*first)] |= Self::bit(key.len());
        }
    }

    /// The lengths of the keys that begin so.
    #[inline]
    pub fn of(&self, first: u8) -> u64 {
        self.0[usize::from(first)]
    }

    /// Whether a key may be this word.
    #[inline]
    pub fn may_hold(&self, word: &[u8]) -> bool {
        word.first().is_some_and(|first| self.of(*first) & Self::bit(word.len()) != 0)
    }

    #[inline]
    pub fn bit(len: usize) -> u64 {
        1 << len.min(63)
    }
}

/// A hash for short keys of our own: the table is constant, so nobody can choose keys that collide in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fast(u64);

impl Fast {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Fast {
    #[inline]
    fn finish(&self) -> u64 {
        // The table looks at the low bits, and a product is mixed best in its high ones.
        self.0 ^ self.0 >> 32
    }

    #[inline]
    fn write_usize(&mut self, len: usize) {
        self.mix(len as u64);
    }

    /// Of a text, behind its bytes.
    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for eight in eights {
            self.mix(u64::from_le_bytes(*eight));
        }
        if !rest.is_empty() {
            self.mix(rest.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_word_is_found_and_never_one_that_begins_or_measures_the_same() {
        let long = "a".repeat(70).leak();
        let listed: Listed<u8> = [("nine", 9), ("", 0), ("über", 1), (&*long, 2)].into_iter().collect();
        for (word, want) in [("nine", Some(9)), ("none", None), ("nines", None), ("über", Some(1)), ("", None)] {
            assert_eq!(listed.get(word).copied(), want, "{word}");
        }
        assert_eq!((listed.get(long), listed.get(&"a".repeat(71))), (Some(&2), None));
        let words: Words = ["ms"].into_iter().collect();
        assert!(words.contains("ms") && words.may_hold(b'm', 2) && !words.may_hold(b'm', 3));
    }
}
