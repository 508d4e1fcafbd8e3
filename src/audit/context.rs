//! Where in a summary a name or a figure stands: in which claim, in a heading, in something still to be made.

use crate::extract::{Language, words, work};
use crate::record::{Field, Item, Record};

/// So far a line is looked at on each side of an item.
const AROUND: usize = 400;

/// Where an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// The field of the claim that holds it; `None` where none does.
    pub field: Option<Field>,
    /// Whether it stands in a heading.
    pub heading: bool,
}

/// The claims of a record by where they stand, so that the one around an item is found without looking at all.
pub(super) struct Holders<'a> {
    record: &'a Record,
    /// Where each begins and ends, and its item; in order.
    claims: Vec<(usize, usize, usize)>,
    /// Up to each of them, where the last ends.
    ends: Vec<usize>,
}

impl<'a> Holders<'a> {
    /// Of this record.
    pub(super) fn of(record: &'a Record) -> Self {
        let items = record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim());
        let mut claims: Vec<_> = items.filter_map(|(at, item)| item.range.map(|(from, to)| (from, to, at))).collect();
        claims.sort_unstable();
        let last = |last: &mut usize, claim: &(usize, usize, usize)| {
            *last = claim.1.max(*last);
            Some(*last)
        };
        let ends = claims.iter().scan(0, last).collect();
        Self { record, claims, ends }
    }

    /// The number of the smallest claim that holds an item.
    pub(super) fn of_item(&self, item: &Item) -> Option<usize> {
        self.holding(item).first().copied()
    }

    /// The numbers of the claims that hold an item, the smallest first.
    pub(super) fn holding(&self, item: &Item) -> Vec<usize> {
        let Some((start, end)) = item.range else { return Vec::new() };
        let begun = self.claims.partition_point(|(from, ..)| *from <= start);
        let reaching = (0..begun).rev().take_while(|at| {
            work::step();
            self.ends[*at] >= end
        });
        let mut holding: Vec<_> = reaching.map(|at| self.claims[at]).filter(|(_, to, _)| end <= *to).collect();
        holding.sort_by_key(|(from, to, at)| (to - from, *at));
        holding.into_iter().map(|(.., at)| at).collect()
    }

    /// Where an item stands in the record.
    pub(super) fn setting(&self, item: &Item) -> Setting {
        let field = self.of_item(item).map(|claim| self.record.items[claim].field);
        Setting { field, heading: line_of(self.record, item).0.trim_start().starts_with('#') }
    }
}

/// The line of the summary that it stands in, and where in it; its own text where there is no summary.
pub(super) fn line_of<'a>(record: &'a Record, item: &'a Item) -> (&'a str, usize) {
    let text = record.summary.as_str();
    let Some((start, end)) = item.range.filter(|(start, end)| text.get(*start..*end).is_some()) else {
        return (&item.text, 0);
    };
    let from = text.floor_char_boundary(start.saturating_sub(AROUND));
    let to = text.ceil_char_boundary(text.len().min(end + AROUND));
    let from = text[from..start].rfind('\n').map_or(from, |at| from + at + 1);
    let to = text[end..to].find('\n').map_or(to, |len| end + len);
    (&text[from..to], start - from)
}

/// Whether the summary says that this is still to be made: then it has to name it itself.
pub(super) fn is_coined(record: &Record, item: &Item, language: &Language) -> bool {
    let (line, at) = line_of(record, item);
    let before = words(&line[..at]);
    before.iter().rev().take(6).any(|word| language.makes.contains(&word.lower))
}

/// A number with the word before it, as it may stand elsewhere: `issue 412`, `#412`.
pub(super) fn labelled(record: &Record, item: &Item) -> Vec<String> {
    let digits = item.text.trim_start_matches('#');
    let (line, at) = line_of(record, item);
    // White space stands in no word.
    let before = line[..at].split_whitespace().rev().find_map(|piece| words(piece).pop());
    let label = before.map(|word| format!("{} {digits}", word.lower));
    label.into_iter().chain([format!("#{digits}")]).collect()
}

/// Whether it stands in a formula: the summary writes one in names of its own.
pub(super) fn is_formula(record: &Record, item: &Item) -> bool {
    let (line, _) = line_of(record, item);
    line.contains(" = ")
        && [" / ", " * ", " + ", " - "].iter().any(|sign| line.contains(sign))
        && item.text.contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(field: Field, range: (usize, usize)) -> Item {
        Item { range: Some(range), ..super::super::world::item(field, "x") }
    }

    #[test]
    fn the_smallest_claim_around_an_item_holds_it() {
        let (claim, name) = (Field::Narrative, Field::Entities);
        let items = vec![
            item(claim, (0, 100)),
            item(claim, (10, 30)),
            item(name, (10, 14)),
            item(claim, (40, 50)),
            item(Field::Open, (40, 50)),
            item(claim, (120, 130)),
        ];
        let record = Record { items, ..Record::default() };
        let holders = Holders::of(&record);
        for (range, want) in [
            ((12, 16), Some(1)),
            ((10, 30), Some(1)),
            ((28, 32), Some(0)),
            ((41, 42), Some(3)),
            ((90, 101), None),
            ((125, 126), Some(5)),
            ((200, 201), None),
        ] {
            assert_eq!(holders.of_item(&item(name, range)), want, "{range:?}");
        }
    }

    #[test]
    fn twice_the_claims_are_twice_the_work() {
        let steps = |claims: usize| {
            let items: Vec<Item> = (0..claims)
                .flat_map(|no| {
                    [item(Field::Narrative, (no * 10, no * 10 + 9)), item(Field::Entities, (no * 10 + 2, no * 10 + 4))]
                })
                .collect();
            let record = Record { items, ..Record::default() };
            work::steps(|| {
                let holders = Holders::of(&record);
                let held = record.items.iter().filter(|item| holders.of_item(item).is_some()).count();
                assert_eq!(held, record.items.len());
            })
        };
        let (once, twice) = (steps(1_000), steps(2_000));
        assert!(twice <= once * 2 + 10, "{once} steps, and {twice} for twice the claims");
    }
}
