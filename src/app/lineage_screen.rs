//! One claim through all its generations as a screen.

use super::findings::Subject;
use super::jump::{go_to, remember};
use super::layer::Layer;
use super::state::{Goal, Pending};
use super::{Effect, Request, State, auditing};
use crate::record::{Generation, Lineage};
use crate::text::{Shown, cut};
use crate::view::{self, LineageRows, Piece, Row, Run};

/// The page as it is shown now.
#[derive(Clone, Debug, Default)]
pub(super) struct LineagePage {
    /// The generation that the cursor is on.
    pub at: usize,
    /// The first row of the screen.
    pub top: usize,
    text: String,
    lineage: Option<Lineage>,
    /// Its rows, and for how many cells they were made.
    laid: (usize, LineageRows),
}

impl LineagePage {
    /// Whether the answer has not come yet.
    pub fn is_waiting(&self) -> bool {
        self.lineage.is_none()
    }

    fn rows_of(&self, at: usize) -> (usize, usize) {
        let of = |row: &(Row, Option<usize>)| row.1 == Some(at);
        let rows = &self.laid.1;
        let first = rows.iter().position(of).unwrap_or(0);
        (first, rows.iter().rposition(of).map_or(first + 1, |last| last + 1))
    }

    /// The generation that this row belongs to.
    pub fn entry_at(&self, row: usize) -> Option<usize> {
        self.laid.1.get(row)?.1
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.laid.1.len()
    }
}

/// `i`: asks how every compaction told what the cursor is on.
pub(super) fn open(state: &mut State) {
    let Some(subject) = state.subject() else {
        return state.say("no item is selected: ] goes to the next compaction, Enter unfolds it");
    };
    if !auditing::is_done(state) {
        return state.say("the records are still being checked: a moment");
    }
    let (what, text) = match subject {
        Subject::Item(selected) => match state.known.item(selected) {
            Some((_, item)) => (state.known.name(selected), item.text.clone()),
            None => return,
        },
        Subject::Finding(_, at) => match state.known.findings.get(at) {
            Some(raised) => {
                let finding = &raised.finding;
                let item = finding.markers.first().zip(finding.item);
                let named = item.map(|(marker, item)| state.known.name(super::Selected { marker: *marker, item }));
                (named.unwrap_or_else(|| finding.text.clone()), finding.text.clone())
            }
            None => return,
        },
    };
    state.pending.retain(|_, pending| *pending != Pending::Lineage);
    state.layers.push(Layer::Lineage(LineagePage { text, ..LineagePage::default() }));
    state.ask(Pending::Lineage, |request| Effect::Lineage { request, what });
}

/// The answer came.
pub(super) fn arrived(state: &mut State, request: Request, lineage: Lineage) {
    if state.pending.remove(&request) != Some(Pending::Lineage) {
        return;
    }
    if let Some(Layer::Lineage(page)) = state.layers.last_mut() {
        page.at = lineage.first_change().unwrap_or(0);
        page.lineage = Some(lineage);
        page.laid = (0, Vec::new());
    }
    lay(state);
    keep_on_screen(state);
}

/// The rows of the page, made once for a width.
pub(super) fn lay(state: &mut State) {
    let cells = usize::from(state.width).saturating_sub(2).max(1);
    let Some(Layer::Lineage(page)) = state.layers.last() else { return };
    let Some(lineage) = page.lineage.as_ref().filter(|_| page.laid.0 != cells) else { return };
    let name = |one: &Generation| match (one.marker, one.item, &one.source) {
        (Some(marker), Some(item), _) => state.known.name(super::Selected { marker, item }),
        (Some(marker), None, _) => format!("m{marker}"),
        (None, _, Some(source)) => format!("turn {}", source.turn),
        (None, _, None) => "original".to_owned(),
    };
    let mut rows = view::lineage_rows(lineage, &name, cells, state.settings.signs);
    rows.extend(view::lineage_help(cells).into_iter().map(|row| (row, None)));
    state.rows_built.set(state.rows_built.get() + rows.len() as u64);
    if let Some(Layer::Lineage(page)) = state.layers.last_mut() {
        page.laid = (cells, rows);
    }
}

/// The rows that have room.
pub(super) fn body(state: &State, page: &LineagePage) -> Vec<Row> {
    if page.is_waiting() {
        return vec![
            Row::blank(),
            Row::of([Run::dim(&format!("   reading the originals{}", state.settings.signs.more))]),
        ];
    }
    let (first, _) = page.rows_of(page.at);
    let rows = page.laid.1.iter().enumerate().skip(page.top).take(state.body_height());
    rows.map(|(at, (row, _))| if at == first { state.with_cursor(row.clone()) } else { row.clone() }).collect()
}

/// The row over the screen.
pub(super) fn title(state: &State, page: &LineagePage) -> String {
    let text = view::unmarked(&page.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let room = usize::from(state.width).saturating_sub(14);
    cut(&Shown::line(&text), room).as_str().to_owned()
}

/// Moves the cursor by generations.
pub(super) fn step(state: &mut State, by: isize) {
    if let Some(Layer::Lineage(page)) = state.layers.last_mut() {
        let count = page.lineage.as_ref().map_or(0, |lineage| lineage.generations.len());
        page.at = page.at.saturating_add_signed(by).min(count.saturating_sub(1));
    }
    keep_on_screen(state);
}

fn keep_on_screen(state: &mut State) {
    let height = state.body_height();
    let Some(Layer::Lineage(page)) = state.layers.last_mut() else { return };
    let (first, end) = page.rows_of(page.at);
    let last = page.lineage.as_ref().is_some_and(|lineage| page.at + 1 == lineage.generations.len());
    // At the first and the last one what stands before and behind them is shown too.
    let first = if page.at == 0 { 0 } else { first };
    let end = if last { page.rows() } else { end };
    let lowest = end.saturating_sub(height).min(first);
    page.top = page.top.clamp(lowest, first.max(lowest));
}

/// `Enter`: to the item of the generation, or to the original turn.
pub(super) fn enter(state: &mut State) {
    let Some(Layer::Lineage(page)) = state.layers.last() else { return };
    let Some(one) = page.lineage.as_ref().and_then(|lineage| lineage.generations.get(page.at)).cloned() else { return };
    let marker = one.marker.and_then(|no| state.known.marker(no)).map(|marker| marker.place);
    match (marker, one.item, one.source) {
        (Some(place), Some(item), _) => leave(state, Goal::Row(place, Piece::Item(item as u32))),
        (Some(place), None, _) => leave(state, Goal::Marker(place)),
        (None, _, Some(source)) => leave(state, Goal::Words(source.place, Some(source.range))),
        (None, _, None) => state.say("no turn of this file is known for it"),
    }
}

fn leave(state: &mut State, goal: Goal) {
    state.layers.clear();
    remember(state);
    go_to(state, goal);
}
