//! Search over the texts of all parts in a database: what `stet search` will ask for. What a person types is words, never
//! a query language. The index is derived: it is made anew where it was emptied.

use std::collections::HashSet;

use rusqlite::{Connection, Row, Transaction, TransactionBehavior, named_params};

use super::{Store, StoreError, forget};
use crate::session::{FileNo, Place, SessionKey};

/// A part that holds what was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The session it stands in.
    pub key: SessionKey,
    /// The part.
    pub place: Place,
    /// The id of its line, where it has one.
    pub line_id: Option<String>,
    /// The whole text of the part.
    pub text: String,
}

/// What a search gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// What was found.
    pub hits: Vec<Hit>,
    /// What could not be looked through; empty where everything was.
    pub unsearched: Vec<Unsearched>,
}

/// A session some of whose texts are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsearched {
    /// Which one.
    pub key: SessionKey,
    /// So many turns from its beginning.
    pub turns: u32,
}

impl Store {
    /// Parts that hold these words one after the other, letter case ignored, up to `most` of them, in session order; and
    /// which sessions could not be searched as a whole.
    pub fn search(&self, words: &str, most: usize) -> Result<Searched, StoreError> {
        // A quoted phrase has no operators; a NUL would end it early.
        let phrase: String = words.chars().filter(|c| *c != '\0').collect();
        if !phrase.chars().any(char::is_alphanumeric) {
            return Ok(Searched::default());
        }
        let phrase = format!("\"{}\"", phrase.replace('"', "\"\""));
        let mut hits = self.in_index(&phrase, most)?;
        hits.extend(self.in_what_may_go(&phrase)?);
        hits.sort_by_key(|(part, _)| *part);
        let hits = hits.into_iter().take(most).map(|(_, hit)| hit).collect();
        Ok(Searched { hits, unsearched: self.unsearched()? })
    }

    fn in_index(&self, phrase: &str, most: usize) -> Result<Vec<(i64, Hit)>, StoreError> {
        let mut read = self.conn.prepare_cached(&format!(
            "{HIT}
             FROM part_fts
             JOIN part ON part.part = part_fts.rowid
             JOIN part_text USING (part)
             JOIN line USING (line)
             JOIN session ON session.session = line.session
             WHERE part_fts MATCH :phrase
             ORDER BY part_fts.rowid
             LIMIT :most"
        ))?;
        let found = read.query_map(named_params! {":phrase": phrase, ":most": most as i64}, hit)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// What may go is in no index, and little is there of it: it is put into one in memory.
    fn in_what_may_go(&self, phrase: &str) -> Result<Vec<(i64, Hit)>, StoreError> {
        let mut read = self.conn.prepare_cached(&format!(
            "{HIT}
             FROM session
             JOIN part USING (session)
             JOIN part_text USING (part)
             JOIN line USING (line)
             WHERE mode = 'retention'"
        ))?;
        let there = read.query_map([], hit)?.collect::<Result<Vec<_>, _>>()?;
        if there.is_empty() {
            return Ok(there);
        }
        let index = Connection::open_in_memory()?;
        index.execute_batch("CREATE VIRTUAL TABLE said USING fts5 (text)")?;
        let mut put = index.prepare("INSERT INTO said (rowid, text) VALUES (:part, :text)")?;
        for (part, hit) in &there {
            put.execute(named_params! {":part": part, ":text": hit.text})?;
        }
        let mut find = index.prepare("SELECT rowid FROM said WHERE said MATCH :phrase")?;
        let found = find.query_map(named_params! {":phrase": phrase}, |row| row.get(0))?;
        let found = found.collect::<Result<HashSet<i64>, _>>()?;
        Ok(there.into_iter().filter(|(part, _)| found.contains(part)).collect())
    }

    /// Sessions whose texts went, as far as they did.
    fn unsearched(&self) -> Result<Vec<Unsearched>, StoreError> {
        let mut read =
            self.conn.prepare_cached("SELECT session, agent, id, sub FROM session WHERE mode = 'retention'")?;
        let found = read.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?, SessionKey { agent: row.get(1)?, id: row.get(2)?, sub: row.get(3)? }))
        })?;
        let mut unsearched = Vec::new();
        for found in found {
            let (session, key) = found?;
            let turns = forget::gone_turns(&self.conn, session)?;
            if turns > 0 {
                unsearched.push(Unsearched { key, turns });
            }
        }
        Ok(unsearched)
    }
}

/// The part with its place and its text.
const HIT: &str = "SELECT part.part, agent, session.id, sub, line.file, line.seq, block, line.id, part_text.text";

/// Makes the index anew where it was emptied. What may go is never in it.
pub(super) fn mend(conn: &Connection) -> Result<(), StoreError> {
    let emptied: bool = conn.query_row(
        "SELECT EXISTS (SELECT 1
                        FROM part_text JOIN part USING (part) JOIN session USING (session)
                        WHERE part_text.part > ifnull((SELECT max(id) FROM part_fts_docsize), 0)
                          AND mode = 'keep')",
        [],
        |row| row.get(0),
    )?;
    if emptied {
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
        tx.execute_batch(
            "INSERT INTO part_fts (part_fts) VALUES ('delete-all');
             INSERT INTO part_fts (rowid, text)
             SELECT part, text
             FROM session JOIN part USING (session) JOIN part_text USING (part)
             WHERE mode = 'keep'
             ORDER BY part",
        )?;
        tx.commit()?;
    }
    Ok(())
}

/// How many texts of a session are not in the index.
pub(super) fn lacking(conn: &Connection, session: i64) -> Result<i64, StoreError> {
    let mut count = conn.prepare_cached(
        "SELECT count(*)
         FROM session JOIN part USING (session) JOIN part_text USING (part)
         WHERE session = :session
           AND mode = 'keep'
           AND part NOT IN (SELECT id FROM part_fts_docsize)",
    )?;
    Ok(count.query_row(named_params! {":session": session}, |row| row.get(0))?)
}

fn hit(row: &Row) -> rusqlite::Result<(i64, Hit)> {
    let hit = Hit {
        key: SessionKey { agent: row.get(1)?, id: row.get(2)?, sub: row.get(3)? },
        place: Place { file: FileNo(row.get(4)?), offset: row.get::<_, i64>(5)? as u64, part: row.get(6)? },
        line_id: row.get(7)?,
        text: row.get(8)?,
    };
    Ok((row.get(0)?, hit))
}
