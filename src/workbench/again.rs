//! What the check of a session found, known again by a later run of the program: as long as the session's bytes and the
//! rules are the same. Where it cannot be kept or read, the session is checked once more, and nobody is told.

use std::sync::Arc;

use super::pins::Pins;
use super::{MarkerRecord, Reading};
use crate::audit::{self, Calls};
use crate::compile;
use crate::record::Record;
use crate::session::{Compaction, FileNo, Log};
use crate::store::Audited;

/// Of the rules that lift a record and those that check it.
const RULES: u32 = (audit::RULES << 16) | compile::RULES;
/// A smaller session (bytes of its file, or rows) is checked in no time.
const LEAST_BYTES: u64 = 1 << 20;
const LEAST_ROWS: u64 = 500;

/// The outcome for each of these markers alone; `None` where it is not known.
pub(super) fn recalled(
    compactions: &[Compaction],
    log: &mut dyn Log,
    reading: &Reading,
    pins: &mut Pins,
) -> Option<(Vec<MarkerRecord>, Calls)> {
    if !is_worth_it(log, pins) {
        return None;
    }
    let key = log.head().key.clone();
    // The store is asked first: most sessions were never checked, and are not read for their fingerprint.
    let store = pins.store().ok()??;
    if !store.has_audited(&key).ok()? {
        return None;
    }
    let originals = log.fingerprint(&reading.read()).ok()??;
    let Audited { markers, answered } = pins.store().ok()??.audited(&key, RULES, originals).ok()??;
    let keys = markers.iter().map(|(key, ..)| key);
    if !keys.eq(compactions.iter().map(|compaction| &compaction.key)) {
        return None;
    }
    let marked = compactions.iter().zip(markers).map(|(compaction, (_, record, checked))| MarkerRecord {
        compaction: compaction.clone(),
        record: Arc::new(record),
        checked: Some(Arc::new(checked)),
        reviewed: Vec::new(),
        partial: false,
    });
    Some((marked.collect(), Calls::known(answered)))
}

/// Keeps the outcome for each marker alone, where there is a database that can be written. Nothing is made for that.
pub(super) fn keep(alone: &[MarkerRecord], calls: &Calls, log: &mut dyn Log, reading: &Reading, pins: &mut Pins) {
    if !is_worth_it(log, pins) {
        return;
    }
    let key = log.head().key.clone();
    let Ok(Some(originals)) = log.fingerprint(&reading.read()) else { return };
    let marker = |one: &MarkerRecord| {
        let checked = one.checked.as_deref().cloned().unwrap_or_default();
        (one.compaction.key.clone(), Record::clone(&one.record), checked)
    };
    let audited = Audited { markers: alone.iter().map(marker).collect(), answered: calls.answered().to_vec() };
    if let Ok(Some(store)) = pins.store()
        && store.notice().is_none()
    {
        store.keep_audited(&key, RULES, originals, &audited).ok();
    }
}

/// What another person's database says was found in it may say anything: only the own one is believed.
fn is_worth_it(log: &mut dyn Log, pins: &Pins) -> bool {
    let least = if log.head().rows { LEAST_ROWS } else { LEAST_BYTES };
    pins.is_own() && log.size(FileNo(0)).is_ok_and(|size| size >= least)
}
