//! Screens that lie over the whole transcript, as rows.

use super::command::Spec;
use super::layer::{LaidRaw, Layer};
use super::{State, findings_screen, ledger_screen, lineage_screen, outline_screen, prompts, window_screen};
use crate::record::FindingKind;
use crate::session::{FileNo, Trouble};
use crate::text::{Shown, cut};
use crate::view::{self, Row, Run, Tone, counted, thousands};

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
        Layer::Region { title: name, text, .. } => {
            right(title(name), &format!("{} bytes", thousands(text.len() as u64)))
        }
        Layer::Troubles { .. } => {
            right(title("What could not be read"), &counted(state.known.troubles.len() as u64, "line"))
        }
        Layer::Findings(list) => {
            let told = match super::auditing::progress(state) {
                // What markers share is put together at the end: until then there may be fewer.
                Some((at, all)) if list.len() > 0 => {
                    format!(
                        "checking m{at} of {all} {} {} so far",
                        state.settings.signs.dot,
                        thousands(list.len() as u64)
                    )
                }
                Some((at, all)) => format!("checking m{at} of {all} {}", state.settings.signs.more),
                None => findings_screen::summary(state, list),
            };
            let room = usize::from(state.width).saturating_sub(20 + told.chars().count());
            let name = cut(&Shown::line(&state.title()), room);
            let text = if room >= 8 { format!("Findings in {}", name.as_str()) } else { "Findings".to_owned() };
            right(title(&text), &told)
        }
        Layer::Lineage(page) => {
            let mut row = title("Lineage");
            row.runs.extend([Run::text("   "), Run::text(&lineage_screen::title(state, page))]);
            row
        }
        Layer::Window(page) => {
            let told = window_screen::summary(state, page);
            right(title(&named(state, "Window of", told.chars().count())), &told)
        }
        Layer::Outline(_) => {
            let told = outline_screen::summary(state);
            right(title(&named(state, "Outline of", told.chars().count())), &told)
        }
        Layer::Menu { .. }
        | Layer::Settle { .. }
        | Layer::Reword { .. }
        | Layer::Search(_)
        | Layer::Palette { .. }
        | Layer::Quit => Row::blank(),
    }
}

/// A screen of the session by its name, as long as there is room.
fn named(state: &State, what: &str, beside: usize) -> String {
    let room = usize::from(state.width).saturating_sub(what.len() + beside + 6);
    let name = cut(&Shown::line(&state.title()), room);
    if room >= 8 { format!("{what} {}", name.as_str()) } else { what.split(' ').next().unwrap_or(what).to_owned() }
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

/// How high the entries of a list are, from the top, and what stands below them.
pub(super) struct Extent {
    pub heights: Vec<usize>,
    pub tail: Vec<Row>,
}

impl Extent {
    /// All rows.
    pub fn rows(&self) -> usize {
        self.heights.iter().sum::<usize>() + self.tail.len()
    }

    /// The first row of an entry, and the row after its last.
    pub fn rows_of(&self, at: usize) -> Option<(usize, usize)> {
        let height = self.heights.get(at)?;
        let first = self.heights[..at].iter().sum();
        Some((first, first + height))
    }

    /// The entry that this row belongs to.
    pub fn entry_at(&self, row: usize) -> Option<usize> {
        let mut start = 0;
        self.heights.iter().position(|height| {
            start += height;
            row < start
        })
    }
}

/// What the screen is made of, without its entries' rows: there may be many, and only those that are seen are made.
pub(super) fn extent(state: &State, layer: &Layer) -> Extent {
    let cells = cells(state);
    let none = Vec::new();
    match layer {
        Layer::Ledger { .. } => {
            let standings = state.known.ledger.entries.iter().rev();
            Extent {
                heights: standings.map(|of| view::entry_height(of, cells)).collect(),
                tail: below_ledger(state, cells),
            }
        }
        Layer::Troubles { .. } => Extent { heights: vec![1; state.known.troubles.len()], tail: none },
        Layer::Help { edit, .. } => Extent { heights: Vec::new(), tail: help(state, edit.text(), cells) },
        Layer::Raw { laid, .. } | Layer::Region { laid, .. } => {
            Extent { heights: Vec::new(), tail: vec![Row::blank(); laid.rows.len()] }
        }
        Layer::Findings(list) => Extent {
            heights: findings_screen::heights(state, list, findings_screen::cells(state)),
            tail: findings_screen::tail(state, list),
        },
        Layer::Lineage(page) => Extent { heights: Vec::new(), tail: vec![Row::blank(); page.rows()] },
        Layer::Window(_)
        | Layer::Outline(_)
        | Layer::Menu { .. }
        | Layer::Settle { .. }
        | Layer::Reword { .. }
        | Layer::Search(_)
        | Layer::Palette { .. }
        | Layer::Quit => Extent { heights: Vec::new(), tail: none },
    }
}

fn cells(state: &State) -> usize {
    usize::from(state.width).saturating_sub(1)
}

/// The rows of the screen that have room.
pub(super) fn body(state: &State, layer: &Layer) -> Vec<Row> {
    let (top, selected) = match layer {
        Layer::Ledger { at, top } | Layer::Troubles { at, top } => (*top, Some(*at)),
        Layer::Help { top, .. } => (*top, None),
        Layer::Findings(list) => (list.top, Some(list.at)),
        Layer::Lineage(page) => return lineage_screen::body(state, page),
        Layer::Window(page) => return window_screen::body(state, page),
        Layer::Outline(page) => return outline_screen::body(state, page),
        Layer::Raw { line: None, .. } => {
            return vec![Row::of([Run::dim(&format!("   reading{}", state.settings.signs.more))])];
        }
        Layer::Raw { top, laid, .. } | Layer::Region { top, laid, .. } => {
            return laid.rows.iter().skip(*top).take(state.body_height()).cloned().collect();
        }
        _ => (0, None),
    };
    let height = state.body_height();
    let extent = extent(state, layer);
    let mut rows = Vec::new();
    let mut start = 0;
    for (at, of) in extent.heights.iter().enumerate() {
        if rows.len() >= height {
            break;
        }
        if start + of > top {
            let mut entry = entry_rows(state, layer, at);
            state.rows_built.set(state.rows_built.get() + entry.len() as u64);
            if let (true, Some(first)) = (Some(at) == selected, entry.first_mut()) {
                *first = state.with_cursor(std::mem::take(first));
            }
            rows.extend(entry.into_iter().skip(top.saturating_sub(start)));
        }
        start += of;
    }
    rows.extend(extent.tail.into_iter().skip(top.saturating_sub(start)));
    rows.truncate(height);
    rows
}

/// The rows of one entry of a list.
fn entry_rows(state: &State, layer: &Layer, at: usize) -> Vec<Row> {
    let (signs, cells) = (state.settings.signs, cells(state));
    match layer {
        Layer::Ledger { .. } => {
            let Some(standing) = ledger_screen::at(state, at) else { return Vec::new() };
            let target = standing.entry.draft.target.and_then(|hash| state.known.ledger.at(hash));
            let target = target.map(|at| state.known.ledger.entries[at].entry.no);
            let gone = state.known.is_gone(&standing.entry);
            view::entry_rows(&view::EntryRows { standing, target, gone }, cells, signs, &state.settings.zone)
        }
        Layer::Findings(list) => findings_screen::rows(state, list, at),
        Layer::Troubles { .. } => {
            state.known.troubles.get(at).map(|of| trouble(state, of, cells)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn below_ledger(state: &State, cells: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    if state.known.ledger.entries.is_empty() {
        let text = "nothing is pinned yet: x or c on an item of a record makes the first entry";
        for mut row in view::wrapped(text, cells.saturating_sub(4).max(8), Tone::Dim) {
            row.runs.insert(0, Run::text("   "));
            rows.push(row);
        }
    }
    rows.push(Row::blank());
    rows.extend(view::told_rows(state.told.as_ref(), cells, state.settings.signs));
    rows
}

/// The rows of a raw line or of a region's text, laid out once for a width: such a text may be long.
pub(super) fn lay_raw(state: &mut State) {
    let cells = cells(state).saturating_sub(3).max(1);
    let (laid, mut rows) = match state.layers.last_mut() {
        Some(Layer::Raw { line: Some(line), laid, .. }) if laid.cells != Some(cells) => {
            (laid, view::raw(&line.bytes, cells))
        }
        Some(Layer::Region { text, laid, .. }) if laid.cells != Some(cells) => {
            (laid, view::wrapped(text, cells, Tone::Text))
        }
        Some(_) | None => return,
    };
    for row in &mut rows {
        row.runs.insert(0, Run::text(" "));
    }
    state.rows_built.set(state.rows_built.get() + rows.len() as u64);
    *laid = LaidRaw { cells: Some(cells), rows };
}

fn help(state: &State, typed: &str, cells: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let keys = |spec: &Spec| state.keymap.keys(spec.command).join("  ");
    let narrow = cells < 60;
    for spec in prompts::matching(typed) {
        let keys = keys(spec);
        let (name, sentence) = (spec.name, spec.sentence);
        if narrow {
            rows.push(Row::of([Run::new(&format!("   {keys:<12} "), Tone::Accent), Run::new(name, Tone::Strong)]));
            for mut row in view::wrapped(sentence, cells.saturating_sub(6).max(8), Tone::Dim) {
                row.runs.insert(0, Run::text("     "));
                rows.push(row);
            }
            continue;
        }
        let before = format!("   {keys:<20} ");
        let hang = " ".repeat(42);
        let lead = [Run::new(&before, Tone::Accent), Run::new(&format!("{name:<18}"), Tone::Strong)];
        let room = cells.saturating_sub(43).max(8);
        for (nth, row) in view::wrapped(sentence, room, Tone::Text).into_iter().enumerate() {
            let mut runs = if nth == 0 { lead.to_vec() } else { vec![Run::text(&hang)] };
            runs.extend(row.runs);
            rows.push(Row::of(runs));
        }
    }
    if rows.is_empty() {
        rows.push(Row::of([Run::dim("   no command has these words")]));
    }
    rows.push(Row::blank());
    let signs = state.settings.signs;
    let title = |text: &str| Row::of([Run::text("   "), Run::new(text, Tone::Heading)]);
    rows.push(title("Signs"));
    for (sign, means) in [
        (signs.right, "it stands in an original"),
        (signs.alike, "something like it does"),
        (signs.unknown, "not checked, or not borne out: the evidence says which"),
        (signs.wrong, "wrong, or overruled"),
        (signs.lost, "forgotten"),
        (signs.unseen, "no person looked at it yet"),
        (signs.seen, "a person did"),
    ] {
        rows.push(Row::of([Run::new(&format!("   {sign:<3}"), Tone::Strong), Run::dim(means)]));
    }
    rows.push(Row::blank());
    rows.push(title("Findings, worst first"));
    for kind in FindingKind::ALL {
        let word = format!("   {:<34}", kind.plain());
        if narrow {
            rows.push(Row::of([Run::new(word.trim_end(), Tone::Strong)]));
        }
        let lead = if narrow { Run::text("     ") } else { Run::new(&word, Tone::Strong) };
        let room = cells.saturating_sub(lead.width() + 1).max(8);
        for (nth, mut row) in view::wrapped(explained(*kind), room, Tone::Dim).into_iter().enumerate() {
            row.runs.insert(0, if nth == 0 { lead.clone() } else { Run::text(&" ".repeat(lead.width())) });
            rows.push(row);
        }
    }
    rows.push(Row::blank());
    let line = "Text from a session is shown as it was said, except that control characters are made visible.";
    for mut row in view::wrapped(line, cells.saturating_sub(4).max(8), Tone::Dim) {
        row.runs.insert(0, Run::text("   "));
        rows.push(row);
    }
    rows
}

/// What a kind of finding says, in a sentence.
fn explained(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Inverted => "a no became a yes, or a question a decision",
        FindingKind::Invented => "no turn before the compaction holds it",
        FindingKind::Altered => "the turns have another value",
        FindingKind::Firmed => "it is surer than it was said",
        FindingKind::Misattributed => "another person said it, or the agent",
        FindingKind::Overruled => "an entry of the ledger says otherwise",
        FindingKind::Laundered => "the turns that it came from are gone",
        FindingKind::Lost => "it was needed, and is not in the record",
    }
}

fn trouble(state: &State, trouble: &Trouble, cells: usize) -> Row {
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
    Row::of([Run::new(&place, Tone::Warning), Run { text: why, ..Run::text("") }])
}
