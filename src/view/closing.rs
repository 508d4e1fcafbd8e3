//! Blocks in words: why one ends, which would close, and the command that closes them.

use super::{Signs, counted, thousands};
use crate::record::ClosedBy;
use crate::workbench::WouldClose;

/// Why a block ends where it does, in two or three words.
pub fn closed_by(why: ClosedBy) -> &'static str {
    match why {
        ClosedBy::Step => "a step done",
        ClosedBy::ToolLoop => "calls answered",
        ClosedBy::Topic => "another topic",
        ClosedBy::HardCap => "grown long",
    }
}

/// Turns from the first to the last.
pub(super) fn range((from, to): (u32, u32), signs: &Signs) -> String {
    if from == to { from.to_string() } else { format!("{from}{}{to}", signs.dash) }
}

/// So many blocks are told one by one.
const TOLD: usize = 6;

/// What would close now, and how: for a session without a block, or with turns behind its last one. `None` where there
/// is nothing to say. `name` is what the session is called on a command line.
pub fn would_close(due: &[WouldClose], blocks: usize, name: &str, signs: &Signs) -> Option<String> {
    let each = |one: &WouldClose| {
        format!(
            "{} ({} {} tok, {})",
            range(one.turns, signs),
            signs.alike,
            thousands(one.tokens),
            closed_by(one.closed_by)
        )
    };
    let told: Vec<String> = due.iter().take(TOLD).map(each).collect();
    let more = due.len().saturating_sub(TOLD) as u64;
    let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
    let turns = format!("turns {}{more}", told.join(", "));
    let count = counted(due.len() as u64, "block");
    match (blocks, due.len()) {
        (0, 0) => Some("No block is closed, and none would close yet: the session is too short for one.".to_owned()),
        (0, _) => Some(format!("No block is closed yet. stet compile {name} closes {count}: {turns}.")),
        (_, 0) => None,
        (_, _) => Some(format!("More can be closed: stet compile {name} closes {count}: {turns}.")),
    }
}

/// What an agent's own file is to blocks and windows.
pub fn agents_own_file() -> &'static str {
    "This is an agent's own file, and stays as it is: compiling makes a copy in the database. What its agent really sends, \
     the agent decides."
}
