//! What the originals that a claim is tied to say of its values: whether a value stands in them, and which other value
//! stands in its place.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use foldhash::HashMap;

use crate::extract::{Language, words};
use crate::record::{Item, Manner, Passage};
use crate::session::SourceRef;
use crate::text::sentences;

use super::Case;
use super::claims::LONGEST;
use super::context::{Holders, line_of};
use super::quantities::{Of, Quantity, is_reference, quantities};
use super::tokens::key;

/// So many words that say something are looked at on each side of a value.
const WINDOW: usize = 6;
/// So far from a value its neighbour may stand, in bytes.
const ADJACENT: usize = 24;

/// What was read of the originals of a record: many of its items are tied to the same.
#[derive(Debug, Default)]
pub(super) struct Read {
    quantities: RefCell<HashMap<Stretch, Rc<[Quantity]>>>,
    lower: RefCell<HashMap<Stretch, Rc<str>>>,
}

/// A part, where in it something begins, and its length.
type Stretch = (u64, usize, usize);

impl Read {
    /// The quantities around a passage.
    pub(super) fn quantities(&self, passage: &Passage) -> Rc<[Quantity]> {
        let read = || quantities(&passage.around, Language::english()).into();
        Rc::clone(self.quantities.borrow_mut().entry(stretch(passage)).or_insert_with(read))
    }

    /// What stands around a passage, in lower case.
    pub(super) fn lower(&self, passage: &Passage) -> Rc<str> {
        let read = || passage.around.to_lowercase().into();
        Rc::clone(self.lower.borrow_mut().entry(stretch(passage)).or_insert_with(read))
    }
}

fn stretch(passage: &Passage) -> Stretch {
    (passage.origin.seq.0, passage.from(), passage.around.len())
}

/// The claim around an item with the originals that both are tied to.
pub(super) struct Beside<'a> {
    claim: Line<'a>,
    /// Where the claim begins in the summary; `None` where the item has no place in it.
    start: Option<usize>,
    passages: Vec<&'a Passage>,
    read: &'a Read,
}

/// Another value in the place of one.
pub(super) struct Rival {
    /// The sentence that has it.
    pub source: SourceRef,
    /// Where it stands in that sentence.
    pub at: (usize, usize),
    /// As it stands there.
    pub said: String,
}

/// How sure it must be that a value stands in the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// The value of the claim stands nowhere: another is only looked for to say what it should be.
    Likely,
    /// The value stands elsewhere in the originals: that this one is wrong rests on the other alone.
    Plain,
}

/// A value in the place of one, the sentence around its passage that has it, and how well it fits.
struct Found<'a> {
    rank: (usize, usize),
    passage: &'a Passage,
    range: Range<usize>,
    other: Quantity,
}

/// A sentence with its values and the words that say something.
struct Line<'a> {
    text: &'a str,
    quantities: Vec<Quantity>,
    /// Where each begins, and its key; a number is its own.
    keys: Vec<(Range<usize>, String)>,
}

impl<'a> Beside<'a> {
    pub(super) fn of((case, read): (&'a Case, &'a Read), holders: &Holders, at: usize) -> Self {
        let item = &case.record.items[at];
        let holding = holders.holding(item);
        let claim = holding.first().map_or(item, |claim| &case.record.items[*claim]);
        let whole = claim.range.and_then(|(start, end)| Some((start, case.record.summary.get(start..end)?)));
        let (start, text) = match whole {
            // In what is longer the words around a value say little.
            Some((start, text)) if claim.field.is_claim() && text.len() <= LONGEST => (Some(start), text),
            Some(_) | None => {
                let (line, at) = line_of(case.record, item);
                (item.range.map(|(start, _)| start - at), line)
            }
        };
        let tied: Vec<&Passage> =
            holding.iter().chain([&at]).filter_map(|at| case.passages.get(*at)).flatten().collect();
        // Where nothing is tied to it, nothing is held against it.
        Self { claim: Line::of(if tied.is_empty() { "" } else { text }), start, passages: tied, read }
    }

    /// The values of an item in the claim.
    pub(super) fn values_of(&self, item: &Item) -> Vec<&Quantity> {
        let Some(((from, to), start)) = item.range.zip(self.start) else { return Vec::new() };
        let inside = |one: &&Quantity| one.range.start + start < to && one.range.end + start > from;
        self.claim.quantities.iter().filter(inside).collect()
    }

    /// All values of the claim.
    pub(super) fn values(&self) -> &[Quantity] {
        &self.claim.quantities
    }

    /// The claim before the number of one of its values, and behind it.
    pub(super) fn around(&self, value: &Quantity) -> (&str, &str) {
        let text = self.claim.text;
        let number = text[value.range.clone()].find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','));
        // Of `10 pm` and `25 %` the unit counts.
        let end = number.filter(|at| *at > 0).map_or(value.range.end, |at| value.range.start + at);
        (&text[..value.range.start], &text[end..])
    }

    /// The numbers of the claim next to this one that an `of` joins with it: `3 of 213`.
    pub(super) fn joined(&self, value: &Quantity) -> Vec<f64> {
        let (text, all) = (self.claim.text, &self.claim.quantities);
        let of = |from: usize, to: usize| text.get(from..to).is_some_and(|gap| gap.contains(" of "));
        let at = all.iter().position(|one| one.range == value.range).unwrap_or_default();
        let before = at.checked_sub(1).map(|at| &all[at]).filter(|one| of(one.range.end, value.range.start));
        let behind = all.get(at + 1).filter(|one| of(value.range.start, one.range.start));
        before.into_iter().chain(behind).filter_map(|one| one.value.parse().ok()).collect()
    }

    /// Whether these bytes stand in an original, as a word of their own.
    pub(super) fn holds(&self, value: &str) -> bool {
        let inside = |c: char| c.is_alphanumeric() || c == '.';
        self.passages.iter().any(|passage| {
            let around = &*passage.around;
            around.match_indices(value).any(|(at, _)| {
                let behind = &around[at + value.len()..];
                let goes_on = behind.strip_prefix('.').unwrap_or(behind).starts_with(|c: char| c.is_ascii_digit());
                let cut = around[..at].ends_with(inside) || behind.starts_with(char::is_alphanumeric) || goes_on;
                !cut && !is_reference(&around[..at])
            })
        })
    }

    /// The numbers of the originals, sentence by sentence.
    pub(super) fn numbers(&self) -> Vec<Vec<f64>> {
        let of = |passage: &&Passage| -> Vec<Vec<f64>> {
            let (all, ranges) = (self.read.quantities(passage), whole_sentences(passage));
            let inside = |range: &Range<usize>| {
                let held = all.iter().filter(|one| range.contains(&one.range.start));
                held.filter_map(|one| one.value.parse().ok()).collect()
            };
            ranges.iter().map(inside).collect()
        };
        self.passages.iter().flat_map(of).filter(|numbers| !numbers.is_empty()).collect()
    }

    /// Whether an original says this value, in whatever unit and form.
    pub(super) fn says(&self, wanted: &Quantity) -> bool {
        self.passages.iter().any(|passage| self.read.quantities(passage).iter().any(|one| one.is(wanted)))
    }

    /// The value that stands in the originals where this one stands in the claim; `None` where there is none, or several.
    pub(super) fn rival(&self, wanted: &Quantity, need: Need) -> Option<Rival> {
        let mut found: Vec<Found> = Vec::new();
        for passage in &self.passages {
            let told = matches!(passage.origin.manner, Manner::Text | Manner::Thinking);
            if need == Need::Plain && !told {
                continue;
            }
            for range in whole_sentences(passage) {
                let text = &passage.around[range.clone()];
                let values = quantities(text, Language::english());
                // Most sentences have none.
                if values.is_empty() {
                    continue;
                }
                if let Some((rank, other)) = self.claim.exchanged(wanted, &Line::with(text, values), need) {
                    found.push(Found { rank, passage, range, other });
                }
            }
        }
        let Found { passage, range, other, .. } = found.iter().max_by_key(|one| one.rank)?;
        if need == Need::Plain && found.iter().any(|one| !one.other.is(other)) {
            return None;
        }
        let from = passage.from();
        let quote = &passage.around[range.clone()];
        Some(Rival {
            source: passage.origin.source((from + range.start, from + range.end), quote),
            at: (other.range.start, other.range.end),
            said: quote[other.range.clone()].to_owned(),
        })
    }
}

impl<'a> Line<'a> {
    fn of(text: &'a str) -> Self {
        Self::with(text, quantities(text, Language::english()))
    }

    fn with(text: &'a str, quantities: Vec<Quantity>) -> Self {
        let language = Language::english();
        let mut keys: Vec<(Range<usize>, String)> = words(text)
            .into_iter()
            .filter_map(|word| Some((word.range, key(&word.lower, language)?)))
            .filter(|(range, _)| !quantities.iter().any(|one| one.range.contains(&range.start)))
            .collect();
        keys.extend(quantities.iter().map(|one| (one.range.clone(), one.value.clone())));
        keys.sort_by_key(|(range, _)| range.start);
        Self { text, quantities, keys }
    }

    /// The value of another sentence that stands there where this one stands here, and how well the two fit: by the words
    /// around both, then by those of the whole.
    fn exchanged(&self, wanted: &Quantity, other: &Self, need: Need) -> Option<((usize, usize), Quantity)> {
        let all = self.keys.iter().filter(|(_, key)| *key != wanted.value).count();
        let whole = shared(self.keys.iter().map(|(_, key)| key), &other.keys);
        let fits = |one: &&Quantity| {
            let adjacent = self.is_adjacent(wanted, other, one);
            let plain = matches!(one.of, Of::Nothing | Of::Noun(_)) && matches!(wanted.of, Of::Nothing | Of::Noun(_));
            (wanted.is_like(one) && !wanted.is_bare() || plain && adjacent)
                && !self.quantities.iter().any(|own| own.is(one))
        };
        let mut fitting = other.quantities.iter().filter(fits);
        let best = fitting.clone().map(|one| (self.around(wanted, other, one), one)).max_by_key(|(near, _)| *near);
        let (near, one) = best?;
        let alone = fitting.all(|another| another.is(one));
        let named = matches!(wanted.of, Of::Weekday(_) | Of::Month(_));
        let adjacent = self.is_adjacent(wanted, other, one);
        let enough = match need {
            Need::Likely => near >= 1 && (adjacent || named || whole * 4 >= all),
            Need::Plain => alone && near >= 2 && whole * 5 >= all * 2 && (adjacent || named || near >= 3),
        };
        enough.then(|| ((near, whole), one.clone()))
    }

    /// How many words around two values are the same.
    fn around(&self, wanted: &Quantity, other: &Self, one: &Quantity) -> usize {
        shared(self.window(wanted).iter().map(|(_, key)| key), other.window(one))
    }

    fn window(&self, value: &Quantity) -> &[(Range<usize>, String)] {
        let at = self.keys.partition_point(|(range, _)| range.start < value.range.start);
        &self.keys[at.saturating_sub(WINDOW)..self.keys.len().min(at + 1 + WINDOW)]
    }

    /// Whether the word before or behind two values is the same.
    fn is_adjacent(&self, wanted: &Quantity, other: &Self, one: &Quantity) -> bool {
        let same = |one: Option<&str>, two: Option<&str>| one.is_some() && one == two;
        let [(before, behind), (other_before, other_behind)] = [self.neighbours(wanted), other.neighbours(one)];
        same(before, other_before) || same(behind, other_behind)
    }

    /// The words that say something right before a value and right behind it.
    fn neighbours(&self, value: &Quantity) -> (Option<&str>, Option<&str>) {
        let near = |from: usize, to: usize| {
            to - from <= ADJACENT && !self.text[from..to].contains([',', ';', ':', '(', ')', '.'])
        };
        let at = self.keys.partition_point(|(range, _)| range.start < value.range.start);
        let before = at.checked_sub(1).map(|at| &self.keys[at]);
        let behind = self.keys[at..].iter().find(|(range, _)| range.start >= value.range.end);
        (
            before
                .filter(|(range, _)| near(range.end.min(value.range.start), value.range.start))
                .map(|(_, key)| &**key),
            behind.filter(|(range, _)| near(value.range.end, range.start)).map(|(_, key)| &**key),
        )
    }
}

/// How many of these keys stand among those, each once.
fn shared<'k>(keys: impl Iterator<Item = &'k String>, others: &[(Range<usize>, String)]) -> usize {
    let mut met: Vec<&String> = keys.filter(|key| others.iter().any(|(_, other)| other == *key)).collect();
    met.sort_unstable();
    met.dedup();
    met.len()
}

/// The sentences around a passage, without those that its surroundings cut.
pub(super) fn whole_sentences(passage: &Passage) -> Vec<Range<usize>> {
    let around = &*passage.around;
    let mut found = Vec::new();
    let mut start = 0;
    for line in around.split('\n') {
        found.extend(sentences(line).into_iter().map(|one| start + one.start..start + one.end));
        start += line.len() + 1;
    }
    found.retain(|range| {
        let open = range.end == around.len() && !around.ends_with(['.', '!', '?', ')', '"', '`', ':']);
        !(range.start == 0 && passage.from() > 0 && range.end <= passage.at.0 || open && range.start >= passage.at.1)
    });
    found
}
