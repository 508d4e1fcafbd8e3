//! What answers change. An answer to a request that nobody waits for any more changes nothing.

use super::layer::Layer;
use super::node::{Content, NodeId};
use super::state::{Goal, Pending};
use super::{Request, State, auditing, clipboard, folding, jump, outline_screen, window_screen};
use crate::session::{Batch, Entry, FileNo, Place};
use crate::text::Shown;
use crate::view::{Piece, Surroundings, ToldText};
use crate::workbench::{MarkerRecord, RawLine, Sought, Spot, Window};

pub(super) fn window(state: &mut State, request: Request, window: Window) {
    let Some(pending) = state.pending.remove(&request) else { return };
    match pending {
        Pending::Replace(goal) if window.file != FileNo(0) => aside(state, goal, &window),
        Pending::Replace(goal) => {
            state.transcript.replace(window, &state.known);
            state.reach(&goal);
            if matches!(goal, Goal::End) {
                state.transcript.go_last(&state.known, &state.settings);
            }
        }
        Pending::Refresh => {
            // Only what still holds the place that is being read may take its place.
            let place = state.transcript.cursor().map(|mark| mark.node.place);
            let holds = place
                .is_none_or(|place| place.file != window.file || (window.start..=window.end).contains(&place.offset));
            if holds && !window.entries.is_empty() {
                // What was asked for at the edges of the old stretch does not join the new one.
                state.pending.retain(|_, other| !matches!(other, Pending::Before(_) | Pending::After(_)));
                state.transcript.replace(window, &state.known);
                if state.follow && state.transcript.at_end {
                    state.transcript.go_last(&state.known, &state.settings);
                }
            }
        }
        // The stretch has changed since it was asked: it is asked again where it begins and ends now.
        Pending::Before(start) if start != state.transcript.start => {}
        Pending::After(end) if end != state.transcript.end => {}
        Pending::Before(_) => {
            let (start, empty) = (window.start, window.entries.is_empty());
            if !state.transcript.prepend(window, &state.known) || empty && start > 0 {
                state.transcript.at_start = true;
            }
        }
        Pending::After(_) => {
            let at_end = state.transcript.cursor().is_some() && state.follow;
            if !state.transcript.append(window, &state.known) {
                state.transcript.at_end = true;
            }
            if at_end {
                state.transcript.go_last(&state.known, &state.settings);
            }
        }
        Pending::Fill(fold, goal) => filled(state, fold, goal, window),
        Pending::Original(place, range) => {
            let original = original(&window, place, range);
            state.known.originals.insert((place, range), original);
            state.transcript.forget_markers();
        }
        other => {
            state.pending.insert(request, other);
        }
    }
}

/// A place in a sub-agent's file stands under the turn that started it: that stretch is read first.
fn aside(state: &mut State, goal: Goal, window: &Window) {
    let starter = window.entries.iter().find_map(|entry| match entry {
        Entry::Turn(turn) => turn.no.as_ref()?.0.first().copied(),
        Entry::Marker { .. } | Entry::Note { .. } | Entry::Folded { .. } | Entry::Unread(_) => None,
    });
    // Sub-agents that no turn names stand at the end.
    state.load(starter.map_or(Spot::End, Spot::Turn), Pending::Replace(goal));
}

/// A piece of a sub-agent's file came. Where the cursor is to go into it, it is read on until it gets there.
fn filled(state: &mut State, fold: NodeId, goal: Option<Goal>, window: Window) {
    let (file, end, at_end) = (window.file, window.end, window.at_end);
    state.transcript.fill(fold, window);
    let Some(goal) = goal else { return };
    let beyond = goal.place().is_some_and(|place| place.file == file && place.offset >= end);
    match state.transcript.filled_to(fold) {
        Some(from) if beyond && !at_end && from == end => {
            state.load(Spot::After(file, from), Pending::Fill(fold, Some(goal)));
        }
        _ => state.rest_on(&goal),
    }
}

/// Bytes of a very long line that are shown on each side of the words.
const AROUND: usize = 400;

/// The sentence or line around a range of a part, as it stands in the window.
fn original(window: &Window, place: Place, range: (usize, usize)) -> Option<Surroundings> {
    fn find(entries: &[Entry], place: Place) -> Option<(&str, Option<i64>)> {
        entries.iter().find_map(|entry| match entry {
            Entry::Turn(turn) => {
                turn.parts.iter().find(|said| said.place == place).map(|said| (said.part.text.as_str(), turn.at))
            }
            Entry::Folded { entries, .. } => find(entries, place),
            Entry::Marker { .. } | Entry::Note { .. } | Entry::Unread(_) => None,
        })
    }
    let (text, at) = find(&window.entries, place)?;
    text.get(range.0..range.1)?;
    let ends = |byte: u8| matches!(byte, b'\n');
    let sentence = |at: usize| {
        // A full stop inside a number or a path ends nothing: one before white space does.
        matches!(text.as_bytes()[at], b'.' | b'!' | b'?')
            && text.as_bytes().get(at + 1).is_none_or(u8::is_ascii_whitespace)
    };
    let mut start = (0..range.0).rev().find(|at| ends(text.as_bytes()[*at]) || sentence(*at)).map_or(0, |at| at + 1);
    let last = range.1.max(range.0 + 1) - 1;
    let end = (last..text.len())
        .find(|at| ends(text.as_bytes()[*at]) || sentence(*at))
        .map_or(text.len(), |at| if ends(text.as_bytes()[at]) { at } else { at + 1 })
        .max(range.1);
    let marks = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '>' | '#' | '•');
    start += text[start..range.0].len() - text[start..range.0].trim_start_matches(marks).len();
    // A very long line is cut around the words.
    if range.0 - start > AROUND {
        start = (range.0 - AROUND..=range.0).find(|at| text.is_char_boundary(*at))?;
    }
    let end = if end - range.1 > AROUND {
        (range.1..range.1 + AROUND).rev().find(|at| text.is_char_boundary(*at))?
    } else {
        end
    };
    Some(Surroundings { text: text[start..end].to_owned(), range: (range.0 - start, range.1 - start), at })
}

pub(super) fn record(state: &mut State, request: Request, record: MarkerRecord) {
    let Some(Pending::Record(no)) = state.pending.get(&request) else { return };
    if record.compaction.no != *no {
        return;
    }
    if !record.partial {
        state.pending.remove(&request);
    }
    auditing::take(state, record);
}

pub(super) fn raw(state: &mut State, request: Request, line: RawLine) {
    match state.pending.remove(&request) {
        Some(Pending::Raw) => {
            if let Some(Layer::Raw { line: slot, .. }) = state.layers.last_mut() {
                *slot = Some(line);
            }
        }
        Some(Pending::CopyPlace) => {
            let text = clipboard::place_text(&line);
            clipboard::copied(state, &text, &text);
        }
        Some(other) => {
            state.pending.insert(request, other);
        }
        None => {}
    }
}

pub(super) fn found(state: &mut State, request: Request, sought: Sought) {
    if state.pending.remove(&request) != Some(Pending::Find) {
        return;
    }
    let needle = Shown::line(&state.needle).as_str().to_owned();
    match sought {
        Sought::Here(found) => {
            state.notice = None;
            let round = if state.onward { "came round to the start" } else { "came round to the end" };
            let round = Some(round.to_owned()).filter(|_| found.wrapped);
            let said: Vec<String> = round.into_iter().chain(unsearched(found.unsearched)).collect();
            if !said.is_empty() {
                state.say(said.join(" · "));
            }
            jump::go_to(state, Goal::Hit(found.place));
        }
        Sought::Nowhere => state.say(format!("{needle} is not in this session")),
        Sought::NotInWhatIsLeft { unsearched: turns } => {
            let why = unsearched(turns).unwrap_or_else(|| "texts of its closed blocks are gone".to_owned());
            state.say(format!("{needle} is not in what is left of this session: {why}"));
        }
    }
}

/// Which turns could not be searched; `None` where everything was.
fn unsearched(turns: u32) -> Option<String> {
    match turns {
        0 => None,
        1 => Some("turn 1 cannot be searched, its text is gone".to_owned()),
        last => Some(format!("turns 1 to {last} cannot be searched, their texts are gone")),
    }
}

pub(super) fn told(state: &mut State, request: Request, text: String, tokens: u64) {
    if state.pending.remove(&request) == Some(Pending::Told) {
        state.told = Some(ToldText { text, tokens });
    }
}

pub(super) fn indexed(state: &mut State, batch: Batch) {
    let fresh = !batch.markers.is_empty() || !batch.troubles.is_empty();
    let lengthened = batch.lengthened;
    for no in state.known.learn(batch) {
        // What was read of it is not what it is any more.
        let waited = state.waits_for(&Pending::Record(no));
        state.pending.retain(|_, pending| *pending != Pending::Record(no));
        let open = state.transcript.marker_node(no, &state.known);
        if waited || open.is_some_and(|id| state.transcript.is_open(id, Piece::Marker)) {
            folding::ask_record(state, no);
        }
    }
    if fresh {
        state.transcript.forget_markers();
        outline_screen::learn(state);
    }
    if state.transcript.at_end && state.known.read_to >= state.transcript.end {
        // The session grew. What is below is read as soon as somebody is near it.
        state.transcript.at_end = false;
    }
    if lengthened.is_some_and(|place| place.file != FileNo(0) || place.offset < state.transcript.end)
        && !state.waits_for(&Pending::Refresh)
        && let Some(top) = state.transcript.top()
    {
        state.load(Spot::Around(top.node.place), Pending::Refresh);
    }
    auditing::start_if_due(state);
}

/// Reads the stretch once more, in its place, when numbers, branches and repeats have become known since. Asked after
/// every change, for a stretch may arrive after the last news of the reading.
pub(super) fn renumber(state: &mut State) {
    let (read_to, complete) = (state.known.read_to, state.known.complete);
    let passed = read_to >= state.transcript.end || complete;
    let new = state.refreshed.is_none_or(|(_, was_complete)| complete && !was_complete);
    if !passed || !new || state.transcript.is_empty() || state.waits_for(&Pending::Refresh) {
        return;
    }
    let behind = state.transcript.nodes.iter().any(
        |node| matches!(&node.content, Content::Entry(Entry::Turn(turn)) if turn.no.is_none() && turn.result_of.is_none()),
    );
    if behind || complete {
        state.refreshed = Some((read_to, complete));
        if let Some(top) = state.transcript.top() {
            state.load(Spot::Around(top.node.place), Pending::Refresh);
        }
    }
}

pub(super) fn failed(state: &mut State, request: Request, why: String) {
    let Some(pending) = state.pending.remove(&request) else { return };
    match pending {
        Pending::Correct { .. } => {
            if let Some(Layer::Reword { failed, .. }) = state.layers.last_mut() {
                *failed = Some(why.clone());
            }
            state.warn(format!("not saved: {why}"));
        }
        Pending::Withdraw { .. }
        | Pending::Reinstate { .. }
        | Pending::Confirm
        | Pending::Review(..)
        | Pending::Alarm(..) => {
            state.warn(format!("not saved: {why}"));
        }
        Pending::Audit => auditing::stopped(state, &why),
        Pending::Lineage => {
            if matches!(state.layers.last(), Some(Layer::Lineage(of)) if of.is_waiting()) {
                state.layers.pop();
            }
            state.warn(why);
        }
        Pending::Assemble => window_screen::failed(state, why),
        Pending::Overview => state.warn(format!("looking over the session stopped: {why}")),
        // Evidence then shows the quoted words alone.
        Pending::Original(place, range) => {
            state.known.originals.insert((place, range), None);
        }
        Pending::Before(_) => {
            state.transcript.at_start = true;
            state.warn(why);
        }
        Pending::After(_) => {
            state.transcript.at_end = true;
            state.warn(why);
        }
        Pending::Raw => {
            if matches!(state.layers.last(), Some(Layer::Raw { line: None, .. })) {
                state.layers.pop();
            }
            state.warn(why);
        }
        Pending::Fill(fold, _) => {
            // Unfolded once more, it is asked for once more.
            state.transcript.set_open(fold, Piece::Fold, false);
            state.transcript.asked.remove(&fold);
            state.warn(why);
        }
        Pending::Replace(_)
        | Pending::Refresh
        | Pending::Record(_)
        | Pending::CopyPlace
        | Pending::Find
        | Pending::Told => state.warn(why),
    }
}
