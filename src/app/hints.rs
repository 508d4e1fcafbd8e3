//! The hints of each place: the keys that matter there.

use super::command::Command;
use super::findings::Subject;
use super::layer::Layer;
use super::node::Content;
use super::{State, ledger_screen};
use crate::session::Entry;
use crate::view::Piece;

/// Keys and their names: those that matter here, and those that are always there.
type Hints = Vec<(String, &'static str)>;

/// The hints of where the person is.
pub(super) fn hints(state: &State) -> (Hints, Hints) {
    let key = |command: Command, name: &'static str| state.keymap.key(command).map(|key| (key, name));
    let both = |one: Command, other: Command, name: &'static str| {
        Some((format!("{} {}", state.keymap.key(one)?, state.keymap.key(other)?), name))
    };
    let fixed = |key: &str, name: &'static str| Some((key.to_owned(), name));
    let end = vec![key(Command::OpenHelp, "help"), key(Command::Quit, "quit")];
    let (left, right) = match state.layers.last() {
        None => (transcript(state, &key, &both), end),
        Some(Layer::Ledger { at, .. }) => (
            {
                let (withdraw, confirm) = ledger_screen::at(state, *at).map(ledger_screen::can).unwrap_or_default();
                vec![
                    key(Command::Withdraw, "withdraw").filter(|_| withdraw),
                    confirm.and_then(|name| key(Command::Confirm, name)),
                    key(Command::Enter, "source"),
                    key(Command::Copy, "copy"),
                    key(Command::Undo, "undo"),
                ]
            },
            vec![key(Command::OpenHelp, "help"), key(Command::Quit, "back")],
        ),
        Some(Layer::Help { typing: true, .. }) => (vec![fixed("Enter", "keep"), fixed("Esc", "all")], vec![]),
        Some(Layer::Help { .. }) => {
            (vec![fixed("/", "search"), both(Command::Down, Command::Up, "scroll")], vec![key(Command::Quit, "back")])
        }
        Some(Layer::Raw { .. }) => (
            vec![
                key(Command::Copy, "copy"),
                key(Command::CopyPlace, "copy place"),
                both(Command::Down, Command::Up, "scroll"),
            ],
            vec![key(Command::Quit, "back")],
        ),
        Some(Layer::Region { .. }) => (
            vec![key(Command::Copy, "copy"), both(Command::Down, Command::Up, "scroll")],
            vec![key(Command::Quit, "back")],
        ),
        Some(Layer::Findings(list)) => {
            let any = |hint: Option<(String, &'static str)>| hint.filter(|_| list.len() > 0);
            let subject = list.chosen().and_then(|at| state.known.subject_of(at));
            let of_item =
                |hint: Option<(String, &'static str)>| hint.filter(|_| matches!(subject, Some(Subject::Item(_))));
            let lost =
                list.chosen().and_then(|at| state.known.see(at, at.marker)).is_some_and(|seen| seen.is_forgotten());
            let pin = if lost { "pin" } else { "fix" };
            (
                vec![
                    any(key(Command::Enter, "to the item")),
                    any(key(Command::Fix, pin)),
                    of_item(key(Command::More, "more")),
                    any(key(Command::WrongAlarm, "wrong alarm")),
                    any(key(Command::OpenLineage, "lineage")),
                    any(key(Command::NextKind, "kind")),
                    key(Command::OpenLedger, "ledger"),
                ],
                vec![key(Command::OpenHelp, "help"), key(Command::Quit, "back")],
            )
        }
        Some(Layer::Lineage(_)) => (
            vec![key(Command::Enter, "go there"), both(Command::Down, Command::Up, "generations")],
            vec![key(Command::OpenHelp, "help"), key(Command::Quit, "back")],
        ),
        Some(Layer::Window(_)) => (
            vec![
                key(Command::Enter, "go there"),
                both(Command::MoreBudget, Command::LessBudget, "budget"),
                key(Command::RegionText, "text"),
                key(Command::OpenLedger, "ledger"),
                key(Command::OpenOutline, "outline"),
                compile(state, key(Command::Copy, "copy the command")),
            ],
            vec![key(Command::OpenHelp, "help"), key(Command::Quit, "back")],
        ),
        Some(Layer::Outline(_)) => (
            vec![
                key(Command::Enter, "go there"),
                both(Command::PreviousMarker, Command::NextMarker, "markers"),
                key(Command::OpenWindow, "window"),
                compile(state, key(Command::Copy, "copy the command")),
            ],
            vec![key(Command::OpenHelp, "help"), key(Command::Quit, "back")],
        ),
        Some(Layer::Troubles { .. }) => (vec![key(Command::Enter, "go there")], vec![key(Command::Quit, "back")]),
        Some(Layer::Menu { .. }) => (vec![fixed("Enter", "choose")], vec![fixed("Esc", "leave it")]),
        Some(Layer::Settle { .. }) => (
            vec![fixed("Enter", "enter it"), fixed("← →", "how"), fixed("↑ ↓", "which turn")],
            vec![fixed("Esc", "leave it")],
        ),
        Some(Layer::Reword { settled: Some(_), .. }) => (
            vec![fixed("Enter", "save"), fixed("Tab", "how"), fixed("Ctrl-E", "own editor")],
            vec![fixed("Esc", "leave it")],
        ),
        Some(Layer::Reword { .. }) => (
            vec![fixed("Enter", "save"), fixed("Ctrl-E", "own editor"), fixed("Alt-Enter", "new line")],
            vec![fixed("Esc", "leave it")],
        ),
        Some(Layer::Search(_)) => (vec![fixed("Enter", "search")], vec![fixed("Esc", "leave it")]),
        Some(Layer::Palette { .. }) => {
            (vec![fixed("Enter", "do it"), fixed("↑ ↓", "choose")], vec![fixed("Esc", "leave it")])
        }
        Some(Layer::Quit) => (vec![fixed("y", "leave"), fixed("n", "stay")], vec![]),
    };
    (left.into_iter().flatten().collect(), right.into_iter().flatten().collect())
}

/// A hint that stands only where a screen names the command that closes blocks.
fn compile(state: &State, hint: Option<(String, &'static str)>) -> Option<(String, &'static str)> {
    hint.filter(|_| state.overview.as_ref().is_some_and(|overview| !overview.due.is_empty()))
}

fn transcript(
    state: &State,
    key: &dyn Fn(Command, &'static str) -> Option<(String, &'static str)>,
    both: &dyn Fn(Command, Command, &'static str) -> Option<(String, &'static str)>,
) -> Vec<Option<(String, &'static str)>> {
    let markers = both(Command::PreviousMarker, Command::NextMarker, "markers");
    let search = key(Command::Search, "search");
    let ledger = key(Command::OpenLedger, "ledger");
    if state.pane_focus {
        return vec![
            key(Command::Enter, "go to the turn"),
            both(Command::Down, Command::Up, "turns"),
            key(Command::Focus, "back to the record"),
        ];
    }
    let findings = both(Command::PreviousFinding, Command::NextFinding, "findings");
    let list = key(Command::OpenFindings, "findings list");
    if let Some(subject @ Subject::Finding(..)) = state.transcript.subject() {
        let seen = state.known.finding_of(subject).map(|(_, seen)| (seen.is_open(), seen.is_forgotten()));
        let pin = key(Command::Fix, "pin").filter(|_| seen == Some((true, true)));
        let wrong = key(Command::WrongAlarm, "wrong alarm");
        return vec![pin, wrong, key(Command::Enter, "source"), findings, markers, list, ledger];
    }
    if let Some(selected) = state.transcript.item() {
        let corrected = super::correct::corrected_by(state, selected).is_some();
        let open = |hint: Option<(String, &'static str)>| hint.filter(|_| !corrected);
        let found = state.known.finding_of(Subject::Item(selected)).is_some();
        let wrong = key(Command::WrongAlarm, "wrong alarm").filter(|_| found);
        let lineage = key(Command::OpenLineage, "lineage").filter(|_| found);
        return vec![
            open(key(Command::Fix, "fix")),
            key(Command::More, "more"),
            open(key(Command::Right, "right")),
            key(Command::Enter, "source"),
            wrong,
            lineage,
            findings,
            markers,
            search,
            ledger,
            list,
            key(Command::Fold, "fold"),
        ];
    }
    let enter = state.transcript.cursor().and_then(|mark| {
        let node = state.transcript.node(mark.node)?;
        let folds = !matches!(mark.piece, Piece::Head | Piece::Text(_) | Piece::Note | Piece::Unread | Piece::Blank);
        let open = state.transcript.is_open(mark.node, mark.piece) || matches!(mark.piece, Piece::Under(_));
        let name = match &node.content {
            Content::Entry(Entry::Marker { .. }) if !open => "open the record",
            _ if open => "fold",
            _ => "unfold",
        };
        folds.then(|| key(Command::Enter, name)).flatten()
    });
    let back = if state.back.is_empty() { None } else { key(Command::Back, "back") };
    let next = if state.needle.is_empty() { None } else { both(Command::SearchNext, Command::SearchPrevious, "hits") };
    let raw = key(Command::ShowRaw, "raw line");
    let (outline, window) = (key(Command::OpenOutline, "outline"), key(Command::OpenWindow, "window"));
    vec![
        enter,
        back,
        markers,
        findings,
        next,
        search,
        list,
        ledger,
        outline,
        window,
        raw,
        key(Command::Follow, "follow"),
    ]
}
