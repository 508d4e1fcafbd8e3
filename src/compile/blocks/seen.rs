//! One turn of the session itself, as far as seams depend on it: made of its parts as they pass, never of a summary.

use std::sync::OnceLock;

use memchr::memmem::Finder;

use super::things::named;
use crate::extract::{Language, gist};
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

/// Whether one of these phrases stands in the text, between whole words.
fn says(text: &str, phrases: &[Finder]) -> bool {
    let mut lower = String::with_capacity(text.len() + 2);
    lower.push(' ');
    let mut push = |c: char| {
        let c = if c.is_alphanumeric() || c == '\'' {
            c
        } else if c == '’' {
            '\''
        } else {
            ' '
        };
        if !(c == ' ' && lower.ends_with(' ')) {
            lower.push(c);
        }
    };
    for c in text.chars() {
        if c.is_ascii() { push(c.to_ascii_lowercase()) } else { c.to_lowercase().for_each(&mut push) }
    }
    lower.push(' ');
    let lower = lower.as_bytes();
    phrases.iter().any(|phrase| {
        phrase
            .find_iter(lower)
            .any(|at| lower[at - usize::from(at > 0)] == b' ' && lower.get(at + phrase.needle().len()) == Some(&b' '))
    })
}

fn phrases(lists: [&'static str; 4]) -> Vec<Finder<'static>> {
    let lines = lists.into_iter().flat_map(str::lines).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Finder::new).collect()
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
fn departures() -> &'static [Finder<'static>] {
    static LIST: OnceLock<Vec<Finder>> = OnceLock::new();
    LIST.get_or_init(|| phrases(lists!("departures")))
}

/// What says that a piece of work is done.
fn reports() -> &'static [Finder<'static>] {
    static LIST: OnceLock<Vec<Finder>> = OnceLock::new();
    LIST.get_or_init(|| phrases(lists!("reports_done")))
}
