//! Which cues stand in a sentence: every list is asked at once, each word is looked up once.

use std::sync::OnceLock;

use foldhash::HashMap;

use crate::extract::Word;

/// What a cue says of its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cue {
    /// Something does not work, does not exist or cannot be done.
    Unable,
    /// Something is dangerous, limited or wants care.
    Risk,
    /// The outcome of some thinking or looking.
    Conclusion,
    /// May be left out or put off.
    Marginal,
    /// What the agent does next.
    Narration,
    /// A question in form, an order in fact.
    Request,
    /// Still thought about.
    Doubt,
    /// Begins like a yes and is none.
    Aside,
    /// A question is not answered yet.
    Deferral,
    /// Something that was thought of is not so.
    NotIt,
    /// Says what is done next: of a person an order.
    Lead,
    /// How, in which order or what for something is to be done.
    Terms,
    /// Asks for a piece of work.
    Task,
    /// Says what comes next.
    Next,
    /// Something stands in the way.
    Blocked,
}

/// The cues of one sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cues {
    /// A bit each.
    found: u32,
    /// It holds neither code nor anything that it quotes.
    whole: bool,
}

fn is_own(word: &Word) -> bool {
    !word.code && !word.quoted
}

impl Cues {
    /// Whether this cue stands in it.
    pub fn has(self, cue: Cue) -> bool {
        self.found & (1 << cue as u32) != 0
    }

    /// The cues of a sentence with these words: in what it says itself, not in code or in what it quotes.
    pub fn of(all: &[Word]) -> Self {
        // Most sentences hold no other words.
        if all.iter().all(is_own) {
            return Self { whole: true, ..Self::among(all) };
        }
        Self::among(&all.iter().filter(|word| is_own(word)).cloned().collect::<Vec<_>>())
    }

    /// Whether this cue stands in it or in what it quotes; `None` where it quotes or shows code, and nobody looked there.
    pub fn has_anywhere(self, cue: Cue) -> Option<bool> {
        self.whole.then(|| self.has(cue))
    }

    fn among(words: &[Word]) -> Self {
        let lists = lists();
        let mut found = Self::default();
        for (at, word) in words.iter().enumerate() {
            let mut ask = |phrases: Option<&Vec<Phrase>>| {
                for phrase in phrases.into_iter().flatten() {
                    if phrase.is_at(words, at) {
                        found.found |= 1 << phrase.cue as u32;
                    }
                }
            };
            ask(lists.whole.get(&*word.lower));
            ask(word.lower.get(..STEM).and_then(|start| lists.open.get(start)));
        }
        found
    }
}

/// So many letters of an open-ended first word are looked up.
const STEM: usize = 4;

struct Phrase {
    cue: Cue,
    first: bool,
    last: bool,
    words: Vec<(String, bool)>,
}

impl Phrase {
    fn is_at(&self, words: &[Word], at: usize) -> bool {
        let end = at + self.words.len();
        let fits = (!self.first || at == 0) && (!self.last || end == words.len());
        fits && words.get(at..end).is_some_and(|there| {
            there.iter().zip(&self.words).all(|(word, (wanted, open))| {
                if *open { word.lower.starts_with(wanted.as_str()) } else { word.lower == *wanted }
            })
        })
    }
}

/// By their first words: those written out, and the first letters of the open-ended.
#[derive(Default)]
struct Lists {
    whole: HashMap<String, Vec<Phrase>>,
    open: HashMap<String, Vec<Phrase>>,
}

macro_rules! list {
    ($name:literal) => {
        include_str!(concat!("../../assets/lexicon/en/", $name, ".txt"))
    };
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let mut lists = Lists::default();
        for (cue, list) in [
            (Cue::Unable, list!("unable")),
            (Cue::Risk, list!("risks")),
            (Cue::Conclusion, list!("conclusions")),
            (Cue::Marginal, list!("marginal")),
            (Cue::Narration, list!("narration")),
            (Cue::Request, list!("requests")),
            (Cue::Doubt, list!("doubts")),
            (Cue::Aside, list!("asides")),
            (Cue::Deferral, list!("deferrals")),
            (Cue::NotIt, list!("not_it")),
            (Cue::Lead, list!("leads")),
            (Cue::Terms, list!("terms")),
            (Cue::Task, list!("tasks")),
            (Cue::Next, list!("next_steps")),
            (Cue::Blocked, list!("blocked")),
        ] {
            lists.add(cue, list);
        }
        lists
    })
}

impl Lists {
    fn add(&mut self, cue: Cue, list: &str) {
        for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let bare = line.trim_start_matches('^').trim_end_matches('$');
            let word = |word: &str| (word.trim_end_matches('*').to_lowercase(), word.ends_with('*'));
            let words: Vec<_> = bare.split_whitespace().map(word).collect();
            let Some((first, open)) = words.first().cloned() else { continue };
            let phrase = Phrase { cue, first: line.starts_with('^'), last: line.ends_with('$'), words };
            let key = first.get(..STEM).filter(|_| open).map(str::to_owned);
            match key {
                Some(key) => self.open.entry(key).or_default().push(phrase),
                None => self.whole.entry(first).or_default().push(phrase),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::words;

    #[test]
    fn every_list_is_heard_at_once() {
        for (text, cue, want) in [
            ("It doesn't work", Cue::Unable, true),
            ("Let us see", Cue::Aside, true),
            ("the riskiest part", Cue::Risk, true),
            ("Let me look", Cue::Narration, true),
            ("they let me look", Cue::Narration, false),
            ("dangerous", Cue::Risk, true),
            ("plain words", Cue::Risk, false),
        ] {
            assert_eq!(Cues::of(&words(text)).has(cue), want, "{text} {cue:?}");
        }
    }

    #[test]
    fn no_open_ended_phrase_begins_with_too_few_letters_to_be_found() {
        for phrases in lists().whole.values() {
            assert!(phrases.iter().all(|phrase| !phrase.words[0].1), "an open first word needs four letters");
        }
    }
}
