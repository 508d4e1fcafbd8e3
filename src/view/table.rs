//! Tables: columns aligned, cells wrapped where the whole is too wide.

use super::inline::{Span, spans};
use super::prose::{Lines, Page};
use super::{Row, Run, Tone};
use crate::text::{Shown, width};

/// Cells between two columns.
const GAP: usize = 2;
/// No column gets narrower than this; a table that then has no room is shown as its text.
const NARROWEST: usize = 6;

/// A row of a table: where its line starts, and its cells with their places.
type Line<'a> = (usize, Vec<(usize, &'a str)>);

/// Whether a line looks like a row of a table.
pub(super) fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('|') && line.ends_with('|')
}

/// Lays out the table whose first line was just read.
pub(super) fn lay(page: &mut Page, lines: &mut Lines<'_>, at: usize, line: &str) {
    let mut table = vec![(at, cells_of(at, line))];
    while let Some((at, line)) = lines.peek().filter(|(_, line)| is_row(line.trim_start())) {
        table.push((at, cells_of(at, line)));
        lines.next();
    }
    let headed = table[0].1.iter().any(|(_, cell)| !cell.is_empty());
    let widths = widths(&table, page);
    let room = page.cells;
    let fitted = fit(widths, room);
    for (row, (at, cells)) in table.iter().enumerate() {
        if is_rule(cells) {
            if let (1, true, Some(widths)) = (row, headed, &fitted) {
                let total = widths.iter().sum::<usize>() + widths.len().saturating_sub(1) * GAP;
                page.rows.push((Row::default().fill('─').measure(total), *at as u32));
            }
            continue;
        }
        if row == 0 && !headed {
            continue;
        }
        let tone = if row == 0 && table.len() > 1 { Tone::Strong } else { page.base };
        match &fitted {
            Some(widths) => aligned(page, *at, cells, widths, tone),
            None => as_text(page, *at, cells, tone),
        }
    }
}

/// A row with each cell wrapped in its column.
fn aligned(page: &mut Page, at: usize, cells: &[(usize, &str)], widths: &[usize], tone: Tone) {
    let wrapped: Vec<Vec<Row>> = cells
        .iter()
        .zip(widths)
        .map(|((at, cell), width)| {
            let mut column = Page { cells: *width, rows: Vec::new(), ..*page };
            column.flow(&spans(cell, *at, tone), &[], &[], *at);
            column.rows.into_iter().map(|(row, _)| row).collect()
        })
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    for nth in 0..height {
        let mut runs = Vec::new();
        let mut missing = 0;
        for (column, width) in wrapped.iter().zip(widths) {
            if missing > 0 {
                runs.push(Run::text(&" ".repeat(missing)));
            }
            let row = column.get(nth);
            runs.extend(row.into_iter().flat_map(|row| row.runs.clone()));
            missing = width.saturating_sub(row.map_or(0, Row::width)) + GAP;
        }
        let place = if nth == 0 { at } else { cells.first().map_or(at, |(at, _)| *at) };
        page.rows.push((Row::of(runs), place as u32));
    }
}

fn as_text(page: &mut Page, at: usize, cells: &[(usize, &str)], tone: Tone) {
    let spans: Vec<_> = cells
        .iter()
        .enumerate()
        .flat_map(|(column, (at, cell))| {
            let gap = Span { at: *at, text: if column > 0 { "  " } else { "" }, tone: Tone::Dim };
            std::iter::once(gap).chain(spans(cell, *at, tone))
        })
        .collect();
    page.flow(&spans, &[], &[Run::text("  ")], at);
}

/// The widest cell of each column.
fn widths(table: &[Line<'_>], page: &Page) -> Vec<usize> {
    let columns = table.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    for (_, cells) in table.iter().filter(|(_, cells)| !is_rule(cells)) {
        for (column, (at, cell)) in cells.iter().enumerate() {
            let shown: usize = spans(cell, *at, page.base).iter().map(|span| width(&Shown::line(span.text))).sum();
            widths[column] = widths[column].max(shown);
        }
    }
    widths
}

/// The widths made to fit: the widest columns give way first. `None` where there is no room.
fn fit(mut widths: Vec<usize>, room: usize) -> Option<Vec<usize>> {
    let gaps = widths.len().saturating_sub(1) * GAP;
    let least: usize = widths.iter().map(|width| (*width).min(NARROWEST)).sum();
    if least + gaps > room {
        return None;
    }
    while widths.iter().sum::<usize>() + gaps > room {
        let widest = widths.iter_mut().max()?;
        *widest -= 1;
    }
    Some(widths)
}

fn is_rule(cells: &[(usize, &str)]) -> bool {
    cells.iter().all(|(_, cell)| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
}

/// The cells of a row, each with its place in the text.
fn cells_of(at: usize, line: &str) -> Vec<(usize, &str)> {
    let start = line.len() - line.trim_start().len() + 1;
    let inner = line.trim().trim_matches('|');
    let mut cells = Vec::new();
    let mut offset = at + start;
    for cell in inner.split('|') {
        let lead = cell.len() - cell.trim_start().len();
        cells.push((offset + lead, cell.trim()));
        offset += cell.len() + 1;
    }
    cells
}
