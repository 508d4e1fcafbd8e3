//! What each action changes, and what it wants done.

use super::command::{Command, Context};
use super::keymap::Meaning;
use super::layer::Layer;
use super::state::Pending;
use super::{
    Action, Effect, Key, KeyCode, Mouse, MouseKind, State, arrive, auditing, commands, findings_screen, folding, jump,
    ledger_screen, lineage_screen, outline_screen, pane, prompts, saving, screens, window_screen,
};
use crate::session::FileNo;
use crate::workbench::Spot;

/// Rows that one notch of the wheel scrolls.
const NOTCH: isize = 3;

/// Changes the state as the action says, and returns what is to be done.
pub fn update(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Key(pressed) => key(state, pressed),
        Action::Mouse(mouse) => self::mouse(state, mouse),
        Action::Paste(text) => prompts::paste(state, &text),
        Action::Resize { width, height } => {
            (state.width, state.height) = (width, height);
            state.measure();
        }
        Action::Edited(text) => prompts::edited(state, text),
        Action::Window(request, window) => arrive::window(state, request, window),
        Action::Record(request, record) => arrive::record(state, request, *record),
        Action::Ledger(ledger) => {
            ledger_screen::learn(state, ledger);
        }
        Action::Saved(request, saved) => saving::saved(state, request, *saved),
        Action::Reviewed(request) => saving::reviewed(state, request),
        Action::Alarmed(request) => saving::alarmed(state, request),
        Action::Checked(request, record) => auditing::checked(state, request, *record),
        Action::AuditDone(request) => auditing::done(state, request),
        Action::Lineage(request, lineage) => lineage_screen::arrived(state, request, lineage),
        Action::Assembled(request, context) => window_screen::arrived(state, request, *context),
        Action::LedgerOverBudget(request, over) => window_screen::ledger_alone(state, request, over),
        Action::Overview(request, overview) => outline_screen::arrived(state, request, *overview),
        Action::Raw(request, raw) => arrive::raw(state, request, raw),
        Action::Found(request, found) => arrive::found(state, request, found),
        Action::Told(request, text, tokens) => arrive::told(state, request, text, tokens),
        Action::Indexed(batch) => arrive::indexed(state, batch),
        Action::Failed(request, why) => arrive::failed(state, request, why),
        Action::Rewritten => state.rewritten = true,
        Action::Gone(gone) => {
            state.gone = gone;
            // There is no end to follow to.
            jump::leave_end(state);
        }
        Action::Notice(text) => state.warn(text),
    }
    settle(state);
    std::mem::take(&mut state.effects)
}

/// Lays out what is on the screen now, and asks for what is missing near it.
fn settle(state: &mut State) {
    screens::lay_raw(state);
    lineage_screen::lay(state);
    outline_screen::lay(state);
    let before = state.transcript.subject();
    state.transcript.settle(&state.known, &state.settings);
    if state.transcript.subject() != before {
        (state.pane_focus, state.pane_top, state.pane_at) = (false, 0, 0);
        // The selection decides about evidence below the row.
        state.transcript.settle(&state.known, &state.settings);
    }
    if let Some(source) = state.subject().or_else(|| state.shown()).and_then(|subject| state.known.source_of(subject)) {
        let (place, range) = (source.place, source.range);
        let reading = state.pending.values().any(|pending| matches!(pending, Pending::Original(..)));
        if !state.known.originals.contains_key(&(place, range)) && !reading {
            state.load(Spot::Around(place), Pending::Original(place, range));
        }
    }
    if state.transcript.is_empty() || state.pending.values().any(|pending| matches!(pending, Pending::Replace(_))) {
        return;
    }
    arrive::renumber(state);
    for (fold, file) in state.transcript.unfilled() {
        state.load(Spot::After(file, 0), Pending::Fill(fold, None));
    }
    let (before, after) = state.transcript.wants();
    let (start, end) = (state.transcript.start, state.transcript.end);
    if before && !state.waits_for(&Pending::Before(start)) {
        state.load(Spot::Before(FileNo(0), start), Pending::Before(start));
    }
    if after && !state.waits_for(&Pending::After(end)) {
        state.load(Spot::After(FileNo(0), end), Pending::After(end));
    }
}

fn key(state: &mut State, pressed: Key) {
    if pressed == Key::ctrl('c') {
        return quit(state);
    }
    if matches!(state.layers.last(), Some(Layer::Quit)) {
        return prompts::quit_key(state, pressed);
    }
    if pressed == Key::ctrl('z') {
        return state.effects.push(Effect::Suspend);
    }
    let Some(context) = state.context() else { return prompts::key(state, pressed) };
    if let KeyCode::Char(digit @ '0'..='9') = pressed.code
        && state.keys.is_empty()
        && (digit != '0' || state.count.is_some())
        && context != Context::Findings
        && !pressed.ctrl
        && !pressed.alt
    {
        let digit = digit as u32 - '0' as u32;
        state.count = Some(state.count.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(9_999_999));
        return;
    }
    if let (Context::Findings, KeyCode::Char(digit @ '0'..='9'), false, false) =
        (context, pressed.code, pressed.ctrl, pressed.alt)
    {
        return findings_screen::choose_kind(state, digit as usize - '0' as usize);
    }
    if context == Context::Help && pressed == Key::char('/') {
        return prompts::type_in_help(state);
    }
    state.keys.push(pressed);
    let meaning = match state.keymap.meaning(context, &state.keys) {
        Meaning::Nothing if state.keys.len() > 1 => {
            // The first keys meant nothing together with this one, but it may mean something alone.
            state.keys = vec![pressed];
            state.keymap.meaning(context, &state.keys)
        }
        meaning => meaning,
    };
    match meaning {
        Meaning::Beginning => {}
        Meaning::Nothing => {
            state.keys.clear();
            state.count = None;
        }
        Meaning::Command(command) => {
            state.keys.clear();
            let count = state.count.take();
            run(state, command, count);
        }
    }
}

/// Does a command, whoever asked for it.
pub(super) fn run(state: &mut State, command: Command, count: Option<u32>) {
    let moves = matches!(
        command,
        Command::Down | Command::Up | Command::HalfDown | Command::HalfUp | Command::PageDown | Command::PageUp
    );
    let cleared = !moves && !state.is_saving() && state.notice.take().is_some();
    // A screen is left only when it has no message left to clear.
    if cleared && command == Command::Clear && !state.layers.is_empty() {
        return;
    }
    commands::run(state, command, count);
}

/// Leaves the program, or asks first when text would be lost.
pub(super) fn quit(state: &mut State) {
    if matches!(state.layers.last(), Some(Layer::Quit)) || !state.has_unsaved_text() {
        return state.effects.push(Effect::Quit);
    }
    state.layers.push(Layer::Quit);
}

fn mouse(state: &mut State, mouse: Mouse) {
    let by = match mouse.kind {
        MouseKind::WheelUp => -NOTCH,
        MouseKind::WheelDown => NOTCH,
        MouseKind::Click => return click(state, mouse),
    };
    if let Some(layer) = state.layers.last() {
        if layer.is_screen() {
            jump::scroll_screen(state, by);
        }
        return;
    }
    if state.pane_holds(mouse.column, mouse.row) {
        return jump::scroll_pane(state, by);
    }
    jump::leave_end(state);
    state.transcript.scroll(by, &state.known, &state.settings);
}

fn click(state: &mut State, mouse: Mouse) {
    let top = state.chrome().0;
    if matches!(state.layers.last(), Some(Layer::Findings(_))) && top > 1 && mouse.row == 1 {
        return findings_screen::click_head(state, usize::from(mouse.column));
    }
    let Some(row) = usize::from(mouse.row).checked_sub(top).filter(|row| *row < state.body_height()) else { return };
    if let Some(layer) = state.layers.last() {
        // Beside the list of findings stands the evidence of one.
        let beside = matches!(layer, Layer::Findings(_)) && usize::from(mouse.column) >= findings_screen::cells(state);
        if layer.is_screen() && !beside {
            jump::click_screen(state, row);
        }
        return;
    }
    if state.pane_holds(mouse.column, mouse.row) {
        return pane::click(state, mouse.row);
    }
    jump::leave_end(state);
    if state.transcript.click(row) {
        folding::click_unfolds(state);
    }
}
