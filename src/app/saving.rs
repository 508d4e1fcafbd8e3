//! What a person entered in this run: what is said once it is stored, and how it is taken back and brought back.

use super::findings::FindingAt;
use super::known::{Known, Selected};
use super::layer::Layer;
use super::state::{Pending, Way};
use super::transcript::{Mark, next_unchecked};
use super::{Effect, Request, State, ledger_screen};
use crate::record::Act;
use crate::view::Piece;
use crate::workbench::Saved;

/// Something that was stored in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// The entry with this number.
    Entry(u32),
    /// A review mark, made or taken back.
    Review(Selected, bool),
    /// A word on a finding: that it is a wrong alarm, or that it is none after all.
    Alarm(FindingAt, bool),
}

pub(super) fn saved(state: &mut State, request: Request, saved: Saved) {
    let Some(pending) = state.pending.remove(&request) else { return };
    let no = saved.entry.no;
    let told = match saved.told {
        crate::workbench::Hearing::NoAgentConnected => "no agent is connected yet",
    };
    ledger_screen::learn(state, saved.ledger);
    let dot = state.settings.signs.dot;
    let (text, undo) = match pending {
        Pending::Correct { note } => {
            state.mine.push(Done::Entry(no));
            state.undone.clear();
            if matches!(state.layers.last(), Some(Layer::Reword { .. } | Layer::Settle { .. })) {
                state.layers.pop();
            }
            let note = note.map_or_else(String::new, |note| format!(" {dot} {note}"));
            let holds = holds(&state.known, no).map_or_else(String::new, |holds| format!(" {dot} {holds}"));
            (format!("saved as L{no} {dot} {told}{holds}{note}"), true)
        }
        Pending::Withdraw { no: target } => {
            moved(&mut state.mine, &mut state.undone, Done::Entry(target));
            (format!("L{target} is withdrawn {dot} saved as L{no} {dot} U brings it back"), false)
        }
        Pending::Reinstate { no: target } => {
            moved(&mut state.undone, &mut state.mine, Done::Entry(target));
            (format!("L{target} counts again {dot} saved as L{no} {dot} {told}"), true)
        }
        Pending::Confirm => (format!("confirmed {dot} saved as L{no} {dot} {told}"), false),
        other => {
            state.pending.insert(request, other);
            return;
        }
    };
    state.say(text);
    if let Some(notice) = &mut state.notice {
        notice.undo = undo && saved.entry.draft.act != Act::Confirmed;
    }
}

/// From one list to the end of the other, if it is in it.
fn moved(from: &mut Vec<Done>, to: &mut Vec<Done>, done: Done) {
    if from.contains(&done) {
        from.retain(|other| *other != done);
        to.push(done);
    }
}

/// The markers on which an entry counts, when there are several: those whose records were read.
fn holds(known: &Known, no: u32) -> Option<String> {
    let mut markers: Vec<u32> = known.records.keys().copied().collect();
    markers.sort_unstable();
    markers.retain(|marker| {
        known.effective(*marker).is_some_and(|(_, effective)| {
            effective.items.iter().any(|item| item.corrected_by.is_some_and(|entry| entry.no == no))
        })
    });
    let names: Vec<String> = markers.iter().map(|marker| format!("m{marker}")).collect();
    match names.as_slice() {
        [] | [_] => None,
        [first, .., last] if names.len() > 6 => Some(format!("holds for {first} to {last}, {} records", names.len())),
        all => Some(format!("holds for {}", all.join(", "))),
    }
}

/// Notes what was done, undone or done again.
fn note(state: &mut State, way: Way, done: Done, opposite: Done) {
    match way {
        Way::Anew => {
            state.mine.push(done);
            state.undone.clear();
        }
        Way::Undo => moved(&mut state.mine, &mut state.undone, opposite),
        Way::Redo => moved(&mut state.undone, &mut state.mine, done),
    }
}

pub(super) fn reviewed(state: &mut State, request: Request) {
    let Some(Pending::Review(..)) = state.pending.get(&request) else { return };
    let Some(Pending::Review(selected, checked, way)) = state.pending.remove(&request) else { return };
    let Some(record) = state.known.records.get_mut(&selected.marker) else { return };
    record.reviewed.retain(|item| *item != selected.item);
    if checked {
        record.reviewed.push(selected.item);
    }
    state.transcript.forget_markers();
    note(state, way, Done::Review(selected, checked), Done::Review(selected, !checked));
    if !checked {
        return state.say("the mark was taken back");
    }
    if way != Way::Anew {
        return state.say("the mark is there again");
    }
    let next = next_unchecked(selected, &state.known);
    let node = state.transcript.marker_node(selected.marker, &state.known);
    match (next, node) {
        (Some(item), Some(node)) if state.transcript.item() == Some(selected) => {
            let index = item as u32;
            state.transcript.settle(&state.known, &state.settings);
            if let Some((_, item)) = state.known.item(Selected { item, ..selected })
                && !state.transcript.has_row(node, Piece::Item(index))
            {
                // It stands among those that are not shown at first.
                let field = item.field;
                state.transcript.set_open(node, Piece::MoreItems(field), true);
            }
            let mark = Mark { node, piece: Piece::Item(index), at: 0 };
            state.transcript.go(mark, &state.known, &state.settings);
        }
        (None, _) => state.say(format!("every claim of m{} is checked", selected.marker)),
        (Some(_), _) => {}
    }
}

/// A word on a finding is committed.
pub(super) fn alarmed(state: &mut State, request: Request) {
    let Some(Pending::Alarm(..)) = state.pending.get(&request) else { return };
    let Some(Pending::Alarm(at, wrong, way)) = state.pending.remove(&request) else { return };
    state.known.findings.answer(at, wrong);
    state.transcript.forget_markers();
    note(state, way, Done::Alarm(at, wrong), Done::Alarm(at, !wrong));
    super::findings_screen::refresh_if_open(state);
    let dot = state.settings.signs.dot;
    state.say(if wrong {
        format!("saved {dot} a wrong alarm: it is not raised again {dot} w takes that back")
    } else {
        format!("saved {dot} it counts as a finding again")
    });
    if let Some(notice) = &mut state.notice {
        notice.undo = wrong && way == Way::Anew;
    }
}

/// `w`: what was found is no fault, or is one after all.
pub(super) fn wrong_alarm(state: &mut State) {
    if is_saving(state) {
        return;
    }
    let Some(subject) = state.subject() else {
        return state.say("no finding is selected: } goes to the next one");
    };
    let Some((at, seen)) = state.known.finding_of(subject) else {
        return state.say("nothing was found here: v says that an item is right");
    };
    let wrong = seen.answer != crate::view::Answer::WrongAlarm;
    alarm(state, at, wrong, Way::Anew);
}

fn alarm(state: &mut State, at: FindingAt, wrong: bool, way: Way) {
    if state.rewritten {
        return state.warn("not saved: the file was rewritten since it was opened; open it again");
    }
    let Some(alarm) = state.known.alarm_of(at) else { return };
    state.say(format!("saving{}", state.settings.signs.more));
    state.ask(Pending::Alarm(at, wrong, way), |request| Effect::WrongAlarm { request, alarm, wrong });
}

fn is_saving(state: &mut State) -> bool {
    if state.is_saving() {
        state.say(format!("saving{}", state.settings.signs.more));
    }
    state.is_saving()
}

/// `u`: takes back what this person did last in this run.
pub(super) fn undo(state: &mut State) {
    if is_saving(state) {
        return;
    }
    match state.mine.last().copied() {
        None => state.say("there is nothing to undo in this run"),
        Some(Done::Entry(no)) => {
            state.say(format!("saving{}", state.settings.signs.more));
            state.ask(Pending::Withdraw { no }, |request| Effect::Withdraw { request, no });
        }
        Some(Done::Review(selected, checked)) => review(state, selected, !checked, Way::Undo),
        Some(Done::Alarm(at, wrong)) => alarm(state, at, !wrong, Way::Undo),
    }
}

/// `U`: brings back what was taken back last.
pub(super) fn redo(state: &mut State) {
    if is_saving(state) {
        return;
    }
    match state.undone.last().copied() {
        None => state.say("there is nothing to bring back in this run"),
        Some(Done::Entry(no)) => {
            state.say(format!("saving{}", state.settings.signs.more));
            state.ask(Pending::Reinstate { no }, |request| Effect::Reinstate { request, no });
        }
        Some(Done::Review(selected, checked)) => review(state, selected, checked, Way::Redo),
        Some(Done::Alarm(at, wrong)) => alarm(state, at, wrong, Way::Redo),
    }
}

/// Has a review mark stored, or taken back.
pub(super) fn review(state: &mut State, selected: Selected, checked: bool, way: Way) {
    let Some(anchor) = state.known.anchor(selected) else { return };
    state.ask(Pending::Review(selected, checked, way), |request| Effect::Review { request, anchor, checked });
}
