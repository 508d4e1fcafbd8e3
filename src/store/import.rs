//! Copies a session in from any [`Log`], verbatim: every line with its raw bytes, in file order. Run again, it takes
//! only what is new; what is stored already must be the same.

use std::sync::mpsc::{SyncSender, sync_channel};

use rusqlite::{OptionalExtension, Transaction, named_params};

use super::pen::{Pen, Raw, session_for};
use super::rows::int;
use super::{LONGEST, Store, StoreError, file, sessions};
use crate::session::{Body, Depth, FileNo, Hash, Head, Line, Log, Stretch, Trouble};

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Lines that were added.
    pub lines_new: u64,
    /// Lines that were there with the same bytes.
    pub lines_known: u64,
    /// Parts that were added.
    pub parts_new: u64,
    /// Parts that were there, the same.
    pub parts_known: u64,
    /// Own records that were added; an agent's file has none.
    pub records_new: u64,
    /// Ledger entries that were added; an agent's file has none.
    pub entries_new: u64,
    /// Entries in the file that wait for a person: the session does not bear them out.
    pub entries_doubted: u64,
    /// Lines that say nothing readable. Their bytes are stored all the same.
    pub troubles: Vec<Trouble>,
    /// Bytes at the end of the file that are not a whole line yet: not stored.
    pub pending: u64,
}

/// Bytes read at once, and written in one transaction. Twice as many are held: the next ones are read meanwhile.
const STRETCH: usize = 4 << 20;

impl Store {
    /// Copies a session in. `progress` gets bytes (or rows) done and the whole.
    pub fn import_log(
        &mut self,
        log: &mut dyn Log,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Imported, StoreError> {
        let head = log.head().clone();
        let files = self.write(|tx| files_of(tx, &head))?;
        let sizes = files.iter().map(|(file, _)| log.size(*file)).collect::<Result<Vec<_>, _>>()?;
        let whole: u64 = sizes.iter().sum();
        let mut done = Imported::default();
        let mut before = 0;
        for ((theirs, ours), size) in files.into_iter().zip(sizes) {
            let mut at = 0;
            let mut take = |Read { stretch, raws, is_last }: Read| {
                let (added, written) = self.write(|tx| stretch_in(tx, &head, &stretch, ours, &raws, at))?;
                self.wrote(written);
                done.add(added);
                done.pending += if is_last { stretch.pending } else { 0 };
                at += stretch.lines.len() as u64;
                let from = stretch.end;
                progress(before + from.min(size), whole.max(before + from));
                Ok::<_, StoreError>(())
            };
            std::thread::scope(|scope| {
                // The next lines are read while these are written.
                let (send, receive) = sync_channel(0);
                let log = &mut *log;
                let reading = scope.spawn(move || read(log, theirs, ours, &send));
                receive.into_iter().try_for_each(&mut take)?;
                reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })?;
            before += size;
        }
        self.write(|tx| match super::rows::session_row(tx, &head.key)? {
            Some(session) => sessions::count(tx, session),
            None => Ok(()),
        })?;
        Ok(done)
    }
}

/// Lines with their bytes as they came.
struct Read {
    stretch: Stretch,
    raws: Vec<Vec<u8>>,
    is_last: bool,
}

/// Reads a file to its end, as far as somebody takes what it says.
fn read(log: &mut dyn Log, theirs: FileNo, ours: FileNo, to: &SyncSender<Read>) -> Result<(), StoreError> {
    let mut from = 0;
    loop {
        let mut stretch = log.forward(theirs, from, STRETCH, Depth::Full)?;
        let mut raws = Vec::with_capacity(stretch.lines.len());
        for line in &mut stretch.lines {
            let mut raw = if line.len > LONGEST as u64 { left_out(line) } else { log.raw_of(line)? };
            // Many short lines wait here together.
            raw.shrink_to_fit();
            raws.push(raw);
            line.file = ours;
        }
        from = stretch.end;
        let is_last = stretch.at_end || stretch.lines.is_empty();
        if to.send(Read { stretch, raws, is_last }).is_err() || is_last {
            return Ok(());
        }
    }
}

/// Leaves the bytes of a line that is too long to be stored out, and says so in its place.
fn left_out(line: &mut Line) -> Vec<u8> {
    let why = format!("a line of {} bytes, which are not stored: {}", line.len, file::too_long(LONGEST));
    line.body = Body::Unread { why };
    Vec::new()
}

impl Imported {
    pub(super) fn add(&mut self, other: Imported) {
        self.lines_new += other.lines_new;
        self.lines_known += other.lines_known;
        self.parts_new += other.parts_new;
        self.parts_known += other.parts_known;
        self.records_new += other.records_new;
        self.entries_new += other.entries_new;
        self.entries_doubted += other.entries_doubted;
        self.troubles.extend(other.troubles);
    }
}

/// Checks or adds the lines of one stretch, the first of which is line `at` of its file.
fn stretch_in(
    tx: &Transaction,
    head: &Head,
    stretch: &Stretch,
    ours: FileNo,
    raws: &[Vec<u8>],
    at: u64,
) -> Result<(Imported, usize), StoreError> {
    let mut done = Imported::default();
    let created = stretch.lines.iter().find_map(|line| line.at);
    let mut pen = Pen::on(tx, &head.key, created)?;
    if at == 0 && ours == FileNo(0) {
        pen.tally.title = pen.tally.title.take().or_else(|| head.title.clone());
    }
    let have = pen.size(ours)?;
    for ((line, raw), at) in stretch.lines.iter().zip(raws).zip(at..) {
        let parts = match &line.body {
            Body::Message { parts, .. } => parts.len() as u64,
            Body::Unread { why } => {
                done.troubles.push(trouble(stretch.file, line, at, why));
                0
            }
            Body::Compaction { .. } | Body::Summary(_) | Body::Note(_) | Body::Noise { .. } => 0,
        };
        if at < have {
            same(tx, pen.session, line, raw, at)?;
            done.lines_known += 1;
            done.parts_known += parts;
        } else {
            pen.line(line, raw, Raw::Foreign, &[])?;
            done.lines_new += 1;
            done.parts_new += parts;
        }
    }
    pen.done()?;
    Ok((done, pen.written))
}

fn trouble(file: FileNo, line: &Line, at: u64, why: &str) -> Trouble {
    Trouble { file, offset: line.offset, line: Some(at + 1), why: why.to_owned() }
}

/// The line that is stored here must have the same bytes.
fn same(tx: &Transaction, session: i64, line: &Line, raw: &[u8], at: u64) -> Result<(), StoreError> {
    let mut find = tx.prepare_cached(
        "SELECT raw_hash
         FROM line
         WHERE session = :session AND file = :file AND seq = :seq",
    )?;
    let known: Option<[u8; 32]> = find
        .query_row(named_params! {":session": session, ":file": line.file.0, ":seq": int(at)}, |row| row.get(0))
        .optional()?;
    if known == Some(Hash::of(raw).0) {
        return Ok(());
    }
    let name = line.id.as_deref().map(|id| format!(" ({id})")).unwrap_or_default();
    Err(StoreError::Conflict { what: format!("line {}{name}", at + 1) })
}

/// The files of the session with the numbers they have here. A sub-agent's file keeps its number when others come to
/// stand before it; it is known by its agent.
fn files_of(tx: &Transaction, head: &Head) -> Result<Vec<(FileNo, FileNo)>, StoreError> {
    let session = session_for(tx, &head.key, None)?;
    let mut read = tx.prepare_cached("SELECT file, agent_id FROM side WHERE session = :session ORDER BY file")?;
    let mut known = read
        .query_map(named_params! {":session": session}, |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(u16, String)>, _>>()?;
    let mut next = known.last().map_or(Some(1), |(file, _)| file.checked_add(1));
    let mut keep = tx.prepare_cached(
        "INSERT INTO side (session, file, agent_id, path)
         VALUES (:session, :file, :agent_id, :path)
         ON CONFLICT (session, file) DO UPDATE
         SET path = excluded.path",
    )?;
    let mut files = vec![(FileNo(0), FileNo(0))];
    for side in &head.sides {
        let ours = if let Some(at) = known.iter().position(|(_, agent)| *agent == side.agent_id) {
            known.remove(at).0
        } else {
            let free = next.ok_or(StoreError::Files)?;
            next = free.checked_add(1);
            free
        };
        keep.execute(named_params! {
            ":session": session, ":file": ours, ":agent_id": side.agent_id, ":path": side.path.to_string_lossy(),
        })?;
        files.push((side.file, FileNo(ours)));
    }
    Ok(files)
}
