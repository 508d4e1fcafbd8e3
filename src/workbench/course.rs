//! A session's own turns one after the other, as the search for seams sees them: what they weigh, and where blocks end.

use super::{Cancel, Problem};
use crate::compile::{Closed, Rules, Seams, TurnSeen};
use crate::record::{Block, ClosedBy, Run};
use crate::session::{Body, Depth, FileNo, Hash, Line, Log, Outline, PartSeq};

pub(super) const OWN: FileNo = FileNo(0);
const STEP: usize = 1 << 20;
const FIRST: usize = 16 << 10;

/// One turn of the session itself.
pub(super) struct Turn {
    pub no: u32,
    /// The sequence of its first part.
    start: u64,
    /// The bytes of all parts before it.
    before: u64,
    /// The bytes of its parts.
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
    /// Of its originals; four bytes count as one.
    pub tokens: u64,
    /// Why it would end there.
    pub closed_by: ClosedBy,
}

/// All turns of a session, without their texts.
#[derive(Default)]
pub(super) struct Course {
    pub turns: Vec<Turn>,
    /// Of every part of the session's own file.
    pub hashes: Vec<Hash>,
    /// The bytes of all parts before each.
    bytes: Vec<u64>,
}

impl Course {
    pub fn of(log: &mut dyn Log, outline: &Outline, cancel: &Cancel) -> Result<Self, Problem> {
        let mut course = Self { bytes: vec![0], ..Self::default() };
        each_line(log, outline, 0, u64::MAX, &mut |_, line, seq| {
            anyhow::ensure!(!cancel.is_cancelled(), "nobody waits for this session any more");
            let Body::Message { parts, usage, .. } = &line.body else { return Ok(()) };
            let before = course.all_bytes();
            for part in parts {
                course.hashes.push(Hash::of(part.text.as_bytes()));
                course.bytes.push(course.all_bytes() + part.text.len() as u64);
            }
            let after = course.all_bytes();
            let turn = outline.turn_at(OWN, line.offset).filter(|turn| turn.is_main());
            let Some(number) = turn.and_then(|turn| outline.number(turn)) else { return Ok(()) };
            let &[no] = number.0.as_slice() else { return Ok(()) };
            if course.turns.last().is_none_or(|last| last.no < no) {
                let seen = TurnSeen { at: turn.and_then(|turn| turn.at), ..TurnSeen::default() };
                course.turns.push(Turn { no, start: seq, before, said: 0, context: None, seen });
            }
            if let Some(last) = course.turns.last_mut() {
                last.said += after - before;
                let told = usage.filter(|usage| usage.input > 0).map(|usage| usage.input + usage.output);
                last.context = told.or(last.context);
                for part in parts {
                    last.seen.add(part);
                }
            }
            Ok(())
        })?;
        Ok(course)
    }

    fn all_bytes(&self) -> u64 {
        self.bytes.last().copied().unwrap_or_default()
    }

    /// The ends of the blocks behind those that are known. Blocks that were closed by other rules stay, and seams are
    /// looked for behind them.
    pub fn ends(&self, rules: Rules, known: &[Block]) -> Vec<Closed> {
        let mut seams = Seams::new(rules);
        let all: Vec<Closed> = self.turns.iter().filter_map(|turn| seams.turn(&turn.seen)).collect();
        let last = |closed: &Closed| self.turns[closed.turns - 1].no;
        let same = all.len() >= known.len() && all.iter().zip(known).all(|(one, block)| last(one) == block.run.turns.1);
        if same {
            return all.into_iter().skip(known.len()).collect();
        }
        let after = known.last().map_or(0, |block| block.run.turns.1);
        let first = self.turns.partition_point(|turn| turn.no <= after);
        let mut seams = Seams::new(rules);
        let ends = self.turns[first..].iter().filter_map(|turn| seams.turn(&turn.seen));
        ends.map(|closed| Closed { turns: first + closed.turns, ..closed }).collect()
    }

    /// The blocks that would close now behind those that are known.
    pub fn due(&self, rules: Rules, known: &[Block]) -> Vec<WouldClose> {
        let after = known.last().map_or(0, |block| block.run.turns.1);
        let mut first = self.turns.partition_point(|turn| turn.no <= after);
        let due = self.ends(rules, known).into_iter().map(|closed| {
            let start = if first == 0 { 0 } else { self.turns[first].before };
            let end = self.turns.get(closed.turns).map_or(self.all_bytes(), |next| next.before);
            let turns = (self.turns[first].no, self.turns[closed.turns - 1].no);
            first = closed.turns;
            WouldClose { turns, tokens: end.saturating_sub(start).div_ceil(4), closed_by: closed.closed_by }
        });
        due.collect()
    }

    /// The turns from behind this part and turn, up to the n-th.
    pub fn run(&self, (start, after): (u64, u32), up_to: usize, outline: &Outline) -> Run {
        let end = self.turns.get(up_to).map_or(self.hashes.len() as u64, |next| next.start);
        let parts = start..end.max(start);
        let turns = (after + 1, self.turns[up_to - 1].no);
        let range = parts.start as usize..parts.end as usize;
        Run {
            from_id: outline.main_turn(turns.0).map_or_else(String::new, |turn| turn.id.to_string()),
            turns,
            tokens: (self.bytes[range.end] - self.bytes[range.start]).div_ceil(4),
            originals: Run::originals_of(&self.hashes[range]),
            parts,
        }
    }
}

/// Hears a line, and may read on in the log.
pub(super) type Tell<'a> = dyn FnMut(&mut dyn Log, &Line, u64) -> Result<(), Problem> + 'a;

/// Every line of the session's own file with parts in this range, each with the sequence of its first part. Lines that
/// repeat others have none.
pub(super) fn each_line(
    log: &mut dyn Log,
    outline: &Outline,
    from: u64,
    to: u64,
    tell: &mut Tell,
) -> Result<(), Problem> {
    let mut at = if from == 0 { 0 } else { outline.line_of(PartSeq(from)).map_or(0, |line| line.offset) };
    // A block is short, a session long: what is read ahead of its end is read in vain.
    let mut step = if to == u64::MAX { STEP } else { FIRST };
    loop {
        let stretch = log.forward(OWN, at, step, Depth::Full)?;
        step = (2 * step).min(STEP);
        for line in &stretch.lines {
            let Some(seq) = outline.seq(line.place(0)) else { continue };
            if seq.0 >= to {
                return Ok(());
            }
            if seq.0 >= from {
                tell(log, line, seq.0)?;
            }
        }
        if stretch.at_end || stretch.lines.is_empty() {
            return Ok(());
        }
        at = stretch.end;
    }
}
