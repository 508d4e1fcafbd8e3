//! What stands in a claim where the originals that it is tied to have another: a weekday, how often something happens, a
//! name; and two values that changed places. Figures with an item of their own are held against the originals next door.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::extract::{Class, Language, Word, identifiers, words};
use crate::record::{Field, Finding, FindingKind, Item, Manner, Passage, Severity};

use super::Case;
use super::beside::{Beside, Need, Read, Rival, whole_sentences};
use super::capitals::is_name;
use super::claims::LONGEST;
use super::context::Holders;
use super::crossed::crossed;
use super::forms::bare;
use super::quantities::{Of, Quantity, quantities};
use super::tokens::key;

/// So many words on a side of a name are held against those beside another.
const WINDOW: usize = 5;

/// What is wrong with the claims of a record.
pub(super) fn findings(case: &Case, read: &Read) -> Vec<Finding> {
    if !case.is_whole() {
        return Vec::new();
    }
    let (holders, names) = (Holders::of(case.record), Names::default());
    let claims = case.record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim());
    let short = claims.filter(|(_, item)| item.text.len() <= LONGEST);
    short.filter_map(|(at, _)| finding(case, read, &holders, &names, at)).collect()
}

fn finding(case: &Case, read: &Read, holders: &Holders, names: &Names, at: usize) -> Option<Finding> {
    let claim = Claim { case, read, names, at, item: &case.record.items[at], passages: case.passages.get(at)? };
    let own = quantities(&claim.item.text, Language::english());
    let value = claim.value(&own, holders);
    value.or_else(|| claim.name()).or_else(|| claim.swap(&own)).or_else(|| crossed(&claim))
}

/// The name of the same sort that the originals of the claim with this number have where this item stands in it.
pub(super) fn other_name(case: &Case, read: &Read, at: usize, item: &Item) -> Option<Rival> {
    let names = &Names::default();
    let claim = Claim { case, read, names, at, item: &case.record.items[at], passages: case.passages.get(at)? };
    let text = claim.item.text.as_str();
    if text.len() > LONGEST {
        return None;
    }
    let heard = words(text);
    let name = named(text, &heard).into_iter().find(|one| text[one.range.clone()] == item.text)?;
    claim.told().find_map(|passage| claim.rival_name(&heard, &name, passage))
}

/// Words with a capital, and whether they are always written so: many claims are held against the same sentences.
#[derive(Default)]
pub(super) struct Names(RefCell<HashMap<String, bool>>);

pub(super) struct Claim<'a> {
    pub case: &'a Case<'a>,
    pub read: &'a Read,
    pub names: &'a Names,
    pub at: usize,
    pub item: &'a Item,
    pub passages: &'a [Passage],
}

impl Claim<'_> {
    /// A weekday, a month or how often: none of them is a figure.
    fn value(&self, own: &[Quantity], holders: &Holders) -> Option<Finding> {
        // What is cut short may be another word; a number has an item of its own.
        let apart = |one: &&Quantity| match &one.of {
            Of::Weekday(_) => one.value.ends_with("day"),
            Of::Month(_) => one.value.len() > 4 || matches!(&*one.value, "june" | "july"),
            Of::Unit(..) => one.value.split(' ').next().is_some_and(|first| Language::english().often.contains(first)),
            Of::Nothing | Of::Noun(_) => false,
        };
        if !own.iter().any(|one| apart(&one)) {
            return None;
        }
        let beside = Beside::of((self.case, self.read), holders, self.at);
        own.iter().filter(apart).find_map(|one| {
            let here = beside.values().iter().find(|value| value.value == one.value && value.of == one.of)?;
            if beside.says(here) {
                return None;
            }
            let unheard = self.case.presence.is_loosely_before(&here.value, self.case.compaction.place.offset);
            let need = if unheard == Some(false) { Need::Likely } else { Need::Plain };
            Some(self.made(FindingKind::Altered, one.range.clone(), &beside.rival(here, need)?))
        })
    }

    /// Another name than the one that the originals have there.
    fn name(&self) -> Option<Finding> {
        let text = self.item.text.as_str();
        let heard = words(text);
        let here = self.case.compaction.place.offset;
        // What stands nowhere is said of the name itself.
        let unheard = |name: &str| self.case.presence.is_before(name, here) == Some(false);
        let fits = |one: &Named| {
            let name = &text[one.range.clone()];
            (one.class.is_none() || !unheard(name)) && !self.is_tied_to(name)
        };
        let names = named(text, &heard).into_iter().filter(fits);
        names.into_iter().find_map(|one| {
            let rival = self.told().find_map(|passage| self.rival_name(&heard, &one, passage))?;
            Some(self.made(FindingKind::Altered, one.range.clone(), &rival))
        })
    }

    fn told(&self) -> impl Iterator<Item = &Passage> {
        self.passages.iter().filter(|one| matches!(one.origin.manner, Manner::Text | Manner::Thinking))
    }

    /// Whether an original that the claim is tied to has this name.
    fn is_tied_to(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let bare = lower.strip_suffix("'s").unwrap_or(bare(&lower));
        self.passages.iter().any(|passage| {
            let around = self.read.lower(passage);
            around.match_indices(bare).any(|(at, _)| !around[..at].ends_with(char::is_alphanumeric))
        })
    }

    /// The name of the same sort that stands in a passage where this one stands in the claim.
    fn rival_name(&self, heard: &[Word], name: &Named, passage: &Passage) -> Option<Rival> {
        let (text, here) = (self.item.text.to_lowercase(), &self.item.text[name.range.clone()]);
        whole_sentences(passage).into_iter().find_map(|range| {
            let sentence = &passage.around[range.clone()];
            let there = words(sentence);
            let mut others = named(sentence, &there);
            let first = there.first().filter(|first| self.is_always_a_name(sentence, first));
            others.extend(first.map(|word| Named { range: word.range.clone(), class: None }));
            let other = others.into_iter().filter(|other| other.class == name.class).find(|other| {
                let said = &sentence[other.range.clone()];
                if text.contains(&said.to_lowercase()) || is_short_for(said, here) {
                    return false;
                }
                let (before, behind) = likeness((heard, &name.range), (&there, &other.range));
                // A name in prose is one among few, names of files and of what is in them stand side by side.
                if name.class.is_none() { before.max(behind) > 1 } else { before + behind > 2 }
            })?;
            let from = passage.from();
            Some(Rival {
                source: passage.origin.source((from + range.start, from + range.end), sentence),
                said: sentence[other.range.clone()].to_owned(),
                at: (other.range.start, other.range.end),
            })
        })
    }

    /// Whether the first word of a sentence is a name: it stands inside a sentence as one, or is said again, and nowhere
    /// in small letters.
    fn is_always_a_name(&self, sentence: &str, word: &Word) -> bool {
        let language = Language::english();
        let name = &sentence[word.range.clone()];
        if !name.starts_with(char::is_uppercase) || !language.is_content(&word.lower) || word.lower.len() < 3 {
            return false;
        }
        if ["some", "any", "every", "no"].iter().any(|begin| word.lower.starts_with(begin)) {
            return false;
        }
        let mut known = self.names.0.borrow_mut();
        *known.entry(name.to_owned()).or_insert_with(|| self.is_written_as_one(name, &word.lower))
    }

    fn is_written_as_one(&self, name: &str, lower: &str) -> bool {
        let (mut inside, mut parts) = (false, HashSet::new());
        for passage in self.case.passages.iter().flatten() {
            if !passage.around.contains(name) && !passage.around.contains(lower) {
                continue;
            }
            let heard = words(&passage.around);
            for at in (0..heard.len()).filter(|at| heard[*at].lower == lower) {
                if passage.around[heard[at].range.clone()] == *lower {
                    return false;
                }
                inside |= is_name(&passage.around, &heard, at, Language::english());
                parts.insert(passage.origin.seq.0);
            }
        }
        inside || parts.len() > 1
    }

    /// Two values of one kind that stand in each other's place: all other values that both have stand in one order.
    fn swap(&self, own: &[Quantity]) -> Option<Finding> {
        if own.len() < ORDERED {
            return None;
        }
        let orders: Vec<_> = self.told().map(|passage| (passage, order(own, &self.read.quantities(passage)))).collect();
        if orders.iter().any(|(_, order)| matches!(order, Order::Same)) {
            return None;
        }
        let (passage, one, two, there) = orders.into_iter().find_map(|(passage, order)| match order {
            Order::Swapped { one, two, there } => Some((passage, one, two, there)),
            Order::Same | Order::Other => None,
        })?;
        let from = passage.from();
        let said = |range: &Range<usize>| passage.around[range.clone()].to_owned();
        let range = there[0].start.min(there[1].start)..there[0].end.max(there[1].end);
        let shift = |part: &Range<usize>| (part.start - range.start, part.end - range.start);
        let source = passage.origin.source((from + range.start, from + range.end), &passage.around[range.clone()]);
        let why = format!(
            "{} and {} stand in each other's place: the originals (turn {}) give what is said here of the one of the other",
            said(&there[0]),
            said(&there[1]),
            source.turn
        );
        let of = (self.case.compaction.no, self.at, self.item);
        Some(Finding {
            decisive: [&own[one], &own[two]].map(|one| (one.range.start, one.range.end)).to_vec(),
            decisive_there: vec![shift(&there[0]), shift(&there[1])],
            sources: vec![source],
            ..Finding::of(of, FindingKind::Inverted, Severity::Medium, why)
        })
    }

    fn made(&self, kind: FindingKind, here: Range<usize>, rival: &Rival) -> Finding {
        let binding = matches!(self.item.field, Field::Decisions | Field::Constraints | Field::Actions);
        let severity = if binding { Severity::High } else { Severity::Medium };
        let why = format!(
            "The originals say {} (turn {}); the summary says {}",
            rival.said,
            rival.source.turn,
            &self.item.text[here.clone()]
        );
        Finding {
            decisive: vec![(here.start, here.end)],
            decisive_there: vec![rival.at],
            sources: vec![rival.source.clone()],
            ..Finding::of((self.case.compaction.no, self.at, self.item), kind, severity, why)
        }
    }
}

/// A name and what sort of name it is; no class for one in prose.
pub(super) struct Named {
    pub range: Range<usize>,
    pub class: Option<Class>,
}

/// The names in a text.
pub(super) fn named(text: &str, heard: &[Word]) -> Vec<Named> {
    let language = Language::english();
    let exact =
        identifiers(text, language).into_iter().filter(|one| !matches!(one.class, Class::Date | Class::Command));
    let mut found: Vec<Named> = exact.map(|one| Named { range: one.range, class: Some(one.class) }).collect();
    let free =
        |range: &Range<usize>| found.iter().all(|one| one.range.end <= range.start || range.end <= one.range.start);
    let prose = (0..heard.len()).filter(|no| is_name(text, heard, *no, language)).map(|no| heard[no].range.clone());
    let prose: Vec<Named> = prose.filter(free).map(|range| Named { range, class: None }).collect();
    found.extend(prose);
    found
}

/// Whether one name may be the other cut short, a part or a form of it.
fn is_short_for(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let begun = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    one.contains(&other) || other.contains(&one) || begun > 2 && !one.contains(['/', '_', '-', '.'])
}

/// The last words before a place, the nearest first.
fn before<'w>(words: &[Word<'w>], at: &Range<usize>) -> Vec<Word<'w>> {
    words.iter().rev().filter(|word| word.range.end <= at.start).take(WINDOW).cloned().collect()
}

/// The first words behind a place.
fn behind<'w>(words: &[Word<'w>], at: &Range<usize>) -> Vec<Word<'w>> {
    words.iter().filter(|word| word.range.start >= at.end).take(WINDOW).cloned().collect()
}

/// How many words before two names, and behind them, follow in the same order; none where none of them says something.
fn likeness((heard, here): (&[Word], &Range<usize>), (words, there): (&[Word], &Range<usize>)) -> (usize, usize) {
    (alike(&before(heard, here), &before(words, there)), alike(&behind(heard, here), &behind(words, there)))
}

fn alike(here: &[Word], there: &[Word]) -> usize {
    let language = Language::english();
    let same = |one: &Word, two: &Word| {
        one.lower == two.lower || key(&one.lower, language).is_some_and(|one| key(&two.lower, language) == Some(one))
    };
    let (mut from, mut met, mut telling) = (0, 0, false);
    for word in here {
        if let Some(ahead) = there[from..].iter().position(|other| same(word, other)) {
            from += ahead + 1;
            met += 1;
            telling |= language.is_content(&word.lower);
        }
    }
    if telling { met } else { 0 }
}

/// So many values a claim must share with the originals before their order says anything.
const ORDERED: usize = 4;

/// How the values that a claim and an original have in common stand.
enum Order {
    Same,
    /// Two of a kind have changed places, others between them have not: their numbers in the claim, and where they stand
    /// in the original, in the order of the claim.
    Swapped {
        one: usize,
        two: usize,
        there: [Range<usize>; 2],
    },
    Other,
}

fn order(here: &[Quantity], there: &[Quantity]) -> Order {
    let once = |all: &[Quantity], value: &str| all.iter().filter(|one| one.value == value).count() == 1;
    let common = |all: &[Quantity]| -> Vec<usize> {
        (0..all.len()).filter(|at| once(here, &all[*at].value) && once(there, &all[*at].value)).collect()
    };
    let (own, other) = (common(here), common(there));
    let apart: Vec<usize> = (0..own.len()).filter(|at| here[own[*at]].value != there[other[*at]].value).collect();
    match apart[..] {
        _ if own.len() < ORDERED => Order::Other,
        [] => Order::Same,
        [first, second] if second > first + 1 => {
            let ([one, two], [a, b]) = ([own[first], own[second]], [other[second], other[first]]);
            let swapped = here[one].value == there[a].value && here[two].value == there[b].value;
            let alike = !here[one].is_bare() && here[one].is_like(&here[two]) && there[a].is_like(&there[b]);
            if swapped && alike {
                Order::Swapped { one, two, there: [there[a].range.clone(), there[b].range.clone()] }
            } else {
                Order::Other
            }
        }
        _ => Order::Other,
    }
}
