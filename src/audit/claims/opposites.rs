//! Opposites: which words turn round which. The list is data; a few beginnings make an opposite of any word.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::statement::{Statement, Token};

/// Pairs of opposites, by line of the list and side.
#[derive(Debug)]
pub struct Opposites {
    sides: HashMap<&'static str, Vec<(usize, bool)>>,
    not: HashSet<&'static str>,
}

/// Before a word, these make its opposite.
const BEGINNINGS: [&str; 3] = ["un", "non", "dis"];

impl Opposites {
    /// Those of English.
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Opposites> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            let mut sides: HashMap<&str, Vec<(usize, bool)>> = HashMap::new();
            let pairs = lines(include_str!("../../../assets/lexicon/en/antonyms.txt"));
            for (at, (left, right)) in pairs.filter_map(|line| line.split_once('|')).enumerate() {
                left.split_whitespace().for_each(|word| sides.entry(word).or_default().push((at, false)));
                right.split_whitespace().for_each(|word| sides.entry(word).or_default().push((at, true)));
            }
            let not = lines(include_str!("../../../assets/lexicon/en/not_opposites.txt"));
            Self { sides, not: not.flat_map(str::split_whitespace).collect() }
        })
    }

    /// Whether one of two lower-case words turns the other round.
    pub fn are(&self, a: &str, b: &str) -> bool {
        let sides = |word: &str| self.sides.get(word).map_or(&[][..], Vec::as_slice);
        let (of_a, of_b) = (sides(a), sides(b));
        let meant = |x: &[(usize, bool)], y: &[(usize, bool)], same: bool| {
            x.iter().any(|(line, side)| y.iter().any(|(other, there)| line == other && (side == there) == same))
        };
        // `drop` is both the opposite of `rise` and, beside `delete`, of `keep`.
        meant(of_a, of_b, false) && !meant(of_a, of_b, true) || self.begins(a, b) || self.begins(b, a)
    }

    /// Whether two words stand on the same side of some pair: they say nearly the same.
    pub fn are_alike(&self, a: &str, b: &str) -> bool {
        let sides = |word: &str| self.sides.get(word).map_or(&[][..], Vec::as_slice);
        sides(a).iter().any(|side| sides(b).contains(side))
    }

    /// Whether this word has an opposite in the list.
    pub fn has(&self, word: &str) -> bool {
        self.sides.contains_key(word)
    }

    /// `unsalted` of `salted`.
    fn begins(&self, long: &str, word: &str) -> bool {
        word.len() >= 4
            && !self.not.contains(long)
            && BEGINNINGS.iter().any(|start| long.strip_prefix(start).is_some_and(|rest| rest == word))
    }

    /// The first word of a sentence that turns this one round.
    pub fn find(&self, token: &Token, sentence: &Statement) -> Option<usize> {
        sentence.tokens.iter().position(|other| self.are(&token.lower, &other.lower))
    }
}

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_found_both_ways_and_forms_of_one_verb_are_none() {
        let list = Opposites::english();
        for (a, b, want) in [
            ("increase", "decreased", true),
            ("decreased", "increase", true),
            ("keeps", "removed", true),
            ("salted", "unsalted", true),
            ("recommended", "rejected", true),
            ("cover", "discover", false),
            ("rise", "growth", false),
            ("raised", "keep", false),
            ("table", "chair", false),
        ] {
            assert_eq!(list.are(a, b), want, "{a} {b}");
        }
        assert!(list.are_alike("cheap", "inexpensive") && !list.are_alike("cheap", "pricey"));
    }
}
