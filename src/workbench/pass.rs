//! The one pass over a session: its lines in chunks, read and looked at by several threads, and told in file order. What
//! it finds does not depend on the number of threads.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pool::{AHEAD, Next, in_order};
use super::said::{decoded, says};
use super::{Cancel, Problem, Reading};
use crate::audit::{Overheard, Presence, Voice};
use crate::compile::{Look, Merge, Original, Plan, Scanned, Scanner, Sources, View, look};
use crate::session::{Body, Depth, FileNo, Line, Log, LogError, Outline, Part, PartKind, PartSeq, Place, TurnNo};

const OWN: FileNo = FileNo(0);
/// The first chunks are small, so that the later ones know something of what is rare and what was found.
const FIRST: u64 = 64 << 10;
const CHUNK: u64 = 1 << 20;
/// So many rows of a database, whose length nobody knows before they are read.
const ROWS: u64 = 256;
/// Of what tools print and are given so much is heard; in the rest only what stands around known values.
pub(super) const HEAD: usize = 2048;
/// What a thread reads at once.
const STEP: u64 = 1 << 20;

/// Lines that follow each other in one file; the sequence of the first part in them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    file: FileNo,
    places: Range<u64>,
    seq: u64,
    size: u64,
}

/// What is read: the session's own file from this place on, and its sub-agents'. At the ends no chunk goes on, so that what
/// passed there can be told.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub own_from: u64,
    pub sides: bool,
    /// Places in the own file, in order.
    pub ends: Vec<u64>,
}

/// Who is told what passes, in file order: first what sub-agents' files say, then the session's own.
pub(super) trait Listener {
    /// A part of the session's own file, with what was seen in it.
    fn part(&mut self, original: &Original, look: Look);
    /// Everything before this place in the session's own file has passed, and for these records of the plan everything
    /// that they reach.
    fn passed(&mut self, place: u64, presence: &Presence, done: Vec<(usize, Sources)>);
}

/// One original part, taken out of its line.
struct Said {
    part: Part,
    place: Place,
    line_id: Option<String>,
    seq: PartSeq,
    turn: TurnNo,
    turn_id: String,
    look: Look,
}

/// What one chunk held.
struct Held {
    said: Vec<Said>,
    scanned: Scanned,
    overheard: Overheard,
}

/// What one thread works with.
struct Worker {
    log: Option<Box<dyn Log>>,
    scanner: Scanner,
    presence: Presence,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows every text to `presence`, ties the records of the plan, and tells every part of the session's own file with
/// what was seen in it. Says whether it came to the end: not when cancelled.
pub(super) fn pass(
    threads: usize,
    (plan, presence): (&Arc<Plan>, Presence),
    (log, reading): (&dyn Log, &Reading),
    span: &Span,
    cancel: &Cancel,
    listener: &mut dyn Listener,
) -> Result<bool, Problem> {
    let sides = log.head().sides.iter().map(|side| side.file).filter(|_| span.sides);
    // What a sub-agent's file says counts as said before everything, and whoever listens hears it first.
    let files: Vec<FileNo> = sides.chain([OWN]).collect();
    let chunks = chunks(&reading.outline(), &files, span, log.head().rows, &plan.ends());
    let logs = (0..threads).map(|_| log.again()).collect::<Result<Vec<_>, _>>()?;
    let logs = Mutex::new(logs);
    let mut joined = presence.clone();
    let mut merge = Merge::new(plan);
    let views = Mutex::new(Views::default());
    let mut failed = None;
    in_order(
        threads,
        chunks.len(),
        || Worker { log: lock(&logs).pop(), scanner: Scanner::new(plan), presence: presence.clone() },
        |worker, job| {
            worker.scanner.begin(&lock(&views).of(job));
            let read = if cancel.is_cancelled() { Ok(Vec::new()) } else { worker.read(&chunks[job], reading) };
            read.map(|said| Held { said, scanned: worker.scanner.end(), overheard: worker.presence.overheard() })
        },
        |job, held: Result<Held, LogError>| {
            let held = match held {
                Ok(held) if !cancel.is_cancelled() => held,
                Ok(_) => return Next::Stop,
                Err(error) => {
                    failed = Some(error);
                    return Next::Stop;
                }
            };
            let chunk = &chunks[job];
            let begins = if chunk.file == OWN { chunk.places.start } else { 0 };
            if chunk.file == OWN {
                merge.pass(chunk.seq);
                listener.passed(begins, &joined, merge.take_done());
            }
            for mut said in held.said {
                let look = std::mem::take(&mut said.look);
                listener.part(&original(&said), look);
            }
            joined.add(held.overheard, begins);
            merge.add(chunk.seq, held.scanned);
            lock(&views).made(job, chunk.size, &merge);
            Next::Go
        },
    );
    if let Some(error) = failed {
        return Err(error.into());
    }
    if cancel.is_cancelled() {
        return Ok(false);
    }
    listener.passed(u64::MAX, &joined, merge.finish());
    Ok(true)
}

impl Worker {
    /// Reads one chunk, and looks at everything in it.
    fn read(&mut self, chunk: &Chunk, reading: &Reading) -> Result<Vec<Said>, LogError> {
        let mut said = Vec::new();
        let Some(mut log) = self.log.take() else { return Ok(said) };
        let Range { start: mut at, end } = chunk.places.clone();
        while at < end {
            let budget = if log.head().rows { STEP } else { (end - at).min(STEP) };
            let stretch = match log.forward(chunk.file, at, budget as usize, Depth::Full) {
                Ok(stretch) => stretch,
                // A sub-agent's file that cannot be read was told as a trouble when the session was read.
                Err(_) if chunk.file != OWN => break,
                Err(error) => {
                    self.log = Some(log);
                    return Err(error);
                }
            };
            let ended = stretch.at_end || stretch.lines.is_empty();
            let outline = reading.outline();
            for line in stretch.lines.into_iter().take_while(|line| line.offset < end) {
                if says(&line) {
                    match log.raw_of(&line) {
                        Ok(raw) => self.presence.see(&decoded(&raw), if line.file == OWN { line.offset } else { 0 }),
                        // What it said was not to be kept: nothing is found in it.
                        Err(LogError::Gone { .. }) => {}
                        // Of a sub-agent's line that is not there any more the rest is heard.
                        Err(_) if chunk.file != OWN => {}
                        Err(error) => {
                            self.log = Some(log);
                            return Err(error);
                        }
                    }
                }
                self.line(line, &outline, &mut said);
            }
            if ended {
                break;
            }
            at = stretch.end;
        }
        self.log = Some(log);
        Ok(said)
    }

    /// Looks at what somebody said in the session itself.
    fn line(&mut self, line: Line, outline: &Outline, said: &mut Vec<Said>) {
        let (file, offset) = (line.file, line.offset);
        let Body::Message { parts, .. } = line.body else { return };
        let Some(turn) = outline.turn_at(file, offset).filter(|_| file == OWN) else { return };
        let Some(no) = outline.number(turn) else { return };
        let place = |block| Place { file, offset, part: block };
        let Some(first) = outline.seq(place(0)) else { return };
        let line_id = line.id.as_deref();
        for part in parts {
            let (place, seq) = (place(part.block), PartSeq(first.0 + u64::from(part.block)));
            let original = Original { part: &part, place, line_id, seq, turn: &no, turn_id: &turn.id };
            let (presence, mut values) = (&self.presence, Vec::new());
            self.scanner.feed(&original, &mut |run, key| {
                if run.start >= HEAD && presence.is_value(key) {
                    values.push(run.start);
                }
            });
            let all = match part.kind {
                PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => part.text.len(),
                PartKind::ToolCall { .. } | PartKind::ToolResult { .. } => HEAD.min(part.text.len()),
            };
            let voice = Voice { turn: &no, turn_id: &turn.id, line_id, place, seq, speaker: part.speaker };
            self.presence.hear(&part.text, all, &values, &voice);
            let look = look(&original);
            let (line_id, turn, turn_id) = (line.id.clone(), no.clone(), turn.id.to_string());
            said.push(Said { part, place, line_id, seq, turn, turn_id, look });
        }
    }
}

fn original(said: &Said) -> Original<'_> {
    Original {
        part: &said.part,
        place: said.place,
        line_id: said.line_id.as_deref(),
        seq: said.seq,
        turn: &said.turn,
        turn_id: &said.turn_id,
    }
}

/// What scanners are shown: made when enough has passed since the last, so that a session of very many items and tiny
/// chunks copies little.
#[derive(Default)]
struct Views {
    /// Each with the job behind which it was made.
    kept: VecDeque<(usize, Arc<View>)>,
    passed: u64,
    since: u64,
}

impl Views {
    /// For this job: the newest one that was made so many jobs before it, whatever is known by now.
    fn of(&self, job: usize) -> Arc<View> {
        let old = |made: &usize| made + AHEAD <= job;
        self.kept.iter().rev().find(|(made, _)| old(made)).map(|(_, view)| Arc::clone(view)).unwrap_or_default()
    }

    /// This job was merged.
    fn made(&mut self, job: usize, size: u64, merge: &Merge) {
        self.passed += size;
        self.since += size;
        let least = (self.passed / 4).min(CHUNK / 2).max(merge.view_size() / 2);
        if self.since < least {
            return;
        }
        self.since = 0;
        self.kept.push_back((job, Arc::new(merge.view())));
        // Later jobs look for what was made up to `job + 1 - AHEAD`: of the older ones only the newest is of use.
        while self.kept.get(1).is_some_and(|(made, _)| made + AHEAD <= job + 1) {
            self.kept.pop_front();
        }
    }
}

/// Cuts the files into chunks, at these sequences and at the ends of the span too.
fn chunks(outline: &Outline, files: &[FileNo], span: &Span, rows: bool, ends: &[u64]) -> Vec<Chunk> {
    let mut all = Vec::new();
    let mut passed = 0;
    for file in files {
        let mut open: Option<Chunk> = None;
        let mut ends = ends.iter().copied().peekable();
        let mut markers = span.ends.iter().copied().peekable();
        let mut last = 0;
        for line in
            outline.lines.iter().filter(|line| line.file == *file && !(*file == OWN && line.offset < span.own_from))
        {
            let mut cut = false;
            while ends.next_if(|end| *end <= line.seq.0).is_some() {
                cut = *file == OWN;
            }
            while markers.next_if(|place| *place <= line.offset).is_some() {
                cut = *file == OWN;
            }
            if let Some(chunk) = &mut open {
                let size = if rows { 1 } else { line.offset - last };
                chunk.size += size;
                passed += size;
                chunk.places.end = line.offset;
                let most = if rows { ROWS } else { (passed / 4).clamp(FIRST, CHUNK) };
                if cut || chunk.size >= most {
                    all.extend(open.take());
                }
            }
            last = line.offset;
            open.get_or_insert_with(|| Chunk {
                file: *file,
                places: line.offset..line.offset + 1,
                seq: if *file == OWN { line.seq.0 } else { 0 },
                size: 0,
            });
        }
        if let Some(mut chunk) = open {
            chunk.places.end = last + 1;
            all.push(chunk);
        }
    }
    all
}
