//! How long the blocks of a session are, as of whoever closed them last.

use rusqlite::{OptionalExtension, named_params};

use super::{Store, StoreError, rows};
use crate::session::SessionKey;

/// Turns of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// From so many on it closes at the next seam.
    pub target: u32,
    /// At so many it closes anyway.
    pub cap: u32,
}

impl Store {
    /// Those of a session; `None` where nobody chose any.
    pub fn lengths(&self, key: &SessionKey) -> Result<Option<Lengths>, StoreError> {
        // A database of an older version does not know them.
        let (Some(session), true) = (rows::session_row(&self.conn, key)?, self.conn.table_exists(None, "lengths")?)
        else {
            return Ok(None);
        };
        let mut read = self.conn.prepare_cached("SELECT target, cap FROM lengths WHERE session = :session")?;
        let found = read.query_row(named_params! {":session": session}, |row| {
            Ok(Lengths { target: row.get(0)?, cap: row.get(1)? })
        });
        Ok(found.optional()?)
    }

    /// Keeps those of a session that is here.
    pub fn keep_lengths(&mut self, key: &SessionKey, lengths: Lengths) -> Result<(), StoreError> {
        self.write(|tx| {
            let Some(session) = rows::session_row(tx, key)? else { return Ok(()) };
            let mut keep = tx.prepare_cached(
                "INSERT INTO lengths (session, target, cap)
                 VALUES (:session, :target, :cap)
                 ON CONFLICT (session) DO UPDATE
                 SET target = excluded.target, cap = excluded.cap",
            )?;
            keep.execute(named_params! {":session": session, ":target": lengths.target, ":cap": lengths.cap})?;
            Ok(())
        })
    }
}
