//! Checked markers held against each other, the ledger and what was said to be a wrong alarm. What depends on any of these
//! is worked out anew each time; it reads nothing.

use std::sync::Arc;

use super::MarkerRecord;
use super::pool::both;
use crate::audit::{Alone, Calls, Measured, across, retention, warnings};
use crate::record::{Alarm, Checked, Ledger, Record, Verdict};
use crate::session::{Compaction, SessionKey};

/// Markers as the check of each alone left them, in their order, made whole.
pub(super) fn finish(
    threads: usize,
    session: &SessionKey,
    mut markers: Vec<MarkerRecord>,
    ledger: &Ledger,
    alarms: &[Alarm],
    calls: &Calls,
) -> Vec<MarkerRecord> {
    let alone = markers.iter().map(|marker| Alone {
        compaction: &marker.compaction,
        record: &marker.record,
        findings: marker.findings().to_vec(),
    });
    let alone: Vec<Alone> = alone.collect();
    let nothing = Record::default();
    let measured: Vec<Measured> = markers
        .iter()
        .map(|marker| Measured {
            compaction: &marker.compaction,
            record: &marker.record,
            compiled: marker.checked.as_ref().map_or(&nothing, |checked| &*checked.compiled),
        })
        .collect();
    let (measures, among) = both(threads, || retention(&measured), || across(session, alone, ledger, alarms));
    let plain: Vec<(&Compaction, &Record)> =
        markers.iter().map(|marker| (&marker.compaction, &*marker.record)).collect();
    let warned = warnings(&plain, calls);
    for (((marker, among), measure), warnings) in markers.iter_mut().zip(among).zip(measures).zip(warned) {
        for at in among.laundered {
            Arc::make_mut(&mut marker.record).items[at].verdict = Verdict::Laundered;
        }
        let alone = marker.checked.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        marker.checked = Some(Arc::new(Checked {
            findings: among.findings,
            corrected: among.corrected,
            wrong_alarms: among.wrong_alarms,
            retention: measure.all,
            stretches: measure.stretches,
            first: measure.first,
            warnings,
            ..alone
        }));
    }
    markers
}
