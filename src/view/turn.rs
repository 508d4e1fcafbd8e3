//! A turn: who spoke and when, then what was said, with calls and thinking folded.

use super::{Laid, Lens, Piece, Row, Run, Tone, counted, prose, tool};
use crate::session::{PartKind, Role, Said, Speaker, Turn};
use crate::text::{Shown, cut};

/// Lines of one part that are shown before the rest has to be asked for, and bytes.
const LONG_TEXT: (usize, usize) = (400, 32 * 1024);
/// What is shown of one part at most, so that no part can hold up the screen; the whole of it is in the raw line.
const LONGEST_TEXT: (usize, usize) = (20_000, 128 * 1024);

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
    // The first column is the cursor's.
    let margin = lens.indent().saturating_sub(3);
    let who = who(turn);
    let mut row = Row::of([
        Run::dim(&format!(" {no:>margin$}  ")),
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
    let of = Words { index, text: said.part.text.as_str(), tone: tone_of(said.part.speaker), marked };
    words(&of, Piece::Text(index as u32), lens.indent(), lens, rows);
}

/// Words of a part that are to be laid out.
struct Words<'a> {
    index: usize,
    text: &'a str,
    tone: Tone,
    marked: Option<(usize, usize)>,
}

/// The rows of a part's words: as many as are shown at first, or all that a part may have.
fn words(of: &Words<'_>, piece: Piece, indent: usize, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let more = Piece::More(of.index as u32);
    let all = (lens.open)(more) || of.marked.is_some();
    let limits = if all { LONGEST_TEXT } else { LONG_TEXT };
    // Marked words far down in a very long part: the rows begin shortly before them.
    let start = match of.marked {
        Some((from, to)) if to > LONGEST_TEXT.1 => of.text.floor_char_boundary(from.saturating_sub(LONG_TEXT.1 / 2)),
        _ => 0,
    };
    let (shown, hidden) = head_of(&of.text[start..], limits);
    let pad = " ".repeat(indent);
    if start > 0 {
        let text = format!("{pad}{} {} before this", lens.signs.more, counted(start as u64, "byte"));
        rows.push(Laid { row: Row::of([Run::dim(&text)]), piece: Piece::Blank, at: 0 });
    }
    let marked = of.marked.map(|(from, to)| (from.saturating_sub(start), to.saturating_sub(start)));
    let cells = lens.measure().saturating_sub(indent).max(1);
    for (row, at) in prose(shown.trim_end(), cells, of.tone, marked) {
        rows.push(Laid { row: padded(&pad, row), piece, at: at + start as u32 });
    }
    if let Some(hidden) = hidden {
        let text = format!("{pad}{} {hidden}", lens.signs.more);
        let how = if all { "   r shows the line as it is stored" } else { "" };
        rows.push(Laid { row: Row::of([Run::new(&text, Tone::Accent), Run::dim(how)]), piece: more, at: 0 });
    }
}

/// The first lines of a long text, within so many lines and bytes, and what is left out, in words.
pub(super) fn head_of(text: &str, (lines, bytes): (usize, usize)) -> (&str, Option<String>) {
    let end = memchr::memchr_iter(b'\n', text.as_bytes()).nth(lines.saturating_sub(1)).unwrap_or(text.len());
    let end = if end > bytes {
        // At a line end, if there is one; a very long line is cut.
        let cut = text.floor_char_boundary(bytes);
        memchr::memrchr(b'\n', &text.as_bytes()[..cut]).filter(|at| *at > 0).unwrap_or(cut)
    } else {
        end
    };
    let (shown, rest) = text.split_at(end);
    let hidden = match rest.trim_end() {
        "" => None,
        rest if rest.starts_with('\n') => Some(counted(rest[1..].lines().count() as u64, "more line")),
        rest => Some(counted(rest.len() as u64, "more byte")),
    };
    (shown, hidden)
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
    let gist = prose::beginning(gist, prose::ONE_LINE);
    let room = lens.measure().saturating_sub(used + right.width() + 2);
    if !unfolded {
        runs.push(Run { text: cut(&Shown::line(gist.trim()), room), ..Run::dim("") });
    }
    rows.push(Laid { row: Row::of(runs).right(right).measure(lens.measure()), piece, at: 0 });
    if unfolded {
        let marked = lens.marked.filter(|(part, _)| *part == index as u32).map(|(_, range)| range);
        let of = Words { index, text: said.part.text.as_str(), tone: Tone::Dim, marked };
        words(&of, Piece::Under(index as u32), lens.indent() + 2, lens, rows);
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
