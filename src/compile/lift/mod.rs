//! A prose summary lifted into a record: claims with their field, and what the text holds of entities and figures.
//! No original is looked at here; [`super::Tying`] finds the sources.

mod claims;
mod context;
mod field;

use std::collections::HashSet;
use std::ops::Range;

use crate::extract::{figures, identifiers};
use crate::record::{Detail, Field, Item, Record, Verdict};

use claims::{Claim, claims};

/// The version of these rules: a record that other rules lifted is lifted anew.
pub const RULES: u32 = 1;

/// The record that this summary is, read mechanically. Every item has its byte range, no source yet, and says that it
/// is not checked.
pub fn lift(summary: &str) -> Record {
    let outline = claims(summary);
    let mut items: Vec<Item> = outline.claims.iter().map(|claim| stated(summary, claim)).collect();
    items.extend(mentioned(summary, &outline.boilerplate));
    items.sort_by_key(|item| (item.field, item.range));
    Record { items, summary: summary.to_owned(), rules: RULES }
}

fn stated(summary: &str, claim: &Claim) -> Item {
    let text = &summary[claim.range.clone()];
    let field = field::of(text, claim.context);
    let detail = match field {
        Field::RuledOut => {
            let (claim, evidence) = field::ruled_out(text);
            Detail::RuledOut { claim, evidence }
        }
        Field::Actions => Detail::Action { tool: field::tool(text), args: String::new(), ok: None },
        Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Decisions | Field::Open => {
            Detail::Plain
        }
    };
    item(field, text, claim.range.clone(), detail)
}

/// Entities and figures, each once, where it stands first.
fn mentioned(summary: &str, boilerplate: &[Range<usize>]) -> Vec<Item> {
    let said = |range: &Range<usize>| !boilerplate.iter().any(|b| b.start <= range.start && range.start < b.end);
    let named = identifiers(summary);
    let mut items = Vec::new();
    let mut seen = HashSet::new();
    for one in named.iter().filter(|one| said(&one.range)) {
        let text = &summary[one.range.clone()];
        if seen.insert(text) {
            items.push(item(Field::Entities, text, one.range.clone(), Detail::Entity { class: one.class.name().to_owned() }));
        }
    }
    let mut seen = HashSet::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for one in &named {
        // A command holds other identifiers and perhaps figures; those are found on their own.
        if one.class != crate::extract::Class::Command && one.class != crate::extract::Class::Code {
            taken.push(one.range.clone());
        }
    }
    for figure in figures(summary, &taken).into_iter().filter(|figure| said(&figure.range)) {
        let text = &summary[figure.range.clone()];
        if seen.insert((text, figure.label.to_lowercase())) {
            let detail = Detail::Figure { label: figure.label, value: figure.value, unit: figure.unit };
            items.push(item(Field::Figures, text, figure.range, detail));
        }
    }
    items
}

fn item(field: Field, text: &str, range: Range<usize>, detail: Detail) -> Item {
    Item {
        field,
        text: text.to_owned(),
        range: Some((range.start, range.end)),
        detail,
        sources: Vec::new(),
        verdict: Verdict::Unchecked,
        why: Some("not checked yet".to_owned()),
        better: None,
        own: None,
    }
}

#[cfg(test)]
mod tests;
