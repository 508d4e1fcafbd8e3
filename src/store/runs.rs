//! The parts of closed runs of turns: which rows a range of sequences stands for, and the hash over them. What is counted
//! here are the parts of the session's own file in file order; a line that repeats an id has none.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::rows::{self, int};
use super::{Store, StoreError};
use crate::record::Run;
use crate::session::{FileNo, Hash, Place, SessionKey};

impl Store {
    /// The hash over these parts as they are here now, by their texts; `None` where a part or its text is not here any
    /// more. It is that of [`Run::originals`] as long as nothing changed.
    pub fn originals(&self, key: &SessionKey, parts: &Range<u64>) -> Result<Option<Hash>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        let (start, skip) = before(&self.conn, session, parts.start)?;
        let count = parts.end.saturating_sub(parts.start);
        let hashes = walk(&self.conn, session, start, (skip, count), By::Texts, |_| Ok(()))?;
        Ok(hashes.map(|hashes| Run::originals_of(&hashes)))
    }

    /// The hash of each of these parts as it was noted when it was stored; none where not all of them are here.
    pub fn noted(&self, key: &SessionKey, parts: &Range<u64>) -> Result<Vec<Hash>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let (start, skip) = before(&self.conn, session, parts.start)?;
        let count = parts.end.saturating_sub(parts.start);
        Ok(walk(&self.conn, session, start, (skip, count), By::Hashes, |_| Ok(()))?.unwrap_or_default())
    }

    /// The same of so many parts from this place on.
    pub fn noted_from(&self, key: &SessionKey, place: Place, count: u64) -> Result<Vec<Hash>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let behind = (int(place.offset), i64::from(place.part) - 1);
        Ok(walk_behind(&self.conn, session, behind, (0, count), By::Hashes, |_| Ok(()))?.unwrap_or_default())
    }
}

/// What the hash of a part is taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Its text, which must be here.
    Texts,
    /// What was noted when it came in.
    Hashes,
}

/// The parts of the session's own file from a place on, in file order. What comes before a line in its file came before it
/// into the database, too: said once more, so that most lines are told from the index alone.
macro_rules! from_parts {
    () => {
        "FROM line JOIN part USING (line) LEFT JOIN part_text USING (part)
         WHERE line.session = :session
           AND line.file = 0
           AND line.seq >= :seq
           AND (line.seq > :seq OR block > :block)
           AND NOT EXISTS (SELECT 1
                           FROM line AS before
                           WHERE before.session = :session
                             AND before.id = line.id
                             AND before.id IS NOT NULL
                             AND before.line < line.line
                             AND +before.file = 0
                             AND +before.seq < line.seq)
         ORDER BY line.seq, block"
    };
}

/// A part that was walked over.
pub(super) struct Passed {
    pub(super) row: i64,
    pub(super) id: String,
    /// In bytes of its text.
    pub(super) length: i64,
    pub(super) place: Place,
}

impl Passed {
    pub(super) fn of(row: &Row) -> rusqlite::Result<Self> {
        let (offset, part) = (row.get::<_, i64>(4)? as u64, row.get(5)?);
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            length: row.get(2)?,
            place: Place { file: FileNo(0), offset, part },
        })
    }
}

/// The last part before a block's end from which this sequence can be counted, and how many parts to pass over.
fn before(conn: &Connection, session: i64, start: u64) -> Result<(Option<i64>, u64), StoreError> {
    if !conn.table_exists(None, "block")? {
        return Ok((None, start));
    }
    let mut find = conn.prepare_cached(
        "SELECT last, \"end\"
         FROM block
         WHERE session = :session AND \"end\" <= :start
         ORDER BY no DESC
         LIMIT 1",
    )?;
    let found = find.query_row(named_params! {":session": session, ":start": int(start)}, |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)? as u64))
    });
    Ok(match found.optional()? {
        Some((last, end)) => (Some(last), start.saturating_sub(end)),
        None => (None, start),
    })
}

/// Walks over parts behind this one, or from the first: passes over some, and meets some, each as [`Passed::of`] takes it.
/// Gives the hashes of these; `None` where there are fewer.
pub(super) fn walk(
    conn: &Connection,
    session: i64,
    after: Option<i64>,
    (skip, count): (u64, u64),
    by: By,
    meet: impl FnMut(&Row) -> rusqlite::Result<()>,
) -> Result<Option<Vec<Hash>>, StoreError> {
    let behind = match after {
        Some(part) => conn
            .prepare_cached("SELECT line.seq, block FROM part JOIN line USING (line) WHERE part = :part")?
            .query_row(named_params! {":part": part}, |row| Ok((row.get(0)?, row.get(1)?)))?,
        None => (0, -1),
    };
    walk_behind(conn, session, behind, (skip, count), by, meet)
}

/// The same behind a line and a part of it.
fn walk_behind(
    conn: &Connection,
    session: i64,
    (seq, block): (i64, i64),
    (skip, count): (u64, u64),
    by: By,
    mut meet: impl FnMut(&Row) -> rusqlite::Result<()>,
) -> Result<Option<Vec<Hash>>, StoreError> {
    let mut read = conn.prepare_cached(match by {
        By::Texts => concat!("SELECT part, part.id, length, part_text.text, line.seq, block", "\n", from_parts!()),
        By::Hashes => concat!("SELECT part, part.id, length, part.hash, line.seq, block", "\n", from_parts!()),
    })?;
    let mut rows = read.query(named_params! {":session": session, ":seq": seq, ":block": block})?;
    let (mut passed, mut hashes) = (0, Vec::new());
    while (hashes.len() as u64) < count {
        let Some(row) = rows.next()? else { return Ok(None) };
        if passed < skip {
            passed += 1;
            continue;
        }
        hashes.push(match by {
            By::Hashes => Hash(row.get::<_, [u8; 32]>(3)?),
            By::Texts => match row.get::<_, Option<String>>(3)? {
                Some(text) => Hash::of(text.as_bytes()),
                None if row.get::<_, i64>(2)? == 0 => Hash::of(b""),
                None => return Ok(None),
            },
        });
        meet(row)?;
    }
    Ok((!hashes.is_empty()).then_some(hashes))
}
