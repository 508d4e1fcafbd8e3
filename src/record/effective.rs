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
