//! Search over the texts of all parts in a database: what `stet search` will ask for. What a person types is words, never
//! a query language. The index is derived: it is made anew where it was emptied.

use rusqlite::{Connection, Row, named_params};

use super::{Store, StoreError};
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

impl Store {
    /// Parts that hold these words one after the other, letter case ignored, up to `most` of them, in session order.
    pub fn search(&self, words: &str, most: usize) -> Result<Vec<Hit>, StoreError> {
        // A quoted phrase has no operators; a NUL would end it early.
        let phrase: String = words.chars().filter(|c| *c != '\0').collect();
        if !phrase.chars().any(char::is_alphanumeric) {
            return Ok(Vec::new());
        }
        let phrase = format!("\"{}\"", phrase.replace('"', "\"\""));
        let mut read = self.conn.prepare_cached(
            "SELECT agent, session.id, sub, line.file, line.seq, block, line.id, part_text.text
             FROM part_fts
             JOIN part ON part.part = part_fts.rowid
             JOIN part_text USING (part)
             JOIN line USING (line)
             JOIN session ON session.session = line.session
             WHERE part_fts MATCH :phrase
             ORDER BY part_fts.rowid
             LIMIT :most",
        )?;
        let found = read.query_map(named_params! {":phrase": phrase, ":most": most as i64}, hit)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

/// Makes the index anew where it was emptied.
pub(super) fn mend(conn: &Connection) -> Result<(), StoreError> {
    let emptied: bool = conn.query_row(
        "SELECT ifnull((SELECT max(part) FROM part_text), 0) > ifnull((SELECT max(id) FROM part_fts_docsize), 0)",
        [],
        |row| row.get(0),
    )?;
    if emptied {
        conn.execute_batch("INSERT INTO part_fts (part_fts) VALUES ('rebuild')")?;
    }
    Ok(())
}

/// How many texts of a session are not in the index.
pub(super) fn lacking(conn: &Connection, session: i64) -> Result<i64, StoreError> {
    let mut count = conn.prepare_cached(
        "SELECT count(*)
         FROM part JOIN part_text USING (part)
         WHERE session = :session
           AND part NOT IN (SELECT id FROM part_fts_docsize)",
    )?;
    Ok(count.query_row(named_params! {":session": session}, |row| row.get(0))?)
}

fn hit(row: &Row) -> rusqlite::Result<Hit> {
    Ok(Hit {
        key: SessionKey { agent: row.get(0)?, id: row.get(1)?, sub: row.get(2)? },
        place: Place { file: FileNo(row.get(3)?), offset: row.get::<_, i64>(4)? as u64, part: row.get(5)? },
        line_id: row.get(6)?,
        text: row.get(7)?,
    })
}
