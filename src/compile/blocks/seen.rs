//! One turn of the session itself, as far as seams depend on it: made of its parts as they pass, never of a summary.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::things::named;
use crate::extract::{Language, Listed, gist, lower};
use crate::session::{Part, PartKind, Speaker};

/// So much of a text is looked at for what it is about.
const HEAD: usize = 4_096;
/// So much of its beginning is looked at for words that begin something new.
const START: usize = 240;

/// One turn, as seams see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnSeen {
    /// What a person typed is in it.
    pub by_user: bool,
    /// When it began, in milliseconds; `None` where nobody says.
    pub at: Option<i64>,
    /// The ids of the calls that were made in it, in their order.
    pub calls: Vec<String>,
    /// How many calls without an id were made in it, less the results without one.
    pub nameless: i32,
    /// The ids of the calls that were answered while it lasted.
    pub results: Vec<String>,
    /// The agent says in it that a piece of work is done.
    pub reports: bool,
    /// It says in so many words that something else comes now.
    pub turns_away: bool,
    /// What was said in it is about this.
    pub about: Vec<u32>,
    /// The files and other things that it names, hashed.
    pub things: Vec<u32>,
}

impl TurnSeen {
    /// Takes up one of its parts.
    pub fn add(&mut self, part: &Part) {
        match &part.kind {
            PartKind::Text => match part.speaker {
                Speaker::User => {
                    self.by_user = true;
                    self.words(&part.text);
                }
                Speaker::Assistant => {
                    self.words(&part.text);
                    self.reports |= says(&part.text[..part.text.floor_char_boundary(HEAD)], reports());
                }
                Speaker::Tool | Speaker::System => {}
            },
            PartKind::ToolCall { id, .. } => {
                match id {
                    Some(id) => self.calls.push(id.clone()),
                    None => self.nameless += 1,
                }
                self.things.extend(named(&part.text[..part.text.floor_char_boundary(HEAD)]));
            }
            PartKind::ToolResult { id: Some(id), .. } => self.results.push(id.clone()),
            PartKind::ToolResult { id: None, .. } => self.nameless -= 1,
            PartKind::Thinking | PartKind::Opaque { .. } => {}
        }
    }

    fn words(&mut self, text: &str) {
        let head = &text[..text.floor_char_boundary(HEAD)];
        self.about.extend(gist(head, Language::english()));
        self.things.extend(named(head));
        self.turns_away |= says(&text[..text.floor_char_boundary(START)], departures());
    }
}

/// Phrases by their first words.
type Phrases = Listed<Vec<&'static str>>;

/// Whether one of these phrases stands in the text, between whole words.
fn says(text: &str, phrases: &Phrases) -> bool {
    let mut rest = Words(text);
    while let Some(word) = rest.next() {
        // Most words begin no phrase, which their first letter and length tell. Beyond ASCII both may change with the case.
        let first = word.as_bytes()[0].to_ascii_lowercase();
        if word.is_ascii() && !phrases.may_hold(first, word.len()) {
            continue;
        }
        let stands = |phrase: &&str| {
            let mut behind = rest.clone();
            phrase.split(' ').skip(1).all(|wanted| behind.next().is_some_and(|word| lower(word) == wanted))
        };
        if phrases.get(&lower(word)).is_some_and(|begin| begin.iter().any(stands)) {
            return true;
        }
    }
    false
}

/// Letters, digits and apostrophes in a row.
#[derive(Clone)]
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0;
        let start = end_of(text, 0, false);
        let end = end_of(text, start, true);
        self.0 = &text[end..];
        (start < end).then(|| &text[start..end])
    }
}

/// Where the characters end that begin here and belong to words, or belong to none.
fn end_of(text: &str, start: usize, inside: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        let (belongs, len) = match byte {
            b'\'' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => (true, 1),
            0x80.. => text[at..].chars().next().map_or((false, 1), |c| (c.is_alphanumeric() || c == '’', c.len_utf8())),
            _ => (false, 1),
        };
        if belongs != inside {
            break;
        }
        at += len;
    }
    at
}

fn phrases(lists: [&'static str; 4]) -> Phrases {
    let lines = lists.into_iter().flat_map(str::lines).map(str::trim);
    let mut phrases: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        phrases.entry(line.split(' ').next().unwrap_or_default()).or_default().push(line);
    }
    phrases.into_iter().collect()
}

macro_rules! lists {
    ($name:literal) => {
        [
            include_str!(concat!("../../../assets/lexicon/en/", $name, ".txt")),
            include_str!(concat!("../../../assets/lexicon/de/", $name, ".txt")),
            include_str!(concat!("../../../assets/lexicon/fr/", $name, ".txt")),
            include_str!(concat!("../../../assets/lexicon/es/", $name, ".txt")),
        ]
    };
}

/// What says that something else comes now.
fn departures() -> &'static Phrases {
    static LIST: OnceLock<Phrases> = OnceLock::new();
    LIST.get_or_init(|| phrases(lists!("departures")))
}

/// What says that a piece of work is done.
fn reports() -> &'static Phrases {
    static LIST: OnceLock<Phrases> = OnceLock::new();
    LIST.get_or_init(|| phrases(lists!("reports_done")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_said_where_its_words_follow_each_other_whatever_stands_between_them() {
        for (text, want) in [
            ("OK. Next question: the queue", true),
            ("By\n the — way", true),
            ("let’s talk", true),
            ("ÜBRIGENS", true),
            ("next questions", false),
            ("'switch to'", false),
            ("by the", false),
            ("", false),
        ] {
            assert_eq!(says(text, departures()), want, "{text}");
        }
    }
}
