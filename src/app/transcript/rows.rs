//! Where things are: entries, their rows, and steps from one row to the next.

use super::super::findings::Subject;
use super::super::known::{Known, Selected};
use super::super::node::{Content, Node, NodeId};
use super::super::settings::Settings;
use super::{At, Mark, Transcript};
use crate::session::{Entry, FileNo};
use crate::view::{Laid, Piece};

/// Entries below and above the screen under which more are asked for.
const NEAR: usize = 12;

impl Transcript {
    pub(super) fn is_shown(&self, index: usize) -> bool {
        self.nodes[index].ancestors.iter().all(|fold| self.is_open(*fold, Piece::Fold))
    }

    pub(super) fn next_node(&self, index: usize) -> Option<usize> {
        (index + 1..self.nodes.len()).find(|at| self.is_shown(*at))
    }

    fn node_before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|at| self.is_shown(*at))
    }

    /// The rows of an entry, laid out if they are not yet.
    pub(super) fn rows(&mut self, index: usize, known: &Known, settings: &Settings) -> usize {
        let id = self.nodes[index].id;
        if let Some(rows) = self.cache.get(&id) {
            return rows.len();
        }
        let mut rows = self.lay(index, known, settings);
        // Empty rows are told apart by where they stand: the window may begin with one.
        for (laid, at) in rows.iter_mut().zip(0..) {
            if laid.piece == Piece::Blank {
                laid.at = at;
            }
        }
        self.rows_laid += rows.len() as u64;
        let count = rows.len();
        self.cache.insert(id, rows);
        count
    }

    pub(in crate::app) fn laid(&self, at: At) -> Option<&Laid> {
        self.cache.get(&self.nodes.get(at.node)?.id)?.get(at.row)
    }

    pub(super) fn mark(&self, at: At) -> Option<Mark> {
        let laid = self.laid(at)?;
        Some(Mark { node: self.nodes[at.node].id, piece: laid.piece, at: laid.at })
    }

    /// The row of a mark; where that is gone, the nearest thing that is still there.
    pub(super) fn locate(&mut self, mark: Mark, known: &Known, settings: &Settings) -> Option<At> {
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
            Piece::Evidence(item) | Piece::Verdict(item) | Piece::Link(item, _) => {
                rows.iter().position(|laid| laid.piece == Piece::Item(item))
            }
            Piece::FindingEvidence(nth) | Piece::FindingLink(nth, _) => {
                rows.iter().position(|laid| laid.piece == Piece::Finding(nth))
            }
            Piece::Under(part) | Piece::More(part) => rows.iter().position(
                |laid| matches!(laid.piece, Piece::Call(p) | Piece::Thinking(p) | Piece::Text(p) if p == part),
            ),
            _ => None,
        });
        Some(At { node, row: row.unwrap_or(0) })
    }

    pub(super) fn step_down(&mut self, at: At, known: &Known, settings: &Settings) -> Option<At> {
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

    pub(super) fn step_up(&mut self, at: At, known: &Known, settings: &Settings) -> Option<At> {
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

    pub(super) fn can_rest(&self, at: At) -> bool {
        self.laid(at).is_some_and(|laid| laid.piece.can_rest())
    }

    pub(super) fn here(&mut self, known: &Known, settings: &Settings) -> Option<At> {
        let mark = self.cursor?;
        self.locate(mark, known, settings)
    }

    pub(in crate::app) fn cursor(&self) -> Option<Mark> {
        self.cursor
    }

    pub(in crate::app) fn set_cursor(&mut self, mark: Mark) {
        self.cursor = Some(mark);
        self.top.get_or_insert(mark);
    }

    pub(in crate::app) fn top(&self) -> Option<Mark> {
        self.top
    }

    pub(in crate::app) fn set_top(&mut self, mark: Mark) {
        self.top = Some(mark);
    }

    pub(in crate::app) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// What the cursor is on.
    pub(in crate::app) fn selected(&mut self, known: &Known, settings: &Settings) -> Option<Subject> {
        let at = self.here(known, settings)?;
        let piece = self.laid(at)?.piece;
        let marker = self.marker_no(at.node, known)?;
        match piece {
            Piece::Item(item)
            | Piece::Evidence(item)
            | Piece::Correction(item)
            | Piece::Verdict(item)
            | Piece::Link(item, _) => Some(Subject::Item(Selected { marker, item: item as usize })),
            Piece::Finding(nth) | Piece::FindingEvidence(nth) | Piece::FindingLink(nth, _) => {
                let (_, effective) = known.effective(marker)?;
                let (at, _) = *known.seen(marker, &effective).get(nth as usize)?;
                Some(Subject::Finding(marker, at))
            }
            _ => None,
        }
    }

    /// What the cursor was on when the screen was last laid out.
    pub fn subject(&self) -> Option<Subject> {
        self.selected
    }

    /// The item that the cursor was on when the screen was last laid out.
    pub fn item(&self) -> Option<Selected> {
        match self.selected? {
            Subject::Item(selected) => Some(selected),
            Subject::Finding(..) => None,
        }
    }

    pub(super) fn marker_no(&self, index: usize, known: &Known) -> Option<u32> {
        match &self.nodes[index].content {
            Content::Entry(Entry::Marker { place, .. }) => known.marker_at(*place).map(|(marker, _)| marker.no),
            _ => None,
        }
    }

    /// The number of the marker that an entry is.
    pub(in crate::app) fn marker_of(&self, id: NodeId, known: &Known) -> Option<u32> {
        self.marker_no(self.nodes.iter().position(|node| node.id == id)?, known)
    }

    /// The entry that a marker's line is, if it is in the stretch.
    pub(in crate::app) fn marker_node(&self, no: u32, known: &Known) -> Option<NodeId> {
        (0..self.nodes.len()).find(|at| self.marker_no(*at, known) == Some(no)).map(|at| self.nodes[at].id)
    }

    /// Whether the entry, as it was laid out last, has a row of this piece.
    pub(in crate::app) fn has_row(&self, id: NodeId, piece: Piece) -> bool {
        self.cache.get(&id).is_some_and(|rows| rows.iter().any(|laid| laid.piece == piece))
    }

    /// Opens every fold that an entry stands in.
    pub(in crate::app) fn reveal(&mut self, id: NodeId) {
        let Some(ancestors) = self.node(id).map(|node| node.ancestors.clone()) else { return };
        for fold in ancestors {
            self.set_open(fold, Piece::Fold, true);
        }
    }

    /// Whether more is needed before or after what is on the screen: entries near its edges.
    pub(in crate::app) fn wants(&self) -> (bool, bool) {
        let (Some(first), Some(last)) = (self.screen.first(), self.screen.last()) else {
            return (!self.at_start, !self.at_end);
        };
        let before = !self.at_start && first.node < NEAR;
        let after = !self.at_end && self.nodes.len() - last.node <= NEAR;
        (before, after)
    }

    /// How far through the file the top of the screen is, from 0 to 1.
    pub(in crate::app) fn position(&self) -> f64 {
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

    /// The next wanted row of an entry, after (or before) a row of it, or the first (or last) one.
    pub(in crate::app) fn row_where(
        &mut self,
        id: NodeId,
        from: Option<Mark>,
        forward: bool,
        wanted: &dyn Fn(&Laid) -> bool,
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
        let hit = rows.into_iter().find(|row| self.laid(At { node, row: *row }).is_some_and(wanted))?;
        self.mark(At { node, row: hit })
    }
}
