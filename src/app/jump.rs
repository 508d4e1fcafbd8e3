//! Moving through the session: by rows, by screens, to compactions, to hits, and back.

use super::layer::Layer;
use super::state::{Goal, Pending};
use super::{Effect, State};
use crate::session::{FileNo, Place};
use crate::text::Shown;
use crate::view::Piece;
use crate::workbench::Spot;

/// Places that `Backspace` comes back to.
const TRAIL: usize = 100;

pub(super) fn step(state: &mut State, by: isize) {
    if !state.layers.is_empty() {
        return scroll_screen(state, by);
    }
    if state.pane_focus {
        return super::pane::step(state, by);
    }
    leave_end(state);
    state.transcript.move_cursor(by, &state.known, &state.settings);
}

pub(super) fn page(state: &mut State, by: isize) {
    if !state.layers.is_empty() {
        return scroll_screen(state, by);
    }
    if state.pane_focus {
        return scroll_pane(state, by);
    }
    leave_end(state);
    state.transcript.page(by, &state.known, &state.settings);
}

/// Scrolls the evidence beside the record, no further than its end.
pub(super) fn scroll_pane(state: &mut State, by: isize) {
    state.pane_top = state.pane_top.saturating_add_signed(by).min(state.pane_end());
}

/// Whoever looks elsewhere follows no longer, and is not told so any more.
pub(super) fn leave_end(state: &mut State) {
    if std::mem::take(&mut state.follow) && state.notice.as_ref().is_some_and(|notice| notice.text == FOLLOWING) {
        state.notice = None;
    }
}

const FOLLOWING: &str = "following: the end stays on the screen while the session grows";

/// Scrolls a screen that lies over the transcript; one with a cursor moves that.
pub(super) fn scroll_screen(state: &mut State, by: isize) {
    let height = state.body_height();
    let entries = state.known.ledger.entries.len();
    if let Some(Layer::Findings(_)) = state.layers.last() {
        return super::findings_screen::step(state, by);
    }
    if let Some(Layer::Lineage(_)) = state.layers.last() {
        return super::lineage_screen::step(state, by);
    }
    if let Some(Layer::Window(_)) = state.layers.last() {
        return super::window_screen::step(state, by);
    }
    if let Some(Layer::Outline(_)) = state.layers.last() {
        return super::outline_screen::step(state, by);
    }
    let troubles = state.known.troubles.len();
    match state.layers.last_mut() {
        Some(Layer::Ledger { at, .. }) => *at = at.saturating_add_signed(by).min(entries.saturating_sub(1)),
        Some(Layer::Troubles { at, .. }) => *at = at.saturating_add_signed(by).min(troubles.saturating_sub(1)),
        Some(Layer::Help { top, .. } | Layer::Raw { top, .. } | Layer::Region { top, .. }) => {
            *top = top.saturating_add_signed(by);
        }
        _ => {}
    }
    let longest = state.screen_rows().saturating_sub(height.min(state.screen_rows()));
    if let Some(Layer::Help { top, .. } | Layer::Raw { top, .. } | Layer::Region { top, .. }) = state.layers.last_mut()
    {
        *top = (*top).min(longest);
    }
    state.keep_cursor_on_screen();
}

/// A click on an entry rests on it; on the one that the cursor is on it is `Enter`.
pub(super) fn click_screen(state: &mut State, row: usize) {
    let Some(target) = state.screen_entry_at(row) else { return };
    let at = match state.layers.last_mut() {
        Some(Layer::Ledger { at, .. } | Layer::Troubles { at, .. }) => at,
        Some(Layer::Findings(list)) => &mut list.at,
        Some(Layer::Lineage(page)) => &mut page.at,
        Some(Layer::Window(page)) => &mut page.at,
        Some(Layer::Outline(page)) => &mut page.at,
        _ => return,
    };
    if std::mem::replace(at, target) == target {
        super::update::run(state, super::command::Command::Enter, None);
    }
}

pub(super) fn first(state: &mut State) {
    if !state.layers.is_empty() {
        return scroll_screen(state, isize::MIN / 2);
    }
    leave_end(state);
    remember(state);
    if state.transcript.at_start {
        state.transcript.go_first(&state.known, &state.settings);
    } else {
        state.load(Spot::Start, Pending::Replace(Goal::Start));
    }
}

pub(super) fn last(state: &mut State, turn: Option<u32>) {
    if !state.layers.is_empty() {
        return scroll_screen(state, isize::MAX / 2);
    }
    remember(state);
    if let Some(turn) = turn {
        if state.known.complete && turn > state.known.turns {
            return state.warn(format!("there is no turn {turn}: the last one is {}", state.known.turns));
        }
        return state.load(Spot::Turn(turn), Pending::Replace(Goal::Turn(turn)));
    }
    if state.transcript.at_end {
        state.transcript.go_last(&state.known, &state.settings);
    } else {
        state.load(Spot::End, Pending::Replace(Goal::End));
    }
}

pub(super) fn follow(state: &mut State) {
    state.follow = !state.follow;
    if state.follow {
        last(state, None);
        state.say(FOLLOWING);
    } else {
        state.say("no longer following");
    }
}

pub(super) fn next_marker(state: &mut State, forward: bool) {
    if matches!(state.layers.last(), Some(Layer::Outline(_))) {
        return super::outline_screen::marker(state, forward);
    }
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

/// Goes to the next (or the last before) row with a finding that nobody answered, in the order of the transcript.
pub(super) fn finding(state: &mut State, forward: bool) {
    let Some(cursor) = state.transcript.cursor() else { return };
    let spot = |place: Place| (place.file, place.offset);
    let here = spot(cursor.node.place);
    let current = state.transcript.marker_of(cursor.node, &state.known);
    let order = current.and_then(|no| state.known.order(no, cursor.piece));
    let mut markers: Vec<(u32, Place)> =
        state.known.markers.iter().map(|(marker, _)| (marker.no, marker.place)).collect();
    if !forward {
        markers.reverse();
    }
    let target = markers.into_iter().find_map(|(no, place)| {
        let same = current == Some(no);
        let ahead = if forward { spot(place) > here } else { spot(place) < here };
        if !same && !ahead {
            return None;
        }
        let stops = state.known.stops(no);
        let stop = match (same, forward) {
            (false, true) => stops.first(),
            (false, false) => stops.last(),
            // From the line of a marker all of its rows are ahead.
            (true, true) => stops.iter().find(|(at, _)| order.is_none_or(|order| *at > order)),
            (true, false) => stops.iter().rev().find(|(at, _)| order.is_some_and(|order| *at < order)),
        };
        stop.map(|(_, piece)| (place, *piece))
    });
    match target {
        Some((place, piece)) => {
            remember(state);
            go_to(state, Goal::Row(place, piece));
        }
        None if super::auditing::is_done(state) => {
            let (end, other) = if forward { ("after", "{") } else { ("before", "}") };
            state.say(format!(
                "no finding that waits for an answer {end} this one: {other} looks the other way, f lists all"
            ));
        }
        None => state.say("the records are still being checked: findings arrive as they are made"),
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

pub(super) fn back(state: &mut State) {
    let Some((cursor, top)) = state.back.pop() else { return state.say("there is nowhere to go back to") };
    state.transcript.marked = None;
    let goal = Goal::Back(cursor, top);
    if state.transcript.node(cursor.node).is_some() && state.transcript.node(top.node).is_some() {
        return state.rest_on(&goal);
    }
    state.load(Spot::Around(cursor.node.place), Pending::Replace(goal));
}

/// Goes there at once if it is in the stretch, else reads the stretch around it.
pub(super) fn go_to(state: &mut State, goal: Goal) {
    leave_end(state);
    let Some(place) = goal.place() else { return };
    if state.node_with(place).is_some() || state.fold_of(place.file).is_some() {
        state.reach(&goal);
    } else {
        state.load(Spot::Around(place), Pending::Replace(goal));
    }
}

pub(super) fn search(state: &mut State, onward: bool) {
    if state.needle.is_empty() {
        return state.say("nothing is searched for: / starts a search");
    }
    let forward = state.forward == onward;
    state.onward = forward;
    if state.find_in_entry(forward) {
        return;
    }
    let Some(from) = state.search_from(forward) else { return };
    let needle = state.needle.clone();
    state.pending.retain(|_, pending| *pending != Pending::Find);
    remember(state);
    state.say(format!("searching for {}{}", Shown::line(&needle).as_str(), state.settings.signs.more));
    state.ask(Pending::Find, |request| Effect::Search { request, needle, from, forward });
}

pub(super) fn clear(state: &mut State) {
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
