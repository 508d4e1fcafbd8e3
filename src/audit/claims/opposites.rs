//! Opposites: which words turn round which. The list is data; a few beginnings make an opposite of any word.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::lists::{lines, lists};
use super::statement::{Statement, Token};
use super::terms::Term;
use super::turning::turning;

/// A line of the list, and whether a word stands on the right of it.
pub type Side = (usize, bool);

/// Pairs of opposites, by line of the list and side.
#[derive(Debug)]
pub struct Opposites {
    sides: HashMap<&'static str, Vec<Side>>,
    not: HashSet<&'static str>,
}

/// Shorter words have no opposite that begins so.
const SHORTEST: usize = 4;

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

    /// Where a lower-case word stands in the list, and how long the beginning is that makes it an opposite.
    pub fn of(&self, word: &str) -> (&[Side], Option<usize>) {
        let begins = |start: &&str| word.strip_prefix(*start).is_some_and(|rest| rest.len() >= SHORTEST);
        let start = lists().opposite_beginnings.iter().find(|start| begins(start) && !self.not.contains(word));
        (self.sides.get(word).map_or(&[][..], Vec::as_slice), start.map(|start| start.len()))
    }
}

/// Whether one of two words turns the other round.
pub fn are(a: &Term, b: &Term) -> bool {
    let meant = |same: bool| {
        a.sides.iter().any(|(line, side)| b.sides.iter().any(|(other, there)| line == other && (side == there) == same))
    };
    // `drop` is both the opposite of `rise` and, beside `delete`, of `keep`.
    meant(false) && !meant(true) || begins(a, b) || begins(b, a)
}

/// Whether a word is a noun here that means something else than the verb in the list: `the full run`.
pub fn has_other_sense(statement: &Statement, at: usize) -> bool {
    const FAR: usize = 2;
    let article = |token: &Token| turning().article.contains(token.lower.as_str());
    // `Leave it alone` says nothing of how many.
    let left = |token: &Token| turning().left.contains(token.lower.as_str());
    let is_left = turning().apart.contains(statement.tokens[at].lower.as_str())
        && statement.tokens[at.saturating_sub(5)..at].iter().any(left);
    // `A together with B`: both, in whatever way.
    let joins = |at: usize| turning().joins.contains(statement.tokens[at].lower.as_str());
    let is_joined =
        joins(at) && statement.tokens.get(at + 1).is_some_and(|next| turning().joined.contains(next.lower.as_str()));
    is_left
        || is_joined
        || lists().other_senses.contains(statement.tokens[at].lower.as_str())
            && statement.tokens[at.saturating_sub(FAR)..at].iter().any(article)
}

/// Whether two words stand on the same side of some pair: they say nearly the same.
pub fn are_alike(a: &Term, b: &Term) -> bool {
    a.sides.iter().any(|side| b.sides.contains(side))
}

/// `unsalted` of `salted`.
fn begins(long: &Term, word: &Term) -> bool {
    long.turned_at.is_some_and(|at| long.lower[at..] == word.lower)
}

/// The first word of a sentence that turns this one round.
pub fn find(term: &Term, sentence: &Statement) -> Option<usize> {
    // Of two opposites one at the least is listed or begins as one.
    if term.turned_at.is_some() {
        return sentence.tokens.iter().position(|other| are(term, other));
    }
    sentence.turning.iter().copied().find(|at| are(term, &sentence.tokens[*at]))
}

#[cfg(test)]
mod tests {
    use super::super::terms::Terms;
    use super::*;

    #[test]
    fn opposites_are_found_both_ways_and_forms_of_one_verb_are_none() {
        let terms = Terms::default();
        for (a, b, want) in [
            ("increase", "decreased", true),
            ("decreased", "increase", true),
            ("keeps", "removed", true),
            ("salted", "unsalted", true),
            ("recommended", "rejected", true),
            ("praised", "condemned", true),
            ("protects", "endangers", true),
            ("crowded", "secluded", true),
            // The two sides of one event say the same of it.
            ("received", "gave", false),
            ("taught", "learned", false),
            ("cover", "discover", false),
            ("rise", "growth", false),
            ("raised", "keep", false),
            ("table", "chair", false),
        ] {
            assert_eq!(are(&terms.of(a), &terms.of(b)), want, "{a} {b}");
        }
        let alike = |a: &str, b: &str| are_alike(&terms.of(a), &terms.of(b));
        assert!(alike("cheap", "inexpensive") && !alike("cheap", "pricey"));
    }
}
