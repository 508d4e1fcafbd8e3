//! A frame as a picture: cells to SVG, dark, in a monospace face. Nothing is decided here; what the cells say is drawn.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 14.0;
const PAPER: &str = "#1d2021";
const INK: &str = "#d5c4a1";
/// The sixteen colours of a terminal's theme.
const THEME: [&str; 16] = [
    "#282828", "#cc241d", "#98971a", "#d79921", "#458588", "#b16286", "#689d6a", "#a89984", "#7c6f64", "#fb4934",
    "#b8bb26", "#fabd2f", "#83a598", "#d3869b", "#8ec07c", "#fbf1c7",
];

/// The look of a cell, as far as neighbours can share one.
#[derive(Clone, PartialEq)]
struct Look {
    ink: String,
    paper: Option<String>,
    modifier: Modifier,
}

/// The frame as an SVG document.
pub fn svg(frame: &Buffer) -> String {
    let (width, height) = (f64::from(frame.area.width), f64::from(frame.area.height));
    let (full_width, full_height) = (width * CELL.0 + 2.0 * MARGIN, height * CELL.1 + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width:.0} {full_height:.0}\" \
         font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13.6\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n"
    );
    for row in 0..frame.area.height {
        for run in runs(frame, row) {
            draw(&mut out, &run, row);
        }
    }
    out + "</svg>\n"
}

struct Run {
    column: u16,
    cells: u16,
    text: String,
    look: Look,
}

fn runs(frame: &Buffer, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut column = 0;
    while column < frame.area.width {
        let cell = &frame[(frame.area.x + column, frame.area.y + row)];
        let look = look(cell);
        let cells = (cells(cell.symbol()) as u16).max(1);
        match runs.last_mut() {
            Some(run) if run.look == look => {
                run.text += cell.symbol();
                run.cells += cells;
            }
            _ => runs.push(Run { column, cells, text: cell.symbol().to_owned(), look }),
        }
        column += cells;
    }
    runs
}

fn look(cell: &Cell) -> Look {
    let (mut ink, mut paper) = (colour(cell.fg), colour(cell.bg));
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, paper) = (Some(paper.unwrap_or_else(|| PAPER.into())), Some(ink.unwrap_or_else(|| INK.into())));
    }
    Look { ink: ink.unwrap_or_else(|| INK.into()), paper, modifier: cell.modifier }
}

/// `None` for the terminal's own colour.
fn colour(colour: Color) -> Option<String> {
    let theme = |at: usize| Some(THEME[at].to_owned());
    match colour {
        Color::Reset => None,
        Color::Black => theme(0),
        Color::Red => theme(1),
        Color::Green => theme(2),
        Color::Yellow => theme(3),
        Color::Blue => theme(4),
        Color::Magenta => theme(5),
        Color::Cyan => theme(6),
        Color::Gray => theme(7),
        Color::DarkGray => theme(8),
        Color::LightRed => theme(9),
        Color::LightGreen => theme(10),
        Color::LightYellow => theme(11),
        Color::LightBlue => theme(12),
        Color::LightMagenta => theme(13),
        Color::LightCyan => theme(14),
        Color::White => theme(15),
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        Color::Indexed(at @ 0..16) => theme(usize::from(at)),
        Color::Indexed(at @ 16..232) => {
            let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let cube = at - 16;
            Some(format!("#{:02x}{:02x}{:02x}", step(cube / 36), step(cube / 6 % 6), step(cube % 6)))
        }
        Color::Indexed(at) => {
            let grey = 8 + 10 * (at - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
    }
}

fn draw(out: &mut String, run: &Run, row: u16) {
    let top = MARGIN + f64::from(row) * CELL.1;
    if let Some(paper) = &run.look.paper {
        let (x, width) = (MARGIN + f64::from(run.column) * CELL.0, f64::from(run.cells) * CELL.0);
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{paper}\"/>",
            CELL.1
        );
    }
    let has = |modifier| run.look.modifier.contains(modifier);
    let lines = [(Modifier::UNDERLINED, "underline"), (Modifier::CROSSED_OUT, "line-through")];
    let lines: Vec<&str> = lines.into_iter().filter(|(modifier, _)| has(*modifier)).map(|(_, name)| name).collect();
    if run.text.trim().is_empty() {
        return;
    }
    let mut style = String::new();
    for (modifier, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::DIM, " opacity=\"0.6\""),
    ] {
        style += if has(modifier) { attribute } else { "" };
    }
    if !lines.is_empty() {
        let _ = write!(style, " text-decoration=\"{}\"", lines.join(" "));
    }
    for (column, text) in pieces(run) {
        let x = MARGIN + f64::from(column) * CELL.0;
        let width = cells(text) as f64 * CELL.0;
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{}\"{style} textLength=\"{width:.1}\" \
             lengthAdjust=\"spacingAndGlyphs\">{text}</text>",
            top + 13.5,
            run.look.ink
        );
    }
}

/// The run without its spaces at either end, and cut at wider gaps: each piece starts at its own column, so that it
/// stands right in any face.
fn pieces(run: &Run) -> Vec<(u16, &str)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for piece in run.text.split("  ") {
        let before = piece.len() - piece.trim_start().len();
        let column = run.column + cells(&run.text[..at + before]) as u16;
        if !piece.trim().is_empty() {
            pieces.push((column, piece.trim()));
        }
        at += piece.len() + 2;
    }
    pieces
}

fn cells(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
