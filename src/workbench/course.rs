//! The course of one stored session behind its last block: lines come in once, in file order, and go out again as blocks
//! that are due. Nothing is made of them here.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use super::Problem;
use crate::compile::{BlockEnd, Rules, Seams, TurnSeen};
use crate::formats;
use crate::record::{Block, ClosedBy, Run, Turned};
use crate::session::{Body, Depth, FileNo, Hash, Line, LineMeta, Log, Outline, Part, PartKind, PartSeq};

const OWN: FileNo = FileNo(0);
/// Bytes that are read at once.
const STEP: usize = 1 << 18;

/// Whether the last line that is stored may still get parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastLine {
    /// It gets none.
    Whole,
    /// It is not read before another one follows.
    Grows,
}

/// A line whose parts count.
pub(super) struct Said {
    pub line: Line,
    /// The sequence of its first part among those of the session's own file.
    pub seq: u64,
    /// The number and the id of its turn; `None` where a sub-agent says it.
    pub turn: Option<(u32, Box<str>)>,
    /// What its calls were given, as JSON, by their ids; empty where only their texts say it.
    pub given: HashMap<String, String>,
}

impl Said {
    /// Its parts, with their sequences.
    pub fn parts(&self) -> impl Iterator<Item = (u64, &Part)> {
        let parts: &[Part] = if let Body::Message { parts, .. } = &self.line.body { parts } else { &[] };
        (self.seq..).zip(parts)
    }
}

/// Turns that follow each other.
pub(super) struct Stretch {
    /// Half-open.
    pub parts: Range<u64>,
    /// The first and the last.
    pub turns: (u32, u32),
    pub from_id: String,
    pub said: Vec<Said>,
}

impl Stretch {
    /// The run as it was read.
    pub fn run(&self) -> Run {
        let texts = || self.said.iter().flat_map(Said::parts).map(|(_, part)| part.text.as_bytes());
        let hashes: Vec<Hash> = texts().map(Hash::of).collect();
        // What a sub-agent said for itself is not in the session's own context.
        let own = self.said.iter().filter(|one| one.turn.is_some()).flat_map(Said::parts);
        let sent = own.filter(|(_, part)| part.kind.is_sent()).map(|(_, part)| part.text.len() as u64);
        Run {
            parts: self.parts.clone(),
            turns: self.turns,
            from_id: self.from_id.clone(),
            tokens: sent.sum::<u64>().div_ceil(4),
            originals: Run::originals_of(&hashes),
        }
    }
}

/// A block that is due: it has no record yet.
pub(super) struct Due {
    pub no: u32,
    pub closed_by: ClosedBy,
    pub turned: Option<Turned>,
    /// Calls whose results come behind it.
    pub cut: Vec<String>,
    pub of: Stretch,
}

/// One turn behind the last block.
struct Turn {
    no: u32,
    id: Box<str>,
    /// Its first line, by its index in what was said.
    first: usize,
    seen: TurnSeen,
}

/// A session while its lines pass. Where a block ends depends on nothing before its first turn: it is the same whether
/// the session is read at once, as it grows, or again after a restart.
pub(super) struct Course {
    rules: Rules,
    outline: Outline,
    /// The next line.
    at: u64,
    /// Blocks so far, and the part behind them.
    blocks: u32,
    start: u64,
    /// Behind the last block, as `turns`: whoever closes a block takes it off the front.
    said: VecDeque<Said>,
    turns: VecDeque<Turn>,
}

impl Course {
    /// Begins behind the last block that is stored. What lies before it is read without its texts: they may be gone.
    pub fn behind(last: Option<&Block>, rules: Rules, log: &mut dyn Log) -> Result<Self, Problem> {
        let (blocks, start) = last.map_or((0, 0), |last| (last.no, last.run.parts.end));
        let (outline, said, turns) = (Outline::default(), VecDeque::new(), VecDeque::new());
        let mut course = Self { rules, outline, at: 0, blocks, start, said, turns };
        while course.outline.parts() < start {
            let lines = log.forward(OWN, course.at, STEP, Depth::Outline)?.lines;
            anyhow::ensure!(!lines.is_empty(), "cannot go on behind block {blocks}: not all of its turns are here");
            for line in &lines {
                if course.outline.parts() < start {
                    course.outline.push(line);
                    course.at = line.offset + 1;
                }
            }
        }
        Ok(course)
    }

    /// The table of contents as far as was read, of the session's own file alone.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Reads on until a block is due or everything is read. None: everything is read, and nothing more is due.
    pub fn read_on(&mut self, log: &mut dyn Log, last: LastLine) -> Result<Vec<Due>, Problem> {
        let end = log.size(OWN)?.saturating_sub(u64::from(last == LastLine::Grows));
        let mut due = Vec::new();
        while due.is_empty() && self.at < end {
            let lines = log.forward(OWN, self.at, STEP, Depth::Full)?.lines;
            anyhow::ensure!(!lines.is_empty(), "cannot read on at row {}: it is not here", self.at + 1);
            for line in lines.into_iter().filter(|line| line.offset < end) {
                self.hear(log, line)?;
            }
            // What is still to come of the last turn may change how it is seen.
            let coming = usize::from(self.at < end);
            let known = |turns: &VecDeque<Turn>| 0..turns.len().saturating_sub(coming);
            while let Some(closed) = end_of(self.rules, seen(&self.turns, known(&self.turns))) {
                due.push(self.close(closed));
            }
        }
        Ok(due)
    }

    /// Closes a block although none is due: at the last seam there is, else before the last turn. `None` where there are
    /// fewer than two turns.
    pub fn close_early(&mut self) -> Option<Due> {
        let short = Rules { target: 1, ..self.rules };
        let (mut from, mut best) = (0, None);
        while let Some(closed) = end_of(short, seen(&self.turns, from..self.turns.len())) {
            from += closed.turns;
            let is_seam = closed.closed_by != ClosedBy::HardCap && from <= self.rules.cap as usize;
            if is_seam {
                best = Some(BlockEnd { turns: from, ..closed });
            }
        }
        let most = (self.turns.len() as u32).saturating_sub(1).min(self.rules.cap);
        let before_the_last =
            || end_of(Rules { target: most, cap: most, ..self.rules }, self.turns.iter().map(|turn| &turn.seen));
        best.or_else(|| before_the_last().filter(|_| most > 0)).map(|closed| self.close(closed))
    }

    /// Why something might end behind the last turn, and whether the talk turned with it.
    pub fn ending(&self) -> (Option<ClosedBy>, bool) {
        let mut seams = Seams::new(Rules { target: u32::MAX, cap: u32::MAX, ..self.rules });
        for turn in &self.turns {
            seams.turn(&turn.seen);
        }
        (seams.here(), seams.turned())
    }

    /// How many blocks there are: stored, or given out.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// What is behind the last block; `None` where nothing is.
    pub fn tail(self) -> Option<Stretch> {
        let last = self.turns.back()?.no;
        Some(stretch(self.start..self.outline.parts(), last, self.turns.front(), self.said.into()))
    }

    /// The lines behind the beginning that hold these parts, read once more.
    pub fn said_in(&self, parts: &[Range<u64>], log: &mut dyn Log) -> Result<Vec<Said>, Problem> {
        let start = parts.iter().map(|parts| parts.start).min().unwrap_or(0);
        let end = parts.iter().map(|parts| parts.end).max().unwrap_or(0);
        let mut at = self.outline.line_of(PartSeq(start)).map_or(self.at, |line| line.offset);
        let mut all = Vec::new();
        while at < self.at {
            let lines = log.forward(OWN, at, STEP, Depth::Full)?.lines;
            anyhow::ensure!(!lines.is_empty(), "cannot read row {}: it is not here", at + 1);
            for line in lines {
                at = line.offset + 1;
                let meta = self.outline.line_at(OWN, line.offset).and_then(|line| self.outline.lines.get(line));
                let Some(meta) = meta.copied().filter(|meta| meta.seq.0 < end) else { return Ok(all) };
                if parts.iter().any(|parts| parts.contains(&meta.seq.0)) {
                    all.extend(said(&self.outline, meta, line, log)?);
                }
            }
        }
        Ok(all)
    }

    fn hear(&mut self, log: &mut dyn Log, line: Line) -> Result<(), Problem> {
        self.outline.push(&line);
        self.at = line.offset + 1;
        let Some(meta) = self.outline.lines.last().copied() else { return Ok(()) };
        let Some(said) = said(&self.outline, meta, line, log)? else { return Ok(()) };
        if let Some((no, id)) = &said.turn {
            if self.turns.back().is_none_or(|last| last.no < *no) {
                let at = self.outline.main_turn(*no).and_then(|turn| turn.at);
                let seen = TurnSeen { at, ..TurnSeen::default() };
                self.turns.push_back(Turn { no: *no, id: id.clone(), first: self.said.len(), seen });
            }
            if let Some(last) = self.turns.back_mut() {
                said.parts().for_each(|(_, part)| last.seen.add(part));
            }
        }
        self.said.push_back(said);
        Ok(())
    }

    fn close(&mut self, closed: BlockEnd) -> Due {
        let turns: Vec<Turn> = self.turns.drain(..closed.turns.min(self.turns.len())).collect();
        let lines = self.turns.front().map_or(self.said.len(), |next| next.first);
        let said = self.said.drain(..lines).collect();
        let end = self.said.front().map_or(self.outline.parts(), |next| next.seq);
        for turn in &mut self.turns {
            turn.first -= lines;
        }
        let last = turns.last().map_or(0, |last| last.no);
        let of = stretch(self.start..end, last, turns.first(), said);
        (self.blocks, self.start) = (self.blocks + 1, end);
        Due { no: self.blocks, closed_by: closed.closed_by, turned: closed.turned, cut: closed.cut, of }
    }
}

/// A line with what it says; `None` where it says nothing that counts.
fn said(outline: &Outline, meta: LineMeta, line: Line, log: &mut dyn Log) -> Result<Option<Said>, Problem> {
    let Body::Message { parts, .. } = &line.body else { return Ok(None) };
    if meta.repeat {
        return Ok(None);
    }
    let turn = meta.turn.and_then(|turn| outline.turns.get(turn as usize));
    let turn = turn.and_then(|turn| match outline.number(turn)?.0.as_slice() {
        &[no] => Some((no, turn.id.clone())),
        _ => None,
    });
    let calls = parts.iter().any(|part| matches!(part.kind, PartKind::ToolCall { .. }));
    let given = if calls { formats::arguments(&log.raw_of(&line)?).into_iter().collect() } else { HashMap::new() };
    Ok(Some(Said { line, seq: meta.seq.0, turn, given }))
}

/// Where the block ends that begins with the first of these turns; `None` while it is open.
pub(super) fn end_of<'a>(rules: Rules, turns: impl IntoIterator<Item = &'a TurnSeen>) -> Option<BlockEnd> {
    let mut seams = Seams::new(rules);
    turns.into_iter().find_map(|turn| seams.turn(turn))
}

fn seen(turns: &VecDeque<Turn>, which: Range<usize>) -> impl Iterator<Item = &TurnSeen> {
    turns.range(which).map(|turn| &turn.seen)
}

/// The turns from the first to the last; without a first there is only the last.
fn stretch(parts: Range<u64>, last: u32, first: Option<&Turn>, said: Vec<Said>) -> Stretch {
    let from_id = first.map_or_else(String::new, |first| first.id.to_string());
    Stretch { parts, turns: (first.map_or(last, |first| first.no), last), from_id, said }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::*;
    use crate::session::SessionKey;
    use crate::store::{Access, Store};

    /// What a person asks, and what the agent answers and calls in one line of two parts, each part as it comes.
    fn parts(exchanges: u32) -> Vec<Vec<u8>> {
        let exchange = |no: u32| {
            let part = |id: &str, more: &str| format!(r#"{{"type":"part","id":"{id}{no}","turn":"{id}{no}",{more}}}"#);
            let call = format!(r#""role":"assistant","kind":"tool_call","call":"c{no}","tool":"look""#);
            [
                part("u", r#""role":"user","kind":"text","text":"Where is it?""#),
                part("a", &format!(r#""line":"l{no}","block":0,"role":"assistant","kind":"text","text":"I look.""#)),
                part("a", &format!(r#""line":"l{no}","block":1,{call},"text":"order: {no}""#)).replacen(
                    &format!(r#""id":"a{no}""#),
                    &format!(r#""id":"b{no}""#),
                    1,
                ),
                part("r", &format!(r#""role":"user","kind":"tool_result","call":"c{no}","ok":true,"text":"here""#)),
            ]
        };
        (1..=exchanges).flat_map(exchange).map(String::into_bytes).collect()
    }

    /// C2, A1.2: blocks end where they end, however the session is read, and their parts follow each other.
    #[test]
    fn a_session_gives_the_same_blocks_at_once_and_part_by_part_and_behind_a_stored_block() {
        let key = SessionKey::new("stet", "live");
        let rules = Rules { target: 4, cap: 6, ..Rules::default() };
        let mut told = Vec::new();
        for step in [1, 3, 1000] {
            let world = World::of(&[]);
            let mut appending = world.bench().append(&key, None).unwrap();
            let (mut course, mut blocks) = (None, Vec::new());
            for lines in parts(11).chunks(step) {
                assert_eq!(appending.take(lines).unwrap().refused, None);
                let mut log = Store::open(&world.db(), Access::ReadOnly).unwrap().log(&key).unwrap();
                let course = course.get_or_insert_with(|| Course::behind(None, rules, log.as_mut()).unwrap());
                let due = course.read_on(log.as_mut(), LastLine::Grows).unwrap();
                blocks.extend(due.into_iter().map(|due| (due.no, due.of.run(), due.closed_by)));
            }
            told.push(blocks);
        }
        let ends: Vec<_> = told[0].iter().map(|(no, run, _)| (*no, run.turns, run.parts.clone())).collect();
        assert_eq!(ends[..2], [(1, (1, 4), 0..8), (2, (5, 8), 8..16)]);
        assert_eq!(ends.len(), 5);
        assert!(told.iter().all(|blocks| *blocks == told[0]), "{told:#?}");
    }
}
