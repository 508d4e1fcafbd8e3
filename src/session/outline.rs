//! What only the whole file can tell: turn numbers, part sequences, markers with their ranges, abandoned branches.
//!
//! An outline is fed lines in file order and only grows. It holds no text but ids: some tens of bytes a line.

mod markers;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::{Body, Boundary, FileNo, Line, MarkerKey, PartSeq, Place, Ranges, Role, Trigger, Trouble, TurnNo};

/// One line of the file, as the outline keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMeta {
    pub file: FileNo,
    pub offset: u64,
    /// The sequence of its first part; lines without parts carry that of the next part.
    pub seq: PartSeq,
    /// Index of its turn in [`Outline::turns`]. Of a result: the turn of its call.
    pub turn: Option<u32>,
    /// The line repeats an id that was seen before.
    pub repeat: bool,
}

/// One turn, as the outline keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnMeta {
    pub role: Role,
    pub place: Place,
    /// The agent's id of its first line, else that line's index.
    pub id: Box<str>,
    pub at: Option<i64>,
    number: Number,
    /// The turn was rewound: it is on no path to the end. Known only when the outline is complete.
    pub abandoned: bool,
    /// What a person typed is in it.
    pub by_user: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Main(u32),
    /// The n-th turn of the k-th sub-agent that this turn started; without one it has no number of its own to stand under.
    Sub {
        under: Option<u32>,
        agent: u32,
        no: u32,
    },
}

/// Whether the originals of what a compaction covers can still be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Originals {
    Present,
    /// The session starts in the middle: what came before it is not in the file.
    Partly,
    Gone,
}

/// A compaction: the event that earlier turns were replaced by a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// From 1: `m1`. For display; what is stored is the key.
    pub no: u32,
    pub key: MarkerKey,
    /// The line of the boundary.
    pub place: Place,
    /// The line that holds the summary; `None` where there is none to read.
    pub summary: Option<Place>,
    /// The last turn of the session itself before it; `None` when there is none.
    pub after_turn: Option<u32>,
    pub at: Option<i64>,
    pub trigger: Trigger,
    pub tokens_before: Option<u64>,
    pub tokens_after: Option<u64>,
    /// The parts that this compaction replaced.
    pub covers: Ranges,
    /// Everything its summariser read: what it covers, what was kept word for word, what earlier summaries reached.
    pub reaches: Ranges,
    /// Summarising steps between an original and this text; `None` where nobody can know.
    pub generation: Option<u32>,
    pub originals: Originals,
    /// The store holds a record in structured form.
    pub own_record: bool,
}

/// What an outline learned since it was last asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    pub markers: Vec<Compaction>,
    pub troubles: Vec<Trouble>,
    pub turns: u32,
    /// How far the session's own file was read.
    pub read_to: u64,
    pub complete: bool,
}

/// The table of contents of a session: append-only, and possibly incomplete.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub lines: Vec<LineMeta>,
    pub turns: Vec<TurnMeta>,
    pub compactions: Vec<Compaction>,
    pub troubles: Vec<Trouble>,
    pub title: Option<String>,
    /// Micro-compactions.
    pub notes: u32,
    pub first_at: Option<i64>,
    pub last_at: Option<i64>,
    /// The session's own turns so far (sub-agents' not counted).
    pub main_turns: u32,
    pub complete: bool,
    /// The session's beginning is not in the file.
    pub starts_midway: bool,
    next_seq: u64,
    /// Sub-agent -> (the turn that started it, which of that turn's agents).
    agents: HashMap<String, (u32, u32)>,
    build: Build,
}

/// What is needed only while lines still come. Ids are kept as 64-bit hashes.
#[derive(Clone, Debug, Default)]
struct Build {
    ids: HashMap<u64, u32, BuildHasherDefault<DefaultHasher>>,
    messages: HashMap<u64, u32, BuildHasherDefault<DefaultHasher>>,
    calls: HashMap<u64, u32, BuildHasherDefault<DefaultHasher>>,
    /// Line -> the line it says it follows.
    parents: Vec<Option<u64>>,
    logical: HashMap<u32, u64>,
    boundaries: Vec<(u32, Boundary)>,
    /// Calls of sub-agents without a result, with their turns.
    open_agents: Vec<(Option<u64>, u32)>,
    agents_of: HashMap<u32, u32>,
    side_turns: HashMap<String, u32>,
    region_start: u64,
    last_turn: Option<u32>,
    waiting_summary: bool,
    waiting_tokens: bool,
    saw_message: bool,
    told_markers: usize,
    told_troubles: usize,
    lines_of_file: u64,
}

fn id_hash(id: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(id)
}

fn message_hash(role: Role, message: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((role, message))
}

impl Outline {
    /// Adds the next line. Lines of a file come in order; sub-agents' files after the session's own.
    pub fn push(&mut self, line: &Line) {
        let index = self.lines.len() as u32;
        if self.lines.last().is_some_and(|last| last.file != line.file) {
            self.build.lines_of_file = 0;
            self.build.last_turn = None;
        }
        let id = line.id.as_deref().map(id_hash);
        let repeat = id.is_some_and(|id| self.build.ids.contains_key(&id)) && matches!(line.body, Body::Message { .. });
        if line.file == FileNo(0) {
            self.first_at = self.first_at.or(line.at);
            self.last_at = line.at.or(self.last_at);
        }
        let seq = PartSeq(self.next_seq);
        let turn = match &line.body {
            Body::Message { .. } if repeat => None,
            Body::Message { role, message, parts, usage } => {
                self.see_beginning(line);
                if let (true, Some(usage)) = (self.build.waiting_tokens, usage)
                    && let Some(marker) = self.compactions.last_mut()
                {
                    marker.tokens_after = marker.tokens_after.or(Some(usage.input)).filter(|n| *n > 0);
                    self.build.waiting_tokens = false;
                }
                let turn = self.turn_of_message(line, *role, message.as_deref(), parts);
                self.next_seq += parts.len() as u64;
                Some(turn)
            }
            Body::Compaction { boundary, summary } => {
                self.boundary(index, line, boundary, summary.as_ref());
                None
            }
            Body::Summary(summary) => {
                self.summary(index, line, summary);
                None
            }
            Body::Note(_) => {
                self.notes += 1;
                None
            }
            Body::Noise { title, .. } => {
                self.title = title.clone().or(self.title.take());
                None
            }
            Body::Unread { why } => {
                self.troubles.push(Trouble {
                    file: line.file,
                    offset: line.offset,
                    line: Some(self.build.lines_of_file + 1),
                    why: why.clone(),
                });
                None
            }
        };
        if let Some(agent) = &line.started_agent
            && let Some(turn) = turn
            && line.file == FileNo(0)
        {
            self.start_agent(agent.clone(), turn);
        }
        if let Some(id) = id {
            self.build.ids.entry(id).or_insert(index);
        }
        self.build.parents.push(line.parent.as_deref().map(id_hash));
        if let Some(logical) = &line.logical_parent {
            self.build.logical.insert(index, id_hash(logical));
        }
        self.build.lines_of_file += 1;
        self.lines.push(LineMeta { file: line.file, offset: line.offset, seq, turn, repeat });
    }

    /// Says that every file was read to its end, and works out what only then is known.
    pub fn finish(&mut self) {
        self.complete = true;
        self.find_abandoned();
        for marker in 0..self.compactions.len() {
            self.set_ranges(marker);
        }
        // Ranges may have lost abandoned turns: markers are told anew.
        self.build.told_markers = 0;
    }

    /// The file grew: more lines may be pushed.
    pub fn reopen(&mut self) {
        self.complete = false;
    }

    /// What is new since the last batch.
    pub fn batch(&mut self) -> Batch {
        // The last marker may still get its summary and its tokens: it is told again until it has them.
        let settled = self.compactions.len()
            - usize::from(
                !self.complete
                    && (self.build.waiting_summary || self.build.waiting_tokens)
                    && !self.compactions.is_empty(),
            );
        let batch = Batch {
            markers: self.compactions[self.build.told_markers.min(self.compactions.len())..].to_vec(),
            troubles: self.troubles[self.build.told_troubles..].to_vec(),
            turns: self.main_turns,
            read_to: self.lines.iter().rev().find(|line| line.file == FileNo(0)).map_or(0, |line| line.offset),
            complete: self.complete,
        };
        self.build.told_markers = settled.max(self.build.told_markers);
        self.build.told_troubles = self.troubles.len();
        batch
    }

    /// Index of the line that starts at this place; `None` when it is not read yet.
    pub fn line_at(&self, file: FileNo, offset: u64) -> Option<usize> {
        let at = self.lines.partition_point(|line| (line.file, line.offset) < (file, offset));
        self.lines.get(at).filter(|line| (line.file, line.offset) == (file, offset)).map(|_| at)
    }

    /// The line's number in its own file, from 1.
    pub fn line_number(&self, file: FileNo, offset: u64) -> Option<u64> {
        let at = self.line_at(file, offset)?;
        let first = self.lines.partition_point(|line| line.file < file);
        Some((at - first) as u64 + 1)
    }

    /// The sequence of the part at this place.
    pub fn seq(&self, place: Place) -> Option<PartSeq> {
        let line = &self.lines[self.line_at(place.file, place.offset)?];
        Some(PartSeq(line.seq.0 + u64::from(place.part)))
    }

    /// The line that holds this part.
    pub fn line_of(&self, seq: PartSeq) -> Option<&LineMeta> {
        let after = self.lines.partition_point(|line| line.seq <= seq);
        self.lines[..after].iter().rev().find(|line| line.turn.is_some())
    }

    /// The turn that this part belongs to.
    pub fn turn_of(&self, seq: PartSeq) -> Option<&TurnMeta> {
        self.turns.get(self.line_of(seq)?.turn? as usize)
    }

    /// The turn of the line that starts here (of a result: the turn of its call).
    pub fn turn_at(&self, file: FileNo, offset: u64) -> Option<&TurnMeta> {
        self.turns.get(self.lines[self.line_at(file, offset)?].turn? as usize)
    }

    /// The session's own turn with this number.
    pub fn main_turn(&self, no: u32) -> Option<&TurnMeta> {
        self.turns.iter().find(|turn| turn.number == Number::Main(no))
    }

    /// The turn with this number, a sub-agent's included.
    pub fn turn(&self, no: &TurnNo) -> Option<&TurnMeta> {
        self.turns.iter().find(|turn| self.number(turn).as_ref() == Some(no))
    }

    /// A turn's number for display; `None` for a sub-agent's turn whose call is not in the file.
    pub fn number(&self, turn: &TurnMeta) -> Option<TurnNo> {
        match turn.number {
            Number::Main(no) => Some(TurnNo::main(no)),
            Number::Sub { under, agent, no } => {
                let mut path = self.number(self.turns.get(under? as usize)?)?.0;
                path.extend([agent, no]);
                Some(TurnNo(path))
            }
        }
    }

    /// The turn that started a sub-agent.
    pub fn starter(&self, agent: &str) -> Option<&TurnMeta> {
        self.turns.get(self.agents.get(agent)?.0 as usize)
    }

    /// Part ranges as inclusive ranges of the session's own turn numbers.
    pub fn turn_ranges(&self, parts: &Ranges) -> Vec<(u32, u32)> {
        let mut numbers = Ranges::default();
        for range in parts.iter() {
            let first = self.lines.partition_point(|line| line.seq.0 < range.start);
            for line in self.lines[first..].iter().take_while(|line| line.seq.0 < range.end) {
                if let Some(turn) = line.turn.and_then(|turn| self.turns.get(turn as usize))
                    && let Number::Main(no) = turn.number
                {
                    numbers.add(u64::from(no)..u64::from(no) + 1);
                }
            }
        }
        numbers.iter().map(|r| (r.start as u32, r.end as u32 - 1)).collect()
    }

    /// How many parts were seen.
    pub fn parts(&self) -> u64 {
        self.next_seq
    }
}
