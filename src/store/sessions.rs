//! What a list of sessions shows, and the tally behind it, which is derived and counted anew when lines came.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::{Store, StoreError, rows, seal};
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
            "SELECT session, agent, id, sub, turns, compactions, counted_lines = lines
             FROM session LEFT JOIN tally USING (session)
             WHERE EXISTS (SELECT 1 FROM line WHERE line.session = session.session)
             ORDER BY session",
        )?;
        let mut found = read.query([])?;
        let mut list = Vec::new();
        while let Some(row) = found.next()? {
            let session = row.get(0)?;
            let (turns, compactions) = if row.get::<_, Option<bool>>(6)?.unwrap_or_default() {
                (row.get(4)?, row.get(5)?)
            } else {
                let outline = outline(&self.conn, session)?;
                (outline.main_turns, outline.compactions.len() as u32)
            };
            list.push(SessionRow {
                key: SessionKey { agent: row.get(1)?, id: row.get(2)?, sub: row.get(3)? },
                title: title(&self.conn, session)?,
                turns,
                compactions,
                modified: tally(&self.conn, session)?.modified,
            });
        }
        list.sort_by_key(|row| std::cmp::Reverse(row.modified));
        Ok(list)
    }

    /// Whether this database holds lines of the session, and not only a ledger.
    pub fn holds(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(false) };
        let mut read = self.conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM line WHERE session = :session)")?;
        Ok(read.query_row(named_params! {":session": session}, |row| row.get(0))?)
    }
}

/// Where a session ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) title: Option<String>,
    pub(super) parts: u64,
    pub(super) chain: Hash,
    pub(super) lines: u64,
    pub(super) records: u64,
    pub(super) modified: Option<i64>,
}

/// Makes a session; gives its row.
pub(super) fn make(
    conn: &Connection,
    key: &SessionKey,
    created: Option<i64>,
    retention: bool,
) -> Result<i64, StoreError> {
    let mode = if retention { "retention" } else { "keep" };
    conn.prepare_cached(
        "INSERT INTO session (agent, id, sub, created, mode)
         VALUES (:agent, :id, :sub, :created, :mode)",
    )?
    .execute(named_params! {
        ":agent": key.agent, ":id": key.id, ":sub": key.sub, ":created": created, ":mode": mode,
    })?;
    Ok(conn.last_insert_rowid())
}

/// Whether the texts of closed blocks are meant to go.
pub(super) fn in_retention(conn: &Connection, session: i64) -> Result<bool, StoreError> {
    let mut read = conn.prepare_cached("SELECT mode = 'retention' FROM session WHERE session = :session")?;
    Ok(read.query_row(named_params! {":session": session}, |row| row.get(0))?)
}

/// The tally of a session, counted where none is kept.
pub(super) fn tally(conn: &Connection, session: i64) -> Result<Tally, StoreError> {
    match kept(conn, session)? {
        Some(tally) => Ok(tally),
        None => counted(conn, session),
    }
}

/// What is kept; `None` where nothing was said yet, or the table was emptied.
pub(super) fn kept(conn: &Connection, session: i64) -> Result<Option<Tally>, StoreError> {
    let mut read =
        conn.prepare_cached("SELECT parts, chain, lines, records, modified FROM tally WHERE session = :session")?;
    let row = read.query_row(named_params! {":session": session}, |row| {
        Ok(Tally {
            title: None,
            parts: row.get::<_, i64>(0)? as u64,
            chain: rows::hash(row, "chain")?,
            lines: row.get::<_, i64>(2)? as u64,
            records: row.get::<_, i64>(3)? as u64,
            modified: row.get(4)?,
        })
    });
    let tally = row.optional()?;
    tally.map(|tally| Ok(Tally { title: title(conn, session)?, ..tally })).transpose()
}

/// The tally by what is pinned.
fn counted(conn: &Connection, session: i64) -> Result<Tally, StoreError> {
    let mut last = conn.prepare_cached(
        "SELECT seq, chain
         FROM part
         WHERE session = :session
         ORDER BY seq DESC
         LIMIT 1",
    )?;
    let last = last
        .query_row(named_params! {":session": session}, |row| Ok((row.get::<_, i64>(0)?, rows::hash(row, "chain")?)));
    let (parts, chain) = match last.optional()? {
        Some((last, chain)) => (rows::next(last)?, chain),
        None => (0, seal::start(conn, session)?),
    };
    let mut read = conn.prepare_cached(
        "SELECT (SELECT count(*) FROM line WHERE session = :session),
                (SELECT count(*) FROM record WHERE session = :session),
                (SELECT max(at) FROM line WHERE session = :session AND file = 0)",
    )?;
    let (lines, records, modified) = read.query_row(named_params! {":session": session}, |row| {
        Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64, row.get(2)?))
    })?;
    Ok(Tally { title: title(conn, session)?, parts, chain, lines, records, modified })
}

/// Over everything that stands in these files up to these rows; `None` where more stands there.
pub(super) fn fingerprint(conn: &Connection, session: i64, read: &[(FileNo, u64)]) -> Result<Option<Hash>, StoreError> {
    let tally = tally(conn, session)?;
    if tally.lines != read.iter().map(|(_, rows)| rows).sum::<u64>() {
        return Ok(None);
    }
    // Every hash is over those before it, so the last ones stand for all.
    let mut last = conn.prepare_cached(
        "SELECT seal, (SELECT seal FROM record WHERE session = :session ORDER BY record DESC LIMIT 1) AS record
         FROM line
         WHERE session = :session AND file = :file
         ORDER BY seq DESC
         LIMIT 1",
    )?;
    let mut hashes = vec![tally.chain];
    for (file, _) in read {
        let seals = last.query_row(named_params! {":session": session, ":file": file.0}, |row| {
            let record: Option<[u8; 32]> = row.get("record")?;
            Ok([rows::hash(row, "seal")?, record.map_or(Hash::ZERO, Hash)])
        });
        hashes.extend(seals.optional()?.into_iter().flatten());
    }
    Ok(Some(Hash::of_fields(hashes.iter().map(|hash| hash.0.as_slice()))))
}

/// The session's name; `None` where nobody gave one.
pub(super) fn title(conn: &Connection, session: i64) -> Result<Option<String>, StoreError> {
    let mut read = conn.prepare_cached("SELECT title FROM title WHERE session = :session")?;
    Ok(read.query_row(named_params! {":session": session}, |row| row.get(0)).optional()?)
}

pub(super) fn save_tally(conn: &Connection, session: i64, tally: &Tally) -> Result<(), StoreError> {
    let mut save = conn.prepare_cached(
        "INSERT INTO tally (session, parts, chain, lines, records, modified)
         VALUES (:session, :parts, :chain, :lines, :records, :modified)
         ON CONFLICT (session) DO UPDATE
         SET parts = excluded.parts, chain = excluded.chain, lines = excluded.lines, records = excluded.records,
             modified = excluded.modified",
    )?;
    save.execute(named_params! {
        ":session": session, ":parts": rows::int(tally.parts), ":chain": tally.chain.0,
        ":lines": rows::int(tally.lines), ":records": rows::int(tally.records), ":modified": tally.modified,
    })?;
    if let Some(title) = &tally.title {
        let mut name = conn.prepare_cached(
            "INSERT INTO title (session, title)
             VALUES (:session, :title)
             ON CONFLICT (session) DO UPDATE
             SET title = excluded.title
             WHERE title <> excluded.title",
        )?;
        name.execute(named_params! {":session": session, ":title": title})?;
    }
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

/// Whether the figures that are kept are those of the lines that are here. Figures of fewer lines are not used.
pub(super) fn counts_hold(conn: &Connection, session: i64) -> Result<bool, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT turns, compactions
         FROM tally
         WHERE session = :session AND counted_lines = lines",
    )?;
    let counted: Option<(u32, u32)> =
        read.query_row(named_params! {":session": session}, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some(counted) = counted else { return Ok(true) };
    let outline = outline(conn, session)?;
    Ok(counted == (outline.main_turns, outline.compactions.len() as u32))
}

/// The table of contents of everything stored of a session.
pub(super) fn outline(conn: &Connection, session: i64) -> Result<Outline, StoreError> {
    let mut outline = Outline::default();
    for file in rows::files(conn, session)? {
        feed(conn, session, file, &mut outline)?;
    }
    outline.finish();
    Ok(outline)
}

/// Pushes what a file holds.
pub(super) fn feed(conn: &Connection, session: i64, file: FileNo, outline: &mut Outline) -> Result<(), StoreError> {
    let mut from = 0;
    loop {
        let page = rows::forward(conn, session, file, from, rows::Most::lines(1000), Depth::Outline)?;
        let Some(last) = page.last() else { return Ok(()) };
        from = last.line.offset + 1;
        for stored in &page {
            outline.push(&stored.line);
        }
    }
}
