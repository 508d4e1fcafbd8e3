//! A session's own turns one after the other, as the search for seams sees them: what they weigh, and where blocks end.

use super::Problem;
use crate::compile::{Closed, Rules, Seams, TurnSeen};
use crate::record::{Block, Run};
use crate::session::{Body, Depth, FileNo, Hash, Line, Log, Outline, PartSeq};

pub(super) const OWN: FileNo = FileNo(0);
const STEP: usize = 1 << 20;
const FIRST: usize = 16 << 10;

/// One turn of the session itself.
pub(super) struct Turn {
    pub no: u32,
    /// The sequence of its first part.
    start: u64,
    seen: TurnSeen,
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
    pub fn of(log: &mut dyn Log, outline: &Outline) -> Result<Self, Problem> {
        let mut course = Self { bytes: vec![0], ..Self::default() };
        each_line(log, outline, 0, u64::MAX, &mut |_, line, seq| {
            let Body::Message { parts, .. } = &line.body else { return Ok(()) };
            for part in parts {
                course.hashes.push(Hash::of(part.text.as_bytes()));
                let before = course.bytes.last().copied().unwrap_or_default();
                course.bytes.push(before + part.text.len() as u64);
            }
            let turn = outline.turn_at(OWN, line.offset).filter(|turn| turn.is_main());
            let Some(number) = turn.and_then(|turn| outline.number(turn)) else { return Ok(()) };
            let &[no] = number.0.as_slice() else { return Ok(()) };
            if course.turns.last().is_none_or(|last| last.no < no) {
                let seen = TurnSeen { at: turn.and_then(|turn| turn.at), ..TurnSeen::default() };
                course.turns.push(Turn { no, start: seq, seen });
            }
            if let Some(last) = course.turns.last_mut() {
                for part in parts {
                    last.seen.add(part);
                }
            }
            Ok(())
        })?;
        Ok(course)
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
