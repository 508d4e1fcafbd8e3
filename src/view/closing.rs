//! Blocks in words: why one ends, which would close, and the command that closes them.

use super::{Row, Run, Signs, Tone, counted, thousands, wrapped};
use crate::record::{ClosedBy, Turned};
use crate::workbench::{Overview, WouldClose};

/// Why a block ends where it does, in two or three words. `turned` is known of blocks that another topic closed, unless
/// they are older than that.
pub fn closed_by(why: ClosedBy, turned: Option<Turned>) -> &'static str {
    match (why, turned) {
        (ClosedBy::Step, _) => "a step done",
        (ClosedBy::ToolLoop, _) => "calls answered",
        (ClosedBy::HardCap, _) => "grown long",
        (ClosedBy::Topic, None) => "another topic",
        (ClosedBy::Topic, Some(Turned::Words)) => "topic: words",
        (ClosedBy::Topic, Some(Turned::Cue)) => "topic: cue",
        (ClosedBy::Topic, Some(Turned::Things)) => "topic: files",
        (ClosedBy::Topic, Some(Turned::Pause)) => "topic: pause",
    }
}

/// Turns from the first to the last.
pub(super) fn range((from, to): (u32, u32), signs: &Signs) -> String {
    if from == to { from.to_string() } else { format!("{from}{}{to}", signs.dash) }
}

/// Why no block is there, and none comes.
pub const NONE_YET: &str = "none would close yet: the session is too short for one";

/// So many blocks are told one by one.
const TOLD: usize = 6;

/// What would close now, and the command that closes it: for a session without a block, or with turns behind its last
/// one. No rows where there is nothing to say.
pub fn closing_rows(of: &Overview, cells: usize, signs: &Signs) -> Vec<Row> {
    let each = |one: &WouldClose| {
        let (turns, tokens) = (range(one.turns, signs), thousands(one.tokens));
        format!("{turns} ({}{tokens} tok, {})", signs.alike, closed_by(one.closed_by, one.turned))
    };
    let told: Vec<String> = of.due.iter().take(TOLD).map(each).collect();
    let more = of.due.len().saturating_sub(TOLD) as u64;
    let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
    let turns = format!("turns {}{more}", told.join(", "));
    let count = counted(of.due.len() as u64, "block");
    let overdue = of.overdue.iter().map(|overdue| format!("Retention mode: {overdue}."));
    let mut rows: Vec<Row> = overdue.flat_map(|text| remark(&text, cells, Tone::Warning)).collect();
    let text = match (of.blocks.is_empty(), of.due.is_empty()) {
        (true, true) => format!("No block is closed, and {NONE_YET}."),
        (true, false) => format!("No block is closed yet. This closes {count}, {turns}:"),
        (false, true) => return rows,
        (false, false) => format!("This closes {count} more, {turns}:"),
    };
    rows.extend(remark(&text, cells, Tone::Text));
    if !of.due.is_empty() {
        rows.extend(command(&compile_command(of), cells));
    }
    if of.foreign {
        let text = "This is an agent's own file, and stays as it is: compiling makes a copy in the database.";
        rows.extend(remark(text, cells, Tone::Dim));
    }
    rows
}

/// The command that closes blocks.
pub fn compile_command(of: &Overview) -> String {
    format!("stet compile {}", of.name)
}

/// A remark of a screen.
pub fn remark(text: &str, cells: usize, tone: Tone) -> Vec<Row> {
    indented("   ", text, cells, tone)
}

/// A command that a person may type.
pub fn command(text: &str, cells: usize) -> Vec<Row> {
    indented("     ", text, cells, Tone::Code)
}

fn indented(margin: &str, text: &str, cells: usize, tone: Tone) -> Vec<Row> {
    let mut rows = wrapped(text, cells.saturating_sub(margin.len() + 1).clamp(8, 104), tone);
    for row in &mut rows {
        row.runs.insert(0, Run::text(margin));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Block, Run};
    use crate::session::Hash;
    use crate::workbench::Overdue;

    fn said(blocks: u32, due: u32) -> String {
        let closed = |no: u32| {
            let run = Run { parts: 0..1, turns: (no, no), from_id: String::new(), tokens: 9, originals: Hash::ZERO };
            let (closed_by, record) = (ClosedBy::Step, std::sync::Arc::default());
            (Block { no, run, closed_by, turned: None, cut: Vec::new(), generation: 1, record }, None)
        };
        let would = |no: u32| WouldClose {
            turns: (no * 50 - 49, no * 50),
            tokens: 1_000,
            closed_by: ClosedBy::HardCap,
            turned: None,
        };
        let of = Overview {
            name: "s.jsonl".into(),
            blocks: (1..=blocks).map(closed).collect(),
            due: (1..=due).map(would).collect(),
            ..Overview::default()
        };
        shown(&of)
    }

    fn shown(of: &Overview) -> String {
        let rows = closing_rows(of, 200, &Signs::UNICODE);
        rows.iter().map(|row| row.plain().trim().to_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_that_should_be_gone_are_told_first_with_what_lets_them_go() {
        let overdue = vec![Overdue::Turns { turns: (61, 120), name: "s.db#quiet".into() }];
        let told = shown(&Overview { overdue, ..Overview::default() });
        assert!(
            told.starts_with("Retention mode: the texts of turns 61–120 should be gone and are still here"),
            "{told}"
        );
        assert!(told.contains("(stet compile s.db#quiet lets them go). No block is closed"), "{told}");
    }

    #[test]
    fn what_would_close_is_told_with_the_command_that_closes_it() {
        let first = "turns 1–50 (≈1,000 tok, grown long)";
        assert_eq!(said(3, 0), "");
        assert_eq!(said(0, 1), format!("No block is closed yet. This closes 1 block, {first}: stet compile s.jsonl"));
        assert_eq!(said(3, 1), format!("This closes 1 block more, {first}: stet compile s.jsonl"));
        assert!(said(0, 9).contains("251–300 (≈1,000 tok, grown long) and 3 more:"), "{}", said(0, 9));
        assert!(said(0, 0).ends_with("the session is too short for one."), "{}", said(0, 0));
    }
}
