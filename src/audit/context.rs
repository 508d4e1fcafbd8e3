//! Where in a summary a name or a figure stands: in which claim, in a heading, in something still to be made.

use crate::extract::{Language, words};
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

/// Where this item stands in its record.
pub(super) fn setting(record: &Record, item: &Item) -> Setting {
    let claim = claim_of(record, item);
    Setting { field: claim.map(|claim| claim.field), heading: line_of(record, item).0.trim_start().starts_with('#') }
}

/// The smallest claim that holds it.
pub(super) fn claim_of<'a>(record: &'a Record, item: &Item) -> Option<&'a Item> {
    let (start, end) = item.range?;
    let holds =
        |claim: &&Item| claim.field.is_claim() && claim.range.is_some_and(|(from, to)| from <= start && end <= to);
    record.items.iter().filter(holds).min_by_key(|claim| claim.range.map_or(0, |(from, to)| to - from))
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
    before.iter().rev().take(6).any(|word| language.makes.contains(word.lower.as_str()))
}

/// A number with the word before it, as it may stand elsewhere: `issue 412`, `#412`.
pub(super) fn labelled(record: &Record, item: &Item) -> Vec<String> {
    let digits = item.text.trim_start_matches('#');
    let (line, at) = line_of(record, item);
    let before = words(&line[..at]);
    let label = before.last().map(|word| format!("{} {digits}", word.lower));
    label.into_iter().chain([format!("#{digits}")]).collect()
}

/// Whether it stands in a formula: the summary writes one in names of its own.
pub(super) fn is_formula(record: &Record, item: &Item) -> bool {
    let (line, _) = line_of(record, item);
    line.contains(" = ")
        && [" / ", " * ", " + ", " - "].iter().any(|sign| line.contains(sign))
        && item.text.contains('_')
}
