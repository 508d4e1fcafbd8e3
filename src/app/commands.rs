//! What each command does.

use super::command::Command;
use super::edit::Edit;
use super::layer::Layer;
use super::update::quit;
use super::{
    Effect, State, clipboard, correct, findings_screen, folding, jump, ledger_screen, lineage_screen, outline_screen,
    pane, saving, window_screen,
};

/// Does it. `count` is the number typed before its key.
pub(super) fn run(state: &mut State, command: Command, count: Option<u32>) {
    let times = count.unwrap_or(1).clamp(1, 10_000) as isize;
    let height = state.body_height().max(1) as isize;
    match command {
        Command::Down => jump::step(state, times),
        Command::Up => jump::step(state, -times),
        Command::HalfDown => jump::page(state, (height / 2).max(1)),
        Command::HalfUp => jump::page(state, -(height / 2).max(1)),
        Command::PageDown => jump::page(state, (height - 2).max(1)),
        Command::PageUp => jump::page(state, -(height - 2).max(1)),
        Command::First => jump::first(state),
        Command::Last => jump::last(state, count),
        Command::NextMarker => jump::next_marker(state, true),
        Command::PreviousMarker => jump::next_marker(state, false),
        Command::Enter => folding::enter(state),
        Command::Unfold => folding::unfold(state, true),
        Command::Fold => folding::fold(state),
        Command::Back => jump::back(state),
        Command::Focus => pane::focus(state),
        Command::NextFinding => jump::finding(state, true),
        Command::PreviousFinding => jump::finding(state, false),
        Command::Fix => correct::fix(state),
        Command::More => correct::menu(state),
        Command::Right => correct::right(state),
        Command::WrongAlarm => saving::wrong_alarm(state),
        Command::OpenFindings => findings_screen::open(state),
        Command::NextKind => findings_screen::next_kind(state, true),
        Command::PreviousKind => findings_screen::next_kind(state, false),
        Command::OpenLineage => lineage_screen::open(state),
        Command::Undo => saving::undo(state),
        Command::Redo => saving::redo(state),
        Command::Withdraw => ledger_screen::withdraw(state),
        Command::Confirm => ledger_screen::confirm(state),
        Command::Search => state.layers.push(Layer::Search(Edit::default())),
        Command::SearchNext => jump::search(state, true),
        Command::SearchPrevious => jump::search(state, false),
        Command::Follow => jump::follow(state),
        Command::ShowRaw => clipboard::raw(state),
        Command::Copy => clipboard::copy(state),
        Command::CopyPlace => clipboard::copy_place(state),
        Command::OpenLedger => ledger_screen::open(state),
        Command::OpenWindow => window_screen::open(state),
        Command::MoreBudget => window_screen::more(state, count),
        Command::LessBudget => window_screen::less(state),
        Command::RegionText => window_screen::text(state),
        Command::OpenOutline => outline_screen::open(state),
        Command::OpenTroubles => {
            if state.known.troubles.is_empty() {
                state.say("every line could be read");
            } else {
                state.layers.push(Layer::Troubles { at: 0, top: 0 });
            }
        }
        Command::OpenHelp => {
            state.layers.push(Layer::Help { edit: Edit::default(), typing: false, top: 0 });
        }
        Command::OpenPalette => {
            state.layers.push(Layer::Palette { edit: Edit::default(), at: 0 });
        }
        Command::MouseCapture => {
            state.settings.mouse = !state.settings.mouse;
            let capture = state.settings.mouse;
            state.effects.push(Effect::Mouse { capture });
            state.say(if capture { "the mouse scrolls and selects rows" } else { "the mouse selects text" });
        }
        Command::Suspend => state.effects.push(Effect::Suspend),
        Command::Clear => jump::clear(state),
        Command::Quit => {
            if state.layers.pop().is_none() {
                quit(state);
            }
        }
    }
}
