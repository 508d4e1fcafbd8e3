//! Which exact bytes stand anywhere before a marker: of what records hold, where each stood first.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::extract::runs::{ByKey, Filter, runs};
use crate::extract::{Language, figures, identifiers, words};
use crate::record::{Detail, Record};

/// So many texts may wait at one run: a record that makes one run stand in more of them gets no answer for the rest.
const WAITING: usize = 64;
/// Behind so many finds the filter is made anew: what was found is waited for no more.
const FOUND: usize = 1024;

/// For each name, value and word that some record holds, the place where it stood first. A copy may listen to another
/// stretch of the session on another thread; [`Self::join`] puts them together.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    asked: Arc<Asked>,
    /// By number: where it stood first.
    first: Vec<Option<u64>>,
    /// The runs at which something is waited for.
    filter: Option<Filter>,
    found: usize,
}

/// What is listened for.
#[derive(Debug, Default)]
struct Asked {
    wanted: HashMap<String, usize>,
    all: Vec<Wanted>,
    by_run: ByKey<Vec<usize>>,
}

#[derive(Debug)]
struct Wanted {
    bytes: String,
    /// Where the run begins at which it waits.
    run: usize,
}

impl Presence {
    /// Listens for everything that these records hold: identifiers, values of figures, and words in lower case.
    pub fn asking<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut asked = Asked::default();
        for record in records {
            asked.ask_all(&record.summary);
            for item in &record.items {
                asked.ask(&item.text);
                asked.ask_all(&item.text);
                if let Detail::Figure { value, .. } = &item.detail {
                    asked.ask(value);
                }
            }
        }
        let first = vec![None; asked.all.len()];
        let filter = Some(Filter::of(asked.by_run.keys().copied()));
        Self { asked: Arc::new(asked), first, filter, found: 0 }
    }

    /// A text of the session; `at` is where its line starts.
    pub fn see(&mut self, text: &str, at: u64) {
        runs(text, |run, key| self.meet(text, run, key, at));
    }

    /// One run of a text of the session.
    #[inline]
    pub fn meet(&mut self, text: &str, run: Range<usize>, key: u64, at: u64) {
        if self.filter.as_ref().is_some_and(|filter| filter.may_hold(key)) {
            self.look(text, run, key, at);
        }
    }

    fn look(&mut self, text: &str, run: Range<usize>, key: u64, at: u64) {
        let asked = Arc::clone(&self.asked);
        for no in asked.by_run.get(&key).into_iter().flatten() {
            let first = &mut self.first[*no];
            if first.is_none_or(|first| at < first) && stands(text, run.start, &asked.all[*no]) {
                self.found += usize::from(first.is_none());
                *first = Some(at);
            }
        }
        if self.found >= FOUND {
            self.found = 0;
            let waits = |numbers: &Vec<usize>| numbers.iter().any(|no| self.first[*no].is_none());
            let left: Vec<u64> =
                asked.by_run.iter().filter(|(_, numbers)| waits(numbers)).map(|(key, _)| *key).collect();
            self.filter = Some(Filter::of(left.into_iter()));
        }
    }

    /// What a copy heard. Each copy hears its stretches in file order.
    pub fn join(&mut self, other: Self) {
        for (first, other) in self.first.iter_mut().zip(other.first) {
            *first = [*first, other].into_iter().flatten().min();
        }
    }

    /// Whether this stood anywhere before a place; `None` when it was not asked for.
    pub fn is_before(&self, text: &str, place: u64) -> Option<bool> {
        let first = self.first[*self.asked.wanted.get(text)?];
        Some(first.is_some_and(|first| first < place))
    }
}

impl Asked {
    fn ask_all(&mut self, text: &str) {
        let language = Language::english();
        let named = identifiers(text, language);
        let taken: Vec<_> = named.iter().map(|one| one.range.clone()).collect();
        named.iter().for_each(|one| self.ask(&text[one.range.clone()]));
        figures(text, &taken, language).iter().for_each(|one| self.ask(&one.value));
        words(text).into_iter().for_each(|word| self.ask(&word.lower));
    }

    fn ask(&mut self, text: &str) {
        if self.wanted.contains_key(text) {
            return;
        }
        let mut best: Option<((std::cmp::Reverse<usize>, usize), usize, u64)> = None;
        runs(text, |run, key| {
            let waiting = self.by_run.get(&key).map_or(0, Vec::len);
            let rank = (std::cmp::Reverse(waiting), run.len());
            if waiting < WAITING && best.as_ref().is_none_or(|(other, ..)| rank > *other) {
                best = Some((rank, run.start, key));
            }
        });
        let Some((_, run, key)) = best else { return };
        let no = self.all.len();
        self.wanted.insert(text.to_owned(), no);
        self.by_run.entry(key).or_default().push(no);
        self.all.push(Wanted { bytes: text.to_owned(), run });
    }
}

/// Whether the bytes stand there as words of their own, letter case ignored only where none of them is a capital.
fn stands(text: &str, token: usize, wanted: &Wanted) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let Some(start) = token.checked_sub(wanted.run) else { return false };
    let end = start + wanted.bytes.len();
    let Some(there) = text.get(start..end) else { return false };
    let same = there == wanted.bytes || there.to_lowercase() == wanted.bytes;
    let first = wanted.bytes.chars().next();
    let last = wanted.bytes.chars().next_back();
    same && !(joins(first) && joins(text[..start].chars().next_back()))
        && !(joins(last) && joins(text[end..].chars().next()))
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
