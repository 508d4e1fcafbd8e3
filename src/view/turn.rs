//! A turn: who spoke and when, then what was said, with calls and thinking folded.

use super::{Laid, Lens, Piece, Row, Run, Tone, counted, prose, tool};
use crate::session::{PartKind, Role, Said, Speaker, Turn};
use crate::text::{Shown, cut};

/// Lines of one part that are shown before the rest has to be asked for.
const LONG_TEXT: usize = 400;

/// Who speaks in a turn, in a word.
pub fn who(turn: &Turn) -> &'static str {
    match turn.role {
        Role::User if turn.parts.iter().any(|said| said.part.speaker == Speaker::User) => "you",
        Role::User => "tool",
        Role::Assistant => "agent",
        Role::System => "system",
    }
}

/// The rows of a turn.
pub fn turn(turn: &Turn, lens: &Lens<'_>) -> Vec<Laid> {
    let mut rows = vec![Laid { row: head(turn, lens), piece: Piece::Head, at: 0 }];
    let mut before = None;
    let mut index = 0;
    while index < turn.parts.len() {
        let said = &turn.parts[index];
        let folds = !matches!(said.part.kind, PartKind::Text | PartKind::Opaque { .. });
        // Folded lines stand together; around words there is air.
        if before.is_some_and(|before| before != folds || !folds)
            && rows.last().is_some_and(|laid| laid.piece != Piece::Blank)
        {
            rows.push(Laid::blank());
        }
        before = Some(folds);
        let part = index as u32;
        index += match &said.part.kind {
            PartKind::ToolCall { id, .. } => {
                let results: Vec<&Said> = turn.parts[index + 1..]
                    .iter()
                    .take_while(|other| matches!(&other.part.kind, PartKind::ToolResult { id: of, .. } if of == id))
                    .collect();
                tool::call(index, said, &results, lens, &mut rows);
                1 + results.len()
            }
            PartKind::ToolResult { .. } => {
                tool::call(index, said, &[], lens, &mut rows);
                1
            }
            PartKind::Text => {
                text(index, said, lens, &mut rows);
                1
            }
            PartKind::Thinking => {
                thinking(index, said, lens, &mut rows);
                1
            }
            PartKind::Opaque { what } => {
                let row = Row::of([Run::text(&" ".repeat(lens.indent())), Run::dim(&format!("[{what}]"))]);
                rows.push(Laid { row, piece: Piece::Text(index as u32), at: 0 });
                1
            }
        };
        if let Some(mended) = &said.lossy {
            let row = Row::of([
                Run::text(&" ".repeat(lens.indent())),
                Run::new(&format!("mended while reading: {mended}"), Tone::Warning),
            ]);
            rows.push(Laid { row, piece: Piece::Text(part), at: u32::MAX });
        }
    }
    if !turn.noise.is_empty() {
        noise(turn, lens, &mut rows);
    }
    if rows.last().is_some_and(|laid| laid.piece != Piece::Blank) {
        rows.push(Laid::blank());
    }
    rows
}

fn head(turn: &Turn, lens: &Lens<'_>) -> Row {
    let no = match (&turn.no, &turn.result_of) {
        (Some(no), _) => no.to_string(),
        (None, Some(call)) => format!("{}{}", lens.signs.hang, call),
        (None, None) => lens.signs.more.to_owned(),
    };
    let margin = lens.indent() - 2;
    let who = who(turn);
    let mut row = Row::of([
        Run::dim(&format!("{no:>margin$}  ")),
        Run::new(who, if who == "you" { Tone::Accent } else { Tone::Strong }),
    ]);
    if let Some(at) = turn.at {
        let day = if lens.dated { format!("  {}", lens.zone.day(at)) } else { String::new() };
        let gap = " ".repeat(8_usize.saturating_sub(who.len()));
        row.runs.push(Run::dim(&format!("{gap}{}{day}", lens.zone.clock(at))));
    }
    row
}

fn tone_of(speaker: Speaker) -> Tone {
    match speaker {
        Speaker::User => Tone::User,
        Speaker::Assistant => Tone::Text,
        Speaker::Tool | Speaker::System => Tone::Dim,
    }
}

fn text(index: usize, said: &Said, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let marked = lens.marked.filter(|(part, _)| *part == index as u32).map(|(_, range)| range);
    let more = Piece::More(index as u32);
    let (shown, hidden) =
        if (lens.open)(more) || marked.is_some() { (said.part.text.as_str(), 0) } else { head_of(&said.part.text) };
    let pad = " ".repeat(lens.indent());
    for (row, at) in prose(shown.trim_end(), lens.text_width(), tone_of(said.part.speaker), marked) {
        rows.push(Laid { row: padded(&pad, row), piece: Piece::Text(index as u32), at });
    }
    if hidden > 0 {
        let text = format!("{pad}{} {}", lens.signs.more, counted(hidden as u64, "more line"));
        rows.push(Laid { row: Row::of([Run::new(&text, Tone::Accent)]), piece: more, at: 0 });
    }
}

/// The first lines of a long text, and how many lines are left out.
fn head_of(text: &str) -> (&str, usize) {
    match memchr::memchr_iter(b'\n', text.as_bytes()).nth(LONG_TEXT) {
        Some(end) => (&text[..end], text[end + 1..].lines().count()),
        None => (text, 0),
    }
}

fn thinking(index: usize, said: &Said, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let piece = Piece::Thinking(index as u32);
    let unfolded = (lens.open)(piece);
    let pad = " ".repeat(lens.indent());
    let lines = said.part.text.lines().count();
    let sign = if unfolded { lens.signs.unfolded } else { lens.signs.folded };
    let right = Run::dim(&counted(lines as u64, "line"));
    let mut runs = vec![Run::text(&pad), Run::dim(sign), Run::dim(" thinking  ")];
    let used: usize = runs.iter().map(Run::width).sum();
    let gist = said.part.text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let room = lens.measure().saturating_sub(used + right.width() + 2);
    if !unfolded {
        runs.push(Run { text: cut(&Shown::line(gist.trim()), room), ..Run::dim("") });
    }
    rows.push(Laid { row: Row::of(runs).right(right).measure(lens.measure()), piece, at: 0 });
    if unfolded {
        let inner = format!("{pad}  ");
        let cells = lens.text_width().saturating_sub(2);
        for (row, at) in prose(said.part.text.trim_end(), cells, Tone::Dim, None) {
            rows.push(Laid { row: padded(&inner, row), piece: Piece::Under(index as u32), at });
        }
    }
}

fn noise(turn: &Turn, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let unfolded = (lens.open)(Piece::Noise);
    let pad = " ".repeat(lens.indent());
    let text = format!("{} {}", lens.signs.dot, counted(turn.noise.len() as u64, "note"));
    rows.push(Laid { row: Row::of([Run::text(&pad), Run::dim(&text)]), piece: Piece::Noise, at: 0 });
    if unfolded {
        rows.extend(super::fold::noise_rows(&turn.noise, lens));
    }
}

pub(super) fn padded(pad: &str, row: Row) -> Row {
    let mut runs = vec![Run::text(pad)];
    runs.extend(row.runs);
    let measure = if row.measure == 0 { 0 } else { row.measure + pad.len() as u16 };
    Row { runs, measure, ..row }
}

/// What a turn says, as plain text: for the clipboard.
pub fn said_text(turn: &Turn) -> String {
    let texts: Vec<&str> = turn
        .parts
        .iter()
        .filter(|said| matches!(said.part.kind, PartKind::Text))
        .map(|said| said.part.text.trim_end())
        .collect();
    texts.join("\n\n")
}
