//! The findings that a marker shows: those that were made at it, and those of other markers that it says again.

use std::borrow::Cow;

use crate::record::{Finding, Lookup, text_hash};
use crate::view::named;
use crate::workbench::MarkerRecord;

/// A finding as one marker shows it.
pub struct Found<'a> {
    /// The marker at which it is told in full, and its place there.
    pub at: (u32, usize),
    /// What was found.
    pub finding: &'a Finding,
    /// The item of this marker's record that says it; `None` for what is not in it.
    pub item: Option<usize>,
    /// The entry that corrects it: `L3`.
    pub corrected: Option<u32>,
}

impl Found<'_> {
    /// What this marker says there, or what is missing from it.
    pub fn text<'t>(&'t self, here: &'t MarkerRecord) -> Cow<'t, str> {
        match self.item.map(|item| &here.record.items[item]) {
            // A finding may quote less than its item holds.
            Some(item) if self.at.0 != here.compaction.no || item.text == self.finding.text => named(item),
            Some(_) | None => Cow::Borrowed(&self.finding.text),
        }
    }
}

/// Those that a marker shows: its own, then those that it says again; worst first.
pub fn found_at<'a>(records: &'a [MarkerRecord], here: &MarkerRecord) -> Vec<Found<'a>> {
    let no = here.compaction.no;
    let lookup = Lookup::new(&here.record);
    let item = |of: u32, finding: &Finding| match finding.item {
        Some(item) if of == no => Some(item),
        Some(_) => lookup.repeating(finding, &text_hash(&finding.text), &here.record),
        None => None,
    };
    let (own, others): (Vec<_>, Vec<_>) = records.iter().partition(|marked| marked.compaction.no == no);
    let told = own.into_iter().chain(others).flat_map(|marked| {
        let of = marked.compaction.no;
        let corrected = |nth| marked.checked.as_ref().and_then(|checked| checked.corrected_by(nth));
        let shown = marked.findings().iter().enumerate().filter(move |(_, one)| of == no || one.markers.contains(&no));
        shown.map(move |(nth, finding)| (of, nth, finding, corrected(nth)))
    });
    told.map(|(of, nth, finding, corrected)| Found { at: (of, nth), finding, item: item(of, finding), corrected })
        .collect()
}
