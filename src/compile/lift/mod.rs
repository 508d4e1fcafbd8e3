//! A prose summary lifted into a record: claims with their field, and what the text holds of entities and figures.
//! No original is looked at here; [`super::Tying`] finds the sources.

mod claims;
mod context;
mod field;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::extract::{figures, identifiers};
use crate::record::{Detail, Field, Item, Record, Verdict};

use claims::{Claim, Claims, claims};

/// The version of these rules: a record that other rules lifted is lifted anew.
pub const RULES: u32 = 1;

/// The record that this summary is, read mechanically. Every item has its byte range, no source yet, and says that it
/// is not checked.
pub fn lift(summary: &str) -> Record {
    let outline = claims(summary);
    let mut items: Vec<Item> = outline.claims.iter().map(|claim| stated(summary, claim)).collect();
    items.extend(mentioned(summary, &outline));
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

/// Entities and figures, each once: an entity where a claim begins with it, for that is the claim about it; else, and
/// a figure always, where it stands first.
fn mentioned(summary: &str, outline: &Claims) -> Vec<Item> {
    let said = |range: &Range<usize>| {
        let next = outline.boilerplate.partition_point(|frame| frame.end <= range.start);
        outline.boilerplate.get(next).is_none_or(|frame| frame.start > range.start)
    };
    let named = identifiers(summary);
    let mut items = Vec::new();
    let heads: HashSet<usize> = outline.claims.iter().map(|claim| head(summary, claim)).collect();
    let mut places: HashMap<&str, (usize, bool)> = HashMap::new();
    for (at, one) in named.iter().enumerate().filter(|(_, one)| said(&one.range)) {
        let heads_claim = heads.contains(&one.range.start);
        let place = places.entry(summary[one.range.clone()].trim_end_matches("()")).or_insert((at, heads_claim));
        if heads_claim && !place.1 {
            *place = (at, true);
        }
    }
    for (at, one) in named.iter().enumerate() {
        let text = &summary[one.range.clone()];
        if places.get(text.trim_end_matches("()")).is_some_and(|(place, _)| *place == at) {
            items.push(item(
                Field::Entities,
                text,
                one.range.clone(),
                Detail::Entity { class: one.class.name().to_owned() },
            ));
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

/// Where a claim's first word stands, behind its mark-up.
fn head(summary: &str, claim: &Claim) -> usize {
    let text = &summary[claim.range.clone()];
    claim.range.start + text.len() - text.trim_start_matches(['*', '`', '"', ' ']).len()
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
