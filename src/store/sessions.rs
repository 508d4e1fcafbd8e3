//! What a list of sessions shows, and the tally behind it, which is derived and counted anew when lines came.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::{Store, StoreError, rows};
use crate::session::{Depth, FileNo, Hash, Outline, SessionKey};

/// One session of a database, for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Its identity.
    pub key: SessionKey,
    /// `None` where nobody gave one.
    pub title: Option<String>,
    /// The session's own turns.
    pub turns: u32,
    /// Markers in it.
    pub compactions: u32,
    /// When its last line was said, in milliseconds since 1970; `None` where no line says.
    pub modified: Option<i64>,
}

impl Store {
    /// The sessions that this database holds, the last changed first. Sessions of which it has only the ledger are not
    /// among them: they live in their agents' own files.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        let mut read = self.conn.prepare_cached(
            "SELECT session, agent, id, sub, title, modified, turns, compactions, counted_lines = lines
             FROM session JOIN tally USING (session)
             WHERE lines > 0
             ORDER BY modified DESC, session",
        )?;
        let mut found = read.query([])?;
        let mut list = Vec::new();
        while let Some(row) = found.next()? {
            let (turns, compactions) = if row.get::<_, Option<bool>>(8)?.unwrap_or_default() {
                (row.get(6)?, row.get(7)?)
            } else {
                let outline = outline(&self.conn, row.get(0)?)?;
                (outline.main_turns, outline.compactions.len() as u32)
            };
            list.push(SessionRow {
                key: SessionKey { agent: row.get(1)?, id: row.get(2)?, sub: row.get(3)? },
                title: row.get(4)?,
                turns,
                compactions,
                modified: row.get(5)?,
            });
        }
        Ok(list)
    }

    /// Whether this database holds lines of the session, and not only a ledger.
    pub fn holds(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(false) };
        Ok(tally(&self.conn, session)?.is_some_and(|tally| tally.lines > 0))
    }
}

/// Where a session's parts stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) title: Option<String>,
    pub(super) parts: u64,
    pub(super) chain: Hash,
    pub(super) lines: u64,
    pub(super) modified: Option<i64>,
}

pub(super) fn tally(conn: &Connection, session: i64) -> Result<Option<Tally>, StoreError> {
    let mut read =
        conn.prepare_cached("SELECT title, parts, chain, lines, modified FROM tally WHERE session = :session")?;
    let row = read.query_row(named_params! {":session": session}, |row| {
        Ok(Tally {
            title: row.get(0)?,
            parts: row.get::<_, i64>(1)? as u64,
            chain: rows::hash(row, "chain")?,
            lines: row.get::<_, i64>(3)? as u64,
            modified: row.get(4)?,
        })
    });
    Ok(row.optional()?)
}

pub(super) fn title(conn: &Connection, session: i64) -> Result<Option<String>, StoreError> {
    Ok(tally(conn, session)?.and_then(|tally| tally.title))
}

pub(super) fn save_tally(conn: &Connection, session: i64, tally: &Tally) -> Result<(), StoreError> {
    let mut save = conn.prepare_cached(
        "INSERT INTO tally (session, title, parts, chain, lines, modified)
         VALUES (:session, :title, :parts, :chain, :lines, :modified)
         ON CONFLICT (session) DO UPDATE
         SET title = excluded.title, parts = excluded.parts, chain = excluded.chain, lines = excluded.lines,
             modified = excluded.modified",
    )?;
    save.execute(named_params! {
        ":session": session, ":title": tally.title, ":parts": rows::int(tally.parts), ":chain": tally.chain.0,
        ":lines": rows::int(tally.lines), ":modified": tally.modified,
    })?;
    Ok(())
}

/// Counts turns and markers once and keeps the figures.
pub(super) fn count(conn: &Connection, session: i64) -> Result<(), StoreError> {
    let outline = outline(conn, session)?;
    conn.execute(
        "UPDATE tally
         SET counted_lines = lines, turns = :turns, compactions = :compactions
         WHERE session = :session",
        named_params! {
            ":session": session, ":turns": outline.main_turns, ":compactions": outline.compactions.len() as u32,
        },
    )?;
    Ok(())
}

/// The table of contents of everything stored of a session.
fn outline(conn: &Connection, session: i64) -> Result<Outline, StoreError> {
    let mut outline = Outline::default();
    let files: Vec<u16> = conn
        .prepare_cached("SELECT DISTINCT file FROM line WHERE session = :session ORDER BY file")?
        .query_map(named_params! {":session": session}, |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for file in files {
        feed(conn, session, FileNo(file), 0, &mut outline)?;
    }
    outline.finish();
    Ok(outline)
}

/// Pushes what a file holds from a line on; gives the line after the last.
pub(super) fn feed(
    conn: &Connection,
    session: i64,
    file: FileNo,
    from: u64,
    outline: &mut Outline,
) -> Result<u64, StoreError> {
    let mut from = from;
    loop {
        let page = rows::forward(conn, session, file, from, rows::Most::lines(1000), Depth::Outline)?;
        let Some(last) = page.last() else { return Ok(from) };
        from = last.line.offset + 1;
        for stored in &page {
            outline.push(&stored.line);
        }
    }
}
