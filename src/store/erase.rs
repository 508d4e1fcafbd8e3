//! Takes texts out of the pages of the file itself. SQLite overwrites a cell that it deletes, but where it moves cells from
//! page to page to keep them filled, it leaves copies behind in what it takes for free room. So no text ever moves: it is
//! overwritten where it stands before anything near it is deleted, and what stays is written into the rows that were made
//! for it once they are in their places. New lines come behind all others, which moves nothing.

use std::io::{Read, Write};

use rusqlite::types::Value;
use rusqlite::{MAIN_DB, Transaction, named_params, params};

use super::{Forgotten, StoreError};

/// A table of texts that may go.
struct Texts {
    table: &'static str,
    key: &'static str,
    column: &'static str,
    /// From its line to its rows.
    joined: &'static str,
}

const PARTS: Texts = Texts {
    table: "part_text",
    key: "part",
    column: "text",
    joined: "JOIN part USING (line) JOIN part_text USING (part)",
};
const LINES: Texts = Texts { table: "line_text", key: "line", column: "text", joined: "JOIN line_text USING (line)" };
const RAW: Texts = Texts { table: "line_raw", key: "line", column: "raw", joined: "JOIN line_raw USING (line)" };

/// Erases the texts of a session up to this line. Deleted pages are to be overwritten (`secure_delete`), and the log is to
/// be moved into the file behind it.
pub(super) fn erase(tx: &Transaction, session: i64, up_to: i64) -> Result<Forgotten, StoreError> {
    Ok(Forgotten {
        beside: LINES.erase(tx, session, up_to)?,
        parts: PARTS.erase(tx, session, up_to)?,
        lines: RAW.erase(tx, session, up_to)?,
    })
}

impl Texts {
    /// Gives how many went.
    fn erase(&self, tx: &Transaction, session: i64, up_to: i64) -> Result<usize, StoreError> {
        let Texts { table, key, column, .. } = self;
        let rows = self.rows(tx, session, up_to)?;
        if rows.iter().all(|(_, stays)| stays.is_some()) {
            return Ok(0);
        }
        for (row, _) in &rows {
            let mut blob = tx.blob_open(MAIN_DB, *table, *column, *row, false)?;
            let size = blob.len() as u64;
            overwrite(&mut std::io::repeat(0).take(size), &mut blob)?;
        }
        let mut delete = tx.prepare_cached(&format!("DELETE FROM {table} WHERE {key} = ?1"))?;
        for (row, _) in &rows {
            delete.execute([row])?;
        }
        let mut insert = tx.prepare_cached(&format!("INSERT INTO {table} ({key}, {column}) VALUES (?1, ?2)"))?;
        let stay: Vec<(i64, &Value)> = rows.iter().filter_map(|(row, stays)| Some((*row, stays.as_ref()?))).collect();
        for (row, text) in &stay {
            insert.execute(params![row, blank(text)])?;
        }
        for (row, text) in &stay {
            let mut blob = tx.blob_open(MAIN_DB, *table, *column, *row, false)?;
            overwrite(&mut bytes(text), &mut blob)?;
        }
        Ok(rows.len() - stay.len())
    }

    /// Every row whose text may go, with its text where that stays for now: what is still open, of every session.
    fn rows(&self, tx: &Transaction, session: i64, up_to: i64) -> Result<Vec<(i64, Option<Value>)>, StoreError> {
        let Texts { table, key, column, joined } = self;
        let mut of = tx.prepare_cached("SELECT session FROM session WHERE mode = 'retention'")?;
        let sessions = of.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        // Before the newest block that is gone nothing is left.
        let mut find = tx.prepare_cached(&format!(
            "SELECT {table}.{key}, iif(line.session = :erased AND line.line <= :up_to, NULL, {column})
             FROM line {joined}
             WHERE line.session = :session
               AND line.line > ifnull((SELECT part.line
                                       FROM block JOIN part ON part.part = block.last
                                       WHERE block.session = :session
                                         AND part.line NOT IN (SELECT line FROM line_raw)
                                       ORDER BY no DESC
                                       LIMIT 1), 0)
             ORDER BY line.line"
        ))?;
        let mut rows = Vec::new();
        for of in sessions {
            let bound = named_params! {":session": of, ":erased": session, ":up_to": up_to};
            let found = find.query_map(bound, |row| Ok((row.get(0)?, row.get(1)?)))?;
            for row in found {
                rows.push(row?);
            }
        }
        Ok(rows)
    }
}

/// As many bytes of the same kind that say nothing.
fn blank(text: &Value) -> Value {
    match text {
        Value::Text(text) => Value::Text("\0".repeat(text.len())),
        Value::Blob(bytes) => Value::Blob(vec![0; bytes.len()]),
        other @ (Value::Null | Value::Integer(_) | Value::Real(_)) => other.clone(),
    }
}

fn bytes(text: &Value) -> &[u8] {
    match text {
        Value::Text(text) => text.as_bytes(),
        Value::Blob(bytes) => bytes,
        Value::Null | Value::Integer(_) | Value::Real(_) => &[],
    }
}

fn overwrite(with: &mut impl Read, place: &mut impl Write) -> Result<(), StoreError> {
    let failed = |error| super::file::io("cannot overwrite what is to go".into(), error);
    std::io::copy(with, place).map(|_| ()).map_err(failed)
}
