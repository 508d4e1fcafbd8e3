//! What stands anywhere before a marker: of what records hold, where it stood first; and while the originals pass, what
//! is nearly it and which numbers stand with the same label.

use std::collections::HashMap;

use crate::extract::{Language, figures, identifiers, words};
use crate::record::{Detail, Field, Record};

use super::capitals::initials;
use super::context::labelled;
use super::forms::forms;
use super::near::{Near, Nearby};
use super::readings::{Asked, Readings};
use super::tokens::tokens;
use super::voice::Voice;

/// So many texts may wait at one token: a record that makes one token stand in more of them gets no answer for the rest.
const WAITING: usize = 64;

/// For each name, value and word that some record holds, the place where it stood first.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    wanted: HashMap<String, usize>,
    /// By number: what is looked for, and where it stood first.
    all: Vec<Wanted>,
    /// By a token of it in lower case.
    by_token: HashMap<String, Vec<usize>>,
    nearby: Nearby,
    readings: Readings,
}

#[derive(Clone, Debug)]
struct Wanted {
    bytes: String,
    /// Its tokens in lower case, and which of them it waits at.
    tokens: Vec<String>,
    at: usize,
    /// Where that token begins.
    start: usize,
    exact: Option<u64>,
    loose: Option<u64>,
}

impl Presence {
    /// Listens for everything that these records hold: identifiers with their forms, values of figures with their
    /// labels, and words in lower case. With each record stands where its marker is.
    pub fn asking<'a>(records: impl IntoIterator<Item = (&'a Record, u64)>) -> Self {
        let language = Language::english();
        let mut presence = Self::default();
        for (record, place) in records {
            presence.ask_all(&record.summary, language);
            for (no, item) in record.items.iter().enumerate() {
                presence.ask(&item.text);
                presence.ask_all(&item.text, language);
                if item.field == Field::Entities {
                    presence.ask_name(&item.text);
                    for form in labelled(record, item) {
                        presence.ask(&form);
                    }
                }
                if let Detail::Figure { value, unit, .. } = &item.detail {
                    presence.ask(value);
                    let digits = value.replace(',', "");
                    presence.ask(&digits);
                    presence.ask(&format!("{digits}{unit}"));
                    presence.ask(&format!("{digits} {unit}"));
                    value.split(['-', '–', '/']).for_each(|part| presence.ask(part.trim()));
                    presence.readings.ask((place, no), Asked::of(record, item, language));
                }
            }
        }
        presence
    }

    fn ask_all(&mut self, text: &str, language: &Language) {
        let named = identifiers(text, language);
        let taken: Vec<_> = named.iter().map(|one| one.range.clone()).collect();
        for one in named {
            self.ask_name(&text[one.range]);
        }
        for one in figures(text, &taken, language) {
            self.ask(&one.value);
        }
        let heard = words(text);
        for no in 0..heard.len() {
            self.ask(&initials(text, &heard, no));
        }
        for word in heard {
            self.ask(&word.lower);
            for ending in ["'s", "s"] {
                word.lower.strip_suffix(ending).into_iter().for_each(|bare| self.ask(bare));
            }
        }
    }

    fn ask_name(&mut self, name: &str) {
        for form in forms(name) {
            self.ask(&form);
        }
        for token in tokens(name) {
            self.ask(&name[token.clone()]);
            self.nearby.ask(&name[token]);
        }
        for word in std::iter::once(name).chain(name.split_whitespace()) {
            self.ask(word);
            self.nearby.ask_compound(word);
        }
    }

    fn ask(&mut self, text: &str) {
        if self.wanted.contains_key(text) {
            return;
        }
        let ranges: Vec<_> = tokens(text).collect();
        let lower: Vec<String> = ranges.iter().map(|range| text[range.clone()].to_lowercase()).collect();
        let waiting = |token: &String| self.by_token.get(token).map_or(0, Vec::len);
        // At the token that fewest wait at; of those the longest.
        let best = (0..lower.len()).min_by_key(|at| (waiting(&lower[*at]), std::cmp::Reverse(lower[*at].len())));
        let Some(at) = best.filter(|at| waiting(&lower[*at]) < WAITING) else { return };
        let no = self.all.len();
        self.wanted.insert(text.to_owned(), no);
        self.by_token.entry(lower[at].clone()).or_default().push(no);
        let start = ranges[at].start;
        self.all.push(Wanted { bytes: text.to_owned(), tokens: lower, at, start, exact: None, loose: None });
    }

    /// A text of the session, in file order, whoever says it; `at` is where its line starts.
    pub fn see(&mut self, text: &str, at: u64) {
        for token in tokens(text) {
            let lower = text[token.clone()].to_lowercase();
            self.meet(text, token.start, &lower, at);
            // A line end that is written out, in a text inside a text.
            if text[..token.start].ends_with('\\') && lower.starts_with(['n', 't', 'r']) {
                self.meet(text, token.start + 1, &lower[1..], at);
            }
        }
    }

    fn meet(&mut self, text: &str, start: usize, lower: &str, at: u64) {
        for no in self.by_token.get(lower).into_iter().flatten() {
            let wanted = &mut self.all[*no];
            if wanted.exact.is_none() && stands(text, start, wanted) {
                wanted.exact = Some(at);
            }
            if wanted.exact.is_none() && wanted.loose.is_none() && stands_loosely(text, start, lower.len(), wanted) {
                wanted.loose = Some(at);
            }
        }
    }

    /// What somebody says, for names and numbers that are nearly those of the records.
    pub fn hear(&mut self, text: &str, voice: &Voice) {
        self.nearby.hear(text, voice);
        self.readings.hear(text, voice);
    }

    /// Whether this stood anywhere before a place; `None` when it was not asked for.
    pub fn is_before(&self, text: &str, place: u64) -> Option<bool> {
        let wanted = &self.all[*self.wanted.get(text)?];
        Some(wanted.exact.is_some_and(|first| first < place))
    }

    /// The same, whatever the letter case and the marks between its tokens.
    pub fn is_loosely_before(&self, text: &str, place: u64) -> Option<bool> {
        let wanted = &self.all[*self.wanted.get(text)?];
        Some([wanted.exact, wanted.loose].into_iter().flatten().any(|first| first < place))
    }

    /// What stood before a place and is a slip away from a token, or a name with one token changed.
    pub(super) fn near(&self, name: &str, place: u64) -> Vec<&Near> {
        self.nearby.of(name).filter(|near| near.source.place.offset < place || near.source.place.file.0 > 0).collect()
    }

    /// What was heard of the label of a figure: of the item with this number in the record of the marker at this place.
    pub(super) fn reading(&self, place: u64, item: usize) -> Option<&Asked> {
        self.readings.of((place, item))
    }
}

/// Whether the bytes stand there as words of their own, letter case ignored only where none of them is a capital.
fn stands(text: &str, token: usize, wanted: &Wanted) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let Some(start) = token.checked_sub(wanted.start) else { return false };
    let end = start + wanted.bytes.len();
    let Some(there) = text.get(start..end) else { return false };
    let same = there == wanted.bytes || there.to_lowercase() == wanted.bytes;
    let first = wanted.bytes.chars().next();
    let last = wanted.bytes.chars().next_back();
    same && !(joins(first) && joins(text[..start].trim_end_matches("\\n").chars().next_back()))
        && !(joins(last) && joins(text[end..].chars().next()))
}

/// Whether the tokens stand there one after the other, with little between them.
fn stands_loosely(text: &str, start: usize, len: usize, wanted: &Wanted) -> bool {
    const BETWEEN: usize = 3;
    let mut end = start + len;
    for want in &wanted.tokens[wanted.at + 1..] {
        let Some(gap) = text[end..].find(|c: char| c.is_alphanumeric() || c == '_') else { return false };
        let next = end + gap;
        let Some(there) = text.get(next..next + want.len()) else { return false };
        let joined = text[next + want.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if gap > BETWEEN || there.to_lowercase() != *want || joined {
            return false;
        }
        end = next + want.len();
    }
    let mut begin = start;
    for want in wanted.tokens[..wanted.at].iter().rev() {
        let before = text[..begin].trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
        let Some(there) = before.len().checked_sub(want.len()).and_then(|from| before.get(from..)) else {
            return false;
        };
        let joined = before[..before.len() - want.len()].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if begin - before.len() > BETWEEN || there.to_lowercase() != *want || joined {
            return false;
        }
        begin = before.len() - want.len();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_only_as_words_of_their_own_and_before_the_place() {
        let record = Record { summary: "Reads `src/main.rs`, port 8080 and Foo.".to_owned(), ..Record::default() };
        let mut presence = Presence::asking([(&record, 99)]);
        presence.see("in src/main.rs.bak and 18080, foo", 10);
        presence.see("see src/main.rs: 8080", 20);
        for (text, place, want) in [
            ("src/main.rs", 15, Some(true)),
            ("8080", 15, Some(false)),
            ("8080", 25, Some(true)),
            ("foo", 15, Some(true)),
            ("reads", 99, Some(false)),
            ("never", 99, None),
        ] {
            assert_eq!(presence.is_before(text, place), want, "{text} {place}");
        }
    }

    #[test]
    fn other_marks_and_another_case_count_loosely() {
        let record = Record { summary: "Calls `Order-Book.total` in `a_b/c.rs`.".to_owned(), ..Record::default() };
        for (text, exact, loose) in [
            ("Order-Book.total", true, true),
            ("order book: total", false, true),
            ("order then book.total", false, false),
            ("reorder book.total", false, false),
            ("order book.totals", false, false),
        ] {
            let mut presence = Presence::asking([(&record, 99)]);
            presence.see(text, 1);
            assert_eq!(presence.is_before("Order-Book.total", 9), Some(exact), "{text}");
            assert_eq!(presence.is_loosely_before("Order-Book.total", 9), Some(loose), "{text}");
        }
    }
}
