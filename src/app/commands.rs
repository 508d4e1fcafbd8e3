//! What each command does.

use super::command::Command;
use super::layer::Layer;
use super::node::Content;
use super::state::{Goal, Pending};
use super::transcript::Mark;
use super::update::quit;
use super::{Effect, State, correct, ledger_screen};
use crate::record::Field;
use crate::session::{Entry, FileNo, Fold, Place};
use crate::text::Shown;
use crate::view::{Piece, said_text};
use crate::workbench::Spot;

/// Places that `Backspace` comes back to.
const TRAIL: usize = 100;

/// Does it. `count` is the number typed before its key.
pub(super) fn run(state: &mut State, command: Command, count: Option<u32>) {
    let times = count.unwrap_or(1).clamp(1, 10_000) as isize;
    let height = state.body_height().max(1) as isize;
    match command {
        Command::Down => step(state, times),
        Command::Up => step(state, -times),
        Command::HalfDown => page(state, (height / 2).max(1)),
        Command::HalfUp => page(state, -(height / 2).max(1)),
        Command::PageDown => page(state, (height - 2).max(1)),
        Command::PageUp => page(state, -(height - 2).max(1)),
        Command::First => first(state),
        Command::Last => last(state, count),
        Command::NextMarker => marker(state, true),
        Command::PreviousMarker => marker(state, false),
        Command::NextFinding | Command::PreviousFinding => {
            state.say("no findings: records are not checked against the originals yet");
        }
        Command::Enter => enter(state),
        Command::Unfold => unfold(state, true),
        Command::Fold => fold(state),
        Command::Back => back(state),
        Command::Focus => {
            state.pane_focus = !state.pane_focus && state.transcript.item().is_some() && state.has_pane();
        }
        Command::Fix => correct::fix(state),
        Command::More => correct::menu(state),
        Command::Right => correct::right(state),
        Command::Undo => correct::undo(state),
        Command::Redo => correct::redo(state),
        Command::Withdraw => ledger_screen::withdraw(state),
        Command::Confirm => ledger_screen::confirm(state),
        Command::Search => state.layers.push(Layer::Search(super::edit::Edit::default())),
        Command::SearchNext => search(state, true),
        Command::SearchPrevious => search(state, false),
        Command::Follow => follow(state),
        Command::ShowRaw => raw(state),
        Command::Copy => copy(state),
        Command::CopyPlace => copy_place(state),
        Command::OpenLedger => ledger_screen::open(state),
        Command::OpenTroubles => {
            if state.known.troubles.is_empty() {
                state.say("every line could be read");
            } else {
                state.layers.push(Layer::Troubles { at: 0, top: 0 });
            }
        }
        Command::OpenHelp => {
            state.layers.push(Layer::Help { edit: super::edit::Edit::default(), typing: false, top: 0 });
        }
        Command::OpenPalette => {
            state.layers.push(Layer::Palette { edit: super::edit::Edit::default(), at: 0 });
        }
        Command::MouseCapture => {
            state.settings.mouse = !state.settings.mouse;
            let capture = state.settings.mouse;
            state.effects.push(Effect::Mouse { capture });
            state.say(if capture { "the mouse scrolls and selects rows" } else { "the mouse selects text" });
        }
        Command::Suspend => state.effects.push(Effect::Suspend),
        Command::Clear => clear(state),
        Command::Quit => {
            if state.layers.pop().is_none() {
                quit(state);
            }
        }
    }
}

// ---- moving

fn step(state: &mut State, by: isize) {
    if !state.layers.is_empty() {
        return scroll_screen(state, by, true);
    }
    if state.pane_focus {
        state.pane_top = state.pane_top.saturating_add_signed(by);
        return;
    }
    state.follow = false;
    state.transcript.move_cursor(by, &state.known, &state.settings);
}

fn page(state: &mut State, by: isize) {
    if !state.layers.is_empty() {
        return scroll_screen(state, by, true);
    }
    if state.pane_focus {
        state.pane_top = state.pane_top.saturating_add_signed(by);
        return;
    }
    state.follow = false;
    state.transcript.page(by, &state.known, &state.settings);
}

/// Scrolls a screen that lies over the transcript; one with a cursor moves that.
pub(super) fn scroll_screen(state: &mut State, by: isize, _key: bool) {
    let height = state.body_height();
    let entries = state.known.ledger.entries.len();
    let troubles = state.known.troubles.len();
    match state.layers.last_mut() {
        Some(Layer::Ledger { at, .. }) => *at = at.saturating_add_signed(by).min(entries.saturating_sub(1)),
        Some(Layer::Troubles { at, .. }) => *at = at.saturating_add_signed(by).min(troubles.saturating_sub(1)),
        Some(Layer::Help { top, .. } | Layer::Raw { top, .. }) => *top = top.saturating_add_signed(by),
        _ => {}
    }
    let longest = state.screen_rows().saturating_sub(height.min(state.screen_rows()));
    if let Some(Layer::Help { top, .. } | Layer::Raw { top, .. }) = state.layers.last_mut() {
        *top = (*top).min(longest);
    }
    state.keep_cursor_on_screen();
}

pub(super) fn click_screen(state: &mut State, row: usize) {
    let Some(target) = state.screen_entry_at(row) else { return };
    match state.layers.last_mut() {
        Some(Layer::Ledger { at, .. } | Layer::Troubles { at, .. }) => *at = target,
        _ => {}
    }
}

fn first(state: &mut State) {
    if !state.layers.is_empty() {
        return scroll_screen(state, isize::MIN / 2, true);
    }
    state.follow = false;
    remember(state);
    if state.transcript.at_start {
        state.transcript.to_first(&state.known, &state.settings);
    } else {
        state.load(Spot::Start, Pending::Replace(Goal::Start));
    }
}

fn last(state: &mut State, turn: Option<u32>) {
    if !state.layers.is_empty() {
        return scroll_screen(state, isize::MAX / 2, true);
    }
    remember(state);
    if let Some(turn) = turn {
        if state.known.complete && turn > state.known.turns {
            return state.warn(format!("there is no turn {turn}: the last one is {}", state.known.turns));
        }
        return state.load(Spot::Turn(turn), Pending::Replace(Goal::Turn(turn)));
    }
    if state.transcript.at_end {
        state.transcript.to_last(&state.known, &state.settings);
    } else {
        state.load(Spot::End, Pending::Replace(Goal::End));
    }
}

fn follow(state: &mut State) {
    state.follow = !state.follow;
    if state.follow {
        last(state, None);
        state.say("following: the end stays on the screen while the session grows");
    } else {
        state.say("no longer following");
    }
}

fn marker(state: &mut State, forward: bool) {
    let here = state.transcript.cursor().map(|mark| mark.node.place).filter(|place| place.file == FileNo(0));
    let Some(here) = here else { return };
    let spot = |place: Place| (place.file, place.offset);
    let markers = state.known.markers.iter().map(|(marker, _)| marker);
    let target = if forward {
        markers.map(|marker| marker.place).find(|place| spot(*place) > spot(here))
    } else {
        // On a row of an open record its own line comes first.
        let inside = state.transcript.cursor().is_some_and(|mark| mark.piece != Piece::Marker);
        let before = |place: Place| if inside { spot(place) <= spot(here) } else { spot(place) < spot(here) };
        markers.map(|marker| marker.place).rev().find(|place| before(*place))
    };
    match target {
        Some(place) => {
            remember(state);
            go_to(state, Goal::Marker(place));
        }
        None if !state.known.complete && forward => {
            state.say("the session is still being read: the next compaction is not known yet");
        }
        None if state.known.markers.is_empty() => state.say("there is no compaction in this session"),
        None => state.say(if forward { "this is the last compaction" } else { "this is the first compaction" }),
    }
}

/// Remembers where a jump starts.
pub(super) fn remember(state: &mut State) {
    if let (Some(cursor), Some(top)) = (state.transcript.cursor(), state.transcript.top()) {
        state.back.push((cursor, top));
        if state.back.len() > TRAIL {
            state.back.remove(0);
        }
    }
}

fn back(state: &mut State) {
    let Some((cursor, top)) = state.back.pop() else { return state.say("there is nowhere to go back to") };
    state.transcript.marked = None;
    if state.transcript.node(cursor.node).is_some() && state.transcript.node(top.node).is_some() {
        state.transcript.reveal(cursor.node);
        state.transcript.set_cursor(cursor);
        state.transcript.set_top(top);
        return;
    }
    state.transcript.set_cursor(cursor);
    state.transcript.set_top(top);
    state.load(Spot::Around(cursor.node.place), Pending::Refresh);
}

/// Goes there at once if it is in the stretch, else reads the stretch around it.
pub(super) fn go_to(state: &mut State, goal: Goal) {
    state.follow = false;
    let place = match &goal {
        Goal::Words(place, _) | Goal::Hit(place) | Goal::Marker(place) => *place,
        Goal::Start | Goal::End | Goal::Turn(_) => return,
    };
    if state.node_with(place).is_some() {
        state.reach(&goal);
    } else {
        state.load(Spot::Around(place), Pending::Replace(goal));
    }
}

// ---- folding

fn enter(state: &mut State) {
    match state.layers.last() {
        Some(Layer::Ledger { .. }) => return ledger_screen::source(state),
        Some(Layer::Troubles { at, .. }) => {
            let Some(trouble) = state.known.troubles.get(*at) else { return };
            let place = Place { file: trouble.file, offset: trouble.offset, part: 0 };
            state.layers.clear();
            remember(state);
            return go_to(state, Goal::Words(place, None));
        }
        _ => {}
    }
    if let Some(selected) = state.transcript.item() {
        let Some(source) = state.known.source(selected) else {
            return state.say("no turn could be tied to this item");
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

fn fold_part(state: &mut State, mark: Mark, part: u32) {
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
        Piece::Marker | Piece::Call(_) | Piece::Thinking(_) | Piece::Fold | Piece::More(_) | Piece::MoreItems(_)
    ) {
        enter(state);
    }
}

fn unfold(state: &mut State, step_in: bool) {
    let Some(mark) = state.transcript.cursor() else { return };
    let id = mark.node;
    let Some(node) = state.transcript.node(id) else { return };
    match (&node.content, mark.piece) {
        (Content::More { file, from, fold }, _) => {
            let (file, from, fold) = (*file, *from, *fold);
            state.load(Spot::After(file, from), Pending::Fill(fold));
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
        (Content::Entry(Entry::Folded { fold, .. }), _) => {
            let file = match fold {
                Fold::SubAgent { file, .. } if *file != FileNo(0) && state.transcript.is_unfilled(id) => Some(*file),
                Fold::SubAgent { .. } | Fold::Abandoned | Fold::Repeat | Fold::Noise => None,
            };
            state.transcript.set_open(id, Piece::Fold, true);
            if let Some(file) = file.filter(|_| !state.waits_for(&Pending::Fill(id))) {
                state.load(Spot::After(file, 0), Pending::Fill(id));
            }
        }
        (
            Content::Entry(_),
            piece @ (Piece::Thinking(_) | Piece::Call(_) | Piece::More(_) | Piece::Noise | Piece::MoreItems(_)),
        ) => state.transcript.set_open(id, piece, true),
        (Content::Entry(_), Piece::Head | Piece::Text(_)) if !step_in => {
            state.say("nothing is folded here: r shows the line as it is stored");
        }
        (Content::Entry(_), _) => {}
    }
}

/// Unfolds a marker's record, and asks for it when it is not known.
pub(super) fn open_marker(state: &mut State, id: super::node::NodeId, place: Place) {
    let Some((marker, _)) = state.known.marker_at(place) else {
        return state.say("the session is still being read: this compaction is not known yet");
    };
    let no = marker.no;
    state.transcript.set_open(id, Piece::Marker, true);
    // The record needs room: its line goes to the top.
    state.transcript.place_cursor(1, &state.known, &state.settings);
    if !state.known.records.contains_key(&no) && !state.waits_for(&Pending::Record(no)) {
        state.ask(Pending::Record(no), |request| Effect::Record { request, no });
    }
}

fn fold(state: &mut State) {
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
        | Piece::Orphan(_) => Some(Piece::Marker),
        Piece::Blank | Piece::Head | Piece::Text(_) | Piece::Note | Piece::Unread => None,
    };
    match close.filter(|piece| state.transcript.is_open(id, *piece)) {
        Some(piece) => {
            state.transcript.set_open(id, piece, false);
            if piece == Piece::Marker {
                for field in Field::ALL {
                    state.transcript.set_open(id, Piece::MoreItems(field), false);
                }
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

fn clear(state: &mut State) {
    if state.layers.pop().is_some() {
        return;
    }
    state.effects.extend(state.waits_for(&Pending::Find).then_some(Effect::StopSearch));
    state.pending.retain(|_, pending| *pending != Pending::Find);
    state.needle.clear();
    state.pane_focus = false;
    if state.transcript.marked.take().is_some() {
        state.forget_marked();
    }
}

// ---- searching

pub(super) fn search(state: &mut State, onward: bool) {
    if state.needle.is_empty() {
        return state.say("nothing is searched for: / starts a search");
    }
    let forward = state.forward == onward;
    if state.find_in_entry(forward) {
        return;
    }
    let Some(mark) = state.transcript.cursor() else { return };
    let (needle, from) = (state.needle.clone(), mark.node.place);
    state.pending.retain(|_, pending| *pending != Pending::Find);
    remember(state);
    state.say(format!("searching for {}{}", Shown::line(&needle).as_str(), state.settings.signs.more));
    state.ask(Pending::Find, |request| Effect::Search { request, needle, from, forward });
}

// ---- raw lines and the clipboard

/// The place of what the cursor is on: a part's own line, where it is on one.
fn place_of_cursor(state: &State) -> Option<Place> {
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

fn raw(state: &mut State) {
    let Some(place) = place_of_cursor(state) else { return };
    state.layers.push(Layer::Raw { place, line: None, top: 0 });
    state.ask(Pending::Raw, |request| Effect::Raw { request, place });
}

fn copy_place(state: &mut State) {
    if let Some(Layer::Raw { line: Some(line), .. }) = state.layers.last() {
        let text = place_text(line);
        return copied(state, &text, &text.clone());
    }
    let Some(place) = place_of_cursor(state) else { return };
    state.ask(Pending::CopyPlace, |request| Effect::Raw { request, place });
}

/// `path:line`, or the path alone where nobody counted.
pub(super) fn place_text(line: &crate::workbench::RawLine) -> String {
    line.line.map_or_else(|| line.path.clone(), |no| format!("{}:{no}", line.path))
}

fn copy(state: &mut State) {
    let text = match state.layers.last() {
        Some(Layer::Raw { line: Some(line), .. }) => Some(String::from_utf8_lossy(&line.bytes).into_owned()),
        Some(Layer::Ledger { at, .. }) => {
            ledger_screen::at(state, *at).map(|standing| standing.entry.draft.text.clone())
        }
        Some(_) => None,
        None => selected_text(state),
    };
    let Some(text) = text else { return state.say("there is no text here to copy") };
    let lines = text.lines().count();
    let what = if lines > 1 { format!("{lines} lines") } else { "the text".to_owned() };
    copied(state, &text, &what);
}

fn selected_text(state: &State) -> Option<String> {
    if let Some(selected) = state.transcript.item() {
        return state.known.item(selected).map(|(_, item)| item.text.clone());
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
                let result = after.filter(|said| matches!(said.part.kind, crate::session::PartKind::ToolResult { .. }));
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
