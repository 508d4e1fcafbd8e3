//! Which exact bytes stand anywhere before a marker: of what records hold, where each stood first.

use std::collections::HashMap;

use crate::extract::{Language, figures, identifiers, words};
use crate::record::{Detail, Record};

/// For each name, value and word that some record holds, the place where it stood first.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    wanted: HashMap<String, usize>,
    /// By number: the bytes, where their longest token begins, and where they stood first.
    all: Vec<Wanted>,
    /// By the longest token in lower case.
    by_token: HashMap<String, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Wanted {
    bytes: String,
    token: usize,
    first: Option<u64>,
}

impl Presence {
    /// Listens for everything that these records hold: identifiers, values of figures, and words in lower case.
    pub fn asking<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut presence = Self::default();
        for record in records {
            presence.ask_all(&record.summary);
            for item in &record.items {
                presence.ask(&item.text);
                presence.ask_all(&item.text);
                if let Detail::Figure { value, .. } = &item.detail {
                    presence.ask(value);
                }
            }
        }
        presence
    }

    fn ask_all(&mut self, text: &str) {
        let language = Language::english();
        let named = identifiers(text, language);
        let taken: Vec<_> = named.iter().map(|one| one.range.clone()).collect();
        named.iter().for_each(|one| self.ask(&text[one.range.clone()]));
        figures(text, &taken, language).iter().for_each(|one| self.ask(&one.value));
        for word in words(text) {
            self.ask(&word.lower);
            // In another form it is the same word.
            super::claims::forms(&word.lower).iter().for_each(|form| self.ask(form));
        }
    }

    fn ask(&mut self, text: &str) {
        if self.wanted.contains_key(text) {
            return;
        }
        let Some(token) = tokens(text).max_by_key(|token| token.len()) else { return };
        let no = self.all.len();
        self.wanted.insert(text.to_owned(), no);
        self.by_token.entry(text[token.clone()].to_lowercase()).or_default().push(no);
        self.all.push(Wanted { bytes: text.to_owned(), token: token.start, first: None });
    }

    /// A text of the session, in file order; `at` is where its line starts.
    pub fn see(&mut self, text: &str, at: u64) {
        for token in tokens(text) {
            let lower = text[token.clone()].to_lowercase();
            for no in self.by_token.get(&lower).into_iter().flatten() {
                let wanted = &mut self.all[*no];
                if wanted.first.is_none() && stands(text, token.start, wanted) {
                    wanted.first = Some(at);
                }
            }
        }
    }

    /// Whether this stood anywhere before a place; `None` when it was not asked for.
    pub fn is_before(&self, text: &str, place: u64) -> Option<bool> {
        let first = self.all[*self.wanted.get(text)?].first;
        Some(first.is_some_and(|first| first < place))
    }
}

/// Whether the bytes stand there as words of their own, letter case ignored only where none of them is a capital.
fn stands(text: &str, token: usize, wanted: &Wanted) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let Some(start) = token.checked_sub(wanted.token) else { return false };
    let end = start + wanted.bytes.len();
    let Some(there) = text.get(start..end) else { return false };
    let same = there == wanted.bytes || there.to_lowercase() == wanted.bytes;
    let first = wanted.bytes.chars().next();
    let last = wanted.bytes.chars().next_back();
    same && !(joins(first) && joins(text[..start].chars().next_back()))
        && !(joins(last) && joins(text[end..].chars().next()))
}

/// Runs of letters, digits and low lines.
fn tokens(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = at + text[at..].find(is_word)?;
        let end = text[start..].find(|c| !is_word(c)).map_or(text.len(), |len| start + len);
        at = end;
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_only_as_words_of_their_own_and_before_the_place() {
        let record = Record { summary: "Reads `src/main.rs`, port 8080 and Foo.".to_owned(), ..Record::default() };
        let mut presence = Presence::asking([&record]);
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
}
