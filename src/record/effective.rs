//! A record with the ledger laid over it.

use std::collections::{HashMap, HashSet};

use super::item::text_hash;
use super::{Act, Anchor, Item, Ledger, LedgerEntry, Record};
use crate::session::{Hash, MarkerKey, SessionKey};

/// An item with what was entered about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveItem<'a> {
    /// As the record holds it.
    pub item: &'a Item,
    /// The active entry about it: one that overrules it, or one that pins it as it is.
    pub corrected_by: Option<&'a LedgerEntry>,
}

impl<'a> EffectiveItem<'a> {
    /// The entry that holds instead of the item.
    pub fn overruled(&self) -> Option<&'a LedgerEntry> {
        self.corrected_by.filter(|entry| !self.is_kept_by(entry))
    }

    /// The entry by which the item stands as it is.
    pub fn pinned(&self) -> Option<&'a LedgerEntry> {
        self.corrected_by.filter(|entry| self.is_kept_by(entry))
    }

    fn is_kept_by(&self, entry: &LedgerEntry) -> bool {
        entry.draft.act == Act::Pinned && text_hash(&entry.draft.text) == self.item.hash()
    }
}

/// What a record says once the ledger is laid over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effective<'a> {
    /// One for each item of the record, in its order.
    pub items: Vec<EffectiveItem<'a>>,
    /// Active entries on this marker whose item cannot be found again: shown, never dropped.
    pub orphans: Vec<&'a LedgerEntry>,
}

impl Effective<'_> {
    /// How many claims somebody checked, corrected or pinned, and how many there are.
    pub fn progress(&self, reviewed: &[usize]) -> (usize, usize) {
        let reviewed: HashSet<usize> = reviewed.iter().copied().collect();
        let claims = self.items.iter().enumerate().filter(|(_, laid)| laid.item.field.is_claim());
        let done = |(at, laid): &(usize, &EffectiveItem)| reviewed.contains(at) || laid.corrected_by.is_some();
        let (mut checked, mut all) = (0, 0);
        for claim in claims {
            all += 1;
            checked += usize::from(done(&claim));
        }
        (checked, all)
    }
}

/// Lays the ledger over a record. A correction made at any marker also holds for equal claims of this one.
pub fn lay<'a>(record: &'a Record, ledger: &'a Ledger, session: &SessionKey, marker: &MarkerKey) -> Effective<'a> {
    lay_known(record, &|at| record.items[at].hash(), ledger, session, marker)
}

/// The active entry about one item, whose hash is known.
pub fn entered<'a>(
    item: &Item,
    hash: Hash,
    ledger: &'a Ledger,
    session: &SessionKey,
    marker: &MarkerKey,
) -> Option<&'a LedgerEntry> {
    let anchored = ledger.active().filter_map(|entry| Some((entry, entry.draft.corrects.as_ref()?)));
    let about = anchored.filter(|(_, anchor)| anchor.session == *session && anchor.hash == hash);
    let about: Vec<(&LedgerEntry, &Anchor)> = about.collect();
    newest(&about, item, session, marker)
}

/// Of the entries about an item's words the newest on this item, else the newest on the same words elsewhere.
fn newest<'a>(
    about: &[(&'a LedgerEntry, &Anchor)],
    item: &Item,
    session: &SessionKey,
    marker: &MarkerKey,
) -> Option<&'a LedgerEntry> {
    let own = about.iter().rev().find(|(_, anchor)| anchor.holds(item, session, marker));
    let repeated = || about.iter().rev().find(|(_, anchor)| anchor.marker != *marker);
    own.or_else(repeated).map(|(entry, _)| *entry)
}

/// Lays the ledger over a record whose items' hashes are known: each is asked for by the item's index.
pub fn lay_known<'a>(
    record: &'a Record,
    hash: &dyn Fn(usize) -> Hash,
    ledger: &'a Ledger,
    session: &SessionKey,
    marker: &MarkerKey,
) -> Effective<'a> {
    let mut by_hash: HashMap<Hash, Vec<(&LedgerEntry, &Anchor)>> = HashMap::new();
    for entry in ledger.active() {
        if let Some(anchor) = entry.draft.corrects.as_ref().filter(|anchor| anchor.session == *session) {
            by_hash.entry(anchor.hash).or_default().push((entry, anchor));
        }
    }
    let about = |at: usize, item: &Item| {
        // Most ledgers are empty, and a record may be long.
        let entries = if by_hash.is_empty() { None } else { by_hash.get(&hash(at)) }?;
        newest(entries, item, session, marker)
    };
    let items: Vec<EffectiveItem> = record
        .items
        .iter()
        .enumerate()
        .map(|(at, item)| EffectiveItem { item, corrected_by: about(at, item) })
        .collect();
    let shown: HashSet<u32> = items.iter().filter_map(|laid| Some(laid.corrected_by?.no)).collect();
    let mut orphans: Vec<&LedgerEntry> = by_hash
        .values()
        .flatten()
        .filter(|(entry, anchor)| {
            anchor.marker.id == marker.id
                && !shown.contains(&entry.no)
                && anchor.find(record, session, marker).is_none()
        })
        .map(|(entry, _)| *entry)
        .collect();
    orphans.sort_by_key(|entry| entry.no);
    Effective { items, orphans }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Draft, EntryKind, Field, Verdict, Via, entry_hash};

    fn marker(id: &str) -> MarkerKey {
        MarkerKey { id: id.into(), summary: Hash::of(id.as_bytes()) }
    }

    /// A record whose summary is the given claims, one a line, all in one field.
    fn record(field: Field, claims: &[&str]) -> Record {
        let mut record = Record::default();
        for claim in claims {
            let start = record.summary.len();
            record.summary.push_str(claim);
            record.items.push(Item {
                field,
                text: (*claim).into(),
                range: Some((start, start + claim.len())),
                detail: crate::record::Detail::Plain,
                sources: Vec::new(),
                verdict: Verdict::Unchecked,
                why: None,
                better: None,
                own: None,
            });
            record.summary.push('\n');
        }
        record
    }

    fn correcting(anchor: Anchor, session: &SessionKey) -> Ledger {
        entered(anchor, session, Act::Reopened, "asked, not decided")
    }

    fn entered(anchor: Anchor, session: &SessionKey, act: Act, text: &str) -> Ledger {
        let draft = Draft {
            kind: EntryKind::Open,
            act,
            outcome: None,
            text: text.into(),
            corrects: Some(anchor),
            target: None,
            source: None,
            via: Via::Tui,
            author: "mara".into(),
            reason: None,
            proposed: false,
            origin: None,
        };
        let hash = entry_hash(1, session, 0, &draft, Hash::ZERO);
        Ledger::replay([LedgerEntry { no: 1, session: session.clone(), at: 0, draft, prev: Hash::ZERO, hash }])
    }

    /// A correction of the second claim of marker k1, laid over this record of the named marker: which claims it
    /// overrules, and how many entries are orphans.
    fn check(name: &str, field: Field, claims: &[&str], overruled: &[usize], orphans: usize) {
        let session = SessionKey::new("stet", "s");
        let original = record(Field::Decisions, &["keep the column", "make it an enum"]);
        let ledger = correcting(Anchor::to(&original.items[1], &session, &marker("k1")), &session);
        let record = record(field, claims);
        let effective = lay(&record, &ledger, &session, &marker(name));
        let got: Vec<usize> = effective
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.corrected_by.is_some())
            .map(|(at, _)| at)
            .collect();
        assert_eq!((got.as_slice(), effective.orphans.len()), (overruled, orphans), "{name} {claims:?}");
    }

    #[test]
    fn a_correction_overrules_its_item_and_no_other() {
        check("k1", Field::Decisions, &["keep the column", "make it an enum"], &[1], 0);
    }

    #[test]
    fn a_record_lifted_anew_may_put_the_item_in_another_field() {
        check("k1", Field::Open, &["keep the column", "make  it an\tenum"], &[1], 0);
    }

    #[test]
    fn later_markers_that_repeat_the_claim_show_it_as_corrected() {
        check("k2", Field::Decisions, &["make it an enum", "ship it"], &[0], 0);
    }

    #[test]
    fn a_correction_whose_item_is_gone_is_an_orphan() {
        check("k1", Field::Decisions, &["keep the column", "something else"], &[], 1);
        check("k1", Field::Decisions, &["keep the column, and the rest of the table", "make it an enum"], &[], 1);
    }

    #[test]
    fn an_item_pinned_as_it_is_stands_and_one_pinned_in_other_words_is_overruled() {
        let session = SessionKey::new("stet", "s");
        let record = record(Field::Decisions, &["keep the column"]);
        for (act, text, overruled) in [
            (Act::Pinned, "keep  the column", false),
            (Act::Pinned, "keep the table", true),
            (Act::Reworded, "keep the column", true),
            (Act::NeverSaid, "keep the column", true),
        ] {
            let ledger = entered(Anchor::to(&record.items[0], &session, &marker("k1")), &session, act, text);
            let laid = lay(&record, &ledger, &session, &marker("k1"));
            let got = (laid.items[0].overruled().is_some(), laid.items[0].pinned().is_some());
            assert_eq!(got, (overruled, !overruled), "{act:?} {text}");
            assert_eq!(laid.progress(&[]), (1, 1), "somebody looked at it either way");
        }
    }

    #[test]
    fn a_rewritten_summary_that_repeats_the_claim_shows_the_correction_once() {
        let session = SessionKey::new("stet", "s");
        let before = record(Field::Decisions, &["make it an enum"]);
        let ledger = correcting(Anchor::to(&before.items[0], &session, &marker("k1")), &session);
        let rewritten = MarkerKey { summary: Hash::of(b"written anew"), ..marker("k1") };
        for (claims, overruled, orphans) in [(["make it an enum"], 1, 0), (["something else"], 0, 1)] {
            let after = record(Field::Decisions, &claims);
            let laid = lay(&after, &ledger, &session, &rewritten);
            let got = (laid.items.iter().filter(|laid| laid.overruled().is_some()).count(), laid.orphans.len());
            assert_eq!(got, (overruled, orphans), "{claims:?}");
        }
    }
}
