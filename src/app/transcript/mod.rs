//! The window on the session: a stretch of entries, the row at the top, the row of the cursor. Rows are laid out only
//! for entries that are looked at, and everything moves relative to where it is.

mod lay;
mod rows;
mod scroll;

use std::collections::{HashMap, HashSet};

use super::findings::Subject;
use super::known::Known;
use super::node::{Content, Node, NodeId, flatten};
use crate::session::{Entry, FileNo, Fold, Place};
use crate::view::{Laid, Piece};
use crate::workbench::Window;

pub(super) use lay::{evidence_of, next_unchecked};

/// Entries kept at most; the far end is dropped and read again when it is needed.
const KEPT: usize = 4_000;
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
pub(in crate::app) struct At {
    pub node: usize,
    pub row: usize,
}

/// The window on the session.
#[derive(Debug, Default)]
pub struct Transcript {
    pub(in crate::app) nodes: Vec<Node>,
    /// The stretch in bytes of the session's own file.
    pub(in crate::app) start: u64,
    pub(in crate::app) end: u64,
    pub(in crate::app) at_start: bool,
    pub(in crate::app) at_end: bool,
    /// The size of the file.
    pub size: u64,
    /// Bytes at the end that are no whole line yet.
    pub(in crate::app) pending: u64,
    open: HashSet<(NodeId, Piece)>,
    cache: HashMap<NodeId, Vec<Laid>>,
    top: Option<Mark>,
    cursor: Option<Mark>,
    /// Words that were jumped to.
    pub(in crate::app) marked: Option<(Place, (usize, usize))>,
    pub(in crate::app) width: usize,
    pub(in crate::app) height: usize,
    /// Rows on the screen, from the top.
    pub(in crate::app) screen: Vec<At>,
    /// Rows laid out since the state was made: what a frame costs.
    pub rows_laid: u64,
    selected: Option<Subject>,
    /// Folds of sub-agents' files that were asked for since the stretch was read.
    pub(in crate::app) asked: HashSet<NodeId>,
}

impl Transcript {
    /// Whether anything was read yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Puts another stretch in place of this one.
    pub(in crate::app) fn replace(&mut self, window: Window, known: &Known) {
        self.nodes = flatten(window.entries, &known.head.sides);
        (self.start, self.end) = (window.start, window.end);
        (self.at_start, self.at_end) = (window.at_start, window.at_end);
        (self.size, self.pending) = (window.size, window.pending);
        self.cache.clear();
        self.screen.clear();
        self.asked.clear();
    }

    /// Adds entries that stand before the stretch. What does not join it is not taken.
    pub(in crate::app) fn prepend(&mut self, window: Window, known: &Known) -> bool {
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
            let keep = self.nodes.iter().rposition(is_edge).unwrap_or(0);
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
    pub(in crate::app) fn append(&mut self, window: Window, known: &Known) -> bool {
        if window.start != self.end {
            return false;
        }
        (self.end, self.at_end) = (window.end, window.at_end);
        (self.size, self.pending) = (window.size, window.pending);
        self.nodes.extend(flatten(window.entries, &known.head.sides));
        if self.nodes.len() > KEPT {
            let extra = self.nodes.len() - KEPT;
            let cut = (extra..self.nodes.len()).find(|at| is_edge(&self.nodes[*at])).unwrap_or(0);
            if cut > 0 {
                self.start = self.nodes[cut].id.place.offset;
                self.at_start = false;
                self.nodes.drain(..cut);
            }
        }
        true
    }

    /// Puts the entries of a sub-agent's own file under its fold. What does not follow what is there is not taken.
    pub(in crate::app) fn fill(&mut self, fold: NodeId, window: Window) {
        let Some(at) = self.nodes.iter().position(|node| node.id == fold) else { return };
        if self.filled_to(fold) != Some(window.start) {
            return;
        }
        self.cache.remove(&fold);
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

    /// From where on a sub-agent's file is still to be read; `None` when all of it is there.
    pub(in crate::app) fn filled_to(&self, fold: NodeId) -> Option<u64> {
        let mut inside = self.nodes.iter().filter(|node| node.ancestors.contains(&fold)).peekable();
        if inside.peek().is_none() {
            return Some(0);
        }
        inside.find_map(|node| match node.content {
            Content::More { from, fold: of, .. } if of == fold => Some(from),
            Content::More { .. } | Content::Entry(_) => None,
        })
    }

    /// Unfolded sub-agents whose own file was not asked for yet, with that file: the stretch holds only their folds.
    pub(in crate::app) fn unfilled(&mut self) -> Vec<(NodeId, FileNo)> {
        let mut wanted = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Content::Entry(Entry::Folded { fold: Fold::SubAgent { file, .. }, .. }) = &node.content else {
                continue;
            };
            let empty = self.nodes.get(at + 1).is_none_or(|next| !next.ancestors.contains(&node.id));
            if empty && *file != FileNo(0) && self.is_open(node.id, Piece::Fold) && !self.asked.contains(&node.id) {
                wanted.push((node.id, *file));
            }
        }
        self.asked.extend(wanted.iter().map(|(id, _)| *id));
        wanted
    }

    pub(in crate::app) fn set_size(&mut self, width: usize, height: usize) {
        if self.width != width {
            self.cache.clear();
        }
        (self.width, self.height) = (width, height);
    }

    /// Forgets laid-out rows of markers, because what is known about them changed.
    pub(in crate::app) fn forget_markers(&mut self) {
        for node in &self.nodes {
            if matches!(node.content, Content::Entry(Entry::Marker { .. })) {
                self.cache.remove(&node.id);
            }
        }
    }

    pub(in crate::app) fn forget(&mut self, id: NodeId) {
        self.cache.remove(&id);
    }

    pub(in crate::app) fn is_open(&self, id: NodeId, piece: Piece) -> bool {
        self.open.contains(&(id, piece))
    }

    pub(in crate::app) fn set_open(&mut self, id: NodeId, piece: Piece, open: bool) {
        if open {
            self.open.insert((id, piece));
        } else {
            self.open.remove(&(id, piece));
        }
        self.cache.remove(&id);
    }
}

/// Whether the stretch may end here: only an entry of the session's own file has an offset in that file.
fn is_edge(node: &Node) -> bool {
    node.depth == 0 && node.id.place.file == FileNo(0)
}
