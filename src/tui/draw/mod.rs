//! Paints a picture, cell by cell. Nothing is decided here: no sorting, no filtering, no cutting by meaning.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::highlight::Highlights;
use super::theme::Theme;
use crate::app::State;
use crate::text::{Shown, width};
use crate::view::{Area, Picture, Row, Run, Tone};

/// Paints the state onto the frame, code in one tone.
pub fn draw(state: &State, theme: &Theme, frame: &mut Frame<'_>) {
    draw_inked(state, theme, &Highlights::default(), frame);
}

/// Paints the state onto the frame, code in the colours that are known by now.
pub fn draw_inked(state: &State, theme: &Theme, inks: &Highlights, frame: &mut Frame<'_>) {
    let picture = state.picture();
    let area = frame.area();
    paint(&picture, &Look { theme, inks }, area, frame.buffer_mut());
    if let Some((x, y)) = picture.caret
        && x < area.width
        && y < area.height
    {
        frame.set_cursor_position((area.x + x, area.y + y));
    }
}

/// What a row looks like.
struct Look<'a> {
    theme: &'a Theme,
    inks: &'a Highlights,
}

/// Paints a picture onto a buffer, as far as they overlap.
fn paint(picture: &Picture, look: &Look<'_>, screen: Rect, buffer: &mut Buffer) {
    let screen = screen.intersection(buffer.area);
    for area in &picture.areas {
        paint_area(area, look, screen, buffer);
    }
}

fn paint_area(area: &Area, look: &Look<'_>, screen: Rect, buffer: &mut Buffer) {
    let whole = Rect::new(screen.x.saturating_add(area.x), screen.y.saturating_add(area.y), area.width, area.height)
        .intersection(screen);
    let empty = Row::blank();
    for (nth, y) in (whole.top()..whole.bottom()).enumerate() {
        let row = area.rows.get(nth).unwrap_or(&empty);
        let under = if row.selected { look.theme.cursor_row() } else { Style::new() };
        for x in whole.left()..whole.right() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.reset();
                cell.set_style(under);
            }
        }
        paint_row(row, look, under, whole, y, buffer);
    }
}

fn paint_row(row: &Row, look: &Look<'_>, under: Style, area: Rect, y: u16, buffer: &mut Buffer) {
    let edge = if row.measure == 0 { area.right() } else { area.right().min(area.left().saturating_add(row.measure)) };
    let wanted: usize = row.right.iter().map(|run| width(&run.text)).sum();
    let right = usize::from(edge).saturating_sub(wanted).max(usize::from(area.left())) as u16;
    let stop = if row.right.is_empty() { area.right() } else { right };
    let mut x = area.left();
    for run in &row.runs {
        x = paint_run(run, look, under, x, stop, y, buffer);
    }
    if let Some(fill) = row.fill {
        let style = under.patch(look.theme.style(Tone::Dim));
        let stop = if row.right.is_empty() { edge } else { right };
        for x in x..stop {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_char(fill).set_style(style);
            }
        }
    }
    let mut x = right.max(x.min(edge));
    for run in &row.right {
        x = paint_run(run, look, under, x, area.right(), y, buffer);
    }
}

/// Paints a run from column `x` on, never into `stop`, and returns the column after it.
fn paint_run(run: &Run, look: &Look<'_>, under: Style, mut x: u16, stop: u16, y: u16, buffer: &mut Buffer) -> u16 {
    let plain = under.patch(look.theme.style(run.tone));
    let inked = match (run.language, run.tone) {
        (Some(language), Tone::Code) => look.inks.runs(language, run.text.as_str()).unwrap_or_default(),
        _ => &[],
    };
    for (at, cluster) in run.text.as_str().grapheme_indices(true) {
        let ink = inked.iter().find(|(range, _)| range.contains(&at)).map(|(_, ink)| *ink);
        let style = ink.map_or(plain, |ink| under.patch(look.theme.ink(ink)));
        let cells = if cluster.len() == 1 { 1 } else { width(&Shown::line(cluster)) as u16 };
        // What takes no cell has nothing to stand on here: a mark alone would be painted over its neighbour.
        if cells == 0 {
            continue;
        }
        if x.saturating_add(cells) > stop {
            return stop.max(x);
        }
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(cluster).set_style(style);
        }
        for after in x + 1..x + cells {
            if let Some(cell) = buffer.cell_mut((after, y)) {
                cell.reset();
                cell.set_style(style);
            }
        }
        x += cells;
    }
    x
}
