//! The session at a glance as a screen: how full the context was, and blocks and compactions in their order.

use super::jump::{go_to, remember};
use super::layer::Layer;
use super::state::{Goal, Pending};
use super::window_screen::go_to_turn;
use super::{Effect, Request, State};
use crate::view::{self, Outlined, Plot, Row, Run, Tone, counted};
use crate::workbench::Overview;

/// The page as it is shown now.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlinePage {
    /// The entry that the cursor is on.
    pub at: usize,
    /// The first row of the list on the screen.
    top: usize,
    entries: Vec<Entry>,
    /// The picture, and for how many cells and rows it was made; `None` while nothing is known.
    laid: Option<(usize, usize, Plot)>,
}

/// One thing of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The index of a block.
    Block(usize),
    /// The index of a span.
    Span(usize),
    /// The number of a compaction.
    Marker(u32),
    /// Turns behind the last block.
    Open(u32, u32),
}

fn page(state: &mut State) -> Option<&mut OutlinePage> {
    state.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Outline(page) => Some(page),
        _ => None,
    })
}

/// `O`: opens it at the compaction that was read; on the screen itself it is made anew.
pub(super) fn open(state: &mut State) {
    if !matches!(state.layers.last(), Some(Layer::Outline(_))) {
        let here = state.marker_here();
        state.layers.push(Layer::Outline(OutlinePage::default()));
        learn(state);
        if let (Some(no), Some(page)) = (here, page(state)) {
            page.at = page.entries.iter().position(|entry| *entry == Entry::Marker(no)).unwrap_or(0);
        }
        keep_on_screen(state);
    }
    ask(state);
}

/// Asks for the session at a glance. What was seen of it before stays until the answer comes.
pub(super) fn ask(state: &mut State) {
    state.pending.retain(|_, pending| *pending != Pending::Overview);
    state.ask(Pending::Overview, |request| Effect::Overview { request });
}

/// The answer came.
pub(super) fn arrived(state: &mut State, request: Request, overview: Overview) {
    if state.pending.get(&request) == Some(&Pending::Overview) {
        state.pending.remove(&request);
        state.overview = Some(overview);
        learn(state);
    }
}

/// Makes the list anew, where it is open: more is known. The cursor stays on its entry.
pub(super) fn learn(state: &mut State) {
    let entries = entries(state);
    let Some(page) = page(state) else { return };
    let chosen = page.entries.get(page.at).copied();
    let place = chosen.and_then(|chosen| entries.iter().position(|entry| *entry == chosen));
    page.at = place.unwrap_or(page.at).min(entries.len().saturating_sub(1));
    (page.entries, page.laid) = (entries, None);
    keep_on_screen(state);
}

/// Everything by the turn that it ends with: a block before its span, and both before a compaction behind them.
fn entries(state: &State) -> Vec<Entry> {
    let markers =
        state.known.markers.iter().map(|(marker, _)| (marker.after_turn.unwrap_or(0), 2, Entry::Marker(marker.no)));
    let mut all: Vec<(u32, u8, Entry)> = markers.collect();
    if let Some(overview) = &state.overview {
        let blocks = overview.blocks.iter().enumerate();
        all.extend(blocks.map(|(at, (block, _))| (block.run.turns.1, 0, Entry::Block(at))));
        let spans = overview.spans.iter().enumerate();
        all.extend(spans.map(|(at, (span, _))| (span.run.turns.1, 1, Entry::Span(at))));
        let turns = overview.curve.tokens.len() as u32;
        if let Some((last, _)) = overview.blocks.last().filter(|(last, _)| last.run.turns.1 < turns) {
            all.push((u32::MAX, 3, Entry::Open(last.run.turns.1 + 1, turns)));
        }
    }
    all.sort_by_key(|(end, rank, _)| (*end, *rank));
    all.into_iter().map(|(.., entry)| entry).collect()
}

fn cells(state: &State) -> usize {
    usize::from(state.width).saturating_sub(1)
}

/// Rows of the picture: as many as leave most of the screen to the list.
fn plot_height(state: &State) -> usize {
    match state.body_height() {
        0..18 => 3,
        18..28 => 5,
        28..40 => 8,
        _ => 11,
    }
}

/// The picture, made once for a width and a height.
pub(super) fn lay(state: &mut State) {
    let (cells, height) = (cells(state), plot_height(state));
    let (Some(Layer::Outline(page)), Some(overview)) = (state.layers.last(), &state.overview) else { return };
    if page.laid.as_ref().is_some_and(|laid| (laid.0, laid.1) == (cells, height)) {
        return;
    }
    let markers = state.known.markers.iter();
    let drops: Vec<_> = markers.map(|(marker, _)| (marker.after_turn.unwrap_or(0), marker.no)).collect();
    let plot = Plot::of(&overview.curve, &drops, cells, height);
    state.rows_built.set(state.rows_built.get() + height as u64);
    if let Some(Layer::Outline(page)) = state.layers.last_mut() {
        page.laid = Some((cells, height, plot));
    }
}

/// The figures for the row over the screen.
pub(super) fn summary(state: &State) -> String {
    let mut told =
        vec![counted(state.known.turns.into(), "turn"), counted(state.known.markers.len() as u64, "compaction")];
    if let Some(overview) = &state.overview {
        let blocks = overview.blocks.len() as u64;
        told.push(if blocks == 0 { "no block".to_owned() } else { counted(blocks, "block") });
    }
    if state.waits_for(&Pending::Overview) || !state.known.complete {
        told.push(format!("reading{}", state.settings.signs.more));
    }
    let between = format!(" {} ", state.settings.signs.dot);
    let wide = |told: &[String]| told.iter().map(|one| one.chars().count() + between.chars().count()).sum::<usize>();
    // The least that is there is the turns; the name of the screen stands before it.
    let room = usize::from(state.width).saturating_sub(" Outline  ".len());
    while told.len() > 1 && wide(&told) > room {
        told.pop();
    }
    told.join(&between)
}

/// The rows over the list: the picture, or the place where it will be.
fn fixed(state: &State, page: &OutlinePage) -> Vec<Row> {
    let signs = state.settings.signs;
    let mut rows = vec![Row::blank(); plot_height(state) + 1];
    if let Some((_, _, plot)) = &page.laid {
        rows = plot.rows(page.entries.get(page.at).and_then(|entry| turns_of(state, *entry)), signs);
    } else {
        rows[0] = Row::of([Run::dim(&format!("   reading the originals{}", signs.more))]);
    }
    if state.body_height() >= 18 {
        rows.push(Row::blank());
    }
    rows
}

/// The turns of an entry: those that a block holds, those that a compaction replaced.
fn turns_of(state: &State, entry: Entry) -> Option<(u32, u32)> {
    match entry {
        Entry::Block(at) => state.overview.as_ref()?.blocks.get(at).map(|(block, _)| block.run.turns),
        Entry::Span(at) => state.overview.as_ref()?.spans.get(at).map(|(span, _)| span.run.turns),
        Entry::Open(from, to) => Some((from, to)),
        Entry::Marker(no) => {
            let (_, covered) = state.known.markers.iter().find(|(marker, _)| marker.no == no)?;
            Some((covered.first()?.0, covered.last()?.1))
        }
    }
}

/// What stands below the list: that there is nothing in it, and how blocks are made.
fn tail(state: &State, page: &OutlinePage) -> Vec<Row> {
    let mut rows = Vec::new();
    if page.entries.is_empty() && state.known.complete {
        rows.extend(view::remark("There is no compaction in this session.", cells(state), Tone::Text));
    }
    if let Some(overview) = &state.overview {
        rows.extend(view::closing_rows(overview, cells(state), state.settings.signs));
    }
    if !page.entries.is_empty() && !rows.is_empty() {
        rows.insert(0, Row::blank());
    }
    rows
}

fn rows_of(state: &State, entry: Entry) -> Vec<Row> {
    let (signs, cells) = (state.settings.signs, cells(state));
    let rows = |of: Outlined<'_>| view::outlined_rows(of, cells, signs);
    let overview = state.overview.as_ref();
    let made = match entry {
        Entry::Block(at) => {
            overview.and_then(|of| of.blocks.get(at)).map(|(block, text)| rows(Outlined::Block(block, *text)))
        }
        Entry::Span(at) => {
            overview.and_then(|of| of.spans.get(at)).map(|(span, text)| rows(Outlined::Span(span, *text)))
        }
        Entry::Open(from, to) => Some(rows(Outlined::Open(from, to))),
        Entry::Marker(no) => {
            let place = state.known.marker(no).map(|marker| marker.place);
            place.map(|place| rows(Outlined::Marker(&state.known.line(place))))
        }
    };
    made.unwrap_or_default()
}

/// The rows that have room.
pub(super) fn body(state: &State, page: &OutlinePage) -> Vec<Row> {
    let (height, each) = (state.body_height(), view::outlined_height(cells(state)));
    let mut rows = fixed(state, page);
    let room = height.saturating_sub(rows.len());
    let mut list = Vec::new();
    let (first, skip) = (page.top / each, page.top % each);
    for (at, entry) in page.entries.iter().enumerate().skip(first) {
        if list.len() >= room + skip {
            break;
        }
        let mut made = rows_of(state, *entry);
        state.rows_built.set(state.rows_built.get() + made.len() as u64);
        if let (true, Some(row)) = (at == page.at, made.first_mut()) {
            *row = state.with_cursor(std::mem::take(row));
        }
        list.extend(made);
    }
    let behind = page.top.saturating_sub(page.entries.len() * each);
    list.extend(tail(state, page).into_iter().skip(behind));
    rows.extend(list.into_iter().skip(skip).take(room));
    rows.truncate(height);
    rows
}

/// The entry at a row of the screen.
pub(super) fn entry_at(state: &State, page: &OutlinePage, row: usize) -> Option<usize> {
    let at = (row.checked_sub(fixed(state, page).len())? + page.top) / view::outlined_height(cells(state));
    (at < page.entries.len()).then_some(at)
}

/// Moves the cursor.
pub(super) fn step(state: &mut State, by: isize) {
    if let Some(page) = page(state) {
        page.at = page.at.saturating_add_signed(by).min(page.entries.len().saturating_sub(1));
    }
    keep_on_screen(state);
}

fn keep_on_screen(state: &mut State) {
    let each = view::outlined_height(cells(state));
    let Some(Layer::Outline(page)) = state.layers.last() else { return };
    let height = state.body_height().saturating_sub(fixed(state, page).len()).max(1);
    let first = page.at * each;
    let last = page.at + 1 >= page.entries.len();
    // At the last entry what stands below it is shown too.
    let end = if last { page.entries.len() * each + tail(state, page).len() } else { first + each };
    if let Some(page) = self::page(state) {
        page.top = page.top.clamp(end.saturating_sub(height).min(first), first);
    }
}

/// `]` and `[`: to the next compaction of the list, or to the one before.
pub(super) fn marker(state: &mut State, forward: bool) {
    let Some(page) = page(state) else { return };
    let is_marker = |at: &usize| matches!(page.entries[*at], Entry::Marker(_));
    let next = if forward {
        (page.at + 1..page.entries.len()).find(is_marker)
    } else {
        (0..page.at.min(page.entries.len())).rev().find(is_marker)
    };
    match next {
        Some(at) => page.at = at,
        None => {
            state.say(if forward {
                "there is no compaction further down"
            } else {
                "there is no compaction further up"
            });
        }
    }
    keep_on_screen(state);
}

/// `Enter`: to the compaction, or to the first turn.
pub(super) fn enter(state: &mut State) {
    let Some(Layer::Outline(page)) = state.layers.last() else { return };
    let Some(entry) = page.entries.get(page.at).copied() else { return };
    if let Entry::Marker(no) = entry {
        let Some(place) = state.known.marker(no).map(|marker| marker.place) else { return };
        state.layers.clear();
        remember(state);
        go_to(state, Goal::Marker(place));
    } else if let Some((from, _)) = turns_of(state, entry) {
        go_to_turn(state, from);
    }
}
