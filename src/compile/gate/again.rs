//! What would come of reading a record as if it were originals. The gate refuses that; here it is done on purpose, with
//! nothing kept of it, so that the loss is a number.

use std::collections::BTreeSet;

use super::super::gather::all_names;
use crate::extract::{Kind, Language, extract};
use crate::record::{Detail, Field, Record};

/// The facts of a record, and which of them are not found again in its own text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Idempotence {
    /// Identifiers, figures and things ruled out that the record holds.
    pub facts: usize,
    /// Those that its text does not give once more: the indices of the items.
    pub lost: Vec<usize>,
}

impl Idempotence {
    /// How many its text gives once more.
    pub fn again(&self) -> usize {
        self.facts - self.lost.len()
    }

    /// From 0 to 1; 1 where there is nothing to lose.
    pub fn share(&self) -> f64 {
        if self.facts == 0 { 1.0 } else { self.again() as f64 / self.facts as f64 }
    }
}

/// Reads the text of a record as originals are read: as if somebody had said it, and by the shape of names alone as calls
/// and results are. Counts which facts stand in it no more.
pub fn idempotence(record: &Record) -> Idempotence {
    let text = super::super::render::render("", record, super::super::render::Amount::Whole).text;
    let language = Language::of(&text).lists();
    let mut seen: BTreeSet<(Kind, String)> = BTreeSet::new();
    let mut denied = Vec::new();
    seen.extend(all_names(&text).map(|range| (Kind::Entities, text[range].to_owned())));
    for found in extract(&text, language) {
        match found.kind {
            Kind::Entities => drop(seen.insert((Kind::Entities, text[found.range].to_owned()))),
            Kind::Figures => drop(found.figure.map(|figure| seen.insert((Kind::Figures, figure.value)))),
            Kind::RuledOut | Kind::Negation => denied.push(found.range),
            Kind::Constraints | Kind::Decisions | Kind::Actions | Kind::Open | Kind::Hedge => {}
        }
    }
    let mut counted = Idempotence::default();
    for (at, item) in record.items.iter().enumerate() {
        let again = match (&item.detail, item.field) {
            (_, Field::Entities) => seen.contains(&(Kind::Entities, item.text.clone())),
            (Detail::Figure { value, .. }, _) => seen.contains(&(Kind::Figures, value.clone())),
            (Detail::RuledOut { claim, .. }, _) => denied.iter().any(|range| {
                let denied = &text[range.clone()];
                denied.contains(&**claim) || claim.contains(denied)
            }),
            (Detail::Plain | Detail::Entity { .. } | Detail::Action { .. }, _) => continue,
        };
        counted.facts += 1;
        if !again {
            counted.lost.push(at);
        }
    }
    counted
}
