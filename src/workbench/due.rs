//! Closes what is due at the end of a session in the database: finds where the next block ends, and makes its record from
//! the originals, under a permit of the gate.

use std::ops::Range;
use std::sync::Arc;

use super::{Desk, Problem};
use crate::compile::{GateRegion, Original, Permit, Recompiling, gate, liveness};
use crate::record::{Block, ClosedBy, Record, Run};
use crate::session::{Body, Depth, FileNo, Hash, Line, Log, Outline, PartKind, Role, TurnMeta};
use crate::store::Store;

const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;

/// How long blocks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// From this turn on a block closes at the next seam.
    pub target: u32,
    /// At this turn it closes anyway.
    pub cap: u32,
}

impl Default for Length {
    fn default() -> Self {
        Self { target: 40, cap: 60 }
    }
}

/// A block that is due: where it lies, and why it ends there. Its record is made later, by [`made`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Due {
    pub no: u32,
    turns: (u32, u32),
    parts: Range<u64>,
    from_id: String,
    closed_by: ClosedBy,
    cut: Vec<String>,
    /// The lines that hold it, half-open.
    lines: Range<u64>,
}

/// The blocks that are due: behind the last one, as far as something stands behind each of them. With `force` a first
/// block is closed at the best seam there is, however short it is.
pub(super) fn due(store: &Store, desk: &mut Desk, length: Length, force: bool) -> Result<Vec<Due>, Problem> {
    let key = desk.head().key.clone();
    let shelved = store.shelved(&key)?.unwrap_or_default();
    let last = shelved.blocks.last();
    let (mut no, from, mut start) = last.map_or((0, 0, 0), |block| (block.no, block.run.turns.1, block.run.parts.end));
    let mut log = desk.log_again()?;
    let outline = desk.outline();
    let Some(first) = outline.main_turn(from + 1).map(|turn| turn.place.offset) else { return Ok(Vec::new()) };
    let lines = lines(log.as_mut(), first..u64::MAX, Depth::Outline)?;
    let all = turns(&outline, &lines, from);
    let mut turns = all.as_slice();
    let mut blocks = Vec::new();
    loop {
        let forced = || if force && no == 0 { best(turns, length.cap) } else { None };
        let Some((count, closed_by)) = end(turns, length).or_else(forced) else { return Ok(blocks) };
        let (of, rest) = turns.split_at(count);
        let (Some(first), Some(last), Some(next)) = (of.first(), of.last(), rest.first()) else { return Ok(blocks) };
        no += 1;
        blocks.push(Due {
            no,
            turns: (first.no, last.no),
            parts: start..last.parts.end,
            from_id: first.id.clone(),
            closed_by,
            cut: if closed_by == ClosedBy::HardCap { last.open.clone() } else { Vec::new() },
            lines: first.offset..next.offset,
        });
        start = last.parts.end;
        turns = rest;
    }
}

/// The session's own lines in this range.
pub(super) fn lines(log: &mut dyn Log, range: Range<u64>, depth: Depth) -> Result<Vec<Line>, Problem> {
    let (mut lines, mut at) = (Vec::new(), range.start);
    while at < range.end {
        let wanted = usize::try_from(range.end - at).map_or(STEP, |rest| rest.saturating_mul(512).clamp(1, STEP));
        let stretch = log.forward(OWN, at, wanted, depth)?;
        let ended = stretch.at_end || stretch.lines.is_empty();
        lines.extend(stretch.lines.into_iter().filter(|line| line.offset < range.end));
        if ended {
            break;
        }
        at = stretch.end;
    }
    Ok(lines)
}

/// One turn of the session itself, as far as it matters for closing.
struct Seen {
    no: u32,
    role: Role,
    id: String,
    /// Its first line.
    offset: u64,
    /// Its parts, up to the next turn's.
    parts: Range<u64>,
    /// Calls that lack their result when this turn ends.
    open: Vec<String>,
}

fn turns(outline: &Outline, lines: &[Line], behind: u32) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for line in lines {
        let Body::Message { parts, .. } = &line.body else { continue };
        let Some(turn) = outline.turn_at(OWN, line.offset).filter(|turn| turn.is_main()) else { continue };
        let Some(no) = main_no(outline, turn).filter(|no| *no > behind) else { continue };
        let Some(seq) = outline.seq(line.place(0)) else { continue };
        for part in parts {
            match &part.kind {
                PartKind::ToolCall { id: Some(id), .. } => open.push(id.clone()),
                PartKind::ToolResult { id: Some(id), .. } => open.retain(|one| one != id),
                PartKind::ToolCall { .. }
                | PartKind::ToolResult { .. }
                | PartKind::Text
                | PartKind::Thinking
                | PartKind::Opaque { .. } => {}
            }
        }
        if seen.last().is_none_or(|last| last.no < no) {
            if let Some(last) = seen.last_mut() {
                last.parts.end = seq.0;
            }
            let (id, offset) = (turn.id.to_string(), line.offset);
            seen.push(Seen { no, role: turn.role, id, offset, parts: seq.0..seq.0, open: Vec::new() });
        }
        if let Some(last) = seen.last_mut() {
            last.parts.end = last.parts.end.max(seq.0 + parts.len() as u64);
            last.open.clone_from(&open);
        }
    }
    seen
}

fn main_no(outline: &Outline, turn: &TurnMeta) -> Option<u32> {
    match outline.number(turn)?.0.as_slice() {
        [no] => Some(*no),
        _ => None,
    }
}

/// After how many turns a block ends, and why; `None` while none does.
fn end(turns: &[Seen], length: Length) -> Option<(usize, ClosedBy)> {
    let (target, cap) = (length.target.max(1) as usize, length.cap.max(length.target).max(1) as usize);
    for count in target..turns.len() {
        if is_seam(turns, count) {
            return Some((count, ClosedBy::ToolLoop));
        }
        if count >= cap {
            return Some((count, ClosedBy::HardCap));
        }
    }
    None
}

/// No call is open, and the person speaks next.
fn is_seam(turns: &[Seen], count: usize) -> bool {
    turns[count - 1].open.is_empty() && turns.get(count).is_some_and(|next| next.role == Role::User)
}

/// The last seam there is; where there is none, everything but the last turn.
fn best(turns: &[Seen], cap: u32) -> Option<(usize, ClosedBy)> {
    let most = turns.len().saturating_sub(1).min(cap as usize);
    let seam = (1..=most).rev().find(|count| is_seam(turns, *count));
    seam.map(|count| (count, ClosedBy::ToolLoop)).or((most > 0).then_some((most, ClosedBy::HardCap)))
}

/// The block, its record made from its originals.
pub(super) fn made(store: &Store, desk: &mut Desk, due: &Due) -> Result<Block, Problem> {
    let key = desk.head().key.clone();
    let mut log = desk.log_again()?;
    let outline = desk.outline();
    let lines = lines(log.as_mut(), due.lines.clone(), Depth::Full)?;
    let now = store.originals(&key, &due.parts)?;
    let run = Run {
        tokens: tokens(&outline, &lines, &due.parts),
        turns: due.turns,
        from_id: due.from_id.clone(),
        originals: now.unwrap_or(Hash::ZERO),
        parts: due.parts.clone(),
    };
    // What was said and is not stored is not compacted: where it is not there, no hash is.
    let region = GateRegion::turns(&run);
    let live = liveness(&region, &|_| now);
    let (record, generation) = record(gate(&region, live)?, &outline, &lines);
    let Due { no, closed_by, ref cut, .. } = *due;
    Ok(Block { no, run, closed_by, cut: cut.clone(), generation, record: Arc::new(record) })
}

fn tokens(outline: &Outline, lines: &[Line], parts: &Range<u64>) -> u64 {
    let within = |line: &&Line| outline.seq(line.place(0)).is_some_and(|seq| parts.contains(&seq.0));
    let bytes = |line: &Line| match &line.body {
        Body::Message { parts, .. } => parts.iter().map(|part| part.text.len() as u64).sum(),
        _ => 0,
    };
    lines.iter().filter(within).map(bytes).sum::<u64>().div_ceil(4)
}

/// The record of the parts that a permit names.
pub(super) fn record(permit: Permit, outline: &Outline, lines: &[Line]) -> (Record, u32) {
    let mut making = Recompiling::new(permit);
    for line in lines {
        let Body::Message { parts, .. } = &line.body else { continue };
        let Some(turn) = outline.turn_at(line.file, line.offset) else { continue };
        let Some(no) = outline.number(turn) else { continue };
        for part in parts {
            let place = line.place(part.block);
            let Some(seq) = outline.seq(place) else { continue };
            let original = Original { part, place, line_id: line.id.as_deref(), seq, turn: &no, turn_id: &turn.id };
            making.feed(&original);
        }
    }
    making.finish()
}
