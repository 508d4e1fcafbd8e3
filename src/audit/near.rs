//! Names in the originals that are nearly one of a record: a slip away, or with one token changed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use crate::extract::runs::{ByKey, Filter};

use super::lately::Lately;
use super::tokens::{compounds, in_lower_case, is_slip, tokens};
use super::vocabulary::hash_of;
use super::voice::{Citation, Voice};

/// So many near names are kept for each.
const KEPT: usize = 8;
/// So many wait under one key: where a record asks for more, the rest is not looked for.
const WAITING: usize = 64;
/// A name of more tokens is looked for by its last ones.
const LONGEST: usize = 6;
/// A longer token is no name.
const WIDEST: usize = 80;
/// A name that stands in the originals and is nearly the one asked for.
#[derive(Clone, Debug)]
pub(super) struct Near {
    /// As it stands there: a token, or a whole name.
    pub text: String,
    /// The name that it is a part of.
    pub whole: String,
    pub citation: Citation,
    /// Where it stands in the citation.
    pub at: (usize, usize),
}

/// What was found, by the number of the name.
pub(super) type NearFound = BTreeMap<usize, Vec<Near>>;

/// What is listened for, and what was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearby {
    index: Arc<Index>,
    found: NearFound,
    lately: Lately,
}

#[derive(Clone, Debug, Default)]
struct Index {
    names: HashMap<String, usize>,
    asked: Vec<Wanted>,
    /// By half of a token.
    halves: ByKey<Vec<usize>>,
    /// By all tokens but one.
    others: ByKey<Vec<usize>>,
    /// Whether any waits there; most tokens and names are told by this alone.
    filters: Option<[Filter; 2]>,
}

#[derive(Clone, Debug)]
struct Wanted {
    lower: String,
    tokens: Vec<String>,
}

/// Half of a token that is so long.
#[derive(Clone, Copy)]
enum Half<'a> {
    First(usize, &'a str),
    Last(usize, &'a str),
}

impl Half<'_> {
    fn hash(self) -> u64 {
        let (half, seed) = match self {
            Self::First(len, half) => (half, 2 * len),
            Self::Last(len, half) => (half, 2 * len + 1),
        };
        hash_of(half.as_bytes(), seed as u64)
    }
}

impl Index {
    fn put(&mut self, lower: &str) -> usize {
        let no = self.asked.len();
        self.names.insert(lower.to_owned(), no);
        self.asked.push(Wanted { lower: lower.to_owned(), tokens: Vec::new() });
        no
    }

    fn of_half(&self, half: Half) -> &[usize] {
        let (key, filter) = (half.hash(), self.filters.as_ref().map(|[halves, _]| halves));
        if filter.is_some_and(|filter| !filter.may_hold(key)) {
            return &[];
        }
        self.halves.get(&key).map_or(&[], Vec::as_slice)
    }

    fn of_others(&self, key: u64) -> &[usize] {
        if self.filters.as_ref().is_some_and(|[_, others]| !others.may_hold(key)) {
            return &[];
        }
        self.others.get(&key).map_or(&[], Vec::as_slice)
    }
}

impl Nearby {
    /// A token of a name.
    pub(super) fn ask(&mut self, token: &str) {
        let lower = token.to_lowercase();
        if lower.len() < 4 || lower.len() > WIDEST || !lower.is_ascii() || self.index.names.contains_key(&lower) {
            return;
        }
        let index = Arc::make_mut(&mut self.index);
        let no = index.put(&lower);
        let (len, half) = (lower.len(), lower.len() / 2);
        let mut swapped = lower.clone().into_bytes();
        swapped.swap(half - 1, half);
        let swapped = String::from_utf8_lossy(&swapped).into_owned();
        // Two letters swapped in the middle leave no half as it was.
        for text in [&lower, &swapped] {
            for half in [Half::First(len, &text[..half]), Half::Last(len, &text[half..])] {
                wait(&mut index.halves, half.hash(), no);
            }
        }
    }

    /// A name of several tokens.
    pub(super) fn ask_compound(&mut self, name: &str) {
        let lower = name.to_lowercase();
        if self.index.names.contains_key(&lower) {
            return;
        }
        let tokens: Vec<String> = tokens(&lower).map(|range| lower[range].to_owned()).collect();
        if !(2..=LONGEST).contains(&tokens.len()) {
            return;
        }
        let index = Arc::make_mut(&mut self.index);
        let no = index.put(&lower);
        for without in 0..tokens.len() {
            let key = hash_without(tokens.iter().map(String::as_str), without);
            wait(&mut index.others, key, no);
        }
        index.asked[no].tokens = tokens;
    }

    /// Gets ready to hear: what is asked for later is not listened for.
    pub(super) fn close(&mut self) {
        let index = Arc::make_mut(&mut self.index);
        index.filters = Some([Filter::of(index.halves.keys().copied()), Filter::of(index.others.keys().copied())]);
    }

    pub(super) fn hear(&mut self, text: &str, voice: &Voice) {
        if self.index.asked.is_empty() {
            return;
        }
        let (mut inner, mut lower): (Vec<Range<usize>>, Vec<Cow<str>>) = (Vec::new(), Vec::new());
        for range in compounds(text) {
            let whole = &text[range.clone()];
            if whole.is_empty() || whole.len() > 4 * WIDEST {
                continue;
            }
            let Some(met) = self.lately.meet(whole) else { continue };
            inner.clear();
            inner.extend(tokens(whole).map(|one| range.start + one.start..range.start + one.end));
            lower.clear();
            lower.extend(inner.iter().map(|token| in_lower_case(&text[token.clone()])));
            let mut is_near = false;
            for (token, lower) in inner.iter().zip(&lower) {
                is_near |= self.hear_token((text, lower), token, &range, voice);
            }
            for first in inner.len().saturating_sub(LONGEST)..inner.len().saturating_sub(1) {
                is_near |= self.hear_compound((text, &lower[first..]), &inner[first..], voice);
            }
            if !is_near {
                self.lately.is_idle(met);
            }
        }
    }

    /// Whether any name is near to a token, kept or not.
    fn hear_token(
        &mut self,
        (text, lower): (&str, &str),
        token: &Range<usize>,
        whole: &Range<usize>,
        voice: &Voice,
    ) -> bool {
        if lower.len() < 3 || lower.len() > WIDEST || !lower.is_ascii() {
            return false;
        }
        let mut met: Vec<usize> = Vec::new();
        let index = Arc::clone(&self.index);
        let keys = |lower: &str, len: usize, met: &mut Vec<usize>| {
            let half = len / 2;
            if let Some(first) = lower.get(..half) {
                met.extend(index.of_half(Half::First(len, first)));
            }
            if let Some(last) = lower.len().checked_sub(len - half).map(|from| &lower[from..]) {
                met.extend(index.of_half(Half::Last(len, last)));
            }
        };
        for len in lower.len() - 1..=lower.len() + 1 {
            keys(lower, len, &mut met);
        }
        // Of a long hash one writes the beginning.
        let is_hash = lower.len() > 12 && lower.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash {
            for len in 7..=12 {
                keys(&lower[..len], len, &mut met);
            }
        }
        met.sort_unstable();
        met.dedup();
        let mut is_near = false;
        for no in met {
            let wanted = &index.asked[no];
            let begun = is_hash && lower.get(..wanted.lower.len()).is_some_and(|begun| is_slip(begun, &wanted.lower));
            if !begun && !is_slip(lower, &wanted.lower) {
                continue;
            }
            is_near = true;
            if self.has_room(no) {
                let end = if begun { token.start + wanted.lower.len() } else { token.end };
                self.keep(no, text, &(token.start..end), whole, voice);
            }
        }
        is_near
    }

    /// Whether any name differs from this one in one token, kept or not.
    fn hear_compound(&mut self, (text, lower): (&str, &[Cow<str>]), inner: &[Range<usize>], voice: &Voice) -> bool {
        let index = Arc::clone(&self.index);
        let mut is_near = false;
        for without in 0..lower.len() {
            let key = hash_without(lower.iter().map(|token| &**token), without);
            for no in index.of_others(key).iter().copied() {
                let wanted = &index.asked[no];
                let Some(there) = wanted.tokens.get(without).filter(|_| wanted.tokens.len() == lower.len()) else {
                    continue;
                };
                if !is_other(there, &lower[without]) {
                    continue;
                }
                is_near = true;
                if self.has_room(no) {
                    let range = inner[0].start..inner[inner.len() - 1].end;
                    self.keep(no, text, &range, &range, voice);
                }
            }
        }
        is_near
    }

    fn keep(&mut self, no: usize, text: &str, at: &Range<usize>, whole: &Range<usize>, voice: &Voice) {
        let found = self.found.entry(no).or_default();
        let (near, name) = (&text[at.clone()], &text[whole.clone()]);
        if found.iter().any(|other| other.text == near && other.whole == name) {
            return;
        }
        let (citation, place) = voice.cite(text, at);
        found.push(Near { text: near.to_owned(), whole: name.to_owned(), citation, at: place });
    }

    fn has_room(&self, no: usize) -> bool {
        self.found.get(&no).is_none_or(|found| found.len() < KEPT)
    }

    /// What was found in the stretch that ends here.
    pub(super) fn take(&mut self) -> NearFound {
        self.lately.begin_stretch();
        std::mem::take(&mut self.found)
    }

    /// What was found in a later stretch.
    pub(super) fn add(&mut self, later: NearFound) {
        for (no, near) in later {
            let found = self.found.entry(no).or_default();
            for near in near {
                if found.len() < KEPT && !found.iter().any(|other| other.text == near.text && other.whole == near.whole)
                {
                    found.push(near);
                }
            }
        }
    }

    /// What is near to this token or name.
    pub(super) fn of(&self, name: &str) -> impl Iterator<Item = &Near> {
        let found = self.index.names.get(&name.to_lowercase()).and_then(|no| self.found.get(no));
        found.into_iter().flatten()
    }
}

/// Two tokens that stand for the same thing in two values: a slip apart, or numbers of the same length.
fn is_other(one: &str, other: &str) -> bool {
    let number = |text: &str| text.trim_start_matches('v').bytes().all(|b| b.is_ascii_digit());
    one != other && (is_slip(one, other) && one.len().min(other.len()) >= 3 || number(one) && number(other))
}

fn wait(waiting: &mut ByKey<Vec<usize>>, key: u64, no: usize) {
    let row = waiting.entry(key).or_default();
    if row.len() < WAITING && row.last() != Some(&no) {
        row.push(no);
    }
}

fn hash_without<'a>(tokens: impl Iterator<Item = &'a str>, without: usize) -> u64 {
    let others = tokens.enumerate().filter(|(at, _)| *at != without);
    others.fold(without as u64, |hash, (_, token)| hash_of(token.as_bytes(), hash))
}
