//! How often markers were opened on this machine. A figure for the person alone: nothing else rests on it.

use rusqlite::named_params;

use super::pen::session_for;
use super::{Store, StoreError};
use crate::session::{MarkerKey, SessionKey};

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// Markers that were opened at least once.
    pub markers: u64,
    /// How often markers were opened.
    pub times: u64,
}

impl Store {
    /// Counts that a marker was opened.
    pub fn marker_opened(&mut self, key: &SessionKey, marker: &MarkerKey) -> Result<(), StoreError> {
        self.write(|tx| {
            let session = session_for(tx, key, None)?;
            let mut count = tx.prepare_cached(
                "INSERT INTO opened (session, marker, times)
                 VALUES (:session, :marker, 1)
                 ON CONFLICT (session, marker) DO UPDATE
                 SET times = times + 1",
            )?;
            count.execute(named_params! {":session": session, ":marker": marker.id})?;
            Ok(())
        })?;
        self.wrote(1);
        Ok(())
    }

    /// How much was looked at, over all sessions.
    pub fn count_opened(&self) -> Result<Opened, StoreError> {
        if !self.conn.table_exists(None, "opened")? {
            return Ok(Opened::default());
        }
        let mut read = self.conn.prepare_cached("SELECT count(*), ifnull(sum(times), 0) FROM opened")?;
        let row = read.query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
        let (markers, times) = row?;
        Ok(Opened { markers: markers as u64, times: times as u64 })
    }
}
