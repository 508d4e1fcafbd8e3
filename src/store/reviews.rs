//! Review marks (*checked, right*) and the count of opened markers: kept for people, said to nobody else.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::pen::session_for;
use super::{Store, StoreError, anchors, rows};
use crate::record::Anchor;
use crate::session::{MarkerKey, SessionKey};

/// An item that somebody marked as *checked, right*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The item.
    pub anchor: Anchor,
    /// Who checked it last.
    pub author: String,
    /// Milliseconds since 1970, UTC.
    pub at: i64,
}

impl Store {
    /// What is marked now: the newest mark on an item counts.
    pub fn reviews(&self, key: &SessionKey) -> Result<Vec<Review>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let mut marked: Vec<Review> = Vec::new();
        for Mark { anchor, author, at, checked } in marks(&self.conn, session)? {
            marked.retain(|review| !review.anchor.same(&anchor));
            if checked {
                marked.push(Review { anchor, author, at });
            }
        }
        Ok(marked)
    }

    /// Marks an item, or takes the mark back. Both are kept.
    pub fn review(&mut self, anchor: &Anchor, author: &str, at_ms: i64, checked: bool) -> Result<(), StoreError> {
        let mark = Mark { anchor: anchor.clone(), author: author.to_owned(), at: at_ms, checked };
        self.write(|tx| mark.insert(tx, session_for(tx, &anchor.session, Some(at_ms))?))?;
        self.wrote(1);
        Ok(())
    }

    /// Counts that a marker was opened.
    pub fn count_opened(&mut self, key: &SessionKey, marker: &MarkerKey) -> Result<(), StoreError> {
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

    /// How many markers were opened, and how often altogether.
    pub fn opened(&self) -> Result<(u64, u64), StoreError> {
        let mut read = self.conn.prepare_cached("SELECT count(*), ifnull(sum(times), 0) FROM opened")?;
        let counts = read.query_row([], |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)));
        Ok(counts.optional()?.unwrap_or_default())
    }
}

/// One mark, given or taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    anchor: Anchor,
    author: String,
    at: i64,
    checked: bool,
}

impl Mark {
    pub(super) fn insert(&self, tx: &Connection, session: i64) -> Result<(), StoreError> {
        let values = anchors::values(Some(&self.anchor));
        let mut add = tx.prepare_cached(&format!(
            "INSERT INTO review (session, no, at, author, checked, {})
             VALUES (:session, (SELECT ifnull(max(no), 0) + 1 FROM review WHERE session = :session),
                     :at, :author, :checked, {})",
            anchors::COLUMNS,
            anchors::PARAMETERS,
        ))?;
        add.execute(named_params! {
            ":session": session, ":at": self.at, ":author": self.author, ":checked": self.checked,
            ":anchor_agent": values.0, ":anchor_session": values.1, ":anchor_sub": values.2,
            ":anchor_marker": values.3, ":anchor_summary": values.4, ":anchor_field": values.5,
            ":anchor_text": values.6, ":anchor_hash": values.7, ":anchor_start": values.8.0,
            ":anchor_end": values.8.1, ":anchor_record": values.9.0, ":anchor_ordinal": values.9.1,
        })?;
        Ok(())
    }
}

/// Every mark of a session in its order.
pub(super) fn marks(conn: &Connection, session: i64) -> Result<Vec<Mark>, StoreError> {
    let mut read = conn.prepare_cached("SELECT * FROM review WHERE session = :session ORDER BY no")?;
    let mut found = read.query(named_params! {":session": session})?;
    let mut marks = Vec::new();
    while let Some(row) = found.next()? {
        if let Some(anchor) = anchors::read(row)? {
            let checked = row.get("checked")?;
            marks.push(Mark { anchor, author: row.get("author")?, at: row.get("at")?, checked });
        }
    }
    Ok(marks)
}
