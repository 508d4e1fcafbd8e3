//! Takes texts out of the pages of the file itself. SQLite overwrites a cell that it deletes, but where it moves cells from
//! page to page to keep them filled, it leaves copies behind in what it takes for free room. So no text that may go is
//! ever moved: what goes, and what stays near it, is overwritten where it stands before anything is deleted, and what stays
//! is written back once its cells are in their places. New lines come behind all others, which moves nothing.

use std::collections::BTreeSet;
use std::io::Read;
use std::ops::RangeInclusive;

use rusqlite::{MAIN_DB, OptionalExtension, Transaction, named_params};

use super::{Forgotten, StoreError, file};

/// Rows on each side of what is deleted that may be moved: more than stand in ten pages, however short they are.
const NEAR: i64 = 4096;

/// A table of texts that may go.
struct Table {
    name: &'static str,
    key: &'static str,
    column: &'static str,
    /// From a line to its rows. A cross join is made in the order in which it stands.
    joined: &'static str,
}

const PARTS: Table = Table {
    name: "part_text",
    key: "part",
    column: "text",
    joined: "CROSS JOIN part USING (line) CROSS JOIN part_text USING (part)",
};
const LINES: Table =
    Table { name: "line_text", key: "line", column: "text", joined: "CROSS JOIN line_text USING (line)" };
const RAW: Table = Table { name: "line_raw", key: "line", column: "raw", joined: "CROSS JOIN line_raw USING (line)" };

/// Erases the texts of a session up to this line. Deleted pages are to be overwritten (`secure_delete`), and the log is to
/// be moved into the file behind it.
pub(super) fn erase(tx: &Transaction, session: i64, up_to: i64) -> Result<Forgotten, StoreError> {
    // The lines as they came tell the others how far the session is gone: they go last.
    Ok(Forgotten {
        beside: LINES.erase(tx, session, up_to)?,
        parts: PARTS.erase(tx, session, up_to)?,
        lines: RAW.erase(tx, session, up_to)?,
    })
}

impl Table {
    /// Gives how many went.
    fn erase(&self, tx: &Transaction, session: i64, up_to: i64) -> Result<usize, StoreError> {
        let Table { name, key, .. } = self;
        let goes = self.rows(tx, session, up_to)?;
        let Some(near) = self.near(tx, &goes)? else { return Ok(0) };
        let mut stays = Vec::new();
        for row in self.forgetful(tx, near)? {
            if !goes.contains(&row) {
                stays.push((row, self.read(tx, row)?));
            }
        }
        for row in goes.iter().chain(stays.iter().map(|(row, _)| row)) {
            self.overwrite(tx, *row, std::io::repeat(0))?;
        }
        let mut delete = tx.prepare_cached(&format!("DELETE FROM {name} WHERE {key} = ?1"))?;
        for row in &goes {
            delete.execute([row])?;
        }
        for (row, text) in &stays {
            self.overwrite(tx, *row, text.as_slice())?;
        }
        Ok(goes.len())
    }

    /// The rows of a session up to this line whose texts are here. Before the newest block that is gone nothing is, so that
    /// only the lines behind it are looked at; the plus keeps SQLite from looking at every line of the session instead.
    fn rows(&self, tx: &Transaction, session: i64, up_to: i64) -> Result<BTreeSet<i64>, StoreError> {
        let Table { name, key, joined, .. } = self;
        let mut find = tx.prepare_cached(&format!(
            "SELECT {name}.{key}
             FROM line {joined}
             WHERE +line.session = :session
               AND line.line <= :up_to
               AND line.line > coalesce((SELECT part.line
                                         FROM block JOIN part ON part.part = block.last
                                         WHERE block.session = :session
                                           AND part.line NOT IN (SELECT line FROM line_raw)
                                         ORDER BY no DESC
                                         LIMIT 1),
                                        (SELECT min(line) - 1 FROM line WHERE session = :session))"
        ))?;
        let rows = find.query_map(named_params! {":session": session, ":up_to": up_to}, |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The rows there whose texts may go, of whichever session.
    fn forgetful(&self, tx: &Transaction, near: RangeInclusive<i64>) -> Result<Vec<i64>, StoreError> {
        let Table { name, key, .. } = self;
        let mut find = tx.prepare_cached(&format!(
            "SELECT {name}.{key}
             FROM {name} CROSS JOIN {key} USING ({key}) CROSS JOIN session USING (session)
             WHERE {name}.{key} BETWEEN :first AND :last AND mode = 'retention'"
        ))?;
        let rows = find.query_map(named_params! {":first": near.start(), ":last": near.end()}, |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Where cells may be moved when these are deleted; `None` where none are.
    fn near(&self, tx: &Transaction, goes: &BTreeSet<i64>) -> Result<Option<RangeInclusive<i64>>, StoreError> {
        let (Some(first), Some(last)) = (goes.first(), goes.last()) else { return Ok(None) };
        let Table { name, key, .. } = self;
        let end = |order: &str, from: &i64| -> Result<Option<i64>, StoreError> {
            let sql = format!("SELECT {key} FROM {name} WHERE {key} {order} LIMIT 1 OFFSET {NEAR}");
            Ok(tx.prepare_cached(&sql)?.query_row([from], |row| row.get(0)).optional()?)
        };
        let start = end(&format!("< ?1 ORDER BY {key} DESC"), first)?.unwrap_or(i64::MIN);
        Ok(Some(start..=end(&format!("> ?1 ORDER BY {key}"), last)?.unwrap_or(i64::MAX)))
    }

    fn read(&self, tx: &Transaction, row: i64) -> Result<Vec<u8>, StoreError> {
        let mut text = Vec::new();
        let mut blob = tx.blob_open(MAIN_DB, self.name, self.column, row, true)?;
        blob.read_to_end(&mut text).map_err(|error| file::io("cannot read what stays".into(), error))?;
        Ok(text)
    }

    /// Writes over a text where it stands, as long as that is.
    fn overwrite(&self, tx: &Transaction, row: i64, with: impl Read) -> Result<(), StoreError> {
        let mut blob = tx.blob_open(MAIN_DB, self.name, self.column, row, false)?;
        let length = blob.len() as u64;
        let failed = |error| file::io("cannot overwrite what is to go".into(), error);
        std::io::copy(&mut with.take(length), &mut blob).map(|_| ()).map_err(failed)
    }
}
