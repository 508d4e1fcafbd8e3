//! The ledger as a screen: entries newest first, and what an agent will be told.

use super::jump::{go_to, remember};
use super::layer::Layer;
use super::state::{Goal, Pending};
use super::{Effect, State};
use crate::record::{Ledger, LedgerEntry, Standing, Status};
use crate::session::Place;
use crate::workbench::Spot;

/// Opens it, and asks what an agent would be told.
pub(super) fn open(state: &mut State) {
    state.layers.push(Layer::Ledger { at: 0, top: 0 });
    state.ask(Pending::Told, |request| Effect::Told { request });
}

/// The entry at this row of the list: newest first.
pub(super) fn at(state: &State, at: usize) -> Option<&Standing> {
    state.known.ledger.entries.iter().rev().nth(at)
}

/// Takes in a ledger that has changed. The cursor of the screen stays on its entry.
pub(super) fn learn(state: &mut State, ledger: Ledger) {
    // A ledger only grows: a shorter one was read before the last save, and comes late.
    if ledger.entries.len() < state.known.ledger.entries.len() {
        return;
    }
    let selected = selected(state).map(|standing| standing.entry.no);
    state.known.ledger = ledger;
    state.transcript.forget_markers();
    state.told = None;
    super::findings_screen::refresh_if_open(state);
    super::auditing::start_if_due(state);
    super::window_screen::refresh_if_open(state);
    if state.layers.iter().any(|layer| matches!(layer, Layer::Ledger { .. })) {
        state.ask(Pending::Told, |request| Effect::Told { request });
    }
    let now = state.known.ledger.entries.iter().rev().position(|standing| Some(standing.entry.no) == selected);
    if let (Some(Layer::Ledger { at, .. }), Some(now)) = (state.layers.last_mut(), now) {
        *at = now;
        state.keep_cursor_on_screen();
    }
}

fn selected(state: &State) -> Option<&Standing> {
    let Some(Layer::Ledger { at, .. }) = state.layers.last() else { return None };
    self::at(state, *at)
}

fn is_saving(state: &mut State) -> bool {
    if state.is_saving() {
        state.say(format!("saving{}", state.settings.signs.more));
    }
    state.is_saving()
}

/// Whether an entry can be withdrawn, and what confirming it is called; `None` where it changes nothing.
pub(super) fn can(standing: &Standing) -> (bool, Option<&'static str>) {
    let changes_another = standing.entry.draft.act.is_about_an_entry();
    match standing.status {
        Status::Proposed => (!changes_another, Some("confirm")),
        Status::Withdrawn => (false, Some("reinstate").filter(|_| !changes_another)),
        Status::Active | Status::Superseded => (!changes_another, None),
    }
}

/// `x`: the entry no longer counts.
pub(super) fn withdraw(state: &mut State) {
    if is_saving(state) {
        return;
    }
    let Some(standing) = selected(state) else { return };
    let no = standing.entry.no;
    if standing.entry.draft.act.is_about_an_entry() {
        return state.say("this entry only changes another one: go to that one");
    }
    match standing.status {
        Status::Withdrawn => state.say(format!("L{no} is withdrawn already: a brings it back")),
        Status::Active | Status::Proposed | Status::Superseded => {
            state.ask(Pending::Withdraw { no }, |request| Effect::Withdraw { request, no });
        }
    }
}

/// `a`: a proposed entry counts from now on, a withdrawn one counts again.
pub(super) fn confirm(state: &mut State) {
    if is_saving(state) {
        return;
    }
    let Some(standing) = selected(state) else { return };
    let no = standing.entry.no;
    if standing.entry.draft.act.is_about_an_entry() && standing.status == Status::Withdrawn {
        return state.say("this entry only changes another one: go to that one");
    }
    match standing.status {
        Status::Proposed => state.ask(Pending::Confirm, |request| Effect::Confirm { request, no }),
        Status::Withdrawn => state.ask(Pending::Reinstate { no }, |request| Effect::Reinstate { request, no }),
        Status::Active | Status::Superseded => state.say(format!("L{no} is confirmed already")),
    }
}

/// `Enter`: to the turn that the entry rests on.
pub(super) fn source(state: &mut State) {
    let Some(standing) = selected(state) else { return };
    let place = place_of(&standing.entry, state);
    // An entry made where turns were numbered otherwise leads astray, so the number is the last resort.
    let turn = standing.entry.draft.source.as_ref().and_then(|source| source.turn.parse::<u32>().ok());
    match (place, turn) {
        (Some((place, range)), _) => {
            state.layers.pop();
            remember(state);
            go_to(state, Goal::Words(place, range));
        }
        (None, Some(turn)) => {
            state.layers.pop();
            remember(state);
            state.load(Spot::Turn(turn), Pending::Replace(Goal::Turn(turn)));
        }
        (None, None) => state.say("no turn of this file is known for this entry"),
    }
}

/// Where an entry's words stand. The ledger stores no byte offsets, because files move; so the place is taken from a
/// record on the screen that cites the same words, else from the turns that are loaded.
fn place_of(entry: &LedgerEntry, state: &State) -> Option<(Place, Option<(usize, usize)>)> {
    let quote = entry.draft.source.as_ref()?;
    let cited =
        state.known.records.values().flat_map(|record| &record.record.items).flat_map(|item| &item.sources).find(
            |source| source.turn_id == quote.turn_id && source.hash == quote.hash && source.line_id == quote.line_id,
        );
    if let Some(source) = cited {
        return Some((source.place, Some(source.range)));
    }
    let place = state.place_of_line(quote.line_id.as_deref()?, quote.part)?;
    Some((place, Some(quote.range)))
}
