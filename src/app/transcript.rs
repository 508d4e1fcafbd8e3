//! The window on the session: a stretch of entries, the row at the top, the row of the cursor. Rows are laid out only
//! for entries that are looked at, and everything moves relative to where it is.

use std::collections::{HashMap, HashSet};

use super::known::{Known, Selected};
use super::node::{Content, Node, NodeId, flatten};
use super::settings::Settings;
use crate::record::Field;
use crate::session::{Entry, FileNo, Place};
use crate::view::{self, Evidence, Laid, Lens, Piece, Row, Run, Tone};
use crate::workbench::Window;

/// Entries kept at most; the far end is dropped and read again when it is needed.
const KEPT: usize = 4_000;
/// Laid-out entries kept at most.
const CACHED: usize = 600;
/// Entries below and above the screen under which more are asked for.
const NEAR: usize = 12;

/// A row that stays itself when rows above it come and go, and when the width changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The entry.
    pub node: NodeId,
    /// What of it.
    pub piece: Piece,
    /// Where in that.
    pub at: u32,
}

/// A row right now: index of the entry, row within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub node: usize,
    pub row: usize,
}

/// The window on the session.
#[derive(Debug, Default)]
pub struct Transcript {
    pub(super) nodes: Vec<Node>,
    /// The stretch in bytes of the session's own file.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) at_start: bool,
    pub(super) at_end: bool,
    /// The size of the file.
    pub size: u64,
    /// Bytes at the end that are no whole line yet.
    pub(super) pending: u64,
    open: HashSet<(NodeId, Piece)>,
    cache: HashMap<NodeId, Vec<Laid>>,
    top: Option<Mark>,
    cursor: Option<Mark>,
    /// Words that were jumped to.
    pub(super) marked: Option<(Place, (usize, usize))>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Rows on the screen, from the top.
    pub(super) screen: Vec<At>,
    /// Rows laid out since the state was made: what a frame costs.
    pub rows_laid: u64,
    selected: Option<Selected>,
}

impl Transcript {
    /// Whether anything was read yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Puts another stretch in place of this one.
    pub(super) fn replace(&mut self, window: Window, known: &Known) {
        self.nodes = flatten(window.entries, &known.head.sides);
        (self.start, self.end) = (window.start, window.end);
        (self.at_start, self.at_end) = (window.at_start, window.at_end);
        (self.size, self.pending) = (window.size, window.pending);
        self.cache.clear();
        self.screen.clear();
    }

    /// Adds entries that stand before the stretch. What does not join it is not taken.
    pub(super) fn prepend(&mut self, window: Window, known: &Known) -> bool {
        if window.end < self.start || window.start >= self.start && !window.entries.is_empty() {
            return false;
        }
        self.start = window.start;
        self.at_start = window.at_start;
        if let Some(first) = self.nodes.first() {
            // It showed its day because nothing stood before it.
            self.cache.remove(&first.id);
        }
        let mut nodes = flatten(window.entries, &known.head.sides);
        nodes.append(&mut self.nodes);
        self.nodes = nodes;
        while self.nodes.len() > KEPT {
            let keep = self.nodes.iter().rposition(|node| node.depth == 0).unwrap_or(0);
            if keep == 0 {
                break;
            }
            self.end = self.nodes[keep].id.place.offset;
            self.at_end = false;
            self.nodes.truncate(keep);
        }
        true
    }

    /// Adds entries that stand after the stretch.
    pub(super) fn append(&mut self, window: Window, known: &Known) -> bool {
        if window.start != self.end {
            return false;
        }
        (self.end, self.at_end) = (window.end, window.at_end);
        (self.size, self.pending) = (window.size, window.pending);
        self.nodes.extend(flatten(window.entries, &known.head.sides));
        if self.nodes.len() > KEPT {
            let extra = self.nodes.len() - KEPT;
            let cut = (extra..self.nodes.len()).find(|at| self.nodes[*at].depth == 0).unwrap_or(0);
            if cut > 0 {
                self.start = self.nodes[cut].id.place.offset;
                self.at_start = false;
                self.nodes.drain(..cut);
            }
        }
        true
    }

    /// Puts the entries of a sub-agent's own file under its fold.
    pub(super) fn fill(&mut self, fold: NodeId, window: Window) {
        let Some(at) = self.nodes.iter().position(|node| node.id == fold) else { return };
        let (depth, mut ancestors) = (self.nodes[at].depth + 1, self.nodes[at].ancestors.clone());
        ancestors.push(fold);
        let mut inside = flatten(window.entries, &[]);
        for node in &mut inside {
            node.depth += depth;
            node.ancestors.splice(0..0, ancestors.iter().copied());
        }
        if !window.at_end {
            let place = Place { file: window.file, offset: window.end, part: u32::MAX };
            inside.push(Node {
                id: NodeId { place, fold: false },
                content: Content::More { file: window.file, from: window.end, fold },
                depth,
                ancestors,
            });
        }
        self.nodes.retain(|node| !matches!(node.content, Content::More { fold: of, .. } if of == fold));
        let end = self.nodes[at + 1..].iter().take_while(|node| node.ancestors.contains(&fold)).count() + at + 1;
        self.nodes.splice(end..end, inside);
    }

    /// Whether a sub-agent's fold still waits for its file.
    pub(super) fn is_unfilled(&self, fold: NodeId) -> bool {
        !self.nodes.iter().any(|node| node.ancestors.contains(&fold))
    }

    pub(super) fn set_size(&mut self, width: usize, height: usize) {
        if self.width != width {
            self.cache.clear();
        }
        (self.width, self.height) = (width, height);
    }

    /// Forgets laid-out rows of markers, because what is known about them changed.
    pub(super) fn forget_markers(&mut self) {
        let markers: Vec<NodeId> = self
            .nodes
            .iter()
            .filter(|node| matches!(node.content, Content::Entry(Entry::Marker { .. })))
            .map(|node| node.id)
            .collect();
        markers.iter().for_each(|id| {
            self.cache.remove(id);
        });
    }

    pub(super) fn forget(&mut self, id: NodeId) {
        self.cache.remove(&id);
    }

    pub(super) fn is_open(&self, id: NodeId, piece: Piece) -> bool {
        self.open.contains(&(id, piece))
    }

    pub(super) fn set_open(&mut self, id: NodeId, piece: Piece, open: bool) {
        if open {
            self.open.insert((id, piece));
        } else {
            self.open.remove(&(id, piece));
        }
        self.cache.remove(&id);
    }

    // ---- where things are

    fn is_shown(&self, index: usize) -> bool {
        self.nodes[index].ancestors.iter().all(|fold| self.is_open(*fold, Piece::Fold))
    }

    fn next_node(&self, index: usize) -> Option<usize> {
        (index + 1..self.nodes.len()).find(|at| self.is_shown(*at))
    }

    fn node_before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|at| self.is_shown(*at))
    }

    /// The rows of an entry, laid out if they are not yet.
    fn rows(&mut self, index: usize, known: &Known, settings: &Settings) -> usize {
        let id = self.nodes[index].id;
        if let Some(rows) = self.cache.get(&id) {
            return rows.len();
        }
        let rows = self.lay(index, known, settings);
        self.rows_laid += rows.len() as u64;
        let count = rows.len();
        self.cache.insert(id, rows);
        count
    }

    pub(super) fn laid(&self, at: At) -> Option<&Laid> {
        self.cache.get(&self.nodes.get(at.node)?.id)?.get(at.row)
    }

    fn mark(&self, at: At) -> Option<Mark> {
        let laid = self.laid(at)?;
        Some(Mark { node: self.nodes[at.node].id, piece: laid.piece, at: laid.at })
    }

    /// The row of a mark; where that is gone, the nearest thing that is still there.
    fn locate(&mut self, mark: Mark, known: &Known, settings: &Settings) -> Option<At> {
        let exact = self.nodes.iter().position(|node| node.id == mark.node).filter(|at| self.is_shown(*at));
        let near = || {
            let before = |node: &Node| node.id.place.file == mark.node.place.file && node.id.place <= mark.node.place;
            let at = self.nodes.iter().rposition(before)?;
            (0..=at).rev().find(|at| self.is_shown(*at))
        };
        let node = exact.or_else(near).or_else(|| (!self.nodes.is_empty()).then_some(0))?;
        self.rows(node, known, settings);
        let rows = self.cache.get(&self.nodes[node].id)?;
        if exact.is_none() {
            return Some(At { node, row: 0 });
        }
        let same = |laid: &&Laid| laid.piece == mark.piece;
        let row = rows.iter().rposition(|laid| same(&laid) && laid.at <= mark.at);
        let row = row.or_else(|| rows.iter().position(|laid| same(&laid)));
        let row = row.or_else(|| match mark.piece {
            // An item whose evidence closed, a call that was folded.
            Piece::Evidence(item) => rows.iter().position(|laid| laid.piece == Piece::Item(item)),
            Piece::Under(part) | Piece::More(part) => rows.iter().position(
                |laid| matches!(laid.piece, Piece::Call(p) | Piece::Thinking(p) | Piece::Text(p) if p == part),
            ),
            _ => None,
        });
        Some(At { node, row: row.unwrap_or(0) })
    }

    fn step_down(&mut self, at: At, known: &Known, settings: &Settings) -> Option<At> {
        if at.row + 1 < self.rows(at.node, known, settings) {
            return Some(At { row: at.row + 1, ..at });
        }
        let mut node = at.node;
        loop {
            node = self.next_node(node)?;
            if self.rows(node, known, settings) > 0 {
                return Some(At { node, row: 0 });
            }
        }
    }

    fn step_up(&mut self, at: At, known: &Known, settings: &Settings) -> Option<At> {
        if at.row > 0 {
            return Some(At { row: at.row - 1, ..at });
        }
        let mut node = at.node;
        loop {
            node = self.node_before(node)?;
            let rows = self.rows(node, known, settings);
            if rows > 0 {
                return Some(At { node, row: rows - 1 });
            }
        }
    }

    fn can_rest(&self, at: At) -> bool {
        self.laid(at).is_some_and(|laid| laid.piece.can_rest())
    }

    fn here(&mut self, known: &Known, settings: &Settings) -> Option<At> {
        let mark = self.cursor?;
        self.locate(mark, known, settings)
    }

    // ---- moving

    /// Moves the cursor by rows it can rest on.
    pub(super) fn move_cursor(&mut self, by: isize, known: &Known, settings: &Settings) {
        let Some(mut at) = self.here(known, settings) else { return };
        for _ in 0..by.unsigned_abs() {
            let mut next = at;
            let found = loop {
                let step =
                    if by > 0 { self.step_down(next, known, settings) } else { self.step_up(next, known, settings) };
                match step {
                    Some(step) if self.can_rest(step) => break Some(step),
                    Some(step) => next = step,
                    None => break None,
                }
            };
            let Some(found) = found else {
                // Nothing to rest on is left: show the empty rows up to the end.
                if by < 0 {
                    self.top = self.mark(next);
                }
                break;
            };
            at = found;
        }
        self.cursor = self.mark(at);
        self.follow_cursor(known, settings);
    }

    /// Moves window and cursor together.
    pub(super) fn scroll(&mut self, by: isize, known: &Known, settings: &Settings) {
        let Some(top) = self.top else { return };
        let Some(mut at) = self.locate(top, known, settings) else { return };
        for _ in 0..by.unsigned_abs() {
            let next = if by > 0 { self.step_down(at, known, settings) } else { self.step_up(at, known, settings) };
            let Some(next) = next else { break };
            at = next;
        }
        self.top = self.mark(at);
        self.settle_top(known, settings);
        self.pull_cursor(known, settings);
    }

    /// Moves by part of a screen: the window scrolls, and the cursor keeps its place on the screen as far as it can.
    pub(super) fn page(&mut self, by: isize, known: &Known, settings: &Settings) {
        let before = self.cursor;
        let row = self.cursor_row(known, settings);
        self.scroll(by, known, settings);
        if let Some(row) = row {
            self.rest_near(row, by < 0, known, settings);
        }
        if self.cursor == before {
            self.move_cursor(by, known, settings);
        }
    }

    /// The cursor's row on the screen.
    fn cursor_row(&mut self, known: &Known, settings: &Settings) -> Option<usize> {
        let at = self.here(known, settings)?;
        self.screen.iter().position(|row| *row == at)
    }

    /// Rests the cursor on the row of the screen nearest to this one.
    fn rest_near(&mut self, row: usize, upwards: bool, known: &Known, settings: &Settings) {
        self.fill_screen(known, settings);
        let rows: Vec<usize> = (0..self.screen.len()).filter(|row| self.can_rest(self.screen[*row])).collect();
        let distance = |at: &usize| (at.abs_diff(row), (*at > row) == upwards);
        if let Some(near) = rows.into_iter().min_by_key(distance) {
            self.cursor = self.mark(self.screen[near]);
        }
    }

    pub(super) fn to_first(&mut self, known: &Known, settings: &Settings) {
        let Some(node) = (0..self.nodes.len()).find(|at| self.is_shown(*at)) else { return };
        self.rows(node, known, settings);
        self.top = self.mark(At { node, row: 0 });
        self.cursor = self.top;
    }

    pub(super) fn to_last(&mut self, known: &Known, settings: &Settings) {
        let Some(node) = (0..self.nodes.len()).rev().find(|at| self.is_shown(*at)) else { return };
        let rows = self.rows(node, known, settings);
        let mut at = At { node, row: rows.saturating_sub(1) };
        self.top = self.mark(at);
        while !self.can_rest(at) {
            let Some(up) = self.step_up(at, known, settings) else { break };
            at = up;
        }
        self.cursor = self.mark(at);
        self.settle_top(known, settings);
    }

    /// Puts the cursor here, and this row a third down the screen unless it is on it already.
    pub(super) fn go(&mut self, mark: Mark, known: &Known, settings: &Settings) {
        let Some(mut at) = self.locate(mark, known, settings) else { return };
        while !self.can_rest(at) {
            let Some(down) = self.step_down(at, known, settings) else { break };
            at = down;
        }
        self.cursor = self.mark(at);
        if self.screen.contains(&at) {
            return self.follow_cursor(known, settings);
        }
        self.place_cursor(self.height / 4, known, settings);
    }

    /// Scrolls so that the cursor stands in this row of the screen.
    pub(super) fn place_cursor(&mut self, row: usize, known: &Known, settings: &Settings) {
        let Some(mut at) = self.here(known, settings) else { return };
        for _ in 0..row {
            let Some(up) = self.step_up(at, known, settings) else { break };
            at = up;
        }
        self.top = self.mark(at);
        self.settle_top(known, settings);
    }

    pub(super) fn click(&mut self, row: usize) -> bool {
        let Some(at) = self.screen.get(row).copied().filter(|at| self.can_rest(*at)) else { return false };
        self.cursor = self.mark(at);
        true
    }

    /// Brings the cursor into the window.
    fn follow_cursor(&mut self, known: &Known, settings: &Settings) {
        let (Some(at), Some(top)) = (self.here(known, settings), self.top) else { return };
        let Some(top) = self.locate(top, known, settings) else { return };
        let margin = (self.height / 8).min(3);
        let last = self.height.saturating_sub(1);
        if at < top {
            return self.place_cursor(margin, known, settings);
        }
        let mut row = top;
        for nth in 0..self.height {
            if row == at {
                if nth < margin {
                    self.place_cursor(margin, known, settings);
                } else if nth > last.saturating_sub(margin) {
                    self.place_cursor(last.saturating_sub(margin), known, settings);
                }
                return;
            }
            let Some(down) = self.step_down(row, known, settings) else { break };
            row = down;
        }
        self.place_cursor(last.saturating_sub(margin), known, settings);
    }

    /// Brings the cursor back to where the window is.
    fn pull_cursor(&mut self, known: &Known, settings: &Settings) {
        self.fill_screen(known, settings);
        let Some(at) = self.here(known, settings) else { return };
        if self.screen.contains(&at) {
            return;
        }
        let upwards = self.screen.first().is_some_and(|first| at < *first);
        let mut rows = self.screen.clone();
        if !upwards {
            rows.reverse();
        }
        if let Some(rest) = rows.into_iter().find(|at| self.can_rest(*at)) {
            self.cursor = self.mark(rest);
        }
    }

    /// Keeps the last row of the session at the bottom at the least.
    fn settle_top(&mut self, known: &Known, settings: &Settings) {
        let Some(mut top) = self.top.and_then(|mark| self.locate(mark, known, settings)) else { return };
        let mut row = top;
        let mut missing = 0;
        for nth in 1..self.height {
            match self.step_down(row, known, settings) {
                Some(down) => row = down,
                None => {
                    missing = self.height - nth;
                    break;
                }
            }
        }
        for _ in 0..missing {
            let Some(up) = self.step_up(top, known, settings) else { break };
            top = up;
        }
        self.top = self.mark(top);
    }

    fn fill_screen(&mut self, known: &Known, settings: &Settings) {
        self.screen.clear();
        let Some(mut at) = self.top.and_then(|mark| self.locate(mark, known, settings)) else { return };
        for _ in 0..self.height {
            self.screen.push(at);
            let Some(down) = self.step_down(at, known, settings) else { break };
            at = down;
        }
    }

    /// Lays out what is on the screen, after everything else changed.
    pub(super) fn settle(&mut self, known: &Known, settings: &Settings) {
        if self.nodes.is_empty() {
            return self.screen.clear();
        }
        if self.top.is_none() || self.cursor.is_none() {
            self.to_first(known, settings);
        }
        let selected = self.selected(known, settings);
        if selected != self.selected {
            self.selected = selected;
            if !settings.is_wide(self.width) {
                // Evidence opens and closes below its row.
                self.forget_markers();
            }
        }
        let cursor = self.here(known, settings);
        self.cursor = cursor.and_then(|at| self.mark(at));
        self.settle_top(known, settings);
        self.fill_screen(known, settings);
        if cursor.is_some_and(|at| !self.screen.contains(&at)) {
            self.follow_cursor(known, settings);
            self.fill_screen(known, settings);
        }
        self.show_evidence(known, settings);
        if self.cache.len() > CACHED {
            let near: HashSet<NodeId> = self.screen.iter().map(|at| self.nodes[at.node].id).collect();
            self.cache.retain(|id, _| near.contains(id));
        }
    }

    /// Where evidence opens below the cursor, it is brought onto the screen as far as there is room.
    fn show_evidence(&mut self, known: &Known, settings: &Settings) {
        if self.selected.is_none() || settings.is_wide(self.width) {
            return;
        }
        let Some(at) = self.here(known, settings) else { return };
        let mut last = at;
        while let Some(down) = self.step_down(last, known, settings) {
            if !self.laid(down).is_some_and(|laid| matches!(laid.piece, Piece::Evidence(_) | Piece::Correction(_))) {
                break;
            }
            last = down;
        }
        let Some(row) = self.screen.iter().position(|row| *row == at) else { return };
        let needed = last.row - at.row;
        let over = (row + needed).saturating_sub(self.height.saturating_sub(1)).min(row);
        if over > 0 {
            self.place_cursor(row - over, known, settings);
            self.fill_screen(known, settings);
        }
    }

    // ---- what the cursor is on

    pub(super) fn cursor(&self) -> Option<Mark> {
        self.cursor
    }

    pub(super) fn set_cursor(&mut self, mark: Mark) {
        self.cursor = Some(mark);
        self.top.get_or_insert(mark);
    }

    pub(super) fn top(&self) -> Option<Mark> {
        self.top
    }

    pub(super) fn set_top(&mut self, mark: Mark) {
        self.top = Some(mark);
    }

    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    pub(super) fn cursor_node(&self) -> Option<&Node> {
        self.node(self.cursor?.node)
    }

    /// The item that the cursor is on.
    pub(super) fn selected(&mut self, known: &Known, settings: &Settings) -> Option<Selected> {
        let at = self.here(known, settings)?;
        let item = match self.laid(at)?.piece {
            Piece::Item(item) | Piece::Evidence(item) | Piece::Correction(item) => item as usize,
            _ => return None,
        };
        let marker = self.marker_no(at.node, known)?;
        Some(Selected { marker, item })
    }

    /// The item that the cursor was on when the screen was last laid out.
    pub fn item(&self) -> Option<Selected> {
        self.selected
    }

    fn marker_no(&self, index: usize, known: &Known) -> Option<u32> {
        match &self.nodes[index].content {
            Content::Entry(Entry::Marker { place, .. }) => known.marker_at(*place).map(|(marker, _)| marker.no),
            _ => None,
        }
    }

    /// The entry that a marker's line is, if it is in the stretch.
    pub(super) fn marker_node(&self, no: u32, known: &Known) -> Option<NodeId> {
        (0..self.nodes.len()).find(|at| self.marker_no(*at, known) == Some(no)).map(|at| self.nodes[at].id)
    }

    /// Opens every fold that an entry stands in.
    pub(super) fn reveal(&mut self, id: NodeId) {
        let Some(ancestors) = self.node(id).map(|node| node.ancestors.clone()) else { return };
        for fold in ancestors {
            self.set_open(fold, Piece::Fold, true);
        }
    }

    /// Whether more is needed before or after what is on the screen: entries near its edges.
    pub(super) fn wants(&self) -> (bool, bool) {
        let (Some(first), Some(last)) = (self.screen.first(), self.screen.last()) else {
            return (!self.at_start, !self.at_end);
        };
        let before = !self.at_start && first.node < NEAR;
        let after = !self.at_end && self.nodes.len() - last.node <= NEAR;
        (before, after)
    }

    /// How far through the file the top of the screen is, from 0 to 1.
    pub(super) fn position(&self) -> f64 {
        let own = |at: &At| self.nodes[at.node].id.place.file == FileNo(0);
        let offset = |at: &At| self.nodes[at.node].id.place.offset;
        let last_shown = self.at_end && self.screen.last().is_some_and(|at| self.next_node(at.node).is_none());
        match self.screen.iter().find(|at| own(at)) {
            _ if self.size == 0 => 0.0,
            Some(_) if last_shown => 1.0,
            Some(first) => offset(first) as f64 / self.size as f64,
            None => 0.0,
        }
    }

    // ---- laying out

    fn lay(&self, index: usize, known: &Known, settings: &Settings) -> Vec<Laid> {
        let node = &self.nodes[index];
        let id = node.id;
        let open = |piece: Piece| self.open.contains(&(id, piece));
        let mut lens = Lens {
            width: self.width,
            signs: settings.signs,
            zone: &settings.zone,
            open: &open,
            marked: None,
            dated: false,
            depth: node.depth,
        };
        match &node.content {
            Content::Entry(Entry::Turn(turn)) => {
                lens.dated = self.is_new_day(index, turn.at, settings);
                lens.marked = self.marked.and_then(|(place, range)| {
                    let part = turn.parts.iter().position(|said| said.place == place)?;
                    Some((part as u32, range))
                });
                view::turn(turn, &lens)
            }
            Content::Entry(Entry::Marker { place, summary, .. }) => self.lay_marker(
                *place,
                summary.as_ref().map(|(_, summary)| summary.text.as_str()),
                known,
                settings,
                &lens,
            ),
            Content::Entry(Entry::Note { saved, at, .. }) => view::note(saved, *at, &lens),
            Content::Entry(Entry::Folded { fold, noise, .. }) => {
                let turns = self.nodes[index + 1..]
                    .iter()
                    .take_while(|inside| inside.ancestors.contains(&id))
                    .filter(|inside| inside.depth == node.depth + 1)
                    .count();
                view::folded(fold, turns, noise, &lens)
            }
            Content::Entry(Entry::Unread(trouble)) => {
                let place = Place { file: trouble.file, offset: trouble.offset, part: 0 };
                let known =
                    known.troubles.iter().find(|other| (other.file, other.offset) == (place.file, place.offset));
                view::unread(known.unwrap_or(trouble), &lens)
            }
            Content::More { .. } => {
                let text = format!("{}{} more of this file: Enter", " ".repeat(lens.indent()), settings.signs.folded);
                vec![Laid { row: Row::of([Run::new(&text, Tone::Accent)]), piece: Piece::Fold, at: 0 }, Laid::blank()]
            }
        }
    }

    fn is_new_day(&self, index: usize, at: Option<i64>, settings: &Settings) -> bool {
        let Some(at) = at else { return false };
        let before = self.nodes[..index].iter().rev().find_map(|node| match &node.content {
            Content::Entry(Entry::Turn(turn)) => turn.at,
            _ => None,
        });
        before.is_none_or(|before| settings.zone.day(before) != settings.zone.day(at))
    }

    fn lay_marker(
        &self,
        place: Place,
        summary: Option<&str>,
        known: &Known,
        settings: &Settings,
        lens: &Lens<'_>,
    ) -> Vec<Laid> {
        let mut rows = vec![view::marker(&known.line(place), lens)];
        if !(lens.open)(Piece::Marker) {
            rows.push(Laid::blank());
            return rows;
        }
        let wide = settings.is_wide(self.width);
        let cells = settings.record_cells(self.width);
        let loaded = known.marker_at(place).and_then(|(marker, _)| {
            let (record, effective) = known.effective(marker.no)?;
            Some((marker.no, record, effective))
        });
        let Some((no, record, effective)) = loaded else {
            let _ = summary;
            let text = format!("   reading the record{}", settings.signs.more);
            rows.extend([
                Laid::blank(),
                Laid { row: Row::of([Run::dim(&text)]), piece: Piece::Blank, at: 1 },
                Laid::blank(),
            ]);
            return rows;
        };
        let selected = self.selected.filter(|selected| selected.marker == no && !wide);
        let evidence = selected.and_then(|selected| {
            let of = evidence_of(selected, known)?;
            Some((selected.item, view::evidence_below(&of, cells, settings.signs, &settings.zone)))
        });
        let at_least = if wide { 24 } else { 0 };
        let of = view::RecordRows { record, effective: &effective, cells, evidence, at_least };
        rows.extend(view::record(&of, lens));
        rows
    }
}

/// What is known of an item, for its evidence.
pub(super) fn evidence_of(selected: Selected, known: &Known) -> Option<Evidence<'_>> {
    let (record, effective) = known.effective(selected.marker)?;
    let item = record.record.items.get(selected.item)?;
    let fix = super::known::choice_words(item.field, crate::record::Choice::Fix, !item.sources.is_empty());
    Some(Evidence {
        name: known.name(selected),
        item,
        corrected_by: effective.items.get(selected.item).and_then(|item| item.corrected_by),
        reviewed: record.reviewed.contains(&selected.item),
        original: item.sources.first().and_then(|source| known.originals.get(&source.place)?.as_ref()),
        partial: record.partial,
        fix,
    })
}

/// The next claim after this one that nobody checked or corrected, coming round at the end.
pub(super) fn next_unchecked(selected: Selected, known: &Known) -> Option<usize> {
    let (record, effective) = known.effective(selected.marker)?;
    let shown: Vec<usize> = Field::ALL
        .iter()
        .flat_map(|field| (0..record.record.items.len()).filter(|at| record.record.items[*at].field == *field))
        .collect();
    let here = shown.iter().position(|at| *at == selected.item)?;
    let open = |at: &usize| {
        record.record.items[*at].field.is_claim()
            && !record.reviewed.contains(at)
            && effective.items[*at].corrected_by.is_none()
    };
    shown[here + 1..].iter().chain(&shown[..here]).copied().find(open)
}

impl Transcript {
    /// The next row of an entry that shows the needle, after (or before) a row of it, or the first one.
    pub(super) fn row_with(
        &mut self,
        id: NodeId,
        from: Option<Mark>,
        forward: bool,
        needle: &str,
        known: &Known,
        settings: &Settings,
    ) -> Option<Mark> {
        let node = self.nodes.iter().position(|node| node.id == id)?;
        let count = self.rows(node, known, settings);
        let from = from.and_then(|mark| self.locate(mark, known, settings)).map(|at| at.row);
        let rows: Vec<usize> = match (from, forward) {
            (None, true) => (0..count).collect(),
            (None, false) => (0..count).rev().collect(),
            (Some(row), true) => (row + 1..count).collect(),
            (Some(row), false) => (0..row).rev().collect(),
        };
        let hit = rows.into_iter().find(|row| {
            let at = At { node, row: *row };
            self.can_rest(at) && self.laid(at).is_some_and(|laid| super::goal::shows(&laid.row, needle))
        })?;
        self.mark(At { node, row: hit })
    }
}
