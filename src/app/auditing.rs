//! The check of all records in the background: when it is started, and what its answers change. Nothing waits for it.

use super::known::Known;
use super::state::{Goal, Pending};
use super::{Effect, Request, State, findings_screen};
use crate::record::{Act, FindingKind, Standing};
use crate::view::Piece;
use crate::workbench::MarkerRecord;

/// Turns after which what was found is looked at again: only they can tell what was missed.
const AGAIN: u32 = 20;

/// What the last check saw, and how far the present one has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Auditing {
    /// What there was when it was started; `None` before the first.
    seen: Option<Extent>,
    /// Records that it told so far: of a first check those of all markers alone, and behind them whole.
    told: usize,
}

/// How much there is to check, and entries that it is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    markers: usize,
    turns: u32,
    entries: usize,
}

/// Starts the check once the session is read, and again when there is a new marker, when much was said since, or when an
/// entry changes what a later compaction contradicts. Whether a finding is corrected needs no check: it is seen at once.
pub(super) fn start_if_due(state: &mut State) {
    let (markers, turns) = (state.known.markers.len(), state.known.turns);
    let entries = state.known.ledger.entries.len();
    if !state.known.complete || markers == 0 {
        return;
    }
    let due = match state.auditing.seen {
        None => true,
        Some(before) if before.markers != markers => true,
        Some(before) => {
            (turns >= before.turns.saturating_add(AGAIN) || overrules(&state.known, before.entries))
                && !state.waits_for(&Pending::Audit)
        }
    };
    if due {
        state.pending.retain(|_, pending| *pending != Pending::Audit);
        state.auditing = Auditing { seen: Some(Extent { markers, turns, entries }), told: 0 };
        state.known.check_stopped = false;
        state.ask(Pending::Audit, |request| Effect::Audit { request });
    }
}

/// Whether entries behind the first so many may raise or settle a finding that a compaction says again what had been
/// corrected. A new entry is later than every compaction whose time is known.
fn overrules(known: &Known, before: usize) -> bool {
    let fresh = known.ledger.entries.get(before..).unwrap_or_default();
    let brings_back = |standing: &Standing| match standing.entry.draft.act {
        Act::Withdrawn | Act::Reinstated | Act::Confirmed => true,
        Act::Reopened | Act::Replaced | Act::Reworded | Act::Settled | Act::NeverSaid | Act::Pinned => false,
    };
    let raised = |at| known.findings.get(at).is_some_and(|raised| raised.finding.kind == FindingKind::Overruled);
    !fresh.is_empty()
        && (fresh.iter().any(brings_back)
            || known.markers.iter().any(|(marker, _)| marker.at.is_none())
            || known.findings.all().into_iter().any(raised))
}

/// Which marker is being checked now, of how many.
pub(super) fn progress(state: &State) -> Option<(usize, usize)> {
    let all = state.known.markers.len();
    state.waits_for(&Pending::Audit).then(|| ((state.auditing.told + 1).min(all), all))
}

/// Whether every record was checked once.
pub(super) fn is_done(state: &State) -> bool {
    state.auditing.seen.is_some() && !state.waits_for(&Pending::Audit)
}

/// The checked record of a marker. Who reads it keeps their place.
pub(super) fn checked(state: &mut State, request: Request, record: MarkerRecord) {
    if state.pending.get(&request) != Some(&Pending::Audit) {
        return;
    }
    state.auditing.told += 1;
    take(state, record);
    // Of very many markers not each one makes the list anew.
    if state.auditing.told.is_multiple_of(1 + state.auditing.told / 32) {
        findings_screen::refresh_if_open(state);
    }
}

/// The check came to its end.
pub(super) fn done(state: &mut State, request: Request) {
    if state.pending.get(&request) == Some(&Pending::Audit) {
        state.pending.remove(&request);
        findings_screen::refresh_if_open(state);
        start_if_due(state);
    }
}

/// The check failed: what it did not come to is said to be unchecked.
pub(super) fn stopped(state: &mut State, why: &str) {
    state.known.check_stopped = true;
    state.transcript.forget_markers();
    findings_screen::refresh_if_open(state);
    state.warn(format!("checking the records stopped: {why}"));
}

/// Puts a record in place of the one that is shown.
pub(super) fn take(state: &mut State, record: MarkerRecord) {
    let no = record.compaction.no;
    let row = state.transcript.cursor_row(&state.known, &state.settings);
    let first = state.known.put(record);
    state.transcript.forget_markers();
    if let Some((cursor, place)) = state.hit.filter(|(cursor, _)| Some(*cursor) == state.transcript.cursor())
        && state.transcript.marker_of(cursor.node, &state.known) == Some(no)
        && !state.needle.is_empty()
    {
        // A hit led to this record: now there are rows to show it.
        return state.rest_on(&Goal::Hit(place));
    }
    let on_line = state.transcript.cursor().filter(|mark| mark.piece == Piece::Marker).map(|mark| mark.node);
    let open = on_line.is_some_and(|id| state.transcript.is_open(id, Piece::Marker));
    if first && open && on_line == state.transcript.marker_node(no, &state.known) {
        // Now there are rows below it: the line goes where unfolding wanted it.
        state.transcript.place_cursor(1, &state.known, &state.settings);
    } else if let Some(row) = row {
        state.transcript.place_cursor(row, &state.known, &state.settings);
    }
}
