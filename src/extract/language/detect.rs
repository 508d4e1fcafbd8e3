//! Which language a text is written in, told from its everyday words and its letters. Statistics of letters need a
//! paragraph to be right; people write `nein, bitte nicht`. Code, paths and names count for nothing: a text without any
//! prose is handed on as English, in which there is nothing to find in it.

use std::sync::OnceLock;

use foldhash::{HashMap, HashMapExt};

use super::Language;
use super::script::{Script, Scripts};
use crate::extract::{Zone, Zones, quotes};

/// What a text is written in.
#[derive(Clone, Copy, Debug)]
pub enum Detected {
    /// A language with lists.
    Known(&'static Language),
    /// One without lists, by its English name; `None` where not even that can be told.
    Other(Option<&'static str>),
}

impl Detected {
    /// The language, where it has lists.
    pub fn language(self) -> Option<&'static Language> {
        match self {
            Self::Known(language) => Some(language),
            Self::Other(_) => None,
        }
    }

    /// The lists to read the text with; those of [`Language::unlisted`] where there are none.
    pub fn lists(self) -> &'static Language {
        self.language().unwrap_or_else(Language::unlisted)
    }

    /// The English name of the language, as a reader may be told it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Known(language) => language.title(),
            Self::Other(name) => name.unwrap_or("unknown language"),
        }
    }
}

/// So much of a text is looked at: characters of prose, and bytes of anything.
const PROSE: usize = 2000;
const BYTES: usize = 32 * 1024;

/// The language of the prose of a text; `None` where nothing in it tells.
pub(super) fn detect(text: &str) -> Option<Detected> {
    let text = &text[..text.floor_char_boundary(BYTES)];
    let zones = Zones::of(text);
    let mut quoted = quotes(text).into_iter().peekable();
    let mut tally = Tally::new();
    let mut read = 0;
    for range in zones.of_kind(Zone::Prose) {
        let mut at = range.start;
        for token in text[range].split_inclusive(char::is_whitespace) {
            while quoted.next_if(|quote| quote.end <= at).is_some() {}
            // A word behind an opening mark stands a byte or more behind the start of its token.
            let is_quoted = quoted.peek().is_some_and(|quote| quote.start < at + token.len());
            at += token.len();
            if !is_quoted {
                read += tally.token(token.trim_end());
            }
            if read > PROSE {
                return tally.verdict();
            }
        }
    }
    tally.verdict()
}

/// Languages in Latin letters: those with lists first, English before all, so that it is taken where nothing decides.
const WITH_LISTS: [&str; 4] = ["English", "German", "French", "Spanish"];
const LATIN: usize = 31;

/// So much more than the language before it must a language have to be taken.
const MARGIN: f32 = 0.1;

/// And so much more one of which only the name can be told.
const FAR: f32 = 0.3;

/// Such a share of its words must be everyday words of a language for a text to be written in it.
const SHARE: f32 = 0.2;

/// The least score of a language: that of one word with its own letters.
const LEAST: f32 = 0.4;

/// A word of another language that occurs in English: it counts for half there.
const BORROWED: u32 = 1 << 31;

struct Tally {
    table: &'static Table,
    scores: [f32; LATIN],
    /// The same of words in capitals only; they count where there are no others.
    loud: [f32; LATIN],
    words: usize,
    /// Whether a sentence ended right before.
    ended: bool,
    scripts: Scripts,
}

impl Tally {
    fn new() -> Self {
        Self {
            table: Table::get(),
            scores: [0.0; LATIN],
            loud: [0.0; LATIN],
            words: 0,
            ended: true,
            scripts: Scripts::default(),
        }
    }

    /// Counts what stands between two spaces and gives the characters that were prose.
    fn token(&mut self, token: &str) -> usize {
        // Most are.
        if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.count(token, 1.0, false);
            self.ended = false;
            return token.len();
        }
        if self.scripts.count(token) {
            return token.len();
        }
        if token.starts_with(['¿', '¡']) {
            self.add(Table::get().letters.get(&'¿').copied().unwrap_or_default(), 1.0, false);
        }
        let read = token.split([',', '!', '?', '…', ';']).map(|part| self.word(part)).sum();
        self.ended |= token.ends_with(['!', '?', '…']);
        read
    }

    /// Counts one word, if it is one: letters, no path, no name of a function.
    fn word(&mut self, part: &str) -> usize {
        let word = part.trim_start_matches(|c: char| !c.is_alphanumeric() && !"/\\@#$<_'’".contains(c));
        let word = word.trim_end_matches(['.', ':', ')', ']', '"', '»', '”', '“', '*', '’', '\'']);
        let inner = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
        if word.is_empty() || !word.chars().all(inner) || is_camel(word) {
            return 0;
        }
        let loud = word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
        let lower = word.to_lowercase().replace('’', "'");
        // In the middle of a sentence a capital is a name's, or that of a polite German.
        let named = !loud && self.words > 0 && !self.ended && word.starts_with(char::is_uppercase);
        self.count(&lower, if named { 0.5 } else { 1.0 }, loud);
        self.ended = part.ends_with(['.', ':']);
        word.len()
    }

    /// Counts a word in lower case, with this weight where it is an everyday word.
    fn count(&mut self, lower: &str, weight: f32, loud: bool) {
        let mut known = self.table.words.get(lower).copied();
        if let (None, Some(at)) = (known, lower.find('\'')) {
            // `l'index`, `don't`: what is elided says more than the rest.
            let (head, tail) = (&lower[..=at], &lower[at..]);
            let parts = [head, tail, &lower[at + 1..]];
            known = parts.iter().find_map(|part| self.table.words.get(part).copied());
        }
        if let Some(mask) = known {
            self.add(mask, weight, loud);
        } else {
            if let Some(mask) = self.letters(lower) {
                self.add(mask, 0.5, loud);
            }
            let endings = lower.bytes().next_back().and_then(|last| self.table.endings.get(&last));
            let ending = endings.into_iter().flatten().filter(|(ending, _)| lower.ends_with(ending));
            if let Some(mask) = ending.map(|(_, mask)| *mask).reduce(|all, mask| all | mask) {
                self.add(mask, 0.15, loud);
            }
        }
        self.words += usize::from(!loud);
    }

    /// The languages that have all the special letters of this word; `None` where it has none or none has them all.
    fn letters(&self, lower: &str) -> Option<u32> {
        let masks = lower.chars().filter(|c| !c.is_ascii()).map(|c| self.table.letters.get(&c).copied());
        masks.reduce(|all, mask| Some(all? & mask?)).flatten().filter(|mask| *mask != 0)
    }

    /// The language that knows most of the words is the one; a word of several languages says a little less.
    fn add(&mut self, mask: u32, weight: f32, loud: bool) {
        let share = weight * (0.9 + 0.1 / mask.count_ones().max(1) as f32);
        let scores = if loud { &mut self.loud } else { &mut self.scores };
        // Most words are of one or two languages.
        let mut left = mask & !BORROWED;
        while left != 0 {
            scores[left.trailing_zeros() as usize] += share;
            left &= left - 1;
        }
        if mask & BORROWED != 0 && mask & 1 == 0 {
            scores[0] += share / 2.0;
        }
    }

    fn verdict(&self) -> Option<Detected> {
        if let Some(script) = self.scripts.main(self.words) {
            return Some(match script {
                Script::Japanese => Detected::Known(Language::japanese()),
                Script::Other(name) => Detected::Other(Some(name)),
            });
        }
        let scores = if self.words == 0 { &self.loud } else { &self.scores };
        let mut best = 0;
        for (no, score) in scores.iter().enumerate() {
            if *score > scores[best] + if no < WITH_LISTS.len() || best >= WITH_LISTS.len() { MARGIN } else { FAR } {
                best = no;
            }
        }
        // A name or two make no language, and an ending none.
        let weak = scores[best] < (SHARE * self.words as f32).max(LEAST);
        if weak && scores[0] < LEAST {
            return None;
        }
        Some(match if weak { 0 } else { best } {
            0 => Detected::Known(Language::english()),
            1 => Detected::Known(Language::german()),
            2 => Detected::Known(Language::french()),
            3 => Detected::Known(Language::spanish()),
            _ => Detected::Other(self.table.names.get(best).copied()),
        })
    }
}

/// `useEffect`, `GitHub`: a capital behind a small letter.
fn is_camel(word: &str) -> bool {
    word.chars().zip(word.chars().skip(1)).any(|(one, two)| one.is_lowercase() && two.is_uppercase())
}

/// Which languages a word or letter belongs to, one bit each.
struct Table {
    names: Vec<&'static str>,
    words: HashMap<&'static str, u32>,
    letters: HashMap<char, u32>,
    /// By their last byte.
    endings: HashMap<u8, Vec<(&'static str, u32)>>,
}

impl Table {
    fn get() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table = Self {
                names: WITH_LISTS.to_vec(),
                words: HashMap::new(),
                letters: HashMap::new(),
                endings: HashMap::new(),
            };
            let lists = [
                include_str!("../../../assets/lexicon/en/function.txt"),
                include_str!("../../../assets/lexicon/de/function.txt"),
                include_str!("../../../assets/lexicon/fr/function.txt"),
                include_str!("../../../assets/lexicon/es/function.txt"),
            ];
            for (no, list) in lists.into_iter().enumerate() {
                for line in super::english::lines(list) {
                    table.add_words(no, line);
                }
            }
            for line in super::english::lines(include_str!("../../../assets/lexicon/en/borrowed.txt")) {
                table.add_words(31, line);
            }
            for (name, words) in named(include_str!("../../../assets/lexicon/other/function.txt")) {
                let no = table.number(name);
                table.add_words(no, words);
            }
            for (name, letters) in named(include_str!("../../../assets/lexicon/other/letters.txt")) {
                let no = table.number(name);
                for letter in letters.chars().filter(|c| !c.is_whitespace()) {
                    *table.letters.entry(letter).or_default() |= 1 << no;
                }
            }
            for (name, endings) in named(include_str!("../../../assets/lexicon/other/endings.txt")) {
                let no = table.number(name);
                for ending in endings.split_whitespace() {
                    let last = ending.bytes().next_back().unwrap_or_default();
                    table.endings.entry(last).or_default().push((ending, 1 << no));
                }
            }
            table
        })
    }

    fn number(&mut self, name: &'static str) -> usize {
        self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    fn add_words(&mut self, no: usize, words: &'static str) {
        for word in words.split_whitespace() {
            *self.words.entry(word).or_default() |= 1 << no;
        }
    }
}

fn named(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    super::english::lines(list).filter_map(|line| line.split_once(": "))
}
