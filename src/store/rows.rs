//! Rows as lines: every field of a [`Line`] that came in comes out again.

use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, named_params};

use super::{StoreError, names};
use crate::session::{
    Body, Boundary, Depth, FileNo, FirstKept, Hash, Line, Part, PartKind, Segment, Summary, TokensSaved, Usage,
};

/// The row of a session; `None` when this database has none under the key.
pub(super) fn session_row(conn: &Connection, key: &crate::session::SessionKey) -> Result<Option<i64>, StoreError> {
    let mut find = conn.prepare_cached(
        "SELECT session
         FROM session
         WHERE agent = :agent
           AND id = :id
           AND (sub IS NULL) = (:sub IS NULL)
           AND ifnull(sub, '') = ifnull(:sub, '')",
    )?;
    let found = find.query_row(named_params! {":agent": key.agent, ":id": key.id, ":sub": key.sub}, |row| row.get(0));
    Ok(found.optional()?)
}

/// How much is read at once: at least one line, then until one of the two is reached.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub(super) lines: i64,
    /// Of raw lines with their ends.
    pub(super) bytes: usize,
}

impl Most {
    pub(super) fn lines(lines: i64) -> Self {
        Self { lines, bytes: usize::MAX }
    }

    pub(super) fn bytes(bytes: usize) -> Self {
        Self { lines: i64::MAX, bytes }
    }
}

/// A line with its row.
pub(super) struct Stored {
    pub(super) row: i64,
    pub(super) line: Line,
}

const LINE: &str = "
    SELECT line.line, file, seq, id, parent, logical_parent, at, sidechain, started_agent, lossy,
           kind, role, message, usage_input, usage_output, what, title, raw_length
    FROM line";

/// Lines of a file from `from` on, in order.
pub(super) fn forward(
    conn: &Connection,
    session: i64,
    file: FileNo,
    from: u64,
    most: Most,
    depth: Depth,
) -> Result<Vec<Stored>, StoreError> {
    if i64::try_from(from).is_err() {
        // Whatever a file says, nothing comes after the last number there is.
        return Ok(Vec::new());
    }
    let mut read = conn.prepare_cached(&format!(
        "{LINE}
         WHERE session = :session AND file = :file AND seq >= :from
         ORDER BY seq
         LIMIT :most"
    ))?;
    let rows =
        read.query(named_params! {":session": session, ":file": file.0, ":from": int(from), ":most": most.lines})?;
    collect(conn, rows, depth, most.bytes)
}

/// Lines of a file before `before`, the last one first.
pub(super) fn backward(
    conn: &Connection,
    session: i64,
    file: FileNo,
    before: u64,
    most: Most,
    depth: Depth,
) -> Result<Vec<Stored>, StoreError> {
    let mut read = conn.prepare_cached(&format!(
        "{LINE}
         WHERE session = :session AND file = :file AND seq < :before
         ORDER BY seq DESC
         LIMIT :most"
    ))?;
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let rows =
        read.query(named_params! {":session": session, ":file": file.0, ":before": before, ":most": most.lines})?;
    collect(conn, rows, depth, most.bytes)
}

/// One line by its row.
pub(super) fn line(conn: &Connection, row: i64, depth: Depth) -> Result<Option<Line>, StoreError> {
    let mut read = conn.prepare_cached(&format!("{LINE} WHERE line.line = :line"))?;
    let rows = read.query(named_params! {":line": row})?;
    Ok(collect(conn, rows, depth, usize::MAX)?.pop().map(|stored| stored.line))
}

/// What comes before the first row that the file cannot give; the damage is told to whoever asks for that row.
fn collect(
    conn: &Connection,
    mut rows: rusqlite::Rows,
    depth: Depth,
    budget: usize,
) -> Result<Vec<Stored>, StoreError> {
    let mut lines: Vec<Stored> = Vec::new();
    let mut parts = Parts::of_lines(conn, depth)?;
    let mut spent = 0_usize;
    while lines.is_empty() || spent < budget {
        let next = match rows.next() {
            Ok(None) => return Ok(lines),
            Ok(Some(row)) => stored(conn, row, depth, &mut parts),
            Err(error) => Err(error.into()),
        };
        match next {
            Ok(stored) => {
                spent = spent.saturating_add(usize::try_from(stored.line.len).unwrap_or(usize::MAX)).saturating_add(1);
                lines.push(stored);
            }
            Err(_) if !lines.is_empty() => return Ok(lines),
            Err(error) => return Err(error),
        }
    }
    Ok(lines)
}

fn stored(conn: &Connection, row: &Row, depth: Depth, parts: &mut Parts) -> Result<Stored, StoreError> {
    let at_row: i64 = row.get(0)?;
    let mut line = Line {
        file: FileNo(row.get(1)?),
        offset: u64::try_from(row.get::<_, i64>(2)?).map_err(|_| StoreError::Row("a line before the first".into()))?,
        len: row.get::<_, i64>(17)? as u64,
        blanks: 0,
        id: None,
        parent: None,
        logical_parent: None,
        at: row.get(6)?,
        sidechain: None,
        started_agent: None,
        body: Body::Unread { why: String::new() },
        lossy: None,
    };
    match fill(conn, row, at_row, depth, parts, &mut line) {
        Ok(()) => {}
        // One bad row does not hide the others; what the file itself cannot give is another matter.
        Err(StoreError::Row(why)) => line.body = Body::Unread { why },
        Err(other) => return Err(other),
    }
    Ok(Stored { row: at_row, line })
}

fn fill(
    conn: &Connection,
    row: &Row,
    at_row: i64,
    depth: Depth,
    parts: &mut Parts,
    line: &mut Line,
) -> Result<(), StoreError> {
    line.id = row.get(3)?;
    line.parent = row.get(4)?;
    line.logical_parent = row.get(5)?;
    line.sidechain = row.get(7)?;
    line.started_agent = row.get(8)?;
    line.lossy = row.get(9)?;
    line.body = match word(row, 10)?.unwrap_or_default() {
        "message" => {
            let role = word(row, 11)?.and_then(names::role_named);
            let input: Option<i64> = row.get(13)?;
            let output: Option<i64> = row.get(14)?;
            Body::Message {
                role: role.ok_or_else(|| StoreError::Row("a message has no role".into()))?,
                message: row.get(12)?,
                parts: parts.of(at_row)?,
                usage: input.zip(output).map(|(input, output)| Usage { input: input as u64, output: output as u64 }),
            }
        }
        "compaction" => Body::Compaction {
            boundary: boundary(conn, at_row)?,
            summary: text(conn, at_row)?.map(|text| Summary { text }),
        },
        "summary" => Body::Summary(Summary { text: text(conn, at_row)?.unwrap_or_default() }),
        "note" => Body::Note(note(conn, at_row)?),
        "noise" => Body::Noise {
            what: row.get::<_, Option<String>>(15)?.unwrap_or_default(),
            title: row.get(16)?,
            text: match depth {
                Depth::Full => text(conn, at_row)?.unwrap_or_default(),
                Depth::Outline => String::new(),
            },
        },
        "unread" => Body::Unread { why: row.get::<_, Option<String>>(15)?.unwrap_or_default() },
        other => return Err(StoreError::Row(format!("a line of unknown kind {other:?}"))),
    };
    Ok(())
}

/// Reads the parts of one line after the other.
struct Parts<'c>(CachedStatement<'c>);

impl<'c> Parts<'c> {
    fn of_lines(conn: &'c Connection, depth: Depth) -> Result<Self, StoreError> {
        Ok(Self(conn.prepare_cached(match depth {
            Depth::Full => {
                "SELECT block, kind, speaker, call, tool, ok, what, text
                 FROM part LEFT JOIN part_text USING (part)
                 WHERE line = :line
                 ORDER BY block"
            }
            Depth::Outline => {
                "SELECT block, kind, speaker, call, tool, ok, what, NULL
                 FROM part
                 WHERE line = :line
                 ORDER BY block"
            }
        })?))
    }

    fn of(&mut self, line: i64) -> Result<Vec<Part>, StoreError> {
        let mut rows = self.0.query(named_params! {":line": line})?;
        let mut parts = Vec::new();
        while let Some(row) = rows.next()? {
            parts.push(part(row)?);
        }
        Ok(parts)
    }
}

/// The part in a row of block, kind, speaker, call, tool, ok, what, text.
pub(super) fn part(row: &Row) -> Result<Part, StoreError> {
    let speaker = word(row, 2)?.unwrap_or_default();
    let kind = match word(row, 1)?.unwrap_or_default() {
        "text" => PartKind::Text,
        "thinking" => PartKind::Thinking,
        "tool_call" => {
            PartKind::ToolCall { id: row.get(3)?, name: row.get::<_, Option<String>>(4)?.unwrap_or_default() }
        }
        "tool_result" => PartKind::ToolResult { id: row.get(3)?, ok: row.get::<_, Option<bool>>(5)?.unwrap_or(true) },
        "opaque" => PartKind::Opaque { what: row.get::<_, Option<String>>(6)?.unwrap_or_default() },
        other => return Err(StoreError::Row(format!("a part of unknown kind {other:?}"))),
    };
    let speaker = names::speaker_named(speaker)
        .ok_or_else(|| StoreError::Row(format!("a part with the unknown speaker {speaker:?}")))?;
    let text: Option<String> = row.get(7)?;
    Ok(Part { block: row.get(0)?, kind, speaker, text: text.unwrap_or_default() })
}

fn text(conn: &Connection, line: i64) -> Result<Option<String>, StoreError> {
    let mut read = conn.prepare_cached("SELECT text FROM line_text WHERE line = :line")?;
    Ok(read.query_row(named_params! {":line": line}, |row| row.get(0)).optional()?)
}

fn boundary(conn: &Connection, line: i64) -> Result<Boundary, StoreError> {
    let mut kept = conn.prepare_cached("SELECT id FROM compaction_kept WHERE line = :line ORDER BY nth")?;
    let preserved =
        kept.query_map(named_params! {":line": line}, |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    let mut read = conn.prepare_cached(
        "SELECT \"trigger\", tokens_before, tokens_after, first_kept_id, first_kept_line, last_covered,
                EXISTS (SELECT 1 FROM record WHERE record.line = compaction.line), preserved_head, preserved_tail
         FROM compaction
         WHERE line = :line",
    )?;
    let row = read.query_row(named_params! {":line": line}, |row| {
        let trigger: Option<String> = row.get(0)?;
        let id: Option<String> = row.get(3)?;
        let first_line: Option<i64> = row.get(4)?;
        Ok(Boundary {
            trigger: trigger.as_deref().and_then(names::trigger_named),
            tokens_before: row.get::<_, Option<i64>>(1)?.map(|n| n as u64),
            tokens_after: row.get::<_, Option<i64>>(2)?.map(|n| n as u64),
            preserved,
            preserved_segment: row
                .get::<_, Option<String>>(7)?
                .zip(row.get(8)?)
                .map(|(head, tail)| Segment { head, tail }),
            first_kept: id.map(FirstKept::Id).or(first_line.map(|line| FirstKept::Line(line as u64))),
            last_covered: row.get(5)?,
            own_record: row.get(6)?,
        })
    });
    row.optional()?.ok_or_else(|| StoreError::Row("a compaction without its boundary".into()))
}

fn note(conn: &Connection, line: i64) -> Result<TokensSaved, StoreError> {
    let mut read = conn.prepare_cached("SELECT before, saved, cleared FROM note WHERE line = :line")?;
    let row = read.query_row(named_params! {":line": line}, |row| {
        Ok(TokensSaved {
            before: row.get::<_, Option<i64>>(0)?.map(|n| n as u64),
            saved: row.get::<_, Option<i64>>(1)?.map(|n| n as u64),
            cleared: row.get::<_, i64>(2)? as usize,
        })
    });
    Ok(row.optional()?.unwrap_or_default())
}

/// The bytes of a line, exactly as they came.
pub(super) fn raw(conn: &Connection, line: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let mut read = conn.prepare_cached("SELECT raw FROM line_raw WHERE line = :line")?;
    Ok(read.query_row(named_params! {":line": line}, |row| row.get(0)).optional()?)
}

/// Whether a line came with these bytes, whether they are still here or not.
pub(super) fn has_raw(conn: &Connection, line: i64, raw: &[u8]) -> Result<bool, StoreError> {
    let mut read = conn.prepare_cached("SELECT raw_hash FROM line WHERE line = :line")?;
    let noted = read.query_row(named_params! {":line": line}, |row| hash(row, "raw_hash")).optional()?;
    Ok(noted == Some(Hash::of(raw)))
}

/// Whether a line came with these bytes and this text beside its parts, and its bytes went: the hashes tell.
pub(super) fn went(conn: &Connection, line: i64, bytes: &[u8], text: Option<&str>) -> Result<bool, StoreError> {
    let mut read = conn.prepare_cached("SELECT text_hash FROM line WHERE line = :line")?;
    let noted: Option<[u8; 32]> = read.query_row(named_params! {":line": line}, |row| row.get(0))?;
    let same = noted.map(Hash) == text.map(|text| Hash::of(text.as_bytes()));
    Ok(same && raw(conn, line)?.is_none() && has_raw(conn, line, bytes)?)
}

/// The bytes of the line at this place.
pub(super) fn raw_at(conn: &Connection, session: i64, file: FileNo, seq: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT raw
         FROM line JOIN line_raw USING (line)
         WHERE session = :session AND file = :file AND seq = :seq",
    )?;
    let place = named_params! {":session": session, ":file": file.0, ":seq": int(seq)};
    Ok(read.query_row(place, |row| row.get(0)).optional()?)
}

/// How many lines a file has.
pub(super) fn size(conn: &Connection, session: i64, file: FileNo) -> Result<u64, StoreError> {
    let mut read =
        conn.prepare_cached("SELECT ifnull(max(seq) + 1, 0) FROM line WHERE session = :session AND file = :file")?;
    let size: i64 = read.query_row(named_params! {":session": session, ":file": file.0}, |row| row.get(0))?;
    Ok(size as u64)
}

/// The files of a session that have lines.
pub(super) fn files(conn: &Connection, session: i64) -> Result<Vec<FileNo>, StoreError> {
    let mut read = conn.prepare_cached("SELECT DISTINCT file FROM line WHERE session = :session ORDER BY file")?;
    let files = read.query_map(named_params! {":session": session}, |row| Ok(FileNo(row.get(0)?)))?;
    Ok(files.collect::<Result<_, _>>()?)
}

/// Whether it is known which sub-agent's file this is.
pub(super) fn is_declared(conn: &Connection, session: i64, file: FileNo) -> Result<bool, StoreError> {
    let mut read =
        conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM side WHERE session = :session AND file = :file)")?;
    Ok(read.query_row(named_params! {":session": session, ":file": file.0}, |row| row.get(0))?)
}

/// The text in a column, where it lies; `None` where there is none.
pub(super) fn word<'r>(row: &'r Row, column: usize) -> rusqlite::Result<Option<&'r str>> {
    Ok(row.get_ref(column)?.as_str_or_null()?)
}

/// A hash out of a column; anything but 32 bytes is damage.
pub(super) fn hash(row: &Row, column: &str) -> rusqlite::Result<Hash> {
    Ok(Hash(row.get::<_, [u8; 32]>(column)?))
}

/// The sequence after this one. A file that has no room after its last line was not written by this program.
pub(super) fn next(seq: i64) -> Result<u64, StoreError> {
    let next = u64::try_from(seq).ok().map(|seq| seq + 1).filter(|next| i64::try_from(*next).is_ok());
    next.ok_or_else(|| StoreError::Damaged(format!("a sequence ends in {seq}")))
}

/// A number as SQLite keeps it; the bits are the same.
pub(super) fn int(n: u64) -> i64 {
    n.cast_signed()
}
