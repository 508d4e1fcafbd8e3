//! A tool call: one line, with its arguments and its result folded under it.

use super::prose::{ONE_LINE, beginning};
use super::turn::head_of;
use super::{Laid, Lens, Piece, Row, Run, Tone, counted, wrapped};
use crate::session::{PartKind, Said};
use crate::text::{Shown, cut};

/// Lines and bytes of a result that are shown before the rest has to be asked for.
const SHORT: (usize, usize) = (20, 8 * 1024);
/// What is shown at most; the whole of it is in the raw line.
const LONG: (usize, usize) = (2_000, 256 * 1024);

/// Rows of the call at `index`, or of a result that stands without its call.
pub(super) fn call(index: usize, said: &Said, results: &[&Said], lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let piece = Piece::Call(index as u32);
    let unfolded = (lens.open)(piece);
    let sign = if unfolded { lens.signs.unfolded } else { lens.signs.folded };
    let (name, gist) = match &said.part.kind {
        PartKind::ToolCall { name, .. } => (name.as_str(), gist(&said.part.text)),
        PartKind::ToolResult { .. } => ("result", String::new()),
        PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => ("", String::new()),
    };
    let outcome = outcome(said, results, lens);
    let mut runs = vec![
        Run::text(&" ".repeat(lens.indent())),
        Run::new(sign, Tone::Accent),
        Run::new(&format!(" {name}"), Tone::Strong),
        Run::text("  "),
    ];
    let used: usize = runs.iter().map(Run::width).sum();
    let room = lens.measure().saturating_sub(used + outcome.width() + 2);
    runs.push(Run { text: cut(&Shown::line(beginning(&gist, ONE_LINE)), room), ..Run::new("", Tone::Code) });
    rows.push(Laid { row: Row::of(runs).right(outcome).measure(lens.measure()), piece, at: 0 });
    if unfolded {
        under(index, said, results, lens, rows);
    }
}

/// How it went, in a few words.
fn outcome(said: &Said, results: &[&Said], lens: &Lens<'_>) -> Run {
    let own = matches!(said.part.kind, PartKind::ToolResult { .. }).then_some(said);
    let all: Vec<&Said> = own.into_iter().chain(results.iter().copied()).collect();
    let lines: usize = all.iter().map(|result| result.part.text.lines().count()).sum();
    let failed = all.iter().any(|result| matches!(result.part.kind, PartKind::ToolResult { ok: false, .. }));
    match (all.is_empty(), failed) {
        (true, _) => Run::dim("no result"),
        (false, true) => Run::new(&format!("{} failed", lens.signs.wrong), Tone::Warning),
        (false, false) if lines == 0 => Run::dim(lens.signs.right),
        (false, false) => Run::dim(&format!("{} {}", lens.signs.right, counted(lines as u64, "line"))),
    }
}

fn under(index: usize, said: &Said, results: &[&Said], lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let piece = Piece::Under(index as u32);
    let indent = lens.indent() + 2;
    let cells = lens.measure().saturating_sub(indent).max(1);
    let pad = " ".repeat(indent);
    let mut at = 0;
    let mut push = |row: Row, rows: &mut Vec<Laid>| {
        let mut runs = vec![Run::text(&pad)];
        runs.extend(row.runs);
        rows.push(Laid { row: Row { runs, ..row }, piece, at });
        at += 1;
    };
    let all = (lens.open)(Piece::More(index as u32));
    let limit = if all { LONG } else { SHORT };
    let mut hidden: Vec<String> = Vec::new();
    if matches!(said.part.kind, PartKind::ToolCall { .. }) {
        let (shown, rest) = head_of(&said.part.text, limit);
        for line in shown.lines() {
            for row in wrapped(line, cells, Tone::Dim) {
                push(row, rows);
            }
        }
        hidden.extend(rest);
    }
    let own = matches!(said.part.kind, PartKind::ToolResult { .. }).then_some(said);
    for result in own.into_iter().chain(results.iter().copied()) {
        if matches!(said.part.kind, PartKind::ToolCall { .. }) {
            push(Row::default().fill(lens.signs.light).measure(lens.measure()), rows);
        }
        let tone = match result.part.kind {
            PartKind::ToolResult { ok: false, .. } => Tone::Warning,
            PartKind::ToolResult { ok: true, .. }
            | PartKind::Text
            | PartKind::Thinking
            | PartKind::ToolCall { .. }
            | PartKind::Opaque { .. } => Tone::Code,
        };
        // What was mended, or is gone, stands below.
        if result.part.text.is_empty() && result.lossy.is_none() {
            push(Row::of([Run::dim("(empty)")]), rows);
        }
        let (shown, rest) = head_of(&result.part.text, limit);
        for line in shown.lines() {
            for row in wrapped(line, cells, tone) {
                push(row, rows);
            }
        }
        hidden.extend(rest);
    }
    if !hidden.is_empty() {
        let how = if all { "r shows the raw line" } else { "Enter shows them" };
        let text = format!("{pad}{} {}", lens.signs.more, hidden.join(", "));
        let row = Row::of([Run::new(&text, Tone::Accent), Run::dim(&format!("   {how}"))]);
        rows.push(Laid { row, piece: Piece::More(index as u32), at: 0 });
    }
    rows.push(Laid::blank());
}

/// The argument that says most about a call.
fn gist(arguments: &str) -> String {
    const TELLING: [&str; 13] = [
        "command",
        "cmd",
        "sql",
        "code",
        "file_path",
        "path",
        "pattern",
        "query",
        "url",
        "statement",
        "prompt",
        "description",
        "subject",
    ];
    let named =
        |name: &str| arguments.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim));
    let first = || {
        let line = arguments.lines().next().unwrap_or("");
        line.split_once(": ").map_or(line, |(_, value)| value)
    };
    TELLING.iter().find_map(|name| named(name)).filter(|value| !value.is_empty()).unwrap_or_else(first).to_owned()
}
