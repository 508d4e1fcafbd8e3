//! Closes what is due at the end of a session in the database: finds where the next block ends, and makes its record from
//! the originals, under a permit of the gate.

use std::ops::Range;
use std::sync::Arc;

use super::{Desk, Problem};
use crate::compile::{GateRegion, Original, Permit, Recompiling, gate, liveness};
use crate::record::{Block, ClosedBy, Record, Run};
use crate::session::{Body, Depth, FileNo, Hash, Line, Log, Outline, Role, SessionKey, TurnMeta};
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

/// The blocks that are due: behind the last one, as far as something stands behind each of them. With `force` a first
/// block is closed at the best seam there is, however short it is.
pub(super) fn due(store: &Store, desk: &mut Desk, length: Length, force: bool) -> Result<Vec<Block>, Problem> {
    let key = desk.head().key.clone();
    let shelved = store.shelved(&key)?.unwrap_or_default();
    let last = shelved.blocks.last();
    let (mut no, mut from) = last.map_or((0, 0), |block| (block.no, block.run.turns.1));
    let force = force && last.is_none();
    let mut log = desk.log_again()?;
    let outline = desk.outline();
    let first = outline.main_turn(from + 1).map(|turn| turn.place.offset);
    let Some(first) = first else { return Ok(Vec::new()) };
    let lines = lines(log.as_mut(), first)?;
    let mut blocks = Vec::new();
    loop {
        let turns = turns(&outline, &lines, from);
        let end = end(&turns, length).or_else(|| if force && no == 0 { best(&turns, length.cap) } else { None });
        let Some((count, closed_by)) = end else { return Ok(blocks) };
        let block = closed(store, &key, (&outline, &lines), (&turns, count), (no + 1, closed_by))?;
        (no, from) = (block.no, block.run.turns.1);
        blocks.push(block);
    }
}

pub(super) fn lines(log: &mut dyn Log, from: u64) -> Result<Vec<Line>, Problem> {
    let (mut lines, mut at) = (Vec::new(), from);
    loop {
        let stretch = log.forward(OWN, at, STEP, Depth::Full)?;
        let ended = stretch.at_end || stretch.lines.is_empty();
        lines.extend(stretch.lines);
        if ended {
            return Ok(lines);
        }
        at = stretch.end;
    }
}

/// One turn of the session itself, as far as it matters for closing.
struct Seen {
    no: u32,
    role: Role,
    id: String,
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
                crate::session::PartKind::ToolCall { id: Some(id), .. } => open.push(id.clone()),
                crate::session::PartKind::ToolResult { id: Some(id), .. } => open.retain(|one| one != id),
                _ => {}
            }
        }
        match seen.last_mut() {
            Some(last) if last.no >= no => {}
            Some(_) | None => {
                if let Some(last) = seen.last_mut() {
                    last.parts.end = seq.0;
                }
                let id = turn.id.to_string();
                seen.push(Seen { no, role: turn.role, id, parts: seq.0..seq.0, open: Vec::new() });
            }
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

fn closed(
    store: &Store,
    key: &SessionKey,
    (outline, lines): (&Outline, &[Line]),
    (turns, count): (&[Seen], usize),
    (no, closed_by): (u32, ClosedBy),
) -> Result<Block, Problem> {
    let (first, last) = (&turns[0], &turns[count - 1]);
    let start = store.shelved(key)?.and_then(|shelved| Some(shelved.blocks.last()?.run.parts.end)).filter(|_| no == 1);
    let parts = start.unwrap_or(if no == 1 { 0 } else { first.parts.start })..last.parts.end;
    let originals = store.originals(key, &parts)?;
    let run = Run {
        tokens: tokens(outline, lines, &parts),
        turns: (first.no, last.no),
        from_id: first.id.clone(),
        originals: originals.unwrap_or(Hash::ZERO),
        parts,
    };
    let region = GateRegion::turns(&run);
    // What was said and is not stored is not compacted: `Hash::ZERO` is nobody's hash.
    let live = liveness(&region, &|parts| store.originals(key, parts).ok().flatten());
    let (record, generation) = record(gate(&region, live)?, outline, lines);
    let cut = if closed_by == ClosedBy::HardCap { last.open.clone() } else { Vec::new() };
    Ok(Block { no, run, closed_by, cut, generation, record: Arc::new(record) })
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
