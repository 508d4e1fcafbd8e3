//! Identifiers: one that stands nowhere before the marker was never said.

use crate::record::{Field, Finding, FindingKind, Severity};

use super::Case;

/// What is wrong with the identifiers of a record.
pub fn findings(case: &Case) -> Vec<Finding> {
    if !case.is_whole() {
        return Vec::new();
    }
    let here = case.compaction.place.offset;
    let unknown = |text: &str| case.presence.is_before(text, here) == Some(false);
    case.record
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.field == Field::Entities && unknown(&item.text))
        .map(|(at, item)| Finding {
            kind: FindingKind::Invented,
            severity: Severity::High,
            field: item.field,
            item: Some(at),
            text: item.text.clone(),
            summary_range: item.range,
            markers: vec![case.compaction.no],
            sources: Vec::new(),
            needed_again: Vec::new(),
            acted_on: Vec::new(),
            decisive: vec![(0, item.text.len())],
            decisive_there: Vec::new(),
            why: format!("{} stands in no turn before this compaction", item.text),
        })
        .collect()
}
