//! The side pane: the evidence of an item, beside its record.

use super::State;
use super::findings::Subject;
use super::known::Selected;
use super::layer::Layer;
use super::settings::Settings;
use super::transcript::evidence_of;
use crate::record::Field;
use crate::view::{self, Area, Evidence, Evident, Link, Picture, Piece, Row, Run, Tone};

/// Rows that the pane has at the least, where there is so much to be shown.
const LEAST_PANE: usize = 16;

/// The evidence beside a record: what scrolls, and what stays below it.
struct Beside {
    text: Vec<Evident>,
    keys: Vec<Row>,
}

impl Beside {
    /// All of it, with the blank rows above and between.
    fn height(&self) -> usize {
        self.text.len() + self.keys.len() + 2
    }

    /// How many rows of the text a pane has room for.
    fn room(&self, height: usize) -> usize {
        height.saturating_sub(self.keys.len() + 2)
    }
}

impl State {
    /// What a person can look at and answer now.
    pub(super) fn subject(&self) -> Option<Subject> {
        match self.layers.iter().rev().find(|layer| layer.is_screen()) {
            Some(Layer::Findings(list)) => self.known.subject_of(list.chosen()?),
            Some(_) => None,
            None => self.transcript.subject(),
        }
    }

    /// What stands in the side pane: what is selected; while the cursor rests on the line of an open record, its worst
    /// finding, or its first claim where there is none.
    pub(super) fn shown(&self) -> Option<Subject> {
        if !self.has_pane() || self.layers.iter().any(Layer::is_screen) {
            return None;
        }
        if let Some(subject) = self.transcript.subject() {
            return Some(subject);
        }
        let id = self.transcript.cursor()?.node;
        let marker = self.transcript.marker_of(id, &self.known)?;
        if !self.transcript.is_open(id, Piece::Marker) {
            return None;
        }
        let (record, effective) = self.known.effective(marker)?;
        let seen = self.known.seen(marker, &effective);
        if let Some((at, worst)) = seen.iter().find(|(_, seen)| seen.is_open()) {
            return Some(match worst.item {
                Some(item) => Subject::Item(Selected { marker, item }),
                None => Subject::Finding(marker, *at),
            });
        }
        let items = &record.record.items;
        let first = |field: &Field| items.iter().position(|item| item.field == *field);
        let item = view::FIELDS.iter().filter(|field| field.is_claim()).find_map(first)?;
        Some(Subject::Item(Selected { marker, item }))
    }

    /// Where the row that the cursor is on leads, if it is a row of evidence that names a turn.
    pub(super) fn link(&self) -> Option<Link> {
        if self.pane_focus {
            let (x, ..) = self.pane()?;
            return self.evidence_at(x)?.text.get(self.pane_at)?.link.clone();
        }
        let (Piece::Link(_, nth) | Piece::FindingLink(_, nth)) = self.transcript.cursor()?.piece else { return None };
        let of = evidence_of(self.transcript.subject()?, &self.known, false)?;
        let cells = Settings::record_cells(self.transcript.width);
        let rows = view::evidence_below(&of, cells, self.settings.signs, &self.settings.zone);
        rows.into_iter().filter_map(|evident| evident.link).nth(nth as usize)
    }

    /// Where the side pane is: its first column, first row and height.
    fn pane(&self) -> Option<(u16, u16, u16)> {
        if !self.layers.iter().all(|layer| !layer.is_screen()) {
            return None;
        }
        let subject = self.shown()?;
        let id = self.transcript.marker_node(subject.marker(), &self.known)?;
        let of_record = |at: &super::transcript::At| {
            // The marker's own line and the rule that ends the record stay whole.
            self.transcript.nodes[at.node].id == id
                && at.row > 0
                && self.transcript.laid(*at).is_some_and(|laid| laid.row.fill.is_none())
        };
        let screen = &self.transcript.screen;
        let first = screen.iter().position(of_record)?;
        let height = screen[first..].iter().take_while(|at| of_record(at)).count();
        let x = Settings::record_cells(self.transcript.width) as u16 + 1;
        // Where little of the record is on the screen, the pane takes what it needs of the rest of it.
        let needed = self.evidence_at(x).map_or(0, |of| of.height().min(LEAST_PANE.max(of.keys.len() + 8)));
        let body = self.body_height();
        let height = height.max(needed).min(body);
        let first = first.min(body - height);
        Some((x, (self.chrome().0 + first) as u16, height as u16))
    }

    /// The evidence beside the record.
    fn evidence_at(&self, x: u16) -> Option<Beside> {
        let preview = self.transcript.subject().is_none();
        Some(self.beside(&evidence_of(self.shown()?, &self.known, preview)?, x))
    }

    fn beside(&self, of: &Evidence<'_>, x: u16) -> Beside {
        let cells = usize::from(self.width - 1 - x).saturating_sub(5).min(76);
        let text = view::evidence(of, cells, self.settings.signs, &self.settings.zone);
        Beside { text, keys: view::evidence_keys(of, cells, self.settings.signs) }
    }

    /// Whether evidence stands beside the record.
    pub(super) fn has_pane(&self) -> bool {
        Settings::is_wide(self.transcript.width)
    }

    pub(super) fn pane_holds(&self, column: u16, row: u16) -> bool {
        self.pane().is_some_and(|(x, y, height)| column >= x && (y..y + height).contains(&row))
    }

    /// The first row of the evidence on the screen when its last one is.
    pub(super) fn pane_end(&self) -> usize {
        let Some((x, _, height)) = self.pane() else { return 0 };
        self.evidence_at(x).map_or(0, |of| of.text.len().saturating_sub(of.room(usize::from(height))))
    }

    pub(super) fn paint_pane(&self, picture: &mut Picture) {
        let Some((x, y, height)) = self.pane() else { return };
        let Some(of) = self.evidence_at(x) else { return };
        self.paint_beside(of, (x, y, height), picture);
    }

    /// The evidence of what is chosen in a list, beside it.
    pub(super) fn paint_beside_list(&self, picture: &mut Picture) {
        let x = Settings::record_cells(self.transcript.width) as u16 + 1;
        let y = self.chrome().0 as u16;
        let of = self.subject().and_then(|subject| evidence_of(subject, &self.known, false));
        let of = of.map(|of| self.beside(&Evidence { listed: true, ..of }, x));
        let of = of.unwrap_or(Beside { text: Vec::new(), keys: Vec::new() });
        self.paint_beside(of, (x, y, self.body_height() as u16), picture);
    }

    fn paint_beside(&self, of: Beside, (x, y, height): (u16, u16, u16), picture: &mut Picture) {
        let signs = self.settings.signs;
        let width = self.width - 1 - x;
        let height = usize::from(height);
        let room = of.room(height);
        let end = of.text.len().saturating_sub(room);
        let top = self.pane_top.min(end);
        // A blank row above, so that the pane does not stick to the marker's line.
        let mut rows = vec![Row::blank()];
        let focus = self.pane_focus.then_some(self.pane_at);
        let text = of.text.into_iter().enumerate().skip(top).take(room);
        rows.extend(text.map(|(at, evident)| Row { selected: focus == Some(at), ..evident.row }));
        if end > 0 {
            let listed = self.layers.iter().any(Layer::is_screen);
            let how = match (listed, self.pane_focus) {
                (true, _) => "Enter, to read on",
                (false, true) => "j and k scroll",
                (false, false) => "Tab to read on",
            };
            rows.push(if top < end { Row::of([Run::dim(&format!("{} {how}", signs.more))]) } else { Row::blank() });
        } else {
            rows.push(Row::blank());
        }
        rows.extend(of.keys);
        let wall = if self.pane_focus { Tone::Accent } else { Tone::Dim };
        let rows = (0..height)
            .map(|at| {
                let mut row = rows.get(at).cloned().unwrap_or_default();
                row.runs.insert(0, Run::new(signs.wall, wall));
                let (before, after) = if row.selected { (signs.cursor, " ") } else { ("", "  ") };
                row.runs.insert(1, Run::new(before, Tone::Accent));
                row.runs.insert(2, Run::text(after));
                if row.measure > 0 {
                    row.measure += 3;
                }
                row
            })
            .collect();
        picture.areas.push(Area { x, y, width, height: height as u16, rows });
    }
}

/// `Tab`: the cursor goes into the evidence, to the first turn that it names, and comes back.
pub(super) fn focus(state: &mut State) {
    if state.pane_focus {
        state.pane_focus = false;
        return;
    }
    if state.transcript.subject().is_none() || !state.has_pane() {
        return;
    }
    state.pane_focus = true;
    let links = links(state);
    state.pane_at = links.first().copied().unwrap_or(usize::MAX);
}

/// The rows of the evidence that lead somewhere.
fn links(state: &State) -> Vec<usize> {
    let of = state.pane().and_then(|(x, ..)| state.evidence_at(x));
    let rows = of.map(|of| of.text).unwrap_or_default();
    rows.iter().enumerate().filter(|(_, evident)| evident.link.is_some()).map(|(at, _)| at).collect()
}

/// In the evidence: to the next row that leads somewhere; where there is none that way, the rows scroll.
pub(super) fn step(state: &mut State, by: isize) {
    let links = links(state);
    let next = if by > 0 {
        links.iter().copied().find(|at| *at > state.pane_at)
    } else {
        links.iter().rev().copied().find(|at| *at < state.pane_at)
    };
    let Some(at) = next else { return super::jump::scroll_pane(state, by) };
    state.pane_at = at;
    let Some((x, _, height)) = state.pane() else { return };
    let Some(room) = state.evidence_at(x).map(|of| of.room(usize::from(height)).max(1)) else { return };
    // What the row says goes on below it.
    let last = at + 1;
    state.pane_top = state.pane_top.clamp((last + 1).saturating_sub(room), at).min(state.pane_end());
}

/// A click on a row that names a turn goes to it.
pub(super) fn click(state: &mut State, row: u16) {
    let Some((x, y, height)) = state.pane() else { return };
    let Some(of) = state.evidence_at(x) else { return };
    let room = of.room(usize::from(height));
    let top = state.pane_top.min(of.text.len().saturating_sub(room));
    // A blank row stands above.
    let Some(nth) = usize::from(row - y).checked_sub(1).filter(|nth| *nth < room) else { return };
    if let Some(link) = of.text.get(top + nth).and_then(|evident| evident.link.clone()) {
        super::folding::follow(state, &link);
    }
}
