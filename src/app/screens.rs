//! Screens that lie over the whole transcript, as rows; and the hints of each place.

use super::command::{Command, Spec};
use super::layer::Layer;
use super::node::Content;
use super::{State, ledger_screen, prompts};
use crate::session::{Entry, FileNo};
use crate::text::{Shown, cut};
use crate::view::{self, Piece, Row, Run, Tone, counted, thousands};

/// Rows with the list entry that each belongs to.
type Rows = Vec<(Row, Option<usize>)>;

/// The row over the screen.
pub(super) fn head(state: &State, layer: &Layer) -> Row {
    let title = |text: &str| Row::of([Run::text(" "), Run::new(text, Tone::Strong)]);
    let right = |row: Row, text: &str| row.right(Run::dim(text)).right(Run::text(" "));
    match layer {
        Layer::Ledger { .. } => {
            let total = state.known.ledger.entries.len() as u64;
            let active = state.known.ledger.active().count();
            let room = usize::from(state.width).saturating_sub(36);
            let name = cut(&Shown::line(&state.title()), room);
            right(
                title(&format!("Ledger of {}", name.as_str())),
                &format!("{} {} {active} active", counted(total, "entry"), state.settings.signs.dot),
            )
        }
        Layer::Help { edit, typing, .. } => {
            let row = title("Help");
            if *typing || !edit.text().is_empty() {
                let mut row = row;
                row.runs.push(Run::dim("   / "));
                row.runs.push(Run::text(edit.text()));
                row
            } else {
                right(row, "/ to search")
            }
        }
        Layer::Raw { line, .. } => {
            let row = title("As it is stored");
            let place = line.as_ref().map(super::clipboard::place_text).unwrap_or_default();
            let size = line
                .as_ref()
                .map_or_else(String::new, |line| format!("   {} bytes", thousands(line.bytes.len() as u64)));
            let room = usize::from(state.width).saturating_sub(22 + size.len());
            right(row, &format!("{}{size}", tail(&place, room)))
        }
        Layer::Troubles { .. } => {
            right(title("What could not be read"), &counted(state.known.troubles.len() as u64, "line"))
        }
        Layer::Menu { .. }
        | Layer::Settle { .. }
        | Layer::Reword { .. }
        | Layer::Search(_)
        | Layer::Palette { .. }
        | Layer::Quit => Row::blank(),
    }
}

/// The end of a path, which says more than its beginning.
fn tail(text: &str, cells: usize) -> String {
    let shown = Shown::line(text);
    let text = shown.as_str();
    let count = text.chars().count();
    if count <= cells {
        return text.to_owned();
    }
    let skip = count - cells.saturating_sub(1);
    std::iter::once('…').chain(text.chars().skip(skip)).collect()
}

/// The rows of the screen that have room.
pub(super) fn body(state: &State, layer: &Layer) -> Vec<Row> {
    let (top, selected) = match layer {
        Layer::Ledger { at, top } | Layer::Troubles { at, top } => (*top, Some(*at)),
        Layer::Help { top, .. } | Layer::Raw { top, .. } => (*top, None),
        _ => (0, None),
    };
    let mut marked = false;
    content(state, layer)
        .into_iter()
        .skip(top)
        .take(state.body_height())
        .map(|(row, entry)| {
            if entry.is_some() && entry == selected && !marked {
                marked = true;
                return state.with_cursor(row);
            }
            row
        })
        .collect()
}

/// Every row of the screen.
pub(super) fn content(state: &State, layer: &Layer) -> Rows {
    let cells = usize::from(state.width).saturating_sub(1);
    match layer {
        Layer::Ledger { .. } => ledger(state, cells),
        Layer::Help { edit, .. } => help(state, edit.text(), cells),
        Layer::Raw { line, .. } => raw(state, line.as_ref(), cells),
        Layer::Troubles { .. } => troubles(state, cells),
        Layer::Menu { .. }
        | Layer::Settle { .. }
        | Layer::Reword { .. }
        | Layer::Search(_)
        | Layer::Palette { .. }
        | Layer::Quit => Vec::new(),
    }
}

fn ledger(state: &State, cells: usize) -> Rows {
    let signs = state.settings.signs;
    let mut rows = Rows::new();
    let entries = state.known.ledger.entries.len();
    for at in 0..entries {
        let Some(standing) = ledger_screen::at(state, at) else { continue };
        let target = standing.entry.draft.target.and_then(|hash| state.known.ledger.at(hash));
        let target = target.map(|at| state.known.ledger.entries[at].entry.no);
        let entry = view::entry_rows(standing, target, cells, signs, &state.settings.zone);
        rows.extend(entry.into_iter().map(|row| (row, Some(at))));
    }
    if entries == 0 {
        let text = "   nothing is pinned yet: x or c on an item of a record makes the first entry";
        rows.push((Row::of([Run::dim(text)]), None));
    }
    rows.push((Row::blank(), None));
    rows.extend(view::told_rows(state.told.as_ref(), cells, signs).into_iter().map(|row| (row, None)));
    rows
}

fn help(state: &State, typed: &str, cells: usize) -> Rows {
    let mut rows = Rows::new();
    let keys = |spec: &Spec| state.keymap.keys(spec.command).join("  ");
    let narrow = cells < 60;
    for spec in prompts::matching(typed) {
        let keys = keys(spec);
        let (name, sentence) = (spec.name, spec.sentence);
        if narrow {
            rows.push((Row::of([Run::new(&format!("   {keys:<12} "), Tone::Accent), Run::text(name)]), None));
            continue;
        }
        let before = format!("   {keys:<20} ");
        let hang = " ".repeat(42);
        let lead = [Run::new(&before, Tone::Accent), Run::new(&format!("{name:<18}"), Tone::Strong)];
        let room = cells.saturating_sub(43).max(8);
        for (nth, row) in view::wrapped(sentence, room, Tone::Text).into_iter().enumerate() {
            let mut runs = if nth == 0 { lead.to_vec() } else { vec![Run::text(&hang)] };
            runs.extend(row.runs);
            rows.push((Row::of(runs), None));
        }
    }
    if rows.is_empty() {
        rows.push((Row::of([Run::dim("   no command has these words")]), None));
    }
    rows.push((Row::blank(), None));
    for line in [
        "Signs:  ✓ it stands in an original   ? not checked   ✗ wrong or overruled   ◌ no person looked yet   ● one did",
        "Text from a session is shown as it was said, except that control characters are made visible.",
    ] {
        let signs = state.settings.signs;
        let line = line
            .replace('✓', signs.right)
            .replace('✗', signs.wrong)
            .replace('◌', signs.unseen)
            .replace('●', signs.seen);
        for mut row in view::wrapped(&line, cells.saturating_sub(4).max(8), Tone::Dim) {
            row.runs.insert(0, Run::text("   "));
            rows.push((row, None));
        }
    }
    rows
}

fn raw(state: &State, line: Option<&crate::workbench::RawLine>, cells: usize) -> Rows {
    let Some(line) = line else {
        return vec![(Row::of([Run::dim(&format!("   reading{}", state.settings.signs.more))]), None)];
    };
    view::raw(&line.bytes, cells.saturating_sub(3).max(1))
        .into_iter()
        .map(|mut row| {
            row.runs.insert(0, Run::text(" "));
            (row, None)
        })
        .collect()
}

fn troubles(state: &State, cells: usize) -> Rows {
    let mut rows = Rows::new();
    for (at, trouble) in state.known.troubles.iter().enumerate() {
        let line = trouble
            .line
            .map_or_else(|| format!("byte {}", thousands(trouble.offset)), |no| format!("line {}", thousands(no)));
        let file = if trouble.file == FileNo(0) {
            String::new()
        } else {
            let side = state.known.head.sides.iter().find(|side| side.file == trouble.file);
            side.map_or_else(String::new, |side| format!("sub-agent {}  ", side.agent_id))
        };
        let place = format!("   {line:<14}  ");
        let room = cells.saturating_sub(place.len() + 1);
        let why = cut(&Shown::line(&format!("{file}{}", trouble.why)), room);
        rows.push((Row::of([Run::new(&place, Tone::Warning), Run { text: why, ..Run::text("") }]), Some(at)));
    }
    rows
}

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
        Some(Layer::Ledger { .. }) => (
            vec![
                key(Command::Withdraw, "withdraw"),
                key(Command::Confirm, "confirm"),
                key(Command::Enter, "source"),
                key(Command::Copy, "copy"),
                key(Command::Undo, "undo"),
            ],
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
        Some(Layer::Troubles { .. }) => (vec![key(Command::Enter, "go there")], vec![key(Command::Quit, "back")]),
        Some(Layer::Menu { .. }) => (vec![fixed("Enter", "choose")], vec![fixed("Esc", "leave it")]),
        Some(Layer::Settle { .. }) => (
            vec![fixed("Enter", "enter it"), fixed("← →", "how"), fixed("↑ ↓", "which turn")],
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

fn transcript(
    state: &State,
    key: &dyn Fn(Command, &'static str) -> Option<(String, &'static str)>,
    both: &dyn Fn(Command, Command, &'static str) -> Option<(String, &'static str)>,
) -> Vec<Option<(String, &'static str)>> {
    let markers = both(Command::PreviousMarker, Command::NextMarker, "markers");
    let search = key(Command::Search, "search");
    let ledger = key(Command::OpenLedger, "ledger");
    if state.pane_focus {
        return vec![both(Command::Down, Command::Up, "scroll evidence"), key(Command::Focus, "back to the record")];
    }
    if state.transcript.item().is_some() {
        return vec![
            key(Command::Fix, "fix"),
            key(Command::More, "more"),
            key(Command::Right, "right"),
            key(Command::Enter, "source"),
            markers,
            search,
            ledger,
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
    vec![enter, back, markers, next, search, ledger, key(Command::ShowRaw, "raw line"), key(Command::Follow, "follow")]
}
