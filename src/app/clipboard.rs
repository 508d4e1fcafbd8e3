//! Raw lines, and what is copied.

use super::layer::{LaidRaw, Layer};
use super::node::Content;
use super::state::Pending;
use super::{Effect, State, ledger_screen};
use crate::session::{Entry, PartKind, Place};
use crate::text::Shown;
use crate::view::{Piece, said_text};
use crate::workbench::RawLine;

/// The place of what the cursor is on: a part's own line, where it is on one.
pub(super) fn place_of_cursor(state: &State) -> Option<Place> {
    let mark = state.transcript.cursor()?;
    if let Some(selected) = state.transcript.item() {
        let record = state.known.records.get(&selected.marker)?;
        return Some(record.compaction.summary.unwrap_or(record.compaction.place));
    }
    let Content::Entry(Entry::Turn(turn)) = &state.transcript.node(mark.node)?.content else {
        return Some(mark.node.place);
    };
    let part = match mark.piece {
        Piece::Text(part) | Piece::Thinking(part) | Piece::Call(part) | Piece::Under(part) | Piece::More(part) => part,
        _ => 0,
    };
    turn.parts.get(part as usize).map(|said| said.place).or(Some(turn.place))
}

pub(super) fn raw(state: &mut State) {
    let Some(place) = place_of_cursor(state) else { return };
    state.layers.push(Layer::Raw { line: None, top: 0, laid: LaidRaw::default() });
    state.ask(Pending::Raw, |request| Effect::Raw { request, place });
}

pub(super) fn copy_place(state: &mut State) {
    if let Some(Layer::Raw { line: Some(line), .. }) = state.layers.last() {
        let text = place_text(line);
        return copied(state, &text, &text.clone());
    }
    if let Some(Layer::Region { .. }) = state.layers.last() {
        return state.say("this text has no place: it is put together for the window");
    }
    let Some(place) = place_of_cursor(state) else { return };
    state.ask(Pending::CopyPlace, |request| Effect::Raw { request, place });
}

/// `path:line`, or the path alone where nobody counted.
pub(super) fn place_text(line: &RawLine) -> String {
    line.line.map_or_else(|| line.path.clone(), |no| format!("{}:{no}", line.path))
}

pub(super) fn copy(state: &mut State) {
    let text = match state.layers.last() {
        Some(Layer::Raw { line: Some(line), .. }) => Some(String::from_utf8_lossy(&line.bytes).into_owned()),
        Some(Layer::Region { text, .. }) => Some(text.clone()),
        Some(Layer::Ledger { at, .. }) => {
            ledger_screen::at(state, *at).map(|standing| standing.entry.draft.text.clone())
        }
        Some(Layer::Findings(list)) => {
            let finding = list.chosen().and_then(|at| state.known.findings.get(at));
            finding.map(|raised| raised.finding.text.clone())
        }
        Some(Layer::Window(_) | Layer::Outline(_)) => {
            // What such a screen may ask a person to do.
            state.overview.as_ref().filter(|of| !of.due.is_empty()).map(crate::view::compile_command)
        }
        Some(_) => None,
        None => selected_text(state),
    };
    let Some(text) = text else { return state.say("there is no text here to copy") };
    let lines = text.lines().count();
    let what = if lines > 1 { format!("{lines} lines") } else { "the text".to_owned() };
    copied(state, &text, &what);
}

pub(super) fn selected_text(state: &State) -> Option<String> {
    if let Some(selected) = state.transcript.item() {
        return state.known.item(selected).map(|(_, item)| item.text.clone());
    }
    if let Some(super::Subject::Finding(_, at)) = state.transcript.subject() {
        return state.known.findings.get(at).map(|raised| raised.finding.text.clone());
    }
    let mark = state.transcript.cursor()?;
    match &state.transcript.node(mark.node)?.content {
        Content::Entry(Entry::Turn(turn)) => match mark.piece {
            Piece::Text(part) | Piece::Thinking(part) | Piece::Call(part) => {
                turn.parts.get(part as usize).map(|said| said.part.text.clone())
            }
            Piece::Under(part) | Piece::More(part) => {
                // Under a call stands its result.
                let after = turn.parts.get(part as usize + 1);
                let result = after.filter(|said| matches!(said.part.kind, PartKind::ToolResult { .. }));
                result.or(turn.parts.get(part as usize)).map(|said| said.part.text.clone())
            }
            _ => Some(said_text(turn)).filter(|text| !text.is_empty()),
        },
        Content::Entry(Entry::Marker { summary, .. }) => {
            summary.as_ref().map(|(_, summary)| summary.text.clone()).filter(|text| !text.is_empty())
        }
        Content::Entry(_) | Content::More { .. } => None,
    }
}

pub(super) fn copied(state: &mut State, text: &str, what: &str) {
    state.effects.push(Effect::Copy(Shown::lines(text).as_str().to_owned()));
    state.say(format!("copied {what}"));
}
