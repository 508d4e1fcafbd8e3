//! The entries of a stretch as one flat list: what is in a fold stands behind it.

use crate::session::{Entry, FileNo, Fold, Place, SideFile};

/// An entry's identity while a session is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    /// The place of its first line.
    pub place: Place,
    /// A fold stands at the place of the first entry in it.
    pub fold: bool,
}

/// What a node shows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are entries")]
pub(super) enum Content {
    /// An entry. What is in a fold was taken out of it.
    Entry(Entry),
    /// The rest of a sub-agent's file, to be read on request.
    More { file: FileNo, from: u64, fold: NodeId },
}

/// One entry of the flat list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub id: NodeId,
    pub content: Content,
    /// How many folds it stands in.
    pub depth: usize,
    /// Those folds, outermost first.
    pub ancestors: Vec<NodeId>,
}

/// The entries as a flat list. A sub-agent's own file, named in a turn, becomes a fold that is read when it is opened.
pub(super) fn flatten(entries: Vec<Entry>, sides: &[SideFile]) -> Vec<Node> {
    let shown: Vec<String> = entries.iter().filter_map(agent_of).map(str::to_owned).collect();
    let sides: Vec<&SideFile> = sides.iter().filter(|side| !shown.contains(&side.agent_id)).collect();
    let mut nodes = Vec::new();
    add(entries, &sides, &[], &mut nodes);
    nodes
}

fn agent_of(entry: &Entry) -> Option<&str> {
    match entry {
        Entry::Folded { fold: Fold::SubAgent { agent, .. }, .. } => Some(agent),
        _ => None,
    }
}

fn add(entries: Vec<Entry>, sides: &[&SideFile], ancestors: &[NodeId], nodes: &mut Vec<Node>) {
    for entry in entries {
        let place = entry.place();
        let node = |content, id| Node { id, content, depth: ancestors.len(), ancestors: ancestors.to_vec() };
        match entry {
            Entry::Folded { fold, place, entries, noise } => {
                let id = NodeId { place, fold: true };
                let head = Entry::Folded { fold, place, entries: Vec::new(), noise };
                nodes.push(node(Content::Entry(head), id));
                let mut inside = ancestors.to_vec();
                inside.push(id);
                add(entries, &[], &inside, nodes);
            }
            Entry::Turn(turn) => {
                let named: Vec<&SideFile> =
                    sides.iter().copied().filter(|side| turn.agents.contains(&side.agent_id)).collect();
                nodes.push(node(Content::Entry(Entry::Turn(turn)), NodeId { place, fold: false }));
                for side in named {
                    let place = Place { file: side.file, offset: 0, part: 0 };
                    let fold = Fold::SubAgent { agent: side.agent_id.clone(), file: side.file };
                    let entry = Entry::Folded { fold, place, entries: Vec::new(), noise: Vec::new() };
                    nodes.push(node(Content::Entry(entry), NodeId { place, fold: true }));
                }
            }
            other @ (Entry::Marker { .. } | Entry::Note { .. } | Entry::Unread(_)) => {
                nodes.push(node(Content::Entry(other), NodeId { place, fold: false }));
            }
        }
    }
}
