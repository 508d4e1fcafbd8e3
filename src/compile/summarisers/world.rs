//! A tiny notation for tests: `u: text`, `a: text`, `> arguments of a call`, `< result`, one part a line; ` / ` in a text
//! stands for a line end.

use super::Spoken;
use crate::session::{FileNo, Part, PartKind, PartSeq, Place, Speaker, TurnNo};

/// What was said, a turn each time the speaker changes.
pub fn spoken(told: &str) -> Vec<Spoken> {
    let mut turn = 0;
    let mut last = None;
    let part = |(no, line): (usize, &str)| {
        let (mark, text) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let (speaker, kind) = match mark {
            "u:" => (Speaker::User, PartKind::Text),
            "a:" => (Speaker::Assistant, PartKind::Text),
            ">" => (Speaker::Assistant, PartKind::ToolCall { id: None, name: "Bash".to_owned() }),
            _ => (Speaker::Tool, PartKind::ToolResult { id: None, ok: true }),
        };
        let by_user = speaker == Speaker::User;
        if last.replace(by_user) != Some(by_user) {
            turn += 1;
        }
        let text = text.replace(" / ", "\n");
        Spoken {
            turn: TurnNo::main(turn),
            turn_id: format!("t{turn}"),
            line_id: Some(format!("l{no}")),
            place: Place { file: FileNo(0), offset: no as u64 * 100, part: 0 },
            seq: PartSeq(no as u64),
            part: Part { block: 0, kind, speaker, text },
            heard: None,
        }
    };
    told.lines().filter(|line| !line.trim().is_empty()).enumerate().map(part).collect()
}
