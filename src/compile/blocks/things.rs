//! Where a person turns to other things: the files and names of the last turns that named any, against those before. That
//! the agent goes on to other files by itself is still the same work.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use foldhash::HashSet;

/// So many turns that name something stand behind the place, and so many before it.
const BEHIND: usize = 2;
const BEFORE: usize = 4;
/// With fewer things on one side nothing is said.
const LEAST: usize = 3;
/// They are others where they share less than this part of all.
const SHARED: f64 = 0.1;
/// A shorter word is no name.
const SHORT: usize = 4;

/// A turn that names something.
struct Naming {
    /// The turn of the person that led to it; `None` where something was named since.
    from: Option<usize>,
    things: HashSet<u32>,
}

/// What was named last.
#[derive(Default)]
pub(super) struct Things {
    naming: VecDeque<Naming>,
    /// Where a person spoke last and nothing was named since.
    asked: Option<usize>,
}

impl Things {
    /// The next turn, by its number in the order of turns, and what it names. Gives the turn of the person that led to other
    /// things.
    pub fn turn(&mut self, no: usize, things: &[u32], by_user: bool) -> Option<usize> {
        if by_user {
            self.asked = Some(no);
        }
        if things.is_empty() {
            return None;
        }
        self.naming.push_back(Naming { from: self.asked.take(), things: things.iter().copied().collect() });
        if self.naming.len() > BEFORE + BEHIND {
            self.naming.pop_front();
        }
        let at = self.naming.len().checked_sub(BEHIND)?;
        let from = self.naming.get(at)?.from?;
        let of = |turns: &mut dyn Iterator<Item = &Naming>| -> HashSet<u32> {
            turns.flat_map(|naming| naming.things.iter().copied()).collect()
        };
        let (before, behind) = (of(&mut self.naming.range(..at)), of(&mut self.naming.range(at..)));
        let shared = before.intersection(&behind).count() as f64;
        let all = before.union(&behind).count() as f64;
        if before.len() < LEAST || behind.len() < LEAST || shared >= SHARED * all {
            return None;
        }
        self.naming.drain(..at);
        Some(from)
    }
}

/// The names in a text, hashed: words that hold `/`, `_` or a dot between letters, or letters and then digits. Of a path
/// the last step counts.
pub(super) fn named(text: &str) -> impl Iterator<Item = u32> + '_ {
    let mut rest = text;
    let words = std::iter::from_fn(move || {
        let (word, tells, behind) = next_word(rest)?;
        rest = behind;
        Some((word, tells))
    });
    // Most words hold nothing that could make them a name.
    let telling = words.filter(|(_, tells)| *tells).map(|(word, _)| word.trim_matches(['.', '-', '/', '_', '#']));
    telling.filter_map(|word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        (name.len() >= SHORT && is_name(word)).then(|| hash(name))
    })
}

/// The letters and digits that a text begins with and the marks that names hold, whether a mark or digit among them could
/// make it a name, and what stands behind the sign that ends it; `None` at the end.
fn next_word(text: &str) -> Option<(&str, bool, &str)> {
    let bytes = text.as_bytes();
    let (mut at, mut tells) = (0, false);
    let next = loop {
        match bytes.get(at) {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'~' | b'#') => at += 1,
            Some(b'0'..=b'9' | b'/' | b'_' | b'.') => (at, tells) = (at + 1, true),
            Some(0x80..) => match text[at..].chars().next() {
                Some(c) if c.is_alphanumeric() => at += c.len_utf8(),
                other => break at + other.map_or(1, char::len_utf8),
            },
            Some(_) => break at + 1,
            None if at == 0 => return None,
            None => break at,
        }
    };
    Some((&text[..at], tells, &text[next..]))
}

fn is_name(word: &str) -> bool {
    let bytes = word.as_bytes();
    let letter = |b: u8| b.is_ascii_alphabetic();
    let joins = |three: &[u8]| matches!(three[1], b'/' | b'_' | b'.') && letter(three[0]) && letter(three[2]);
    // `and/or` is no path, and neither is a letter that is spelt: `L_C_D`.
    let joined = bytes.windows(3).any(joins) && bytes.windows(3).any(|three| three.iter().all(|b| letter(*b)));
    let slashed = word.contains('/') && !word.contains(['.', '_']) && word.matches('/').count() < 2;
    let counted = letter(bytes[0]) && bytes.iter().any(u8::is_ascii_digit);
    counted || joined && !slashed
}

fn hash(name: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_ids_and_names_in_code_are_things_and_words_are_none() {
        let text = "Edit src/store/open.rs, run_all and HAT136; either and/or v2, e.g. the L_C_D at 10th of 1990.";
        let wanted: Vec<u32> = ["open.rs", "run_all", "HAT136"].map(hash).to_vec();
        assert_eq!(named(text).collect::<Vec<_>>(), wanted);
        assert_eq!(named("open.rs").collect::<Vec<_>>(), wanted[..1], "by its last step");
    }

    /// Each turn: whether it is a person's, and what it names.
    fn told(turns: &[(bool, &[u32])]) -> Vec<usize> {
        let mut things = Things::default();
        turns.iter().enumerate().filter_map(|(no, (by_user, named))| things.turn(no, named, *by_user)).collect()
    }

    #[test]
    fn other_things_begin_where_a_person_asked_for_them() {
        let (user, agent) = (true, false);
        let parser: [(bool, &[u32]); 3] = [(user, &[1]), (agent, &[1, 2]), (agent, &[2, 3])];
        let other: [(bool, &[u32]); 4] = [(agent, &[]), (user, &[]), (agent, &[7, 8]), (agent, &[8, 9])];
        assert_eq!(told(&[&parser[..], &other].concat()), [4]);
        let same: [(bool, &[u32]); 4] = [(agent, &[]), (user, &[]), (agent, &[1, 8]), (agent, &[8, 9])];
        assert_eq!(told(&[&parser[..], &same].concat()), Vec::<usize>::new(), "one of them is still there");
        assert_eq!(told(&[&parser[..1], &other].concat()), Vec::<usize>::new(), "one thing is too few to compare");
        let unasked: [(bool, &[u32]); 2] = [(agent, &[7, 8]), (agent, &[8, 9])];
        assert_eq!(told(&[&parser[..], &unasked].concat()), Vec::<usize>::new(), "nobody asked for them");
    }
}
