//! Unfolding and folding what the cursor is on.

use super::jump::{go_to, remember};
use super::layer::Layer;
use super::node::{Content, NodeId};
use super::state::{Goal, Pending};
use super::transcript::Mark;
use super::{Effect, State, findings_screen, ledger_screen, lineage_screen, outline_screen, window_screen};
use crate::record::Field;
use crate::session::{Entry, Place};
use crate::view::{Link, Piece};
use crate::workbench::Spot;

pub(super) fn enter(state: &mut State) {
    match state.layers.last() {
        Some(Layer::Ledger { .. }) => return ledger_screen::source(state),
        Some(Layer::Findings(_)) => return findings_screen::enter(state),
        Some(Layer::Lineage(_)) => return lineage_screen::enter(state),
        Some(Layer::Window(_)) => return window_screen::enter(state),
        Some(Layer::Outline(_)) => return outline_screen::enter(state),
        Some(Layer::Troubles { at, .. }) => {
            let Some(trouble) = state.known.troubles.get(*at) else { return };
            let place = Place { file: trouble.file, offset: trouble.offset, part: 0 };
            state.layers.clear();
            remember(state);
            return go_to(state, Goal::Words(place, None));
        }
        _ => {}
    }
    if let Some(link) = state.link() {
        return follow(state, &link);
    }
    if let Some(subject) = state.transcript.subject() {
        let Some(source) = state.known.source_of(subject) else {
            return state.say("no turn could be tied to this");
        };
        let goal = Goal::Words(source.place, Some(source.range));
        remember(state);
        return go_to(state, goal);
    }
    let Some(mark) = state.transcript.cursor() else { return };
    let open = match mark.piece {
        Piece::Under(part) => return fold_part(state, mark, part),
        Piece::Noise if mark.at > 0 => true,
        piece => state.transcript.is_open(mark.node, piece),
    };
    if open {
        fold(state);
    } else {
        unfold(state, false);
    }
}

/// Goes where a row of evidence leads.
pub(super) fn follow(state: &mut State, link: &Link) {
    state.pane_focus = false;
    match link {
        Link::Words(place, range) => {
            remember(state);
            go_to(state, Goal::Words(*place, Some(*range)));
        }
        // A sub-agent's turn stands under the turn that started it.
        Link::Turn(turn) => {
            let Some(no) = turn.0.first().copied() else { return };
            remember(state);
            state.load(Spot::Turn(no), Pending::Replace(Goal::Turn(no)));
        }
    }
}

pub(super) fn fold_part(state: &mut State, mark: Mark, part: u32) {
    for piece in [Piece::Call(part), Piece::Thinking(part)] {
        if state.transcript.is_open(mark.node, piece) {
            state.transcript.set_open(mark.node, piece, false);
            state.transcript.set_cursor(Mark { piece, at: 0, ..mark });
        }
    }
}

/// A click on something that folds does what Enter does there; on an item it only selects.
pub(super) fn click_unfolds(state: &mut State) {
    let Some(mark) = state.transcript.cursor() else { return };
    if matches!(
        mark.piece,
        Piece::Marker
            | Piece::Call(_)
            | Piece::Thinking(_)
            | Piece::Fold
            | Piece::More(_)
            | Piece::MoreItems(_)
            | Piece::MoreForgotten
            | Piece::Link(..)
            | Piece::FindingLink(..)
    ) {
        enter(state);
    }
}

pub(super) fn unfold(state: &mut State, step_in: bool) {
    let Some(mark) = state.transcript.cursor() else { return };
    let id = mark.node;
    let Some(node) = state.transcript.node(id) else { return };
    match (&node.content, mark.piece) {
        (Content::More { file, from, fold }, _) => {
            let (file, from, fold) = (*file, *from, *fold);
            if !state.pending.values().any(|pending| matches!(pending, Pending::Fill(of, _) if *of == fold)) {
                state.load(Spot::After(file, from), Pending::Fill(fold, None));
            }
        }
        (Content::Entry(Entry::Marker { place, .. }), Piece::Marker) => {
            let place = *place;
            if state.transcript.is_open(id, Piece::Marker) {
                if step_in {
                    state.transcript.move_cursor(1, &state.known, &state.settings);
                }
                return;
            }
            open_marker(state, id, place);
        }
        // A sub-agent's own file is asked for once its fold is open.
        (Content::Entry(Entry::Folded { .. }), _) => state.transcript.set_open(id, Piece::Fold, true),
        (
            Content::Entry(_),
            piece @ (Piece::Thinking(_)
            | Piece::Call(_)
            | Piece::More(_)
            | Piece::Noise
            | Piece::MoreItems(_)
            | Piece::MoreForgotten),
        ) => state.transcript.set_open(id, piece, true),
        (Content::Entry(_), Piece::Head | Piece::Text(_)) if !step_in => {
            state.say("nothing is folded here: r shows the line as it is stored");
        }
        (Content::Entry(_), _) => {}
    }
}

/// Unfolds a marker's record, and asks for it when it is not known.
pub(super) fn open_marker(state: &mut State, id: NodeId, place: Place) {
    let Some((marker, _)) = state.known.marker_at(place) else {
        return state.say("the session is still being read: this compaction is not known yet");
    };
    let no = marker.no;
    state.unfold_record(id);
    // The record needs room: its line goes to the top.
    state.transcript.place_cursor(1, &state.known, &state.settings);
    if !state.known.records.contains_key(&no) && !state.waits_for(&Pending::Record(no)) {
        ask_record(state, no);
    }
}

impl State {
    /// Unfolds a marker's record; one that was folded is opened by that.
    pub(super) fn unfold_record(&mut self, id: NodeId) {
        if self.transcript.is_open(id, Piece::Marker) {
            return;
        }
        self.transcript.set_open(id, Piece::Marker, true);
        let no = self.transcript.marker_of(id, &self.known);
        self.effects.extend(no.map(|no| Effect::Opened { no }));
    }
}

pub(super) fn ask_record(state: &mut State, no: u32) {
    state.ask(Pending::Record(no), |request| Effect::Record { request, no });
}

pub(super) fn fold(state: &mut State) {
    let Some(mark) = state.transcript.cursor() else { return };
    let id = mark.node;
    let Some(node) = state.transcript.node(id) else { return };
    let outer = node.ancestors.last().copied();
    let close = match mark.piece {
        Piece::Under(part) | Piece::Call(part) | Piece::Thinking(part) | Piece::More(part) => {
            [Piece::Call(part), Piece::Thinking(part)].into_iter().find(|piece| state.transcript.is_open(id, *piece))
        }
        Piece::Noise => Some(Piece::Noise),
        Piece::Fold => Some(Piece::Fold),
        Piece::Marker
        | Piece::Item(_)
        | Piece::Section(_)
        | Piece::Correction(_)
        | Piece::Evidence(_)
        | Piece::MoreItems(_)
        | Piece::Orphan(_)
        | Piece::Verdict(_)
        | Piece::Link(..)
        | Piece::Warning
        | Piece::Finding(_)
        | Piece::FindingEvidence(_)
        | Piece::FindingLink(..)
        | Piece::MoreForgotten => Some(Piece::Marker),
        Piece::Blank | Piece::Head | Piece::Text(_) | Piece::Note | Piece::Unread => None,
    };
    match close.filter(|piece| state.transcript.is_open(id, *piece)) {
        Some(piece) => {
            state.transcript.set_open(id, piece, false);
            if piece == Piece::Marker {
                for field in Field::ALL {
                    state.transcript.set_open(id, Piece::MoreItems(field), false);
                }
                state.transcript.set_open(id, Piece::MoreForgotten, false);
            }
            state.transcript.set_cursor(Mark { node: id, piece, at: 0 });
        }
        None => {
            if let Some(fold) = outer {
                state.transcript.set_open(fold, Piece::Fold, false);
                state.transcript.set_cursor(Mark { node: fold, piece: Piece::Fold, at: 0 });
            }
        }
    }
}
