//! Retention mode: the texts of closed blocks go, and nothing of them is left in the file or in its log. Hashes stay, and so
//! does what the ledger quotes, unless that may not be kept either.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use rusqlite::limits::Limit;
use rusqlite::{Connection, OptionalExtension, Transaction, named_params};

use super::bare::bare;
use super::erase::erase;
use super::open::patient;
use super::pen::Pen;
use super::rows::Stored;
use super::sources::Texts;
use super::{Store, StoreError, Wordings, blocks, file, ledger, rows, seal, sessions};
use crate::record::Block;
use crate::session::{Body, Depth, Hash, PartKind, PartSeq, SessionKey};

/// Whether any sentence stays when originals go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quotes {
    /// Those that the ledger quotes stay, and are listed; a record holds names, figures, and what was called on what.
    #[default]
    Keep,
    /// None does, and none is entered as it arrives: a record holds names, figures and which tools were called.
    Drop,
}

/// What went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Texts of parts.
    pub parts: usize,
    /// Lines as they came.
    pub lines: usize,
    /// Texts in no part: summaries of compactions among those lines, which are made of what went.
    pub beside: usize,
}

impl Quotes {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Quotes::Keep => "keep",
            Quotes::Drop => "drop",
        }
    }

    /// The one with this [`Quotes::name`].
    pub fn named(name: &str) -> Option<Self> {
        [Quotes::Keep, Quotes::Drop].into_iter().find(|quotes| quotes.name() == name)
    }
}

/// Makes a session in retention mode.
pub(super) fn retain(tx: &Connection, key: &SessionKey, quotes: Quotes) -> Result<i64, StoreError> {
    let session = sessions::make(tx, key, None, true)?;
    let seal = seal::retention(tx, session, quotes.name())?;
    tx.prepare_cached("INSERT INTO retention (session, quotes, seal) VALUES (:session, :quotes, :seal)")?
        .execute(named_params! {":session": session, ":quotes": quotes.name(), ":seal": seal.0})?;
    Ok(session)
}

/// What is kept of a session in retention mode; `None` of one that keeps everything.
pub(super) fn kept_of(conn: &Connection, session: i64) -> Result<Option<Quotes>, StoreError> {
    if !sessions::in_retention(conn, session)? {
        return Ok(None);
    }
    let kept = seal::kept_retention(conn, session)?;
    Ok(Some(kept.and_then(|(quotes, _)| Quotes::named(&quotes)).unwrap_or_default()))
}

impl Store {
    /// Makes a session whose texts go when their block closes. One that is there already must be such a session, and what
    /// is kept of it does not change.
    pub fn retain(&mut self, key: &SessionKey, quotes: Quotes) -> Result<(), StoreError> {
        // Somebody else may make it at the same time: only who writes knows.
        self.write(|tx| {
            let Some(session) = rows::session_row(tx, key)? else { return retain(tx, key, quotes).map(drop) };
            match kept_of(tx, session)? {
                Some(kept) if kept == quotes => Ok(()),
                Some(kept) => Err(StoreError::KeptOtherwise { session: key.to_string(), quotes: kept.name() }),
                None => Err(StoreError::Keeps(key.to_string())),
            }
        })
    }

    /// What is kept of a session whose texts go when their block closes; `None` of one that keeps everything.
    pub fn retention(&self, key: &SessionKey) -> Result<Option<Quotes>, StoreError> {
        match rows::session_row(&self.conn, key)? {
            Some(session) => kept_of(&self.conn, session),
            None => Ok(None),
        }
    }

    /// Whether a session is in retention mode and nothing tells if its choice was changed: it was made before version 7,
    /// which seals that.
    pub fn is_unsealed(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(false) };
        Ok(matches!(seal::kept_retention(&self.conn, session)?, Some((_, None))))
    }

    /// Stores one block that has closed. See [`Store::close_blocks`].
    pub fn close_block(&mut self, key: &SessionKey, block: &Block) -> Result<Forgotten, StoreError> {
        self.close_blocks(key, std::slice::from_ref(block), Wordings::default())
    }

    /// Stores blocks that have closed, all of them or none: each follows the one before it, its parts are here and give the
    /// hash that it names, and whatever its items quote stands where they say. A block that is stored already is taken as
    /// it is; another one under its number is refused. Items with a `why` are kept as drafts. What was made of their records
    /// is kept with them.
    ///
    /// In a session in retention mode their texts go in the same transaction, and are gone from the file when this returns.
    pub fn close_blocks(
        &mut self,
        key: &SessionKey,
        blocks: &[Block],
        made: Wordings,
    ) -> Result<Forgotten, StoreError> {
        let quotes = match rows::session_row(&self.conn, key)? {
            Some(session) => kept_of(&self.conn, session)?,
            None => None,
        };
        if quotes.is_some() {
            self.overwriting()?;
        }
        let (forgotten, written) = self.write(|tx| {
            let mut pen = Pen::on(tx, key, None)?;
            let mut written = 0;
            for block in blocks {
                let added = match quotes {
                    None => blocks::add_block(tx, &mut pen, block, Texts::Here),
                    Some(quotes) => {
                        let pinned = ledger::quoted(tx, pen.session)?;
                        let record = Arc::new(bare(&block.record, quotes, &pinned));
                        blocks::add_block(tx, &mut pen, &Block { record, ..block.clone() }, Texts::ToGo)
                    }
                };
                written += added.map_err(blocks::meanwhile)?;
            }
            pen.done()?;
            made.keep(tx, pen.session)?;
            let forgotten = match (quotes, blocks.last()) {
                (Some(_), Some(last)) => forget(tx, pen.session, last.run.parts.end)?,
                (Some(_), None) | (None, _) => Forgotten::default(),
            };
            Ok((forgotten, written))
        })?;
        match quotes {
            Some(_) => self.empty_log()?,
            None => self.wrote_records(written),
        }
        Ok(forgotten)
    }

    /// Lets the texts of the blocks before this part go. Only a session in retention mode forgets, and only what is in a
    /// closed block.
    pub fn forget(&mut self, key: &SessionKey, up_to: PartSeq) -> Result<Forgotten, StoreError> {
        let session = rows::session_row(&self.conn, key)?.ok_or_else(|| StoreError::NoSession(key.to_string()))?;
        if !sessions::in_retention(&self.conn, session)? {
            return Err(StoreError::Keeps(key.to_string()));
        }
        self.overwriting()?;
        let forgotten = self.write(|tx| forget(tx, session, up_to.0))?;
        self.empty_log()?;
        Ok(forgotten)
    }

    /// Lets go what should have gone when the last block closed, should that have been interrupted.
    pub fn forget_closed(&mut self, key: &SessionKey) -> Result<Forgotten, StoreError> {
        match self.last_block(key)? {
            Some(last) => self.forget(key, PartSeq(last.run.parts.end)),
            None => Ok(Forgotten::default()),
        }
    }

    /// The same for every session: blocks that came from elsewhere were closed there.
    pub(super) fn forget_all_closed(&mut self) -> Result<(), StoreError> {
        for session in self.sessions()? {
            if self.unforgotten(&session.key)?.is_some() {
                self.forget_closed(&session.key)?;
            }
        }
        Ok(())
    }

    /// The first block that is closed and whose texts are here all the same: whoever brought it was interrupted. `None`
    /// where all went, and of a session that keeps its texts.
    pub fn unforgotten(&self, key: &SessionKey) -> Result<Option<u32>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        if !sessions::in_retention(&self.conn, session)? || !self.conn.table_exists(None, "block")? {
            return Ok(None);
        }
        let mut find = self.conn.prepare_cached(
            "SELECT no
             FROM block JOIN part ON part.part = block.last
             WHERE block.session = :session
               AND part.line IN (SELECT line FROM line_raw)
             ORDER BY no
             LIMIT 1",
        )?;
        Ok(find.query_row(named_params! {":session": session}, |row| row.get(0)).optional()?)
    }

    /// Overwrites what is deleted from now on.
    fn overwriting(&mut self) -> Result<(), StoreError> {
        self.for_writing()?;
        Ok(self.conn.query_row("PRAGMA secure_delete = ON", [], |_| Ok(()))?)
    }

    /// Takes out of the log what went from the file.
    pub(super) fn empty_log(&mut self) -> Result<(), StoreError> {
        let conn = &self.conn;
        patient(Instant::now(), || truncate(conn)).map_err(lingers)?;
        self.unmoved = 0;
        Ok(())
    }

    /// The log that was left beside a file from which texts went: they may still stand in it, or in the file that it was not
    /// moved into. `None` where there is none, or where it is cleared away by whoever opens the file, for that can be written.
    pub fn left_beside(&self) -> Result<Option<PathBuf>, StoreError> {
        if !self.clears_nothing() || !forgets(&self.conn)? {
            return Ok(None);
        }
        let holds = |log: &PathBuf| std::fs::metadata(log).is_ok_and(|meta| meta.len() > 0);
        Ok(["-wal", "-journal"].map(|suffix| file::beside(self.path(), suffix)).into_iter().find(holds))
    }
}

/// Why the log was not emptied. What was written is saved, whatever SQLite says.
fn lingers(error: StoreError) -> StoreError {
    StoreError::Lingers(match error {
        StoreError::Busy(_) => "another program still reads it".into(),
        StoreError::Full => "the disk is full".into(),
        StoreError::ReadOnly(_) => "it or its folder cannot be written; make both writable".into(),
        StoreError::Sqlite(why) => why,
        other => return other,
    })
}

/// Whether texts may go from a file.
pub(super) fn forgets(conn: &Connection) -> Result<bool, StoreError> {
    Ok(conn.query_row("SELECT EXISTS (SELECT 1 FROM session WHERE mode = 'retention')", [], |row| row.get(0))?)
}

/// Writes a file of an older version anew: that wrote into its pages without minding what stays in them.
pub(super) fn write_anew(conn: &Connection) -> Result<(), StoreError> {
    conn.query_row("PRAGMA secure_delete = ON", [], |_| Ok(()))?;
    // Vacuuming attaches a database of its own, which no file may do.
    let attached = conn.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)?;
    let anew = conn.execute_batch("VACUUM");
    conn.set_limit(Limit::SQLITE_LIMIT_ATTACHED, attached)?;
    Ok(anew?)
}

/// Moves the whole log into the database and cuts it to nothing. Somebody who still reads an old state stands in the way.
fn truncate(conn: &Connection) -> Result<(), StoreError> {
    let busy: bool = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy { Err(StoreError::Busy(std::time::Duration::ZERO)) } else { Ok(()) }
}

/// Lets go the lines of blocks that end at this part or before it, and of sub-agents that came before their ends.
fn forget(tx: &Transaction, session: i64, up_to: u64) -> Result<Forgotten, StoreError> {
    let mut find = tx.prepare_cached(
        "SELECT part.line
         FROM block JOIN part ON part.part = block.last
         WHERE block.session = :session AND \"end\" <= :up_to
         ORDER BY no DESC
         LIMIT 1",
    )?;
    let last = named_params! {":session": session, ":up_to": rows::int(up_to.min(i64::MAX as u64))};
    let last: Option<i64> = find.query_row(last, |row| row.get(0)).optional()?;
    let Some(last) = last else { return Ok(Forgotten::default()) };
    erase(tx, session, last)
}

/// Parts of a line whose text is gone: block, how long it was, its hash.
pub(super) fn gone(conn: &Connection, line: i64) -> Result<Vec<(u32, u64, Hash)>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT block, length, hash
         FROM part
         WHERE line = :line
           AND length > 0
           AND part NOT IN (SELECT part FROM part_text)
         ORDER BY block",
    )?;
    let found = read.query_map(named_params! {":line": line}, |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, rows::hash(row, "hash")?))
    });
    Ok(found?.collect::<Result<_, _>>()?)
}

/// Whether anything of the session went.
pub(super) fn has_forgotten(conn: &Connection, session: i64) -> Result<bool, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT EXISTS (SELECT 1
                        FROM part LEFT JOIN part_text USING (part)
                        WHERE session = :session AND length > 0 AND text IS NULL)",
    )?;
    Ok(read.query_row(named_params! {":session": session}, |row| row.get(0))?)
}

/// How many turns from the beginning are gone: those of closed blocks.
pub(super) fn gone_turns(conn: &Connection, session: i64) -> Result<u32, StoreError> {
    if !conn.table_exists(None, "block")? {
        return Ok(0);
    }
    let mut read = conn.prepare_cached(
        "SELECT last_turn
         FROM block JOIN part ON part.part = block.last
         WHERE block.session = :session
           AND (part.line NOT IN (SELECT line FROM line_raw)
                OR (length > 0 AND part.part NOT IN (SELECT part FROM part_text)))
         ORDER BY no DESC
         LIMIT 1",
    )?;
    let gone = read.query_row(named_params! {":session": session}, |row| row.get(0));
    Ok(gone.optional()?.unwrap_or(0))
}

/// Says of a line what is gone of it. Nothing is said to be empty that only went.
pub(super) fn tell(conn: &Connection, stored: &mut Stored, depth: Depth) -> Result<(), StoreError> {
    if depth == Depth::Outline {
        return Ok(());
    }
    let Body::Message { parts, .. } = &mut stored.line.body else { return tell_beside(conn, stored) };
    let gone = gone(conn, stored.row)?;
    for (block, length, _) in &gone {
        let Some(part) = parts.iter_mut().find(|part| part.block == *block) else { continue };
        match part.kind {
            PartKind::Text | PartKind::Thinking => {
                part.kind = PartKind::Opaque { what: format!("gone, {length} bytes") };
            }
            PartKind::ToolCall { .. } | PartKind::ToolResult { .. } | PartKind::Opaque { .. } => {}
        }
    }
    if !gone.is_empty() {
        let bytes: u64 = gone.iter().map(|(_, length, _)| length).sum();
        stored.line.lossy =
            Some(format!("gone: its {bytes} bytes of text went when their block closed (retention mode)"));
    }
    Ok(())
}

/// The same of a text that stands in no part: a summary, which is made of what went.
fn tell_beside(conn: &Connection, stored: &mut Stored) -> Result<(), StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT text_hash IS NOT NULL AND line NOT IN (SELECT line FROM line_text)
         FROM line
         WHERE line = :line",
    )?;
    if read.query_row(named_params! {":line": stored.row}, |row| row.get(0))? {
        let what = match &stored.line.body {
            Body::Compaction { .. } | Body::Summary(_) => "summary",
            Body::Message { .. } | Body::Note(_) | Body::Noise { .. } | Body::Unread { .. } => "text",
        };
        stored.line.lossy = Some(format!("gone: its {what} went with the turns before it (retention mode)"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_cannot_be_emptied_is_told_as_what_stays_and_not_as_what_was_not_saved() {
        for (error, why) in [
            (StoreError::ReadOnly("the database".into()), "cannot be written; make both writable"),
            (StoreError::Busy(std::time::Duration::ZERO), "another program still reads it"),
            (StoreError::Full, "the disk is full"),
            (StoreError::Sqlite("disk I/O error".into()), "disk I/O error"),
        ] {
            let told = lingers(error).to_string();
            assert!(told.contains(why) && told.contains("still in the log") && told.contains("is saved"), "{told}");
        }
    }
}
