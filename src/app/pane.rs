//! The side pane: the evidence of an item, beside its record.

use super::State;
use super::known::Selected;
use super::settings::Settings;
use super::transcript::evidence_of;
use crate::record::Field;
use crate::view::{self, Area, Picture, Piece, Row, Run, Tone};

/// Rows that the pane has at the least, where there is so much to be shown.
const LEAST_PANE: usize = 16;

/// The evidence beside a record: what scrolls, and what stays below it.
struct Beside {
    text: Vec<Row>,
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
    /// The item whose evidence stands in the side pane: the selected one; while the cursor rests on the line of an open
    /// record, its first claim.
    pub(super) fn shown_item(&self) -> Option<Selected> {
        if !self.has_pane() {
            return None;
        }
        if let Some(selected) = self.transcript.item() {
            return Some(selected);
        }
        let id = self.transcript.cursor()?.node;
        let marker = self.transcript.marker_of(id, &self.known)?;
        if !self.transcript.is_open(id, Piece::Marker) {
            return None;
        }
        let items = &self.known.records.get(&marker)?.record.items;
        let first = |field: &Field| items.iter().position(|item| item.field == *field);
        let item = view::FIELDS.iter().filter(|field| field.is_claim()).find_map(first)?;
        Some(Selected { marker, item })
    }

    /// Where the side pane is: its first column, first row and height.
    fn pane(&self) -> Option<(u16, u16, u16)> {
        if !self.layers.iter().all(|layer| !layer.is_screen()) {
            return None;
        }
        let selected = self.shown_item()?;
        let id = self.transcript.marker_node(selected.marker, &self.known)?;
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
        let preview = self.transcript.item().is_none();
        let of = evidence_of(self.shown_item()?, &self.known, preview)?;
        let cells = usize::from(self.width - 1 - x).saturating_sub(5).min(76);
        let text = view::evidence(&of, cells, self.settings.signs, &self.settings.zone);
        Some(Beside { text, keys: view::evidence_keys(&of, cells, self.settings.signs) })
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
        let signs = self.settings.signs;
        let width = self.width - 1 - x;
        let height = usize::from(height);
        let room = of.room(height);
        let end = of.text.len().saturating_sub(room);
        let top = self.pane_top.min(end);
        // A blank row above, so that the pane does not stick to the marker's line.
        let mut rows = vec![Row::blank()];
        rows.extend(of.text.into_iter().skip(top).take(room));
        if end > 0 {
            let how = if self.pane_focus { "j and k scroll" } else { "Tab to read on" };
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
                row.runs.insert(1, Run::text("  "));
                if row.measure > 0 {
                    row.measure += 3;
                }
                row
            })
            .collect();
        picture.areas.push(Area { x, y, width, height: height as u16, rows });
    }
}
