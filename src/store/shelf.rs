//! Closed blocks and spans without their records, for who puts a window together: records are read one by one, or as the
//! text that was made of them before.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::blocks;
use super::closed::{self, KeptRun};
use super::{Store, StoreError, rows, sessions};
use crate::record::{Block, Record, Span};
use crate::session::{Hash, SessionKey};

/// What is closed, without what was kept of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelved {
    /// In their order, with empty records.
    pub blocks: Vec<Block>,
    /// In the order in which they were made, with empty records.
    pub spans: Vec<Span>,
    /// For each block: the texts of its parts are here. Whether they are what they were, only reading them tells
    /// ([`Store::originals`]).
    pub present: Vec<bool>,
    /// The line that holds the last part of the last block, and which of its parts that is; `None` without a block.
    pub last: Option<(u64, u32)>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Closed {
    /// A block, by its number.
    Block(u32),
    /// A span, by its number.
    Span(u32),
}

/// Texts that were made of records, in one wording.
#[derive(Clone, Copy, Default)]
pub struct Wordings<'a> {
    /// Which wording it is.
    pub rules: u32,
    /// What each stands for.
    pub texts: &'a [(Closed, String)],
}

impl Wordings<'_> {
    /// Keeps them within a transaction. Nothing is kept of a session in retention mode.
    pub(super) fn keep(self, tx: &Connection, session: i64) -> Result<(), StoreError> {
        let Self { rules, texts } = self;
        if texts.is_empty() || sessions::in_retention(tx, session)? {
            return Ok(());
        }
        let mut keep = tx.prepare_cached(
            "INSERT OR REPLACE INTO rendered (record, rules, text, hash)
             VALUES (:record, :rules, :text, :hash)",
        )?;
        for (which, text) in texts {
            let Some((row, seal)) = record_row(tx, session, *which)? else { continue };
            let hash = sealed(seal, rules, text).0;
            keep.execute(named_params! {":record": row, ":rules": rules, ":text": text, ":hash": hash})?;
        }
        Ok(())
    }
}

impl Closed {
    fn id(self) -> String {
        match self {
            Closed::Block(no) => blocks::block_id(no),
            Closed::Span(no) => blocks::span_id(no),
        }
    }
}

impl Store {
    /// What is closed of a session; `None` where the database has no such session.
    pub fn shelved(&self, key: &SessionKey) -> Result<Option<Shelved>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        let kept = closed::kept_blocks(&self.conn, session)?;
        let mut present = Vec::with_capacity(kept.len());
        for block in &kept {
            present.push(has_text(&self.conn, block.last)?);
        }
        let last = kept.last().map(|kept| place_of(&self.conn, kept.last)).transpose()?;
        let bare = |kept: KeptRun<Block>| kept.block;
        let spans = closed::kept_spans(&self.conn, session)?.into_iter().map(|kept| kept.block).collect();
        Ok(Some(Shelved { blocks: kept.into_iter().map(bare).collect(), spans, present, last }))
    }

    /// The record of a block or span; `None` where there is no such. See [`Store::blocks`].
    pub fn closed_record(&self, key: &SessionKey, which: Closed) -> Result<Option<Record>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        let Some((row, _)) = record_row(&self.conn, session, which)? else { return Ok(None) };
        Ok(Some(blocks::record(&self.conn, row, &which.id())?))
    }

    /// The text that was made of a record in this wording; `None` where there is none, or where it is not the one that
    /// was stored.
    pub fn rendered(&self, key: &SessionKey, which: Closed, rules: u32) -> Result<Option<String>, StoreError> {
        if !self.conn.table_exists(None, "rendered")? {
            return Ok(None);
        }
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        let Some((row, seal)) = record_row(&self.conn, session, which)? else { return Ok(None) };
        let mut read =
            self.conn.prepare_cached("SELECT text, hash FROM rendered WHERE record = :record AND rules = :rules")?;
        let found = read.query_row(named_params! {":record": row, ":rules": rules}, |row| {
            Ok((row.get::<_, String>(0)?, rows::hash(row, "hash")?))
        });
        let found = found.optional()?;
        Ok(found.filter(|(text, hash)| *hash == sealed(seal, rules, text)).map(|(text, _)| text))
    }

    /// How many items of the record of a block or span are still drafts.
    pub fn drafts(&self, key: &SessionKey, which: Closed) -> Result<u32, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(0) };
        let Some((row, _)) = record_row(&self.conn, session, which)? else { return Ok(0) };
        Ok(blocks::drafts(&self.conn, row)?.len() as u32)
    }

    /// Keeps the texts that were made of records. Nothing is kept of a session in retention mode.
    pub fn keep_rendered(&mut self, key: &SessionKey, made: Wordings) -> Result<(), StoreError> {
        if made.texts.is_empty() {
            return Ok(());
        }
        self.write(|tx| match rows::session_row(tx, key)? {
            Some(session) => made.keep(tx, session),
            None => Ok(()),
        })?;
        self.wrote(made.texts.len());
        Ok(())
    }

    /// The calls with these ids: the tool of each, and the row of the session's own file where it was made.
    pub fn calls(&self, key: &SessionKey, ids: &[String]) -> Result<Vec<(String, u64)>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let mut find = self.conn.prepare_cached(
            "SELECT tool, line.seq
             FROM part JOIN line USING (line)
             WHERE part.session = :session AND file = 0 AND part.kind = 'tool_call' AND call = :call
             ORDER BY part.seq DESC
             LIMIT 1",
        )?;
        let mut calls = Vec::with_capacity(ids.len());
        for id in ids {
            let found = find.query_row(named_params! {":session": session, ":call": id}, |row| {
                Ok((row.get::<_, Option<String>>(0)?.unwrap_or_default(), row.get::<_, i64>(1)? as u64))
            });
            calls.extend(found.optional()?);
        }
        Ok(calls)
    }

    /// The lines of the session's own file from one on that repeat the id of an earlier line: their parts do not count.
    pub fn repeats(&self, key: &SessionKey, from: u64) -> Result<Vec<u64>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let mut read = self.conn.prepare_cached(
            "SELECT seq
             FROM line
             WHERE session = :session AND file = 0 AND seq >= :from AND id IS NOT NULL AND kind = 'message'
               AND EXISTS (SELECT 1 FROM line AS before
                           WHERE before.session = :session AND before.id = line.id AND before.id IS NOT NULL
                             AND +before.file = 0 AND +before.seq < line.seq)",
        )?;
        let found = read.query_map(named_params! {":session": session, ":from": rows::int(from)}, |row| {
            Ok(row.get::<_, i64>(0)? as u64)
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

fn sealed(seal: Hash, rules: u32, text: &str) -> Hash {
    Hash::of_fields([seal.0.as_slice(), rules.to_le_bytes().as_slice(), text.as_bytes()])
}

fn record_row(conn: &Connection, session: i64, which: Closed) -> Result<Option<(i64, Hash)>, StoreError> {
    let mut read = conn.prepare_cached("SELECT record, seal FROM record WHERE session = :session AND id = :id")?;
    let found = read.query_row(named_params! {":session": session, ":id": which.id()}, |row| {
        Ok((row.get(0)?, rows::hash(row, "seal")?))
    });
    Ok(found.optional()?)
}

/// The texts of a block go all at once: one of its parts stands for them.
fn has_text(conn: &Connection, part: i64) -> Result<bool, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT mode = 'keep' OR EXISTS (SELECT 1 FROM part_text WHERE part_text.part = part.part)
         FROM part JOIN session USING (session)
         WHERE part = :part",
    )?;
    Ok(read.query_row(named_params! {":part": part}, |row| row.get(0)).optional()?.unwrap_or(false))
}

fn place_of(conn: &Connection, part: i64) -> Result<(u64, u32), StoreError> {
    let mut read = conn.prepare_cached("SELECT line.seq, block FROM part JOIN line USING (line) WHERE part = :part")?;
    Ok(read.query_row(named_params! {":part": part}, |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?)
}
