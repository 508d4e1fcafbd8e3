//! Reaching a place: the entry that holds it, the row in it, and what must be unfolded on the way.

use super::node::{Content, NodeId};
use super::state::{Goal, Pending};
use super::transcript::Mark;
use super::{State, clipboard, folding};
use crate::record::Field;
use crate::session::{Entry, FileNo, Fold, PartKind, Place, TurnNo};
use crate::text::find;
use crate::view::{FIELDS, Laid, Piece, find_in_row, unmarked};
use crate::workbench::Spot;

impl State {
    /// The entry of the stretch that holds this place, and the part's index where it is a part.
    pub(super) fn node_with(&self, place: Place) -> Option<(NodeId, Option<u32>)> {
        let line = (place.file, place.offset);
        let nodes = &self.transcript.nodes;
        for node in nodes {
            let Content::Entry(entry) = &node.content else { continue };
            match entry {
                Entry::Turn(turn) => {
                    let part =
                        turn.parts.iter().position(|said| said.place == place).or_else(|| {
                            turn.parts.iter().position(|said| (said.place.file, said.place.offset) == line)
                        });
                    if let Some(part) = part {
                        return Some((node.id, Some(part as u32)));
                    }
                    if turn.noise.iter().any(|noise| (noise.place.file, noise.place.offset) == line) {
                        return Some((node.id, None));
                    }
                }
                Entry::Marker { place: boundary, summary, .. } => {
                    let summary = summary.as_ref().map(|(place, _)| (place.file, place.offset));
                    if (boundary.file, boundary.offset) == line || summary == Some(line) {
                        return Some((node.id, None));
                    }
                }
                Entry::Folded { noise, .. } => {
                    if noise.iter().any(|noise| (noise.place.file, noise.place.offset) == line) {
                        return Some((node.id, None));
                    }
                }
                Entry::Note { place, .. } => {
                    if (place.file, place.offset) == line {
                        return Some((node.id, None));
                    }
                }
                Entry::Unread(trouble) => {
                    if (trouble.file, trouble.offset) == line {
                        return Some((node.id, None));
                    }
                }
            }
        }
        None
    }

    /// The place of the part of the line with this id, if it is in the stretch.
    pub(super) fn place_of_line(&self, line: &str, block: u32) -> Option<Place> {
        self.transcript.nodes.iter().find_map(|node| match &node.content {
            Content::Entry(Entry::Turn(turn)) => turn
                .parts
                .iter()
                .find(|said| said.line_id.as_deref() == Some(line) && said.part.block == block)
                .map(|said| said.place),
            _ => None,
        })
    }

    /// The fold of a sub-agent's own file, if it is in the stretch.
    pub(super) fn fold_of(&self, file: FileNo) -> Option<NodeId> {
        self.transcript.nodes.iter().map(|node| (node.id, &node.content)).find_map(|(id, content)| match content {
            Content::Entry(Entry::Folded { fold: Fold::SubAgent { file: of, .. }, .. }) => {
                (file != FileNo(0) && *of == file).then_some(id)
            }
            Content::Entry(_) | Content::More { .. } => None,
        })
    }

    /// Puts the cursor where the goal is, which must be in the stretch; else on what is nearest. A place in a
    /// sub-agent's file is read first, if it was not yet.
    pub(super) fn reach(&mut self, goal: &Goal) {
        if let Some(place) = goal.place()
            && self.node_with(place).is_none()
            && let Some(fold) = self.fold_of(place.file)
            && let Some(from) = self.transcript.filled_to(fold).filter(|from| *from <= place.offset)
        {
            self.transcript.reveal(fold);
            self.transcript.set_open(fold, Piece::Fold, true);
            self.transcript.asked.insert(fold);
            self.pending.retain(|_, pending| !matches!(pending, Pending::Fill(of, _) if *of == fold));
            return self.load(Spot::After(place.file, from), Pending::Fill(fold, Some(goal.clone())));
        }
        self.rest_on(goal);
    }

    /// The same for what is in the stretch already.
    pub(super) fn rest_on(&mut self, goal: &Goal) {
        match goal {
            Goal::Start => self.transcript.go_first(&self.known, &self.settings),
            Goal::End => self.transcript.go_last(&self.known, &self.settings),
            Goal::Words(place, range) => self.reach_words(*place, *range),
            Goal::Marker(place) => {
                let id = self.node_with(*place).map(|(id, _)| id).or_else(|| self.nearest(*place));
                let Some(id) = id else { return };
                self.transcript.reveal(id);
                self.go(Mark { node: id, piece: Piece::Marker, at: 0 });
            }
            Goal::Row(place, piece) => self.reach_row(*place, *piece),
            Goal::Turn(no) => {
                let wanted = TurnNo::main(*no);
                let found = self.transcript.nodes.iter().find(|node| {
                    matches!(&node.content, Content::Entry(Entry::Turn(turn)) if turn.no.as_ref() == Some(&wanted))
                });
                let Some(id) = found.map(|node| node.id) else {
                    return self.say(format!("turn {no} is not known yet"));
                };
                self.transcript.reveal(id);
                self.go(Mark { node: id, piece: Piece::Head, at: 0 });
            }
            Goal::Hit(place) => self.reach_hit(*place),
            Goal::Back(cursor, top) => {
                self.transcript.reveal(cursor.node);
                self.transcript.set_cursor(*cursor);
                self.transcript.set_top(if self.transcript.node(top.node).is_some() { *top } else { *cursor });
            }
        }
    }

    /// Unfolds a record, and in it what the row stands among.
    fn reach_row(&mut self, place: Place, piece: Piece) {
        let Some(id) = self.node_with(place).map(|(id, _)| id) else { return };
        self.transcript.reveal(id);
        self.unfold_record(id);
        let there = |laid: &Laid| laid.piece == piece;
        if self.transcript.row_where(id, None, true, &there, &self.known, &self.settings).is_none() {
            for field in Field::ALL {
                self.transcript.set_open(id, Piece::MoreItems(field), true);
            }
            self.transcript.set_open(id, Piece::MoreForgotten, true);
        }
        self.go(Mark { node: id, piece, at: 0 });
    }

    fn go(&mut self, mark: Mark) {
        self.transcript.go(mark, &self.known, &self.settings);
    }

    fn nearest(&self, place: Place) -> Option<NodeId> {
        let before = |id: NodeId| id.place.file == place.file && id.place <= place;
        self.transcript.nodes.iter().rev().map(|node| node.id).find(|id| before(*id))
    }

    fn reach_words(&mut self, place: Place, range: Option<(usize, usize)>) {
        let Some((id, part)) = self.node_with(place) else {
            let Some(id) = self.nearest(place) else { return };
            return self.go(Mark { node: id, piece: Piece::Head, at: 0 });
        };
        self.forget_marked();
        self.transcript.marked = None;
        self.transcript.reveal(id);
        let mark = match part {
            Some(part) => {
                let exact = self.part_place(id, part);
                self.transcript.marked = exact.zip(range);
                let piece = self.open_part(id, part);
                let at = range.map_or(0, |(start, _)| start as u32);
                Mark { node: id, piece, at: if matches!(piece, Piece::Under(_)) { 0 } else { at } }
            }
            None if place.file == FileNo(0) && id.fold => Mark { node: id, piece: Piece::Fold, at: 0 },
            None => Mark { node: id, piece: Piece::Marker, at: 0 },
        };
        self.transcript.forget(id);
        self.go(mark);
        if let (Piece::Under(_), Some((start, end))) = (mark.piece, range) {
            // Rows under a call carry no byte offsets: the words themselves are looked for.
            self.find_quote(id, start, end);
        }
    }

    fn find_quote(&mut self, id: NodeId, start: usize, end: usize) {
        let Some(Content::Entry(Entry::Turn(turn))) = self.transcript.node(id).map(|node| &node.content) else {
            return;
        };
        let quote = turn.parts.iter().find_map(|said| {
            (Some(said.place) == self.transcript.marked.map(|(place, _)| place))
                .then(|| said.part.text.get(start..end))
                .flatten()
        });
        let Some(quote) = quote.and_then(|quote| quote.lines().next()).map(str::to_owned) else { return };
        let shows = |laid: &Laid| laid.piece.can_rest() && find_in_row(&laid.row, &quote);
        if let Some(mark) = self.transcript.row_where(id, None, true, &shows, &self.known, &self.settings) {
            self.go(mark);
        }
    }

    fn part_place(&self, id: NodeId, part: u32) -> Option<Place> {
        match &self.transcript.node(id)?.content {
            Content::Entry(Entry::Turn(turn)) => turn.parts.get(part as usize).map(|said| said.place),
            _ => None,
        }
    }

    /// Unfolds what a part is folded in, and says what it is a row of.
    fn open_part(&mut self, id: NodeId, part: u32) -> Piece {
        let Some(Content::Entry(Entry::Turn(turn))) = self.transcript.node(id).map(|node| &node.content) else {
            return Piece::Head;
        };
        let kind = |at: u32| turn.parts.get(at as usize).map(|said| &said.part.kind);
        let piece = match kind(part) {
            Some(PartKind::Thinking) => Piece::Thinking(part),
            Some(PartKind::ToolCall { .. }) => Piece::Call(part),
            Some(PartKind::ToolResult { id: result, .. }) => {
                let call =
                    (0..part).rev().find(|at| matches!(kind(*at), Some(PartKind::ToolCall { id, .. }) if id == result));
                Piece::Call(call.unwrap_or(part))
            }
            Some(PartKind::Text | PartKind::Opaque { .. }) | None => return Piece::Text(part),
        };
        self.transcript.set_open(id, piece, true);
        match piece {
            Piece::Call(part) | Piece::Thinking(part) => Piece::Under(part),
            other => other,
        }
    }

    fn reach_hit(&mut self, place: Place) {
        let Some((id, part)) = self.node_with(place).or_else(|| self.nearest(place).map(|id| (id, None))) else {
            return;
        };
        self.transcript.reveal(id);
        let onward = self.onward;
        let mark = if let Some(part) = part {
            self.row_of_hit(id, part)
        } else {
            let marker = self.transcript.marker_of(id, &self.known);
            let item = marker.and_then(|no| self.hit_in_record(id, no, None, onward));
            let mark = item.or_else(|| self.row_where(id, None, onward, &|_| true));
            mark.unwrap_or(Mark { node: id, piece: Piece::Marker, at: 0 })
        };
        self.go(mark);
        self.hit = self.transcript.cursor().map(|cursor| (cursor, place));
    }

    /// The next item of a record that holds what is searched for; the record is unfolded, and read if it must be.
    fn hit_in_record(&mut self, id: NodeId, no: u32, from: Option<usize>, forward: bool) -> Option<Mark> {
        self.unfold_record(id);
        let Some(record) = self.known.records.get(&no) else {
            if !self.waits_for(&Pending::Record(no)) {
                folding::ask_record(self, no);
            }
            return None;
        };
        let items = &record.record.items;
        let of = |field: &Field| {
            let field = *field;
            (0..items.len()).filter(move |at| items[*at].field == field)
        };
        let mut shown: Vec<usize> = FIELDS.iter().flat_map(of).collect();
        if !forward {
            shown.reverse();
        }
        let after = from.and_then(|from| shown.iter().position(|at| *at == from)).map_or(0, |at| at + 1);
        let holds = |at: &usize| find(&unmarked(&items[*at].text), &self.needle).next().is_some();
        let item = shown[after..].iter().copied().find(holds)?;
        let (field, piece) = (items[item].field, Piece::Item(item as u32));
        let mark = Mark { node: id, piece, at: 0 };
        if self.transcript.row_where(id, None, true, &|laid| laid.piece == piece, &self.known, &self.settings).is_none()
        {
            self.transcript.set_open(id, Piece::MoreItems(field), true);
        }
        Some(mark)
    }

    /// The row of a part that shows what is searched for; what it is folded in is unfolded, if it must be.
    fn row_of_hit(&mut self, id: NodeId, part: u32) -> Mark {
        let onward = self.onward;
        let text = |laid: &Laid| laid.piece == Piece::Text(part);
        let call = |laid: &Laid| matches!(laid.piece, Piece::Call(at) | Piece::Thinking(at) if at == part);
        if let Some(mark) = self.row_where(id, None, onward, &text).or_else(|| self.row_where(id, None, onward, &call))
        {
            return mark;
        }
        let piece = self.open_part(id, part);
        let (Piece::Under(owner) | Piece::Text(owner)) = piece else {
            return Mark { node: id, piece, at: 0 };
        };
        let below = self.result_starts(id, owner).filter(|_| owner != part);
        let within = |laid: &Laid| laid.piece == piece && below.is_none_or(|below| laid.at > below.at);
        if let Some(mark) = self.row_where(id, None, onward, &within) {
            return mark;
        }
        // It stands beyond the lines that are shown at first.
        self.transcript.set_open(id, Piece::More(owner), true);
        self.row_where(id, None, onward, &within).unwrap_or(Mark { node: id, piece, at: 0 })
    }

    /// The rule between a call's arguments and its result.
    fn result_starts(&mut self, id: NodeId, call: u32) -> Option<Mark> {
        let rule = |laid: &Laid| laid.piece == Piece::Under(call) && laid.row.fill.is_some();
        self.transcript.row_where(id, None, true, &rule, &self.known, &self.settings)
    }

    /// The next row of an entry that shows what is searched for, among those that are wanted.
    fn row_where(
        &mut self,
        id: NodeId,
        from: Option<Mark>,
        forward: bool,
        wanted: &dyn Fn(&Laid) -> bool,
    ) -> Option<Mark> {
        let needle = self.needle.clone();
        let shows = |laid: &Laid| wanted(laid) && laid.piece.can_rest() && find_in_row(&laid.row, &needle);
        self.transcript.row_where(id, from, forward, &shows, &self.known, &self.settings)
    }

    /// Goes to the next row of the same part (of a record: of the same record) that shows what is searched for.
    pub(super) fn find_in_entry(&mut self, forward: bool) -> bool {
        let Some(cursor) = self.transcript.cursor() else { return false };
        let piece = cursor.piece;
        let is_turn =
            matches!(self.transcript.node(cursor.node).map(|node| &node.content), Some(Content::Entry(Entry::Turn(_))));
        if let Some(no) =
            self.transcript.marker_of(cursor.node, &self.known).filter(|no| self.known.records.contains_key(no))
            && self.transcript.is_open(cursor.node, Piece::Marker)
        {
            let from = self.transcript.item().map(|selected| selected.item);
            // From the line on everything is ahead; before it is nothing of the record.
            let found = match from {
                None if !forward => None,
                from => self.hit_in_record(cursor.node, no, from, forward),
            };
            if let Some(mark) = found {
                self.go(mark);
                self.hit = None;
            }
            return found.is_some();
        }
        // From a turn's head on everything that is shown of it is ahead.
        let wanted = |laid: &Laid| !is_turn || piece == Piece::Head || laid.piece == piece;
        let found = self.row_where(cursor.node, Some(cursor), forward, &wanted);
        if let Some(mark) = found {
            self.go(mark);
            self.hit = None;
        }
        found.is_some()
    }

    /// The place from which the search goes on.
    pub(super) fn search_from(&self, forward: bool) -> Option<Place> {
        let cursor = self.transcript.cursor()?;
        if let Some((_, place)) = self.hit.filter(|(mark, _)| *mark == cursor) {
            return Some(place);
        }
        let place = clipboard::place_of_cursor(self)?;
        let (Piece::Under(call), true) = (cursor.piece, forward) else { return Some(place) };
        // Under a call stand its results: they are behind the cursor.
        let Content::Entry(Entry::Turn(turn)) = &self.transcript.node(cursor.node)?.content else { return Some(place) };
        let results = turn.parts.iter().skip(call as usize + 1);
        let last = results.take_while(|said| matches!(said.part.kind, PartKind::ToolResult { .. })).last();
        Some(last.map_or(place, |said| said.place))
    }

    /// Words that were jumped to are no longer marked.
    pub(super) fn forget_marked(&mut self) {
        if let Some((place, _)) = self.transcript.marked
            && let Some((id, _)) = self.node_with(place)
        {
            self.transcript.forget(id);
        }
    }
}
