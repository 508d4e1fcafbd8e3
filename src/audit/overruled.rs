//! What a compaction says again although a person had corrected it before.

use super::across::{Alone, alike};
use super::likeness::{Gist, common};
use crate::record::{Act, Anchor, EntryKind, Finding, FindingKind, Item, Ledger, LedgerEntry, Severity, text_hash};
use crate::session::{Compaction, SourceRef};

/// So much of an entry's words an item must hold, in hundredths, to be about the same.
const ABOUT: usize = 60;
/// An item this sure takes an open entry for settled.
const SURE: u8 = 5;

/// The items of a marker that contradict an entry that was active before it.
pub fn findings(marker: &Alone, ledger: &Ledger, markers: &[Alone]) -> Vec<Finding> {
    let standing: Vec<Standing> = ledger
        .active()
        .filter(|entry| is_before(entry, marker.compaction, markers))
        .map(|entry| Standing {
            entry,
            said: Gist::of(&entry.draft.text),
            wrong: entry.draft.corrects.as_ref().map(|anchor| (anchor, Gist::of(&anchor.text))),
        })
        .collect();
    if standing.is_empty() {
        return Vec::new();
    }
    let items = marker.record.items.iter().enumerate();
    items
        .filter_map(|(at, item)| {
            let gist = Gist::of_item(item);
            let one = standing.iter().find(|one| one.is_contradicted(item, &gist))?;
            Some(finding(marker, at, item, one.entry, markers))
        })
        .collect()
}

/// Whether an entry was made before a compaction. Where the time of the compaction is not known, those after the marker
/// that was corrected count as later.
fn is_before(entry: &LedgerEntry, compaction: &Compaction, markers: &[Alone]) -> bool {
    let corrected = entry.draft.corrects.as_ref().and_then(|anchor| {
        markers.iter().find(|marker| marker.compaction.key == anchor.marker).map(|marker| marker.compaction.no)
    });
    match (compaction.at, corrected) {
        (Some(at), _) => entry.at < at,
        (None, Some(corrected)) => corrected < compaction.no,
        (None, None) => false,
    }
}

/// An entry as it stands when a compaction comes.
struct Standing<'a> {
    entry: &'a LedgerEntry,
    said: Gist,
    /// The words that it corrects.
    wrong: Option<(&'a Anchor, Gist)>,
}

impl Standing<'_> {
    fn is_contradicted(&self, item: &Item, gist: &Gist) -> bool {
        let draft = &self.entry.draft;
        if item.hash() == text_hash(&draft.text) && !matches!(draft.act, Act::NeverSaid | Act::Reopened | Act::Settled)
        {
            return false;
        }
        let again = self.wrong.as_ref().is_some_and(|(anchor, wrong)| {
            let same_words = anchor.hash == item.hash() && (anchor.field.is_claim() == item.field.is_claim());
            let same_claim = item.field == anchor.field && alike(wrong, gist);
            // An entry that keeps the words in another field (a decision that is open again) is borne out there.
            let borne_out = self.entry.field() == Some(item.field);
            (same_words || same_claim && !alike(&self.said, gist)) && !borne_out
        });
        let pinned_as_it_is = draft.act == Act::Pinned
            && self.wrong.as_ref().is_some_and(|(anchor, _)| anchor.hash == text_hash(&draft.text));
        (again && !pinned_as_it_is) || self.has_another_value(item, gist) || self.is_taken_for_settled(item, gist)
    }

    /// The same thing with another value: most of the entry's words, and none of its values.
    fn has_another_value(&self, item: &Item, gist: &Gist) -> bool {
        let states = !matches!(self.entry.draft.kind, EntryKind::NeverSaid | EntryKind::Open | EntryKind::RuledOut);
        states && item.field.is_claim() && self.said.differs_in_value(gist) && self.is_about(gist)
    }

    /// What a person opened again is told as decided, wanted or done.
    fn is_taken_for_settled(&self, item: &Item, gist: &Gist) -> bool {
        let open = self.entry.draft.kind == EntryKind::Open && self.entry.draft.act == Act::Reopened;
        let settled = matches!(item.field, crate::record::Field::Decisions | crate::record::Field::RuledOut);
        let about_wrong = self.wrong.as_ref().is_some_and(|(anchor, wrong)| {
            anchor.field == item.field && holds(wrong, gist) && wrong.negated == gist.negated
        });
        open && settled && gist.certainty >= SURE && (about_wrong || self.is_about(gist))
    }

    fn is_about(&self, gist: &Gist) -> bool {
        holds(&self.said, gist)
    }
}

/// Whether one text holds most of the words of another, values apart.
fn holds(wanted: &Gist, text: &Gist) -> bool {
    let words: Vec<&String> = wanted.stems.iter().filter(|stem| !wanted.values.contains(stem)).collect();
    let held = common(&wanted.stems, &text.stems).filter(|stem| !wanted.values.iter().any(|v| v == stem)).count();
    held >= 2 && held * 100 >= words.len() * ABOUT
}

fn finding(marker: &Alone, at: usize, item: &Item, entry: &LedgerEntry, markers: &[Alone]) -> Finding {
    let sources: Vec<SourceRef> =
        quoted(entry, markers).into_iter().chain(item.sources.iter().cloned()).take(1).collect();
    let says = match entry.draft.act {
        Act::NeverSaid => "says that nobody said so".to_owned(),
        Act::Reopened => format!("says that it is open: “{}”", entry.draft.text),
        Act::Replaced
        | Act::Reworded
        | Act::Settled
        | Act::Pinned
        | Act::Confirmed
        | Act::Withdrawn
        | Act::Reinstated => format!("says “{}”", entry.draft.text),
    };
    let why = format!("L{} {says}; this compaction was made after it and says otherwise again", entry.no);
    let of = (marker.compaction.no, at, item);
    Finding { sources, ..Finding::of(of, FindingKind::Overruled, Severity::High, why) }
}

/// The words that the entry rests on, where some record rests on them as well and knows their place.
fn quoted(entry: &LedgerEntry, markers: &[Alone]) -> Option<SourceRef> {
    let quote = entry.draft.source.as_ref()?;
    let mut sources = markers.iter().flat_map(|marker| &marker.record.items).flat_map(|item| &item.sources);
    sources.find(|source| source.turn_id == quote.turn_id && source.hash == quote.hash).cloned()
}
