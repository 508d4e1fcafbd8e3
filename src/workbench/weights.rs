//! A session's own turns as they weigh: how much was said in each, how full the agent's context was, and where blocks
//! would end. Their texts are not kept.

use super::course::end_of;
use super::{Cancel, Problem};
use crate::compile::{Rules, TurnSeen};
use crate::record::{ClosedBy, Turned};
use crate::session::{Body, Depth, FileNo, Log, Outline};

const OWN: FileNo = FileNo(0);
const STEP: usize = 1 << 20;

/// One turn of the session itself.
pub(super) struct Weight {
    no: u32,
    /// The bytes of what was said in it, called and answered.
    pub said: u64,
    /// What the agent tells that its context held with it, in tokens; `None` where it tells nothing.
    pub context: Option<u64>,
    seen: TurnSeen,
}

/// A block that would close if the session were compiled now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WouldClose {
    /// The first and the last turn.
    pub turns: (u32, u32),
    /// Of its originals. See [`crate::record::Run::tokens`].
    pub tokens: u64,
    /// Why it would end there.
    pub closed_by: ClosedBy,
    /// What tells that the talk turns there.
    pub turned: Option<Turned>,
}

/// Every turn of a session.
pub(super) fn weights(log: &mut dyn Log, outline: &Outline, cancel: &Cancel) -> Result<Vec<Weight>, Problem> {
    let mut turns: Vec<Weight> = Vec::new();
    let mut at = 0;
    loop {
        anyhow::ensure!(!cancel.is_cancelled(), "nobody waits for this session any more");
        let stretch = log.forward(OWN, at, STEP, Depth::Full)?;
        for line in &stretch.lines {
            let Body::Message { parts, usage, .. } = &line.body else { continue };
            // A line that repeats another one says nothing.
            if outline.seq(line.place(0)).is_none() {
                continue;
            }
            let turn = outline.turn_at(OWN, line.offset).filter(|turn| turn.is_main());
            let Some(number) = turn.and_then(|turn| outline.number(turn)) else { continue };
            let &[no] = number.0.as_slice() else { continue };
            if turns.last().is_none_or(|last| last.no < no) {
                let seen = TurnSeen { at: turn.and_then(|turn| turn.at), ..TurnSeen::default() };
                turns.push(Weight { no, said: 0, context: None, seen });
            }
            if let Some(last) = turns.last_mut() {
                let sent = parts.iter().filter(|part| part.kind.is_sent());
                last.said += sent.map(|part| part.text.len() as u64).sum::<u64>();
                let told = usage.filter(|usage| usage.input > 0).map(|usage| usage.input + usage.output);
                last.context = told.or(last.context);
                for part in parts {
                    last.seen.add(part);
                }
            }
        }
        if stretch.at_end || stretch.lines.is_empty() {
            return Ok(turns);
        }
        at = stretch.end;
    }
}

/// The blocks that would close now behind this turn.
pub(super) fn due(turns: &[Weight], rules: Rules, after: u32) -> Vec<WouldClose> {
    let mut from = turns.partition_point(|turn| turn.no <= after);
    let mut due = Vec::new();
    while let Some(closed) = end_of(rules, turns[from..].iter().map(|turn| &turn.seen)) {
        let next = from + closed.turns;
        let said: u64 = turns[from..next].iter().map(|turn| turn.said).sum();
        due.push(WouldClose {
            turns: (turns[from].no, turns[next - 1].no),
            tokens: said.div_ceil(4),
            closed_by: closed.closed_by,
            turned: closed.turned,
        });
        from = next;
    }
    due
}
