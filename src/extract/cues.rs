//! All cue phrases of a language in one table, so that a text is looked up once and not once a list.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::listed::{Fast, Lens};
use super::tokens::Tokens;

/// What a cue does to the words around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// Negates what follows.
    Negates,
    /// Denies by its own meaning what follows: two of these in a row cancel.
    Denies,
    /// Negates what stands before it.
    NegatesBefore,
    /// Negates what stands on both sides of it.
    NegatesAround,
    /// Looks like a negation and is none.
    NoNegation,
    /// Ends what a negation negates.
    Ends,
    /// Ends it where it begins a clause behind a comma.
    EndsAtComma,
    /// Goes on with a list of what is negated.
    Continues,
    /// Says how certain its sentence is.
    Certain {
        /// 0 to 6.
        level: u8,
        /// Whether it lowers its sentence without being a hedge.
        silent: bool,
    },
    /// Asks, without a question mark.
    Asks,
    /// Binds.
    Binds,
    /// Binds at the start of an order.
    Orders,
    /// Begins like an order and is none.
    NoOrder,
    /// Tells of a decision.
    Decides,
    /// Offers something that somebody has to agree to.
    Proposes,
    /// Says yes.
    Accepts,
    /// Says no.
    Refuses,
    /// Rules out what follows.
    RulesOut,
    /// Rules out what stands before it.
    RuledOutBefore,
    /// Takes back what was said before.
    Retracts,
    /// Leaves something open.
    LeavesOpen,
    /// Tells of something done.
    Did,
    /// The past form of what an agent does.
    Acts,
    /// A question in form that asks for something to be done.
    Requests,
}

/// A cue and the words it takes: `at..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub at: usize,
    pub end: usize,
    pub role: Role,
}

/// Phrases by their first word.
#[derive(Debug, Default)]
pub(super) struct Cues {
    phrases: Vec<Phrase>,
    exact: HashMap<Box<[u8]>, Vec<u32>, BuildHasherDefault<Fast>>,
    /// By the beginning of the first word, where its ending is open.
    open: HashMap<Box<[u8]>, Vec<u32>, BuildHasherDefault<Fast>>,
    /// The lengths of the keys of `open`, ascending.
    lens: Vec<usize>,
    /// Whether a comma stands between clauses, so that it ends what is negated.
    pub commas_end: bool,
    /// Of each first byte the lengths of the keys of `exact`, a bit each, so that most words are passed over unhashed.
    exact_lens: Lens,
    /// Of each first byte the lengths of the keys of `open`.
    open_lens: Lens,
}

#[derive(Debug)]
struct Phrase {
    role: Role,
    first: bool,
    last: bool,
    words: Vec<Wanted>,
}

#[derive(Debug)]
enum Wanted {
    Word(Box<str>),
    /// A word that begins so.
    Open(Box<str>),
    /// One of these, in order.
    Either(Vec<Box<str>>),
    /// Any one word.
    Any,
}

impl Cues {
    /// Adds the phrases of a list, one a line. See [`super::Language`] for what a line may hold.
    pub fn add(&mut self, list: &str, role: Role) {
        for line in phrases(list) {
            self.add_phrase(line, role);
        }
    }

    /// Adds one phrase.
    pub fn add_phrase(&mut self, line: &str, role: Role) {
        let single = |word: &str| Tokens::of(word).len() == 1;
        let spread = |(no, part): &(usize, &str)| part.contains('|') && (*no == 0 || !part.split('|').all(single));
        // Phrases are found by their first word; only there is `a|b` two phrases.
        if let Some((_, part)) = line.split_whitespace().enumerate().find(spread) {
            let (mark, words) = part.strip_prefix('^').map_or(("", part), |words| ("^", words));
            for word in words.split('|') {
                self.add_phrase(&line.replacen(part, &format!("{mark}{word}"), 1), role);
            }
            return;
        }
        let (first, last) = (line.starts_with('^'), line.ends_with('$'));
        let mut words = Vec::new();
        for part in line.trim_start_matches('^').trim_end_matches('$').split_whitespace() {
            if part == "_" {
                words.push(Wanted::Any);
                continue;
            }
            if part.contains('|') {
                let word = |word: &str| Tokens::of(word).lower(0).into_owned().into_boxed_str();
                let mut list: Vec<Box<str>> = part.split('|').map(word).collect();
                list.sort_unstable();
                words.push(Wanted::Either(list));
                continue;
            }
            let tokens = Tokens::of(part.trim_end_matches('*'));
            let open = part.ends_with('*');
            words.extend((0..tokens.len()).map(|at| {
                let word = tokens.lower(at).into_owned().into_boxed_str();
                if open && at + 1 == tokens.len() { Wanted::Open(word) } else { Wanted::Word(word) }
            }));
        }
        let no = u32::try_from(self.phrases.len()).unwrap_or(u32::MAX);
        match words.first() {
            Some(Wanted::Word(word)) => {
                self.exact_lens.add(word.as_bytes());
                self.exact.entry(word.as_bytes().into()).or_default().push(no);
            }
            Some(Wanted::Open(word)) => {
                self.open_lens.add(word.as_bytes());
                self.open.entry(word.as_bytes().into()).or_default().push(no);
                if let Err(at) = self.lens.binary_search(&word.len()) {
                    self.lens.insert(at, word.len());
                }
            }
            // A phrase that begins with any word would be tried everywhere.
            Some(Wanted::Any | Wanted::Either(_)) | None => return,
        }
        self.phrases.push(Phrase { role, first, last, words });
    }

    /// Whether any phrase has such a role.
    pub fn has(&self, wanted: impl Fn(Role) -> bool) -> bool {
        self.phrases.iter().any(|phrase| wanted(phrase.role))
    }

    /// Every cue in these words of a sentence, in order; of those that begin at one word with one role the longest.
    pub fn hits(&self, tokens: &Tokens, sentence: std::ops::Range<usize>) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for at in sentence.clone() {
            if self.commas_end && at > sentence.start && tokens.gap(at - 1).contains([',', '、', '，']) {
                hits.push(Hit { at, end: at, role: Role::Ends });
            }
            let from = hits.len();
            let lower = tokens.lower(at);
            let word = lower.as_bytes();
            let mut found = |numbers: &Vec<u32>| {
                for phrase in numbers.iter().filter_map(|no| self.phrases.get(*no as usize)) {
                    let end = at + phrase.words.len();
                    if !phrase.fits(tokens, at, &sentence) {
                        continue;
                    }
                    match hits[from..].iter_mut().find(|hit| hit.role == phrase.role) {
                        Some(hit) => hit.end = hit.end.max(end),
                        None => hits.push(Hit { at, end, role: phrase.role }),
                    }
                }
            };
            if self.exact_lens.may_hold(word)
                && let Some(numbers) = self.exact.get(word)
            {
                found(numbers);
            }
            let lens = word.first().map_or(0, |first| self.open_lens.of(*first));
            if lens == 0 {
                continue;
            }
            for len in self.lens.iter().take_while(|len| **len <= word.len()) {
                if lens & Lens::bit(*len) != 0
                    && let Some(numbers) = self.open.get(&word[..*len])
                {
                    found(numbers);
                }
            }
        }
        hits
    }
}

impl Phrase {
    fn fits(&self, tokens: &Tokens, at: usize, sentence: &std::ops::Range<usize>) -> bool {
        let end = at + self.words.len();
        end <= sentence.end
            && (!self.first || at == sentence.start)
            && (!self.last || end == sentence.end)
            // By its first word it was found.
            && self.words.iter().enumerate().skip(1).all(|(no, wanted)| match wanted {
                Wanted::Word(word) => tokens.lower(at + no) == **word,
                Wanted::Open(word) => tokens.lower(at + no).starts_with(&**word),
                Wanted::Either(list) => list.binary_search_by(|word| (**word).cmp(&*tokens.lower(at + no))).is_ok(),
                Wanted::Any => true,
            })
    }
}

/// The phrases of a list: its lines without comments and blank lines.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_match_whole_words_open_endings_gaps_and_ends() {
        let mut cues = Cues::default();
        cues.add("# a comment\n^ok\nnext step*\nwas _ ruled out\nまだ\n^fix$\n^no|not more|less than", Role::Asks);
        for (text, want) in [
            ("Ok then", vec![(0, 1)]),
            ("this is ok", vec![]),
            ("the next steps are", vec![(1, 3)]),
            ("it was never ruled out", vec![(1, 5)]),
            ("it was ruled out", vec![]),
            ("まだです", vec![(0, 2)]),
            ("Fix", vec![(0, 1)]),
            ("fix it", vec![]),
            ("not less than", vec![(0, 3)]),
            ("no than", vec![]),
            ("", vec![]),
        ] {
            let tokens = Tokens::of(text);
            let hits: Vec<_> = cues.hits(&tokens, 0..tokens.len()).iter().map(|hit| (hit.at, hit.end)).collect();
            assert_eq!(hits, want, "{text}");
        }
    }

    #[test]
    fn the_longest_phrase_of_a_role_counts() {
        let mut cues = Cues::default();
        cues.add("no\nno more than", Role::Negates);
        cues.add("no more", Role::Ends);
        let tokens = Tokens::of("no more than two");
        let hits = cues.hits(&tokens, 0..4);
        assert_eq!(hits, [Hit { at: 0, end: 3, role: Role::Negates }, Hit { at: 0, end: 2, role: Role::Ends }]);
    }
}
