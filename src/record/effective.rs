//! A record with the ledger laid over it.

use super::{Anchor, Item, Ledger, LedgerEntry, Record};
use crate::session::{MarkerKey, SessionKey};

/// An item with what was entered about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveItem<'a> {
    /// As the record holds it.
    pub item: &'a Item,
    /// The active entry that overrules it.
    pub corrected_by: Option<&'a LedgerEntry>,
}

/// What a record says once the ledger is laid over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effective<'a> {
    /// One for each item of the record, in its order.
    pub items: Vec<EffectiveItem<'a>>,
    /// Active entries on this marker whose item cannot be found again: shown, never dropped.
    pub orphans: Vec<&'a LedgerEntry>,
}

/// Lays the ledger over a record. A correction made at any marker also holds for equal claims of this one.
pub fn lay<'a>(record: &'a Record, ledger: &'a Ledger, session: &SessionKey, marker: &MarkerKey) -> Effective<'a> {
    let items = record
        .items
        .iter()
        .map(|item| {
            let anchor = Anchor::to(item, session, marker);
            let repeated = || {
                ledger
                    .active()
                    .filter(|entry| {
                        entry.draft.corrects.as_ref().is_some_and(|other| {
                            other.session == *session && other.marker != *marker && other.hash == anchor.hash
                        })
                    })
                    .last()
            };
            EffectiveItem { item, corrected_by: ledger.on(&anchor).or_else(repeated) }
        })
        .collect();
    let orphans = ledger
        .active()
        .filter(|entry| {
            entry.draft.corrects.as_ref().is_some_and(|anchor| {
                anchor.session == *session
                    && anchor.marker.id == marker.id
                    && anchor.find(record, session, marker).is_none()
            })
        })
        .collect();
    Effective { items, orphans }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Act, Draft, EntryKind, Field, Verdict, Via, entry_hash};
    use crate::session::Hash;

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
        let draft = Draft {
            kind: EntryKind::Open,
            act: Act::Reopened,
            outcome: None,
            text: "asked, not decided".into(),
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
}
