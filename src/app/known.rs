//! What is known of the session so far. It fills up from the background and never moves what is being read.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::findings::Findings;
use super::lookup::Lookups;
use crate::record::{Anchor, CheckStage, Choice, Effective, Field, Item, Ledger, LedgerEntry, entered, lay_known};
use crate::session::{Batch, Compaction, Head, Originals, Place, Trouble};
use crate::view::{MarkerLine, Surroundings};
use crate::workbench::MarkerRecord;

/// An item of a record on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selected {
    /// The marker's number.
    pub marker: u32,
    /// The item's index in its record.
    pub item: usize,
}

/// What is known of the session so far.
#[derive(Debug)]
pub struct Known {
    /// What was known at once.
    pub head: Head,
    /// Compactions with the turn ranges they cover, in file order.
    pub markers: Vec<(Compaction, Vec<(u32, u32)>)>,
    /// Records that were asked for, by marker number.
    pub records: HashMap<u32, MarkerRecord>,
    /// Where their items are found again.
    pub(super) lookups: Lookups,
    /// What the checks of those found.
    pub findings: Findings,
    /// The last check came to no end: markers without one stay without.
    pub check_stopped: bool,
    /// The pinned entries.
    pub ledger: Ledger,
    /// What could not be read.
    pub troubles: Vec<Trouble>,
    /// The session's own turns so far.
    pub turns: u32,
    /// How far it was read.
    pub read_to: u64,
    /// The whole of it was read.
    pub complete: bool,
    /// The words around sources that were looked at; `None` where they could not be read.
    pub originals: HashMap<(Place, (usize, usize)), Option<Surroundings>>,
}

impl Known {
    /// Nothing but the head.
    pub fn new(head: Head) -> Self {
        Self {
            head,
            markers: Vec::new(),
            records: HashMap::new(),
            lookups: Lookups::default(),
            findings: Findings::default(),
            check_stopped: false,
            ledger: Ledger::default(),
            troubles: Vec::new(),
            turns: 0,
            read_to: 0,
            complete: false,
            originals: HashMap::new(),
        }
    }

    /// Takes in what the reader of the whole session found. The numbers of markers that turned out to be otherwise than
    /// they were told before come back: what was read of their records is forgotten.
    pub fn learn(&mut self, batch: Batch) -> Vec<u32> {
        let mut changed = Vec::new();
        self.head.title = batch.title.or(self.head.title.take());
        let mut covered = batch.covered.into_iter();
        for marker in batch.markers {
            let turns = covered.next().unwrap_or_default();
            let at = self.markers.partition_point(|(other, _)| other.no < marker.no);
            match self.markers.get_mut(at) {
                Some(known) if known.0.no == marker.no => {
                    let same = is_same(&known.0, &marker);
                    match self.records.get_mut(&marker.no) {
                        Some(record) if is_same(&record.compaction, &marker) => record.compaction = marker.clone(),
                        Some(_) => {
                            self.records.remove(&marker.no);
                            self.lookups.forget(marker.no);
                            self.findings.forget(marker.no);
                            changed.push(marker.no);
                        }
                        None if same => {}
                        None => changed.push(marker.no),
                    }
                    *known = (marker, turns);
                }
                _ => self.markers.insert(at, (marker, turns)),
            }
        }
        for trouble in batch.troubles {
            // They come in order; only a session that is read anew tells some again.
            let place = |trouble: &Trouble| (trouble.file, trouble.offset);
            let ahead = self.troubles.last().is_none_or(|last| place(last) < place(&trouble));
            if ahead || !self.troubles.contains(&trouble) {
                self.troubles.push(trouble);
            }
        }
        self.turns = batch.turns;
        self.read_to = batch.read_to;
        self.complete = batch.complete;
        changed
    }

    /// Takes in a record, unless what is known is more: one of the same compaction that was checked, or checked further. A checked one is not taken
    /// where the compaction has turned out to be otherwise since. Whether it was the first of its marker.
    pub fn put(&mut self, mut record: MarkerRecord) -> bool {
        let no = record.compaction.no;
        if self.marker(no).is_some_and(|marker| !is_same(marker, &record.compaction)) {
            return false;
        }
        let first = !self.records.contains_key(&no);
        if let Some(known) = self.records.get(&no) {
            let stage = |of: &MarkerRecord| of.checked.as_ref().map(|checked| checked.stage);
            let is_more = match (stage(known), stage(&record)) {
                (Some(_), None) => true,
                (Some(known), Some(stage)) => known == CheckStage::Whole && stage == CheckStage::Alone,
                (None, _) => false,
            };
            if is_more && is_same(&known.compaction, &record.compaction) {
                return false;
            }
            let texts = |of: &MarkerRecord| of.record.items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
            if record.checked.is_some() && texts(known) == texts(&record) {
                // A mark that was made while the check ran is newer than what the check read.
                record.reviewed.clone_from(&known.reviewed);
            }
        }
        if let Some(checked) = &mut record.checked {
            self.findings.put(no, checked);
            // There may be thousands of markers: what is kept elsewhere, or never shown, is let go of.
            if let Some(checked) = Arc::get_mut(checked) {
                (checked.findings, checked.wrong_alarms, checked.compiled) = Default::default();
            }
        }
        self.records.insert(no, record);
        self.lookups.forget(no);
        first
    }

    /// The compaction whose boundary or summary stands at this place.
    pub fn marker_at(&self, place: Place) -> Option<&(Compaction, Vec<(u32, u32)>)> {
        let here = |other: Place| (other.file, other.offset) == (place.file, place.offset);
        self.markers.iter().find(|(marker, _)| here(marker.place) || marker.summary.is_some_and(here))
    }

    /// The compaction with this number.
    pub fn marker(&self, no: u32) -> Option<&Compaction> {
        self.markers.iter().map(|(marker, _)| marker).find(|marker| marker.no == no)
    }

    /// The record of a marker with the ledger laid over it.
    pub fn effective(&self, no: u32) -> Option<(&MarkerRecord, Effective<'_>)> {
        let record = self.records.get(&no)?;
        let lookup = LazyCell::new(|| self.lookups.of(no, &record.record));
        let hash = |at: usize| lookup.hashes(&record.record)[at];
        Some((record, lay_known(&record.record, &hash, &self.ledger, &self.head.key, &record.compaction.key)))
    }

    /// The active entry about an item.
    pub fn entered(&self, selected: Selected) -> Option<&LedgerEntry> {
        // Most ledgers are empty, and a record may be long.
        let (record, item) = self.item(selected).filter(|_| !self.ledger.entries.is_empty())?;
        let hash = self.lookups.of(selected.marker, &record.record).hashes(&record.record)[selected.item];
        entered(item, hash, &self.ledger, &self.head.key, &record.compaction.key)
    }

    /// The item with its record.
    pub fn item(&self, selected: Selected) -> Option<(&MarkerRecord, &Item)> {
        let record = self.records.get(&selected.marker)?;
        Some((record, record.record.items.get(selected.item)?))
    }

    /// What a correction of the item holds on to.
    pub fn anchor(&self, selected: Selected) -> Option<Anchor> {
        let (record, item) = self.item(selected)?;
        Some(Anchor::to(item, &self.head.key, &record.compaction.key))
    }

    /// The item's display name: `m2.r3`.
    pub fn name(&self, selected: Selected) -> String {
        let Some((record, _)) = self.item(selected) else { return format!("m{}", selected.marker) };
        format!("m{}.{}", selected.marker, self.lookups.of(selected.marker, &record.record).names[selected.item])
    }

    /// Whether an entry is about an item that cannot be found again: the marker is not in the session, or its record,
    /// where that was read, holds no such item.
    pub fn is_gone(&self, entry: &LedgerEntry) -> bool {
        let Some(anchor) = entry.draft.corrects.as_ref().filter(|anchor| anchor.session == self.head.key) else {
            return false;
        };
        let gone = match self.markers.iter().find(|(marker, _)| marker.key.id == anchor.marker.id) {
            None => self.complete,
            Some((marker, _)) => self
                .records
                .get(&marker.no)
                .filter(|record| !record.partial)
                .is_some_and(|record| anchor.find(&record.record, &self.head.key, &record.compaction.key).is_none()),
        };
        // Where another marker says the same, the entry holds there.
        let says = |record: &MarkerRecord| record.record.items.iter().any(|item| item.hash() == anchor.hash);
        gone && !self.records.values().any(says)
    }

    /// Whether turns that a compaction reaches are missing from the file: what it says may have been said there.
    pub fn is_beginning_missing(&self, no: u32) -> bool {
        self.marker(no).is_some_and(|marker| marker.originals != Originals::Present || marker.generation.is_none())
    }

    /// Markers that a check that stopped did not come to, by number.
    pub fn left_out(&self) -> Vec<u32> {
        let is_checked = |no: &u32| self.records.get(no).is_some_and(|record| record.checked.is_some());
        let all = self.markers.iter().map(|(marker, _)| marker.no);
        all.filter(|no| self.check_stopped && !is_checked(no)).collect()
    }

    /// What is shown of a marker before its record is read.
    pub fn line(&self, place: Place) -> MarkerLine {
        let Some((marker, covered)) = self.marker_at(place) else { return MarkerLine::default() };
        // Claims that were corrected where another marker says them count here too, once the record tells which.
        let (corrected, checked) = match self.effective(marker.no) {
            Some((_, effective)) => {
                let corrected = effective.items.iter().filter(|item| item.corrected_by.is_some()).count();
                (corrected, self.tally(marker.no, &effective))
            }
            None => (self.corrections_on(marker), None),
        };
        MarkerLine {
            no: Some(marker.no),
            covered: Some(covered.clone()),
            trigger: Some(marker.trigger),
            tokens_before: marker.tokens_before,
            tokens_after: marker.tokens_after,
            generation: marker.generation,
            corrected,
            left_out: self.check_stopped && checked.is_none(),
            checked,
            beginning_missing: self.is_beginning_missing(marker.no),
        }
    }

    fn corrections_on(&self, marker: &Compaction) -> usize {
        let on = |anchor: &Anchor| anchor.session == self.head.key && anchor.marker.id == marker.key.id;
        self.ledger.active().filter(|entry| entry.draft.corrects.as_ref().is_some_and(on)).count()
    }
}

/// Whether a record of the one is a record of the other: token counts that came later change nothing in it.
fn is_same(one: &Compaction, other: &Compaction) -> bool {
    let of = |marker: &Compaction| {
        let Compaction { key, covers, reaches, generation, originals, .. } = marker.clone();
        (key, covers, reaches, generation, originals)
    };
    of(one) == of(other)
}

/// What a choice does to an item of this field, in words.
pub fn choice_words(field: Field, choice: Choice, has_source: bool) -> &'static str {
    match (choice, field) {
        (Choice::Fix, Field::RuledOut) => "not ruled out: reopen it",
        (Choice::Fix, Field::Open) => "settled: say how",
        (Choice::Fix, Field::Decisions) => "not decided: reopen it as the question it was",
        (Choice::Fix, Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Actions) => {
            if has_source {
                "wrong: put the original in its place"
            } else {
                "wrong: it was never said"
            }
        }
        (Choice::Reword, _) => "reword it",
        (Choice::WasDecided, _) => "it was decided",
        (Choice::NeverSaid, _) => "it was never said",
        (Choice::PinAsIs, _) => "pin it as it is",
    }
}

/// The key of a choice in the menu.
pub fn choice_key(choice: Choice) -> char {
    match choice {
        Choice::Fix => 'x',
        Choice::Reword => 'r',
        Choice::WasDecided => 'd',
        Choice::NeverSaid => 'n',
        Choice::PinAsIs => 'p',
    }
}
