//! Moving: the cursor, the window, and both together.

use std::collections::HashSet;

use super::super::known::Known;
use super::super::node::NodeId;
use super::super::settings::Settings;
use super::{At, Mark, Transcript};
use crate::view::Piece;

/// Laid-out entries kept at most.
const CACHED: usize = 600;

impl Transcript {
    /// Moves the cursor by rows it can rest on.
    pub(in crate::app) fn move_cursor(&mut self, by: isize, known: &Known, settings: &Settings) {
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
        self.select(known, settings);
        self.follow_cursor(known, settings);
    }

    /// Takes note of the item that the cursor is on now. On a narrow terminal the evidence of the one before closes
    /// and that of the new one opens, so this comes before anything is scrolled.
    fn select(&mut self, known: &Known, settings: &Settings) {
        let selected = self.selected(known, settings);
        if selected != self.selected {
            self.selected = selected;
            if !Settings::is_wide(self.width) {
                self.forget_markers();
            }
        }
    }

    /// Moves window and cursor together.
    pub(in crate::app) fn scroll(&mut self, by: isize, known: &Known, settings: &Settings) {
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
    pub(in crate::app) fn page(&mut self, by: isize, known: &Known, settings: &Settings) {
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

    /// Keeps the cursor and what opens below it above the last `covered` rows of the screen.
    pub(in crate::app) fn keep_above(&mut self, covered: usize, known: &Known, settings: &Settings) {
        let free = self.height.saturating_sub(covered);
        let Some(row) = self.cursor_row(known, settings) else { return };
        let below = self.screen[row + 1..]
            .iter()
            .take_while(|at| self.laid(**at).is_some_and(|laid| laid.piece.is_below()))
            .count();
        if row + below >= free {
            self.place_cursor(free.saturating_sub(below + 1).min(row), known, settings);
        }
    }

    /// The cursor's row on the screen.
    pub(in crate::app) fn cursor_row(&mut self, known: &Known, settings: &Settings) -> Option<usize> {
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

    pub(in crate::app) fn go_first(&mut self, known: &Known, settings: &Settings) {
        let Some(node) = (0..self.nodes.len()).find(|at| self.is_shown(*at)) else { return };
        self.rows(node, known, settings);
        let mut at = At { node, row: 0 };
        self.top = self.mark(at);
        self.cursor = self.top;
        // Notes before the first turn are on the screen too, but nobody comes for them.
        for _ in 1..self.height {
            let piece = self.laid(at).map(|laid| laid.piece);
            if matches!(piece, Some(Piece::Head | Piece::Marker)) {
                self.cursor = self.mark(at);
                return;
            }
            let Some(down) = self.step_down(at, known, settings) else { return };
            at = down;
        }
    }

    pub(in crate::app) fn go_last(&mut self, known: &Known, settings: &Settings) {
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
    pub(in crate::app) fn go(&mut self, mark: Mark, known: &Known, settings: &Settings) {
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
    pub(in crate::app) fn place_cursor(&mut self, row: usize, known: &Known, settings: &Settings) {
        let Some(mut at) = self.here(known, settings) else { return };
        for _ in 0..row {
            let Some(up) = self.step_up(at, known, settings) else { break };
            at = up;
        }
        self.top = self.mark(at);
        self.settle_top(known, settings);
    }

    pub(in crate::app) fn click(&mut self, row: usize) -> bool {
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
            let Some(down) = self.step_down(row, known, settings) else {
                missing = self.height - nth;
                break;
            };
            row = down;
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
    pub(in crate::app) fn settle(&mut self, known: &Known, settings: &Settings) {
        if self.nodes.is_empty() {
            return self.screen.clear();
        }
        if self.top.is_none() || self.cursor.is_none() {
            self.go_first(known, settings);
        }
        self.select(known, settings);
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
        if self.selected.is_none() || Settings::is_wide(self.width) {
            return;
        }
        let Some(at) = self.here(known, settings) else { return };
        let mut last = at;
        while let Some(down) = self.step_down(last, known, settings) {
            if !self.laid(down).is_some_and(|laid| laid.piece.is_below()) {
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
}
