//! The whole screen as a picture: head, body, what lies over it, notice and hints.

use super::command::Command;
use super::findings_screen::FindingsList;
use super::layer::Layer;
use super::{State, auditing, findings_screen, hints, outline_screen, screens, sheets, window_screen};
use crate::text::{Shown, cut};
use crate::view::{self, Area, Picture, Row, Run, Tone, counted, mark_found};

impl State {
    /// What the terminal is to show now.
    pub fn picture(&self) -> Picture {
        let (width, height) = (self.width, self.height);
        if width == 0 || height == 0 {
            return Picture::default();
        }
        if self.is_too_small() {
            let rows = vec![Row::of([Run::new("too small", Tone::Warning)])];
            return Picture { areas: vec![Area { x: 0, y: 0, width, height, rows }], caret: None };
        }
        let mut picture = Picture::default();
        let (above, below) = self.chrome();
        let body = self.body_height() as u16;
        let screen = self.layers.iter().rev().find(|layer| layer.is_screen());
        let head = screen.map_or_else(|| self.head(), |layer| screens::head(self, layer));
        picture.areas.push(Area { x: 0, y: 0, width, height: 1, rows: vec![head] });
        match screen {
            Some(layer) => {
                let rows = screens::body(self, layer);
                picture.areas.push(Area { x: 0, y: above as u16, width: width - 1, height: body, rows });
                if let Layer::Findings(list) = layer {
                    if let Some(row) = findings_screen::head(self, list).filter(|_| above > 1) {
                        picture.areas.push(Area { x: 0, y: 1, width, height: 1, rows: vec![row] });
                    }
                    if self.has_pane() {
                        self.paint_beside_list(&mut picture);
                    }
                }
            }
            None => self.paint_transcript(above as u16, body, &mut picture),
        }
        let mut notice = self.notice_rows();
        let hint = if below > 1 { self.hints() } else { notice.pop().unwrap_or_else(|| self.hints()) };
        // A message of several rows lies over the last rows of the body.
        let rows = notice.len().max(below - 1) as u16;
        let foot = height - 1 - rows;
        picture.areas.push(Area { x: 0, y: height - 1 - rows, width, height: rows, rows: notice });
        picture.areas.push(Area { x: 0, y: height - 1, width, height: 1, rows: vec![hint] });
        if let Some(layer) = self.layers.last() {
            sheets::paint(self, layer, foot, &mut picture);
        }
        picture
    }

    fn head(&self) -> Row {
        let signs = self.settings.signs;
        let dot = format!(" {} ", signs.dot);
        let wrong = match (self.rewritten, self.gone) {
            (true, _) => Some("the file was rewritten: open it again"),
            (false, true) => Some("the file is gone: nothing more comes"),
            (false, false) => None,
        };
        if let Some(text) = wrong {
            let title = cut(&Shown::line(&self.title()), usize::from(self.width).saturating_sub(text.len() + 4));
            return Row::of([Run::text(" "), Run { text: title, ..Run::new("", Tone::Strong) }])
                .right(Run::new(text, Tone::Warning))
                .right(Run::text(" "));
        }
        let mut right: Vec<Run> = Vec::new();
        let mut place = Vec::new();
        if let Some(no) = self.turn_here() {
            let of = if self.known.complete && self.width >= 60 {
                format!(" of {}", self.known.turns)
            } else {
                String::new()
            };
            place.push(format!("turn {no}{of}"));
        }
        if let Some(no) = self.marker_here() {
            place.push(format!("m{no}"));
        }
        if !self.known.complete && self.transcript.size > 0 {
            let percent = self.known.read_to.min(self.transcript.size) * 100 / self.transcript.size;
            place.push(format!("reading {percent} %"));
        }
        if let Some((at, all)) = auditing::progress(self) {
            let more = signs.more;
            place.push(if self.width >= 60 {
                format!("checking m{at} of {all} {more}")
            } else {
                "checking".to_owned()
            });
        }
        if self.follow {
            place.push("following".to_owned());
        }
        if let Some((record, effective)) =
            self.transcript.item().filter(|_| self.width >= 90).and_then(|item| self.known.effective(item.marker))
        {
            let (done, claims) = effective.progress(&record.reviewed);
            place.push(format!("{done} of {claims} checked"));
        }
        right.push(Run::dim(&place.join(&dot)));
        let troubles = self.known.troubles.len() as u64;
        if troubles > 0 {
            let text = if self.width >= 70 {
                format!("   {} could not be read", counted(troubles, "line"))
            } else {
                format!("  {troubles} unread")
            };
            right.push(Run::new(&text, Tone::Warning));
        }
        let pinned = self.known.ledger.active().count();
        if pinned > 0 {
            right.push(Run::new(&format!("   {pinned} pinned"), Tone::Accent));
        }
        right.push(Run::text(" "));
        let used: usize = right.iter().map(Run::width).sum();
        let room = usize::from(self.width).saturating_sub(used + 3);
        let title = cut(&Shown::line(&self.title()), room);
        Row { right, ..Row::of([Run::text(" "), Run { text: title, ..Run::new("", Tone::Strong) }]) }
    }

    /// What the session is called.
    pub(super) fn title(&self) -> String {
        let head = &self.known.head;
        head.title.clone().filter(|title| !title.trim().is_empty()).unwrap_or_else(|| head.key.id.clone())
    }

    fn paint_transcript(&self, y: u16, height: u16, picture: &mut Picture) {
        let width = self.width - 1;
        let mut rows = Vec::new();
        if self.transcript.is_empty() {
            let waiting = !self.pending.is_empty();
            let text = if waiting {
                format!("   reading{}", self.settings.signs.more)
            } else {
                "   nothing was said in this session".to_owned()
            };
            rows = vec![Row::blank(), Row::of([Run::dim(&text)])];
        }
        let cursor = self.transcript.cursor();
        for at in &self.transcript.screen {
            let Some(laid) = self.transcript.laid(*at) else { continue };
            let mut row = if self.needle.is_empty() { laid.row.clone() } else { mark_found(&laid.row, &self.needle) };
            let here = cursor.is_some_and(|mark| {
                mark.node == self.transcript.nodes[at.node].id && mark.piece == laid.piece && mark.at == laid.at
            });
            if here {
                row = self.with_cursor(row);
            }
            rows.push(row);
        }
        if !self.transcript.is_empty()
            && self.transcript.at_end
            && self.transcript.pending > 0
            && rows.len() < usize::from(height)
        {
            let text = format!(
                "   {} {} bytes that are not a whole line yet",
                self.settings.signs.more, self.transcript.pending
            );
            rows.push(Row::of([Run::dim(&text)]));
        }
        picture.areas.push(Area { x: 0, y, width, height, rows });
        self.paint_scrollbar(y, height, picture);
        self.paint_pane(picture);
    }

    /// The row with the cursor's sign in its margin.
    pub(super) fn with_cursor(&self, mut row: Row) -> Row {
        if let Some(first) = row.runs.first_mut() {
            let text = first.text.as_str();
            let rest = text.chars().next().map_or("", |c| &text[c.len_utf8()..]).to_owned();
            *first = Run { language: first.language, ..Run::new(&rest, first.tone) };
        }
        row.runs.insert(0, Run::new(self.settings.signs.cursor, Tone::Accent));
        row.selected = true;
        row
    }

    fn paint_scrollbar(&self, y: u16, height: u16, picture: &mut Picture) {
        if height < 3 || self.transcript.is_empty() {
            return;
        }
        let last = f64::from(height - 1);
        let at = (self.transcript.position().clamp(0.0, 1.0) * last).round() as u16;
        let rows = vec![Row::of([Run::dim(self.settings.signs.thumb)])];
        picture.areas.push(Area { x: self.width - 1, y: y + at.min(height - 1), width: 1, height: 1, rows });
    }

    /// What is said to the person, wrapped where it is long.
    fn notice_rows(&self) -> Vec<Row> {
        let typed = match (self.count, self.keys.as_slice()) {
            (Some(count), _) => Some(format!("{count}")),
            (None, [first, ..]) => Some(first.to_string()),
            (None, []) => None,
        };
        let Some(notice) = &self.notice else {
            let typed = typed.map(|typed| Row::default().right(Run::dim(&typed)).right(Run::text(" ")));
            return typed.into_iter().collect();
        };
        let mut undo = Row::default();
        if notice.undo
            && let Some(key) = self.keymap.key(Command::Undo)
        {
            undo = undo.right(Run::new(&key, Tone::Accent)).right(Run::text(" undo "));
        }
        let used: usize = undo.right.iter().map(Run::width).sum();
        let room = usize::from(self.width).saturating_sub(used + 2).max(1);
        let tone = if notice.bad { Tone::Warning } else { Tone::Strong };
        let most = (self.body_height() / 3).clamp(1, 4);
        let mut rows = view::wrapped(Shown::line(&notice.text).as_str(), room, tone);
        if rows.len() > most {
            rows.truncate(most);
            if let Some(run) = rows.last_mut().and_then(|row| row.runs.last_mut()) {
                run.text = cut(&Shown::line(&format!("{}{}", run.text.as_str(), " ".repeat(room))), room);
            }
        }
        for row in &mut rows {
            row.runs.insert(0, Run::text(" "));
        }
        if let Some(first) = rows.first_mut() {
            first.right = undo.right;
        }
        rows
    }

    /// The keys that matter here; help and quit go last when room is short.
    fn hints(&self) -> Row {
        let (hints, right) = hints::hints(self);
        let pair = |key: &str, name: &str| [Run::new(key, Tone::Accent), Run::dim(&format!(" {name}"))];
        let width_of = |runs: &[Run]| runs.iter().map(Run::width).sum::<usize>();
        let mut right_runs = Vec::new();
        for (key, name) in &right {
            if !right_runs.is_empty() {
                right_runs.push(Run::text("   "));
            }
            right_runs.extend(pair(key, name));
        }
        right_runs.push(Run::text(" "));
        let mut left = vec![Run::text(" ")];
        for (key, name) in &hints {
            let mut next = pair(key, name).to_vec();
            if left.len() > 1 {
                next.insert(0, Run::text("   "));
            }
            if width_of(&left) + width_of(&next) + 3 + width_of(&right_runs) > usize::from(self.width) {
                break;
            }
            left.extend(next);
        }
        Row { right: right_runs, ..Row::of(left) }
    }

    /// The number of the turn at the cursor, or of the last one before it.
    fn turn_here(&self) -> Option<String> {
        let id = self.transcript.cursor()?.node;
        let at = self.transcript.nodes.iter().position(|node| node.id == id)?;
        self.transcript.nodes[..=at].iter().rev().find_map(|node| match &node.content {
            super::node::Content::Entry(crate::session::Entry::Turn(turn)) => turn.no.as_ref().map(ToString::to_string),
            _ => None,
        })
    }

    /// The compaction at the cursor, or the last one before it.
    pub(super) fn marker_here(&self) -> Option<u32> {
        let place = self.transcript.cursor()?.node.place;
        let before = |marker: &crate::session::Place| marker.file == place.file && marker.offset <= place.offset;
        self.known
            .markers
            .iter()
            .rev()
            .map(|(marker, _)| marker)
            .find(|marker| before(&marker.place))
            .map(|marker| marker.no)
    }

    /// Rows of the screen that lies over the transcript.
    pub(super) fn screen_rows(&self) -> usize {
        self.layers.last().map_or(0, |layer| screens::extent(self, layer).rows())
    }

    /// The list entry that a row of the screen belongs to.
    pub(super) fn screen_entry_at(&self, row: usize) -> Option<usize> {
        let layer = self.layers.last()?;
        let top = match layer {
            Layer::Ledger { top, .. } | Layer::Troubles { top, .. } => *top,
            Layer::Findings(list) => list.top,
            Layer::Lineage(page) => return page.entry_at(page.top + row),
            Layer::Window(page) => return window_screen::entry_at(self, page, row),
            Layer::Outline(page) => return outline_screen::entry_at(self, page, row),
            _ => return None,
        };
        screens::extent(self, layer).entry_at(top + row)
    }

    /// Scrolls a list so that its cursor is on the screen.
    pub(super) fn keep_cursor_on_screen(&mut self) {
        let height = self.body_height();
        let Some(layer) = self.layers.last() else { return };
        let at = match layer {
            Layer::Ledger { at, .. } | Layer::Troubles { at, .. } => *at,
            Layer::Findings(list) => list.at,
            _ => return,
        };
        let extent = screens::extent(self, layer);
        let Some((first, end)) = extent.rows_of(at) else { return };
        // At the last entry the rows below it, which no cursor reaches, are shown too.
        let end = if at + 1 == extent.heights.len() { extent.rows() } else { end };
        if let Some(
            Layer::Ledger { top, .. } | Layer::Troubles { top, .. } | Layer::Findings(FindingsList { top, .. }),
        ) = self.layers.last_mut()
        {
            let lowest = end.saturating_sub(height).min(first);
            *top = (*top).clamp(lowest, first.max(lowest));
            if first <= 1 {
                *top = lowest.min(first).min(*top);
            }
        }
    }
}
