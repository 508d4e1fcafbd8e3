//! What the checks found at all markers as a screen: worst first, one kind or all of them.

use super::findings::FindingAt;
use super::jump::{go_to, remember};
use super::layer::Layer;
use super::settings::Settings;
use super::state::Goal;
use super::transcript::evidence_of;
use super::{State, auditing};
use crate::record::{FindingKind, Verdict};
use crate::view::{self, Piece, Row, Run, Tone, counted};

/// The list as it is shown now.
#[derive(Clone, Debug, Default)]
pub(super) struct FindingsList {
    /// The row that the cursor is on.
    pub at: usize,
    /// The first row of the screen.
    pub top: usize,
    /// Only this kind; `None` for all.
    kind: Option<FindingKind>,
    rows: Vec<FindingAt>,
    counts: Vec<(FindingKind, usize)>,
    /// How many of them were answered, as far as it was counted.
    answered: usize,
}

impl FindingsList {
    /// The finding that the cursor is on.
    pub fn chosen(&self) -> Option<FindingAt> {
        self.rows.get(self.at).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

/// `f`: opens it, on the finding that the cursor was on.
pub(super) fn open(state: &mut State) {
    let here = state.subject().and_then(|subject| state.known.finding_of(subject)).map(|(at, _)| at);
    state.layers.push(Layer::Findings(FindingsList::default()));
    refresh(state);
    if let (Some(here), Some(list)) = (here, list(state)) {
        list.at = list.rows.iter().position(|at| *at == here).unwrap_or(0);
    }
    state.keep_cursor_on_screen();
}

fn list(state: &mut State) -> Option<&mut FindingsList> {
    state.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Findings(list) => Some(list),
        _ => None,
    })
}

/// Makes the list anew. The cursor stays on its finding.
pub(super) fn refresh(state: &mut State) {
    let all = state.known.findings.all();
    let kinds: Vec<Option<FindingKind>> =
        all.iter().map(|at| state.known.findings.get(*at).map(|raised| raised.finding.kind)).collect();
    let Some(list) = list(state) else { return };
    let chosen = list.chosen();
    list.counts.clear();
    for kind in kinds.iter().flatten() {
        match list.counts.iter_mut().find(|(of, _)| of == kind) {
            Some((_, count)) => *count += 1,
            None => list.counts.push((*kind, 1)),
        }
    }
    list.counts.sort_unstable();
    let wanted = list.kind;
    let shown = |kind: &Option<FindingKind>| wanted.is_none() || *kind == wanted;
    list.rows = all.into_iter().zip(&kinds).filter(|(_, kind)| shown(kind)).map(|(at, _)| at).collect();
    let mut rows = list.rows.clone();
    let place = chosen.and_then(|chosen| list.rows.iter().position(|at| *at == chosen));
    list.at = place.unwrap_or(list.at).min(list.rows.len().saturating_sub(1));
    // Not while more arrive: each record would be looked at again for each.
    if auditing::progress(state).is_none() {
        rows.sort_unstable();
        let answered = answered(state, &rows);
        if let Some(list) = self::list(state) {
            list.answered = answered;
        }
    }
    state.keep_cursor_on_screen();
}

/// How many of these, in the order of their markers, were answered.
fn answered(state: &State, rows: &[FindingAt]) -> usize {
    let of_marker = |of: &[FindingAt]| {
        let marker = of.first()?.marker;
        let seen = of.iter().filter_map(|at| state.known.see(*at, marker));
        Some(seen.filter(|seen| !seen.is_open()).count())
    };
    rows.chunk_by(|one, other| one.marker == other.marker).filter_map(of_marker).sum()
}

/// Makes the list anew where it is open.
pub(super) fn refresh_if_open(state: &mut State) {
    if list(state).is_some() {
        refresh(state);
    }
}

/// `Tab`: the next kind that there is, coming round over all.
pub(super) fn next_kind(state: &mut State, forward: bool) {
    let Some(list) = list(state) else { return };
    let kinds: Vec<Option<FindingKind>> =
        std::iter::once(None).chain(list.counts.iter().map(|(kind, _)| Some(*kind))).collect();
    let here = kinds.iter().position(|kind| *kind == list.kind).unwrap_or(0);
    let step = if forward { 1 } else { kinds.len() - 1 };
    let next = kinds[(here + step) % kinds.len()];
    choose(state, next);
}

/// A digit: the kind with this number, or all.
pub(super) fn choose_kind(state: &mut State, digit: usize) {
    let Some(list) = list(state) else { return };
    let kind = list.counts.iter().map(|(kind, _)| *kind).find(|kind| *kind as usize + 1 == digit);
    match (digit, kind) {
        (0, _) => choose(state, None),
        (_, Some(kind)) => choose(state, Some(kind)),
        (_, None) => state.say("nothing of this kind was found"),
    }
}

/// A click on the row over the list: the kind that stands there.
pub(super) fn click_head(state: &mut State, column: usize) {
    let Some(Layer::Findings(list)) = state.layers.last() else { return };
    if let Some(key) = head(state, list).and_then(|row| view::kind_at(&row, column)) {
        choose_kind(state, key);
    }
}

fn choose(state: &mut State, kind: Option<FindingKind>) {
    if let Some(list) = list(state) {
        list.kind = kind;
    }
    refresh(state);
}

/// Moves the cursor, and comes to the next finding.
pub(super) fn step(state: &mut State, by: isize) {
    if let Some(list) = list(state) {
        list.at = list.at.saturating_add_signed(by).min(list.rows.len().saturating_sub(1));
    }
    (state.pane_top, state.pane_at) = (0, 0);
    state.keep_cursor_on_screen();
}

/// `Enter`: to the item in its record, which is unfolded.
pub(super) fn enter(state: &mut State) {
    let Some(at) = list(state).and_then(|list| list.chosen()) else { return };
    let Some(place) = state.known.marker(at.marker).map(|marker| marker.place) else { return };
    let Some((_, effective)) = state.known.effective(at.marker) else { return };
    let seen = state.known.seen(at.marker, &effective);
    let Some(nth) = seen.iter().position(|(other, _)| *other == at) else { return };
    let piece = match seen[nth].1.item {
        Some(item) => Piece::Item(item as u32),
        None => Piece::Finding(nth as u32),
    };
    state.layers.clear();
    remember(state);
    go_to(state, Goal::Row(place, piece));
}

/// Heights of the entries: the chosen one with its evidence, where that opens below.
pub(super) fn heights(state: &State, list: &FindingsList, cells: usize) -> Vec<usize> {
    let each = view::finding_height(cells);
    let below = below(state, list, cells).len();
    (0..list.len()).map(|at| if at == list.at { each + below } else { each }).collect()
}

fn below(state: &State, list: &FindingsList, cells: usize) -> Vec<Row> {
    if Settings::is_wide(state.transcript.width) {
        return Vec::new();
    }
    let of = list.chosen().and_then(|at| state.known.subject_of(at));
    let Some(of) = of.and_then(|subject| evidence_of(subject, &state.known, false)) else { return Vec::new() };
    let rows = view::evidence_below(&of, cells, state.settings.signs, &state.settings.zone);
    rows.into_iter().map(|evident| evident.row).collect()
}

/// Cells of the list.
pub(super) fn cells(state: &State) -> usize {
    if Settings::is_wide(state.transcript.width) {
        Settings::record_cells(state.transcript.width)
    } else {
        usize::from(state.width).saturating_sub(2)
    }
}

/// The rows of one entry.
pub(super) fn rows(state: &State, list: &FindingsList, nth: usize) -> Vec<Row> {
    let cells = cells(state);
    let Some(at) = list.rows.get(nth).copied() else { return Vec::new() };
    let Some(subject) = state.known.subject_of(at) else { return Vec::new() };
    let Some(seen) = state.known.see(at, at.marker) else { return Vec::new() };
    let name = match subject {
        super::Subject::Item(selected) => state.known.name(selected),
        super::Subject::Finding(marker, _) => format!("m{marker}"),
    };
    let item = seen.item.and_then(|item| state.known.item(super::known::Selected { marker: at.marker, item }));
    let item = item.map(|(_, item)| item).filter(|item| item.text == seen.finding.text);
    let text = item.map_or(std::borrow::Cow::Borrowed(seen.finding.text.as_str()), view::named);
    let last = state.known.markers.last().map_or(0, |(marker, _)| marker.no);
    let columns = (view::what_cells(list.counts.iter().map(|(kind, _)| *kind), cells), format!("m{last}.d10").len());
    let of = view::ListedFinding { seen, name: &name, text: &text, columns };
    let mut rows = view::finding_rows(&of, cells, state.settings.signs);
    if nth == list.at {
        rows.extend(below(state, list, cells));
    }
    rows
}

/// What stands over the list: how many there are of each kind.
pub(super) fn head(state: &State, list: &FindingsList) -> Option<Row> {
    let width = usize::from(state.width).saturating_sub(1);
    (!list.counts.is_empty()).then(|| view::kind_row(&list.counts, list.kind, width))
}

/// What stands below the list: what is said instead of it, and how much was kept.
pub(super) fn tail(state: &State, list: &FindingsList) -> Vec<Row> {
    let cells = cells(state);
    let mut rows = Vec::new();
    if list.rows.is_empty() {
        for mut row in view::wrapped(&empty(state), cells.saturating_sub(4).max(8), Tone::Dim) {
            row.runs.insert(0, Run::text("   "));
            rows.push(row);
        }
    }
    let first = state.known.markers.first().map(|(marker, _)| marker.no);
    let mut kept: Vec<view::KeptAt> = state
        .known
        .records
        .values()
        .filter_map(|record| {
            let checked = record.checked.as_ref()?;
            let of_first = checked.stretches.iter().find(|(no, _)| Some(*no) == first);
            Some(view::KeptAt {
                marker: record.compaction.no,
                retention: checked.retention,
                of_first: of_first.map(|(_, retention)| view::kept_in_all(retention)),
            })
        })
        .collect();
    kept.sort_by_key(|at| at.marker);
    let curves = view::curve_rows(&kept, cells, state.settings.signs);
    if curves.len() > 1 {
        rows.push(Row::blank());
        rows.extend(curves);
    }
    rows
}

fn empty(state: &State) -> String {
    if let Some((at, all)) = auditing::progress(state) {
        return format!("checking m{at} of {all} {} findings arrive here as they are made", state.settings.signs.more);
    }
    if !state.known.complete {
        return "the session is still being read: its records are checked after that".to_owned();
    }
    if state.known.markers.is_empty() {
        return "there is no compaction in this session, so there is nothing to check".to_owned();
    }
    if let Some(left) = left_out(state) {
        return format!(
            "{left}: the check stopped, and what is written there may be wrong; open the session again to try once more"
        );
    }
    let checked = state.known.records.values().filter(|record| record.checked.is_some()).count();
    if checked == 0 {
        return "the records were not checked: open the session again to try once more".to_owned();
    }
    let items = state.known.records.values().flat_map(|record| &record.record.items);
    let unchecked = items.filter(|item| item.field.is_claim() && item.verdict == Verdict::Unchecked).count();
    view::no_findings(unchecked)
}

/// How many there are and how many were answered, for the row over the screen.
pub(super) fn summary(state: &State, list: &FindingsList) -> String {
    let left = left_out(state);
    let found = (list.len() > 0 || left.is_none()).then(|| told(list));
    let answered = (list.answered > 0).then(|| format!("{} answered", list.answered));
    let dot = format!(" {} ", state.settings.signs.dot);
    [found, answered, left].into_iter().flatten().collect::<Vec<_>>().join(&dot)
}

/// `16 findings`; of one kind alone `14 of 16 findings: forgotten`.
fn told(list: &FindingsList) -> String {
    let all: usize = list.counts.iter().map(|(_, count)| count).sum();
    match list.kind {
        Some(kind) => format!("{} of {}: {}", list.len(), counted(all as u64, "finding"), kind.plain()),
        None => counted(all as u64, "finding"),
    }
}

/// Markers that the check did not come to, in words; `None` where there are none.
fn left_out(state: &State) -> Option<String> {
    match state.known.left_out().as_slice() {
        [] => None,
        [no] => Some(format!("m{no} not checked")),
        all => Some(format!("{} not checked", counted(all.len() as u64, "compaction"))),
    }
}
